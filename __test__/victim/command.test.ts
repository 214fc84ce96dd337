import { utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, TeapotError, UsageError } from '../../src/errors.js';
import { createVictim } from '../../src/victim/create-victim.js';
import { endsRun } from '../../src/victim/victim-error.js';
import type { Answer, Victim, VictimContext } from '../../src/victim/victim.js';
import { useTempFolder } from '../score/temp-folder.js';

const folder = useTempFolder();

/** A victim that runs `body` for every line: with `input`, `question`, `n` (from 1 in each process), `say`. */
async function victimOf(body: string, context: VictimContext = {}): Promise<Victim> {
  const path = folder.write(
    'victim.mjs',
    `
import { closeSync, existsSync, writeFileSync } from 'node:fs';
const mark = ${JSON.stringify(folder.path('mark'))};
let n = 0;
let rest = '';
const say = (value) => process.stdout.write((typeof value === 'string' ? value : JSON.stringify(value)) + '\\n');
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const question = JSON.parse(line);
    const { input } = question;
    n += 1;
    ${body}
  }
});
`,
  );
  return createVictim(`command:"${process.execPath}" "${path}"`, context);
}

async function failureOf(work: Promise<unknown>): Promise<TeapotError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TeapotError);
  expect((error as TeapotError).code).toBe(ERROR_CODES.ENDPOINT);
  return error as TeapotError;
}

function outputs(answers: readonly Answer[]): string[] {
  return answers.map(({ output }) => output);
}

describe('a command that works', () => {
  it('may answer objects with scores, bare texts and numbers', async () => {
    const victim = await victimOf(
      `say([{ output: input, scores: { a: 0.25, b: 0.75 } }, '"bare ' + input + '"', '7', '{"output": 1, "scores": null}'][n - 1]);`,
    );
    expect(await victim.answer(['x\ny', '🍵', 'c', 'd'])).toEqual([
      { output: 'x\ny', scores: { a: 0.25, b: 0.75 } },
      { output: 'bare 🍵' },
      { output: '7' },
      { output: '1' },
    ]);
    await victim.close?.();
    await victim.close?.();
  });

  it('is started once for all questions, told the repeat, and ended at close', async () => {
    const victim = await victimOf(`say({ output: process.pid + ' ' + (question.repeat ?? 'none') });`);
    const [first, second] = await Promise.all([victim.answer(['a']), victim.answer(['b'], { repeat: 2 })]);
    const [pid, none] = outputs(first ?? [])[0]?.split(' ') ?? [];
    expect(none).toBe('none');
    expect(outputs(second ?? [])).toEqual([`${pid} 2`]);
    await victim.close?.();
    expect(await victim.answer([])).toEqual([]);
  });

  it('has a signature that changes with its program', async () => {
    const one = await victimOf(`say('"a"');`);
    const same = await victimOf(`say('"a"');`);
    const other = await victimOf(`say('"b"');`);
    expect(same.signature).toBe(one.signature);
    expect(other.signature).not.toBe(one.signature);
    // Not with the time at which it was written.
    utimesSync(folder.path('victim.mjs'), 1, 1);
    const command = `command:"${process.execPath}" "${folder.path('victim.mjs')}"`;
    expect((await createVictim(command)).signature).toBe(other.signature);
  });
});

describe('a command that dies', () => {
  it('is started anew and asked what it has not answered', async () => {
    const notes: string[] = [];
    const victim = await victimOf(
      `if (input === 'c' && !existsSync(mark)) { writeFileSync(mark, ''); process.exit(3); } say({ output: input });`,
      { onNote: (note) => notes.push(note) },
    );
    const order: number[] = [];
    const answers = await victim.answer(['a', 'b', 'c', 'd'], { onAnswer: (index) => order.push(index) });
    expect(outputs(answers)).toEqual(['a', 'b', 'c', 'd']);
    expect(order).toEqual([0, 1, 2, 3]);
    expect(notes).toEqual([expect.stringMatching(/^Victim command:.* is started anew \(1 of 3\)\.$/u)]);
    await victim.close?.();
  });

  it('fails the input that kills it twice, and answers the others', async () => {
    const victim = await victimOf(
      `if (input === 'poison') { console.error('ouch'); process.exit(3); } say({ output: input });`,
    );
    const error = await failureOf(victim.answer(['a', 'poison', 'c']));
    expect(error.message).toContain('ended too early (exit code 3) at input 2 ("poison")');
    expect(error.message).toContain('ouch');
    expect(error.message).toContain('started anew 1 times before');
    expect(endsRun(error)).toBe(false);
    expect(outputs(await victim.answer(['b']))).toEqual(['b']);
    await victim.close?.();
  });

  it('is started anew a limited number of times', async () => {
    const victim = await victimOf(`if (n === 2) process.exit(0); say({ output: input });`, { restarts: 2 });
    const kept: number[] = [];
    await failureOf(victim.answer(['a', 'b', 'c', 'd', 'e'], { onAnswer: (index) => kept.push(index) }));
    expect(kept).toEqual([0, 1, 2]);
    const error = await failureOf(victim.answer(['a']));
    expect(error.message).toContain('started anew 2 times before');
    expect(endsRun(error)).toBe(true);
    await victim.close?.();
  });

  it('never is with restarts 0', async () => {
    const victim = await victimOf(`process.exit(1);`, { restarts: 0 });
    const error = await failureOf(victim.answer(['a']));
    expect(error.message).toContain('exit code 1');
    expect(error.message).not.toContain('anew');
  });
});

describe('a command that goes wrong', () => {
  it.each([
    ['no JSON', `say('positive');`, 'answered "positive", expected one line of JSON'],
    ['an empty line', `say('');`, 'answered "", expected one line of JSON'],
    ['null', `say('null');`, 'answered null, expected a text'],
    ['an array', `say('["a"]');`, 'answered an array of 1'],
    ['true', `say('true');`, 'answered boolean true'],
    ['an object without output', `say({ label: 'a' });`, 'whose "output" is nothing (undefined)'],
    ['an output of another kind', `say({ output: { a: 1 } });`, 'whose "output" is an object'],
    ['scores out of range', `say({ output: 'a', scores: { a: 1.5 } });`, 'the score number 1.5 for "a"'],
    ['scores that are no numbers', `say({ output: 'a', scores: { a: 'x' } });`, 'the score the text "x" for "a"'],
    ['scores as a list', `say({ output: 'a', scores: [1] });`, 'answered scores that are an array of 1'],
  ])('is a clear error that names the input: %s', async (_name, body, message) => {
    const victim = await victimOf(body);
    const error = await failureOf(victim.answer(['tea']));
    expect(error.message).toContain(message);
    expect(error.message).toContain('input 1 ("tea")');
    await victim.close?.();
  });

  it('fails one question by {"error"}, and goes on', async () => {
    const victim = await victimOf(`say(input === 'b' ? { error: 'too long' } : { output: input + n });`);
    const kept: number[] = [];
    const error = await failureOf(victim.answer(['a', 'b', 'c'], { onAnswer: (index) => kept.push(index) }));
    expect(error.message).toContain('reported an error: "too long", at input 2 ("b")');
    expect(kept).toEqual([0, 2]);
    expect(endsRun(error)).toBe(false);
    expect(outputs(await victim.answer(['d']))).toEqual(['d4']);
    await victim.close?.();
  });

  it('is given up when it is silent', async () => {
    const victim = await victimOf(`if (n === 1) say({ output: input });`, { silenceMs: 300 });
    const error = await failureOf(victim.answer(['a', 'b']));
    expect(error.message).toContain('was silent for 0.3 s at input 2 ("b"), after 1 of 2 answers');
    await victim.close?.();
  });

  it('is found out when it answers more than it is asked', async () => {
    const victim = await victimOf(`say({ output: 'x' }); say({ output: 'y' });`);
    await victim.answer(['a']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const error = await failureOf(victim.answer(['b']));
    expect(error.message).toContain('wrote more lines than it was asked for');
    await victim.close?.();
  });

  it('is told from one that ended when it closes its output and runs on', async () => {
    const victim = await victimOf(
      `if (input === 'a') say({ output: input }); else { closeSync(1); setInterval(() => {}, 1000); }`,
    );
    const error = await failureOf(victim.answer(['a', 'b']));
    expect(error.message).toContain('closed its output and runs on, at input 2 ("b"), after 0 of 1 answers');
    await victim.close?.();
  });

  it('may say as much as it likes on stderr', async () => {
    const victim = await victimOf(`process.stderr.write('log '.repeat(200_000)); say({ output: input });`);
    expect(outputs(await victim.answer(['a', 'b']))).toEqual(['a', 'b']);
    await victim.close?.();
  });

  it('is given up when it writes without end, or too little', async () => {
    const endless = await victimOf(`process.stdout.write('x'.repeat(3_000_000));`);
    expect((await failureOf(endless.answer(['a']))).message).toMatch(
      /wrote \d+ characters without a line end, at input 1/u,
    );
    await endless.close?.();
    const short = await victimOf(`say({ output: input }); if (n === 1) process.exit(0);`, { restarts: 0 });
    const error = await failureOf(short.answer(['a', 'b', 'c']));
    expect(error.message).toContain('ended too early (exit code 0) at input 2 ("b"), after 1 of 3 answers');
    await short.close?.();
  });

  it('is killed by an abort, and asked again later at no charge', async () => {
    const victim = await victimOf(`if (input !== 'hang') say({ output: input });`, { restarts: 0 });
    const kept: number[] = [];
    const work = victim.answer(['a', 'hang'], {
      signal: AbortSignal.timeout(400),
      onAnswer: (index) => kept.push(index),
    });
    await expect(work).rejects.toThrow(/timeout/u);
    expect(outputs(await victim.answer(['b']))).toEqual(['b']);
    await victim.close?.();
  });

  it('passes the error on when an answer can’t be kept', async () => {
    const victim = await victimOf(`say({ output: input });`);
    const onAnswer = (): void => {
      throw new Error('disk full');
    };
    await expect(victim.answer(['a'], { onAnswer })).rejects.toThrow('disk full');
    await victim.close?.();
  });

  it('is the user’s mistake when there is no such program, or the command needs a shell', async () => {
    const victim = await createVictim('command:no-such-program-anywhere');
    const error = await failureOf(victim.answer(['a']));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain('there is no such program');
    expect(await failureOf(victim.answer(['a']))).toBeInstanceOf(UsageError);
    await expect(createVictim('command:cat | sort')).rejects.toThrow('needs a shell');
  });
});
