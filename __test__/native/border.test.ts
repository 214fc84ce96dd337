import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

import { describe, expect, test } from 'vitest';

import { ERROR_CODES, TeapotError, UsageError } from '../../src/errors.js';
import { callNative, native, runNative } from '../../src/native.js';

const bindingPath = createRequire(import.meta.url).resolve('../../crates/teapot-napi/binding.cjs');
const chrf = { kind: 'chrf' };

/** What a promise is rejected with. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('expected a rejection'),
    (error: unknown) => error,
  );
}

/** What a call throws. */
function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return expect.unreachable('expected an error');
}

describe('errors of the native side', () => {
  test('every native code is a code of src/errors.ts', () => {
    expect(Object.values(ERROR_CODES)).toEqual(expect.arrayContaining(native().nativeErrorCodes()));
  });

  test('a synchronous call throws a UsageError with code, message and cause', () => {
    const error = thrown(() =>
      callNative((binding) => binding.scoreSentence({ kind: 'chrf', beta: -1 }, 'te', ['tea'])),
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      name: 'UsageError',
      code: 'ERR_TEAPOT_INVALID_OPTION',
      message: 'beta is -1, expected a positive number',
    });
    expect((error as Error).cause).toBeInstanceOf(Error);
  });

  test('an asynchronous call is rejected with both lengths', async () => {
    const error = await rejection(
      runNative((binding, cancellation) =>
        binding.scoreBatch(chrf, ['a', 'b'], ['a'], undefined, undefined, cancellation),
      ),
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'ERR_TEAPOT_LENGTH_MISMATCH',
      message: '2 hypotheses but 1 references: pass one for each',
    });
  });

  test('a panic is a rejected promise, not a crash', async () => {
    const error = await rejection(runNative((binding) => binding.panicForTest()));
    expect(error).toBeInstanceOf(TeapotError);
    expect(error).not.toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: 'ERR_TEAPOT_INTERNAL' });
    expect((error as Error).message).toContain('panicked');
  });
});

describe('cancellation', () => {
  const many = Array.from({ length: 200_000 }, (_, line) => `line ${line} of green tea and black tea`);
  const score = (signal: AbortSignal): Promise<Float64Array> =>
    runNative(
      (binding, cancellation) => binding.scoreBatch(chrf, many, many.toReversed(), undefined, 1, cancellation),
      {
        signal,
      },
    );

  test('before: nothing starts', async () => {
    const reason = new Error('not now');
    expect(await rejection(score(AbortSignal.abort(reason)))).toBe(reason);
  });

  test('during: the work ends early, with an AbortError', async () => {
    const controller = new AbortController();
    const running = rejection(score(controller.signal));
    controller.abort();
    expect(await running).toMatchObject({ name: 'AbortError' });
  });

  test('after: the result stands', async () => {
    const controller = new AbortController();
    const scores = await runNative(
      (binding, cancellation) => binding.scoreBatch(chrf, ['tea'], ['tea'], undefined, 1, cancellation),
      { signal: controller.signal },
    );
    controller.abort();
    expect([...scores]).toEqual([1]);
  });
});

describe('values', () => {
  test('0 and 1 pairs', async () => {
    const run = (texts: string[]): Promise<Float64Array> =>
      runNative((binding) => binding.scoreBatch(chrf, texts, texts));
    expect(await run([])).toEqual(new Float64Array(0));
    expect(await run(['tea'])).toEqual(Float64Array.of(1));
  });

  test('several references of a hypothesis', async () => {
    const scores = await runNative((binding) =>
      binding.scoreBatch(chrf, ['tea', 'te'], ['milk', 'tea', 'tea'], [2, 1]),
    );
    expect([...scores]).toEqual([1, 0.6363636363636362]);
  });

  test('a batch equals one call each, for any number of threads', async () => {
    const hypotheses = Array.from({ length: 1000 }, (_, line) => `tea ${line % 7} and milk ${line}`);
    const references = hypotheses.map((_, line) => `tea ${line % 5} or milk ${line * 3}`);
    const expected = hypotheses.map((hypothesis, line) =>
      native().scoreSentence(chrf, hypothesis, [references[line] ?? '']),
    );
    for (const threads of [0, 1, 2, 7]) {
      const scores = await runNative((binding) => binding.scoreBatch(chrf, hypotheses, references, undefined, threads));
      expect([...scores]).toEqual(expected);
    }
  });

  test('characters beyond U+FFFF are one character each (B22, denoland/std#6013)', () => {
    expect(native().scoreSentence(chrf, 'tea🍵', ['tea'])).toBeCloseTo(0.8984375, 12);
    expect(native().scoreSentence(chrf, '🍵', ['🍷'])).toBe(0);
  });
});

describe('environments', () => {
  test('works in a worker thread', async () => {
    const source = `
      const { parentPort } = require('node:worker_threads');
      const binding = require(${JSON.stringify(bindingPath)});
      binding.scoreBatch({ kind: 'chrf' }, ['tea'], ['tea']).then((scores) => parentPort.postMessage([...scores]));
    `;
    const worker = new Worker(source, { eval: true });
    const message = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(message).toEqual([1]);
    expect(await new Promise((resolve) => worker.once('exit', resolve))).toBe(0);
  });

  test('a process that used it exits by itself', () => {
    const source = `
      const binding = require(${JSON.stringify(bindingPath)});
      const texts = Array.from({ length: 5000 }, (_, line) => 'tea ' + line);
      binding.scoreBatch({ kind: 'chrf' }, texts, texts.toReversed()).then((scores) => console.log(scores.length));
    `;
    const { status, stdout } = spawnSync(process.execPath, ['-e', source], { encoding: 'utf8', timeout: 5000 });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '5000\n' });
  });

  test('a million pairs stay within a memory bound', () => {
    const source = `
      const binding = require(${JSON.stringify(bindingPath)});
      const texts = Array.from({ length: 1e6 }, (_, line) => 'tea ' + line);
      const before = process.memoryUsage().rss;
      binding.scoreBatch({ kind: 'chrf' }, texts, texts).then((scores) => {
        console.log(scores.length, process.memoryUsage().rss - before < 600e6);
      });
    `;
    const { stdout } = spawnSync(process.execPath, ['-e', source], { encoding: 'utf8', timeout: 25_000 });
    expect(stdout).toBe('1000000 true\n');
  });
});
