import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, TeapotError } from '../../src/errors.js';
import { ExecScorer } from '../../src/score/exec-scorer.js';
import { compile, isRunning, until, useTempFolder } from './temp-folder.js';

const folder = useTempFolder();

/** Reads pairs line by line and runs `body` (with `hyp`, `ref`, `n` = number of the pair from 1, `say`) for each. */
function program(body: string, end = ''): string {
  const path = folder.write(
    'scorer.mjs',
    `
let n = 0;
let rest = '';
const say = (line) => process.stdout.write(line + '\\n');
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { hyp, ref } = JSON.parse(line);
    n += 1;
    ${body}
  }
});
process.stdin.on('end', () => { ${end} });
`,
  );
  return `"${process.execPath}" "${path}"`;
}

async function failure(scorer: ExecScorer, pairs = 3, options = {}): Promise<TeapotError> {
  const texts = Array.from({ length: pairs }, (_, index) => `text ${index}`);
  const error: unknown = await scorer.score(texts, texts, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await scorer.close();
  expect(error).toBeInstanceOf(TeapotError);
  return error as TeapotError;
}

describe('a program that works', () => {
  it('is started once, asked many times, and ends at close', async () => {
    const scorer = new ExecScorer(
      program(`say(String(hyp === ref ? 1 : 0.25)); if (n === 1) process.stderr.write('started');`),
    );
    expect([...(await scorer.score(['a', 'b', 'c'], ['a', 'x', 'c']))]).toEqual([1, 0.25, 1]);
    const [first, second] = await Promise.all([scorer.score(['x'], ['x']), scorer.score(['y', 'y'], ['x', 'y'])]);
    expect([...first, ...second]).toEqual([1, 0.25, 1]);
    await scorer.close();
    await scorer.close();
  });

  it('gets every text as it is: line ends, quotes, other planes, empty', async () => {
    const texts = ['', 'a\nb', 'say "tea"', '🍵', 'é', '\u2028', 'a\\b', ' \t'];
    const log = folder.path('seen.json');
    const scorer = new ExecScorer(
      program(
        `(globalThis.seen ??= []).push(hyp); say('1');`,
        `(await import('node:fs')).writeFileSync(${JSON.stringify(log)}, JSON.stringify(globalThis.seen));`.replace(
          /^/,
          'void (async () => {',
        ) + '})();',
      ),
    );
    await scorer.score(texts, texts);
    await scorer.close();
    expect(JSON.parse(readFileSync(log, 'utf8'))).toEqual(texts);
  });

  it('may take several references: the best answer counts', async () => {
    const scorer = new ExecScorer(program(`say(String(hyp === ref ? 0.75 : 0.5));`));
    expect([...(await scorer.score(['a', 'b'], [['x', 'a', 'y'], 'x']))]).toEqual([0.75, 0.5]);
    await scorer.close();
  });

  it('may write numbers in any decimal form, with CRLF, and rounding noise around the range', async () => {
    const answers = ['1', '0.5', '.25', '1.', '1e-3', '5E-1\\r', ' 0.125 ', '1.0000000000000002', '-1e-17'];
    const scorer = new ExecScorer(program(`say(${JSON.stringify(answers).replaceAll('\\\\r', '\\r')}[n - 1]);`));
    const texts = answers.map(() => 'x');
    expect([...(await scorer.score(texts, texts))]).toEqual([1, 0.5, 0.25, 1, 0.001, 0.5, 0.125, 1, 0]);
    await scorer.close();
  });

  it('is never written to faster than it reads, nor deadlocks on full pipes', async () => {
    const scorer = new ExecScorer(program(`say('0.5' + '0'.repeat(300));`));
    const texts = Array.from({ length: 20_000 }, (_, index) => `segment ${index} ${'x'.repeat(100)}`);
    const told: number[] = [];
    const scores = await scorer.score(texts, texts, { onProgress: (done) => told.push(done) });
    expect(scores.every((score) => score === 0.5)).toBe(true);
    expect(told.at(-1)).toBe(20_000);
    expect(told.length).toBeGreaterThan(10);
    await scorer.close();
  });

  it('may be Python that prints without flushing', async () => {
    const script = folder.write(
      'scorer.py',
      'import json, sys\nfor line in sys.stdin:\n    pair = json.loads(line)\n    print(1.0 if pair["hyp"] == pair["ref"] else 0.5)\n',
    );
    const scorer = new ExecScorer(`python3 "${script}"`);
    expect([...(await scorer.score(['é🍵', 'b'], ['é🍵', 'x']))]).toEqual([1, 0.5]);
    await scorer.close();
  });

  it('is not started for no pairs', async () => {
    const scorer = new ExecScorer('no-such-program-of-teapot');
    expect(await scorer.score([], [])).toHaveLength(0);
    await scorer.close();
  });
});

describe('a program that fails', () => {
  it('crashes: exit code, line and its last words', async () => {
    const error = await failure(
      new ExecScorer(program(`if (n === 2) { console.error('model file is missing'); process.exit(3); } say('1');`)),
    );
    expect(error.code).toBe(ERROR_CODES.SCORER);
    expect(error.message).toContain('scorer.mjs');
    expect(error.message).toContain('ended too early (exit code 3) at line 2, after 1 of 3 answers');
    expect(error.message).toContain('model file is missing');
  });

  it('is killed by a signal', async () => {
    const error = await failure(new ExecScorer(program(`process.kill(process.pid, 'SIGTERM');`)));
    expect(error.message).toContain('killed by SIGTERM');
  });

  it('ends with exit code 0 before the last answer', async () => {
    const error = await failure(new ExecScorer(program(`if (n < 3) say('1'); if (n === 5) process.exit(0);`)), 5);
    expect(error.message).toContain('ended too early (exit code 0) at line 3, after 2 of 5 answers');
    expect(error.message).toContain('It wrote nothing to stderr');
  });

  it('ends before it reads anything, while a megabyte is written to it', async () => {
    const path = folder.write('exit.mjs', 'process.exit(0);');
    const scorer = new ExecScorer(`"${process.execPath}" "${path}"`);
    const texts = Array.from({ length: 2000 }, () => 'x'.repeat(1000));
    await expect(scorer.score(texts, texts)).rejects.toThrow('ended too early (exit code 0) at line 1');
    await scorer.close();
  });

  it.each([
    ['garbage', 'tea', 'answered "tea", expected a number'],
    ['an empty line', '', 'answered "", expected a number'],
    ['NaN', 'nan', 'answered "nan"'],
    ['NaN as JavaScript writes it', 'NaN', 'answered "NaN"'],
    ['infinity', 'inf', 'answered "inf"'],
    ['two numbers', '0.5 0.5', 'answered "0.5 0.5"'],
    ['a decimal comma', '0,5', 'answered "0,5"'],
    ['hexadecimal', '0x1', 'answered "0x1"'],
    [
      'a score over 1',
      '1.5',
      'found 1.5, expected a number from 0 to 1 (a score from 0 to 100 must be divided by 100)',
    ],
    ['a negative score', '-0.1', 'found -0.1, expected a number from 0 to 1'],
    ['a huge number', '1e999', 'found Infinity'],
  ])('answers %s', async (_, answer, message) => {
    const error = await failure(new ExecScorer(program(`say(n === 2 ? ${JSON.stringify(answer)} : '1');`)), 3, {
      firstLine: 101,
    });
    expect(error.code).toBe(ERROR_CODES.SCORER);
    expect(error.message).toContain(message);
    expect(error.message).toContain('at line 102');
  });

  it('answers without having been asked', async () => {
    const path = folder.write('eager.mjs', `console.log('0.5'); setInterval(() => {}, 1000);`);
    const scorer = new ExecScorer(`"${process.execPath}" "${path}"`, { silenceMs: 300 });
    // The one line may be taken for the first answer; then the second never comes.
    await expect(scorer.score(['a', 'b'], ['a', 'b'])).rejects.toThrow(/before it was asked|was silent/);
    await scorer.close();
  });

  it('writes more lines than it was asked for: found at close', async () => {
    const scorer = new ExecScorer(program(`say('1');`, `say('0.5');`));
    await scorer.score(['a'], ['a']);
    await expect(scorer.close()).rejects.toThrow('wrote more lines than it was asked for: "0.5"');
  });

  it('writes two lines a pair: found before or at the next question', async () => {
    const scorer = new ExecScorer(program(`say('1'); say('1');`));
    const texts = Array.from({ length: 10 }, () => 'x');
    await expect(
      (async () => {
        await scorer.score(texts, texts);
        await scorer.score(texts, texts);
        await scorer.close();
      })(),
    ).rejects.toThrow('wrote more lines than it was asked for: "1"');
  });

  it('fails at its end, although everything was answered', async () => {
    const scorer = new ExecScorer(program(`say('1');`, `console.error('could not save'); process.exitCode = 4;`));
    await scorer.score(['a'], ['a']);
    await expect(scorer.close()).rejects.toThrow(/failed at its end \(exit code 4\)[^]*could not save/);
  });

  it('stays silent', async () => {
    const scorer = new ExecScorer(program(`if (n === 1) say('1');`), { silenceMs: 4000 });
    const error = await failure(scorer);
    expect(error.message).toContain('was silent for 4 s at line 2, after 1 of 3 answers');
    expect(error.message).toContain('flush');
  });

  it('never ends its line', async () => {
    const path = folder.write(
      'endless.mjs',
      `process.stdin.resume(); setInterval(() => process.stdout.write('x'.repeat(100000)), 1);`,
    );
    const scorer = new ExecScorer(`"${process.execPath}" "${path}"`);
    await expect(scorer.score(['a'], ['a'])).rejects.toThrow('characters without a line end');
    await scorer.close();
  });

  it('does not exist', async () => {
    const error = await failure(new ExecScorer('no-such-program-of-teapot --x'));
    expect(error.name).toBe('UsageError');
    expect(error.message).toContain(
      'Scorer exec:no-such-program-of-teapot --x: can\'t start "no-such-program-of-teapot": there is no such program',
    );
  });

  it('is not executable', async () => {
    const path = folder.write('plain.txt', 'x');
    const error = await failure(new ExecScorer(`"${path}"`));
    expect(error.message).toContain('not executable');
  });

  it('gives the same error to every later question', async () => {
    const scorer = new ExecScorer(program(`process.exit(1);`));
    await expect(scorer.score(['a'], ['a'])).rejects.toThrow('exit code 1');
    await expect(scorer.score(['b'], ['b'])).rejects.toThrow('exit code 1');
    await scorer.close();
  });
});

describe('the life of the process', () => {
  const pidFile = (): string => folder.path('pid');
  const writePid = (): string =>
    `import { writeFileSync as w } from 'node:fs'; w(${JSON.stringify(pidFile())}, String(process.pid));`;

  async function pidOf(): Promise<number> {
    await until(() => existsSync(pidFile()) && readFileSync(pidFile(), 'utf8') !== '');
    return Number(readFileSync(pidFile(), 'utf8'));
  }

  it('is killed when the signal aborts, and what it started too', async () => {
    const child = folder.write('grandchild.mjs', `${writePid()} setInterval(() => {}, 1000);`);
    const path = folder.write(
      'parent.mjs',
      `import { spawn } from 'node:child_process'; spawn(process.execPath, [${JSON.stringify(child)}], { stdio: 'inherit' }); setInterval(() => {}, 1000);`,
    );
    const scorer = new ExecScorer(`"${process.execPath}" "${path}"`);
    const controller = new AbortController();
    const scoring = scorer.score(['a'], ['a'], { signal: controller.signal });
    const pid = await pidOf();
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(scoring).rejects.toBe(reason);
    await until(() => !isRunning(pid));
    await scorer.close();
  });

  it('is killed by close while it is asked', async () => {
    const path = folder.write('mute.mjs', `${writePid()} process.stdin.resume();`);
    const scorer = new ExecScorer(`"${process.execPath}" "${path}"`);
    const scoring = scorer.score(['a'], ['a']);
    const outcome = scoring.catch((error: unknown) => error);
    const pid = await pidOf();
    await scorer.close();
    expect(String(await outcome)).toContain('ended too early (killed by SIGKILL)');
    await until(() => !isRunning(pid));
  });

  it('is killed when it does not end after its input ended', async () => {
    const scorer = new ExecScorer(program(`say('1'); globalThis.t ??= setInterval(() => {}, 1000);`));
    await scorer.score(['a'], ['a']);
    // It would go on for ever.
    await expect(scorer.close()).resolves.toBeUndefined();
  });

  it('does not start when the signal is already aborted', async () => {
    const scorer = new ExecScorer('no-such-program-of-teapot');
    await expect(scorer.score(['a'], ['a'], { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
  });

  it('does not keep Node.js alive, nor outlive it, when close is forgotten', async () => {
    const path = folder.write(
      'idle.mjs',
      `${writePid()} process.stdin.on('data', () => console.log('1')); setInterval(() => {}, 1000);`,
    );
    const compiled = compile('src/score/exec-scorer.ts', folder.path('compiled'));
    const main = folder.write(
      'main.mjs',
      `import { ExecScorer } from ${JSON.stringify(compiled)};
       const scorer = new ExecScorer(${JSON.stringify(`"${process.execPath}" "${path}"`)});
       console.log((await scorer.score(['a'], ['a']))[0]);`,
    );
    const result = spawnSync(process.execPath, [main], { encoding: 'utf8', timeout: 10_000 });
    expect({ status: result.status, stdout: result.stdout }).toEqual({ status: 0, stdout: '1\n' });
    const pid = await pidOf();
    await until(() => !isRunning(pid));
  });
});
