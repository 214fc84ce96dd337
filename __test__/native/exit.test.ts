import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { native } from '../../src/native.js';

const DIST = pathToFileURL(join(import.meta.dirname, '../../dist/native.js')).href;

/** Runs a module that begins native work and ends by `process.exit(7)` while it runs; gives the exit code. */
async function exitCodeOf(work: string): Promise<unknown> {
  const script = `
    import { runNative } from ${JSON.stringify(DIST)};
    runNative((binding, cancellation) => ${work}).catch(() => undefined);
    setTimeout(() => process.exit(7), 100);
  `;
  const outcome = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 });
  return outcome.then(
    () => 0,
    (error: unknown) => Reflect.get(error as object, 'code'),
  );
}

test('process.exit() ends a process that waits for a pipe', async () => {
  const pipe = join(mkdtempSync(join(tmpdir(), 'teapot-')), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const work = `new binding.CorpusLines([${JSON.stringify(pipe)}]).next(1, cancellation)`;
  expect(await exitCodeOf(work)).toBe(7);
});

test('process.exit() ends a process that scores long texts', async () => {
  const work = `binding.scoreBatch(
    { kind: 'edit' }, ['ab'.repeat(2_000_000)], ['ba'.repeat(2_000_000) + 'c'.repeat(1_000_000)], null, 1, cancellation)`;
  expect(await exitCodeOf(work)).toBe(7);
});

test('scores are not written to memory that other threads may write to', async () => {
  const { CorpusScorer } = native();
  const texts = join(import.meta.dirname, '../../examples/translation');
  const [src, adv] = [join(texts, 'src.fr'), join(texts, 'adv.charswap.fr')];
  const block = await new CorpusScorer({ src, advSrc: [adv], sSrc: [{ kind: 'chrf' }] }).next(1000);
  if (block === null) throw new Error('no block');
  const scores = new Float64Array(new SharedArrayBuffer(8 * block.segments));
  expect(() => block.take('sSrc', 0, 0, scores)).toThrow(/shared with other threads/u);
  expect(() => block.take('sSrc', 0, 0, new Float64Array(block.segments))).not.toThrow();
});
