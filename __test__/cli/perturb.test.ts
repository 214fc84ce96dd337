import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const cwd = folder.path;
const LINES = 'The kettle is hot, and the tea is good.\nPour {name} a cup: "very" slowly!\n\n  last  ';
folder.write({ 'src.txt': LINES });

/** Runs `teapot perturb` on the two sentences. */
async function perturb(...args: string[]): ReturnType<typeof runCli> {
  return runCli(['perturb', ...args], { cwd, stdin: LINES });
}

function read(name: string): string {
  return readFileSync(join(cwd, name), 'utf8');
}

it('edits a share of the words of every line; the numbers are on stderr', async () => {
  const { code, stdout, stderr } = await perturb('--attack', 'charswap', '--rate', '0.3', '--seed', '7');
  expect(code).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "The kettle is hott, andd the teaa is good.
    Pour {name} aa cupp: "very" slowly!

      lsat  
    "
  `);
  expect(stderr).toMatchInlineSnapshot(`
    "charswap: 4 lines, 3 changed, 6 edits (swap 1, repeat 5), seed 7
    "
  `);
});

describe.concurrent('teapot perturb', () => {
  it('gives the same bytes from a file, on any number of threads, to a file', async () => {
    const expected = (await perturb('--attack', 'typo', '--rate', '0.5')).stdout;
    const args = ['src.txt', '--attack', 'typo', '--rate', '0.5', '--threads', '3', '-o', 'typo.txt', '-q'];
    expect(await perturb(...args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('typo.txt')).toBe(expected);
    await perturb('src.txt', '--attack', 'typo', '--rate', '0.5', '-o', 'typo.txt.gz');
    expect(gunzipSync(readFileSync(join(cwd, 'typo.txt.gz'))).toString()).toBe(expected);
    expect((await runCli(['perturb', 'typo.txt.gz', '--rate', '0'], { cwd })).stdout).toBe(expected);
  });

  it('writes edits that rebuild each variant', async () => {
    const { stdout } = await perturb('--attack', 'bad-characters', '-n', '2', '--edits', 'edits.jsonl', '--rate', '1');
    const texts = stdout.split('\n');
    const records = read('edits.jsonl').trimEnd().split('\n');
    // A blank line has one text alone.
    const places = LINES.split('\n').flatMap((line, index) =>
      line === '' ? [[index + 1, 0]] : [0, 1].map((variant) => [index + 1, variant]),
    );
    expect(records).toHaveLength(7);
    for (const [index, json] of records.entries()) {
      const record = JSON.parse(json) as {
        line: number;
        variant: number;
        edits: { start: number; end: number; replacement: string }[];
      };
      expect([record.line, record.variant]).toEqual(places[index]);
      const characters = [...(LINES.split('\n')[record.line - 1] ?? '')];
      for (const { start, end, replacement } of record.edits.toReversed()) {
        characters.splice(start, end - start, replacement);
      }
      expect(characters.join('')).toBe(texts[index]);
    }
  });

  it('leaves alone what is protected', async () => {
    const protect = ['--protect', 'KETTLE', '--protect-placeholders', '--protect-quoted', '--protect-pattern', 'cu.'];
    for (const attack of ['typo', 'word-swap', 'bad-characters', 'case:mode=upper', 'stresstest']) {
      // An attack that appends has no use for a rate, and refuses it.
      const rate = attack === 'stresstest' ? [] : ['--rate', '1'];
      const { stdout } = await perturb('--attack', attack, ...rate, ...protect);
      for (const kept of ['kettle', '{name}', '"very"', 'cup']) expect(stdout).toContain(kept);
    }
  });

  it('keeps the score above --min-s-src and writes it', async () => {
    const args = ['--attack', 'viper', '--rate', '1', '--min-s-src', '0.6', '--edits', 'least.jsonl'];
    const { stdout } = await perturb(...args, '--s-src', 'chrf:word_order=2');
    expect(stdout).not.toBe(`${LINES}\n`);
    const scores = [...read('least.jsonl').matchAll(/"s_src":([\d.]+)/g)].map((match) => Number(match[1]));
    expect(scores).toHaveLength(4);
    // A blank line stays as it is, whatever its score: chrF of two blank lines is 0.
    expect(scores.splice(2, 1)).toEqual([0]);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0.6);
    expect(Math.min(...scores)).toBeLessThan(0.9);
  });

  it('takes words, vocabulary and suffixes of the user', async () => {
    folder.write({ 'table.tsv': 'good\tfine\nhot\twarm\n', known: 'ketlte\r\nktetle\r\nkettel\r\n' });
    const replaced = await perturb('--attack', 'replace', '--replacements', 'table.tsv', '--rate', '1');
    expect(replaced.stdout.split('\n')[0]).toBe('The kettle is warm, and the tea is fine.');
    const appended = await perturb('--attack', 'append', '--suffix', 'indeed');
    expect(appended.stdout.split('\n')[1]).toBe('Pour {name} a cup: "very" slowly indeed!');
    const swapped = await runCli(['perturb', '--vocabulary', 'known', '--rate', '1'], { cwd, stdin: 'kettle\n' });
    expect(swapped.stdout).toBe('kettlee\n');
  });

  it('lists every attack with its parameters', async () => {
    const text = await perturb('--list');
    expect(text.stdout).toContain('charswap: two inner characters');
    const json = await perturb('--list', '--format', 'json');
    expect(JSON.parse(json.stdout)).toContainEqual(
      expect.objectContaining({
        name: 'homoglyph',
        parameters: expect.arrayContaining(['table=textattack|intentional']),
      }),
    );
  });
});

describe.concurrent('teapot perturb refuses', () => {
  it.each([
    [['--attack', 'swop'], 'attack is `swop`, expected one of charswap'],
    [['--attack', 'swap:skip=x'], 'expected skip to be none, first, last or both'],
    [['--rate', '1.1'], '--rate needs a number from 0 to 1, found "1.1".'],
    [['--variants', '0'], '--variants needs an integer from 1 to 1000000'],
    [['--max-edits', '-1'], '--max-edits needs'],
    [['--seed', '1.5'], '--seed needs an integer'],
    [['--s-src', 'chrf'], '--s-src does nothing without --min-s-src.'],
    [['--format', 'json'], '--format does nothing with a text that is edited: it belongs to --list.'],
    [['--min-s-src', '0.5', '--s-src', 'exec:cat'], '--s-src is exec:cat, expected a metric of the native core'],
    [['--protect-pattern', '('], 'expected a regular expression: unclosed group'],
    [['--attack', 'append', '--suffix', 'a\nb'], '--suffix must be one line'],
    [['--attack', 'replace'], 'replacements is missing'],
    [['--attack', 'swap', '--attack', 'stresstest'], 'a mixture of attacks'],
    [['missing.txt'], 'missing.txt: can'],
    [['src.txt', '-o', 'nowhere/out.txt'], 'nowhere/out.txt can'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await perturb(...args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(message.startsWith('nowhere') ? 1 : 2);
  });

  it('bytes that are no text, with the line, and leaves no file', async () => {
    const stdin = Buffer.concat([Buffer.from('good\n'.repeat(9000)), Buffer.from([0xff, 0x0a])]);
    const { code, stderr } = await runCli(['perturb', '-o', 'broken.txt'], { cwd, stdin });
    expect(code).toBe(2);
    expect(stderr).toContain('<stdin>: line 9001, byte 1 of the line');
    expect(existsSync(join(cwd, 'broken.txt'))).toBe(false);
  });
});

it('an interrupt ends a run whose input never ends, leaves the old file and no half one', async () => {
  folder.write({ 'old.txt': 'old\n' });
  const child = spawn(process.execPath, [MAIN, 'perturb', '-o', 'old.txt', '--edits', 'old.jsonl'], { cwd });
  const closed = once(child, 'close');
  child.stdin.on('error', () => {});
  const feed = setInterval(() => child.stdin.write('A line that never ends to come.\n'.repeat(20_000)), 20);
  setTimeout(() => child.kill('SIGINT'), 1500);
  const [code] = (await closed) as [number];
  clearInterval(feed);
  expect(code).toBe(130);
  expect(read('old.txt')).toBe('old\n');
  expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp') || name === 'old.jsonl')).toEqual([]);
});
