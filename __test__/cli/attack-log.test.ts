import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { PromptOutcome, RankedPrompt } from '../../src/attack/attack-prompts.js';
import { attackLog, pythonBytes } from '../../src/cli/attack/report.js';
import { FileImport } from '../../src/record/import/import-files.js';
import type { AttackRecord } from '../../src/record/schema.js';
import { formatFixed } from '../../src/number-format.js';
import { temporaryFolder } from '../helpers/cli.js';
import { seeded } from '../helpers/seeded.js';

/* The statements that write OpenCompass's log, numbered as in docs/design/attack-log.md, and the bytes of each. */

const folder = temporaryFolder();

function ranked(prompt: string, score: number, rank = 1): RankedPrompt {
  return { prompt, type: null, position: rank - 1, rank, score, unparsed: 0, refused: 0 };
}

function outcome(original: RankedPrompt, attackedPrompt: string | null, attackedScore: number | null): PromptOutcome {
  return {
    original,
    result: attackedPrompt === null ? 'skipped' : attackedPrompt === original.prompt ? 'failed' : 'successful',
    attackedPrompt,
    attackedScore,
    attackedUnparsed: null,
    pdr: null,
    edits: [],
    queries: 1,
    isBudgetUsed: false,
    damaged: [],
    reason: null,
  };
}

async function imported(log: string): Promise<AttackRecord[]> {
  const path = join(folder.path, 'attacklog.txt');
  writeFileSync(path, log);
  const records: AttackRecord[] = [];
  const warnings: string[] = [];
  const read = new FileImport('opencompass', [path], { onWarning: ({ message }) => warnings.push(message) });
  for await (const record of read.records()) records.push(record);
  expect(warnings).toEqual([]);
  return records;
}

describe('each statement', () => {
  test('1: a line a ranked prompt', () => {
    expect(attackLog([ranked('Rate it, acc: 5, now', 0.59155), ranked('Один', 0, 2)], [])).toBe(
      'Prompt: Rate it, acc: 5, now, acc: 59.16%\nPrompt: Один, acc: 0.00%\n',
    );
  });

  test('2, 3 and 4: the block of an attacked prompt', () => {
    expect(attackLog([], [outcome(ranked("What's the mood?", 0.5915), 'What\u2019s the "m\u043eod"?\t', 0.2958)])).toBe(
      "Original prompt: What's the mood?\n" +
        String.raw`Attacked prompt: b'What\xe2\x80\x99s the "m\xd0\xbeod"?\t'` +
        '\nOriginal acc: 59.15%, attacked acc: 29.58%, dropped acc: 29.57%\n\n',
    );
  });

  test('2, 3 and 4: an attack that found nothing has a block too', () => {
    expect(attackLog([], [outcome(ranked("Don't", 1), "Don't", 1)])).toBe(
      `Original prompt: Don't\nAttacked prompt: b"Don't"\nOriginal acc: 100.00%, attacked acc: 100.00%, dropped acc: 0.00%\n\n`,
    );
  });

  test('5, 6 and 7: the block of a prompt that scores 0, with the blank at its end', () => {
    expect(attackLog([], [outcome(ranked('Guess', 0), null, null)])).toBe(
      'Init acc is 0, skip this prompt\nOriginal prompt: Guess\nOriginal acc: 0.00% \n\n',
    );
  });

  test('none: a prompt that the budget left out', () => {
    expect(attackLog([], [outcome(ranked('Guess', 0.5), null, null)])).toBe('');
  });
});

test('a whole log, with prompts of several lines, is read back', async () => {
  const prompts = [
    ranked('Read the text.\nIs it good or bad?', 0.75),
    ranked('Is it, acc: 9%, good?\n\nPrompt: answer', 0.5, 2),
    ranked('Nothing works here', 0, 3),
    ranked('Not among the first', 0, 4),
  ];
  const [first, second, third] = prompts;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three prompts');
  const attacked = 'Read the txet.\nIs it good or bad?';
  const log = attackLog(prompts, [
    outcome(first, attacked, 0.25),
    outcome(second, second.prompt, 0.5),
    outcome(third, null, null),
  ]);
  const records = await imported(log);
  expect(
    records.map(({ src, adv_src, original_score, attacked_score, result, extra }) => [
      src,
      adv_src,
      original_score,
      attacked_score,
      result,
      extra?.['rank'],
    ]),
  ).toEqual([
    [first.prompt, attacked, 75, 25, null, 1],
    [second.prompt, second.prompt, 50, 50, null, 2],
    [third.prompt, null, 0, null, 'skipped', undefined],
    ['Not among the first', null, 0, null, null, 4],
  ]);
});

const PYTHON = `
import json, sys
scores, texts = json.load(sys.stdin)
print(json.dumps(['{:.2f}'.format(score * 100) for score in scores] + [str(text.encode('utf-8')) for text in texts]))
`;

test('numbers and bytes are Python’s own', ({ skip }) => {
  const { below, pick } = seeded(20);
  const shares = Array.from({ length: 2000 }, () => {
    const items = 1 + below(2000);
    return below(items + 1) / items;
  });
  const ties = Array.from({ length: 800 }, (_, index) => index / 800);
  const scores = [...shares, ...shares.map((share, index) => share - (shares[index + 1] ?? 0)), ...ties];
  const letters = [...'\'"\\ \n\r\t\u0000\u007f\u00a0aé\u0430漢🙂\u202e'];
  const texts = Array.from({ length: 500 }, () => Array.from({ length: below(9) }, () => pick(letters)).join(''));
  const { status, stdout, error } = spawnSync('python3', ['-c', PYTHON], {
    input: JSON.stringify([scores, texts]),
    encoding: 'utf8',
  });
  if (error !== undefined) skip('needs python3');
  expect(status).toBe(0);
  expect([...scores.map((score) => formatFixed(score * 100, 2, true)), ...texts.map(pythonBytes)]).toEqual(
    JSON.parse(stdout),
  );
});
