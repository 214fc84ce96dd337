import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';

import { reportFailure } from '../../src/cli/failure.js';
import { run } from '../../src/cli/parser.js';

/** What a run in this process left behind. */
export interface InProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The files in the folder `out` of the working directory, by path; it is emptied before each run. */
  readonly files: Readonly<Record<string, string>>;
}

/** Runs the command line in this process: for tests of many short runs. The working directory must be the test's own. */
export async function runInProcess(args: readonly string[]): Promise<InProcessResult> {
  rmSync('out', { recursive: true, force: true });
  mkdirSync('out');
  const printed = { stdout: '', stderr: '' };
  const capture = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((data, ...more) => {
      printed[name] += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
      const done = more.find((one) => typeof one === 'function') as (() => void) | undefined;
      done?.();
      return true;
    });
  const spies = [capture('stdout'), capture('stderr')];
  let code = 0;
  try {
    await run(args);
  } catch (error) {
    code = reportFailure(error);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { code, ...printed, files: filesIn('out') };
}

function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      // The cache of answers has bytes of its own in each run.
      .filter((path) => !path.includes('.sqlite'))
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}
