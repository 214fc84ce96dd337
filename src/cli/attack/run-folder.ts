import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ERROR_CODES, TeapotError, UsageError } from '../../errors.js';
import { makeFolder } from '../../make-folder.js';
import { isTemporaryName, writeFileSafely } from '../../output-file.js';
import { memoryStore, ResponseCache } from '../../victim/response-cache.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import type { Victim } from '../../victim/victim.js';
import type { Note } from '../notes.js';
import { invalid } from '../values.js';

/** So many answers are remembered when nothing outlives the run: about 50 MB, and most of the texts that come twice. */
const REMEMBERED_ANSWERS = 100_000;

/** Where a run keeps its answers and its results. */
export interface RunFolder {
  readonly store: AnswerStore;
  /** The path of a file in it; undefined when nothing outlives the run. */
  path(name: string): string | undefined;
  /** Marks the run as complete: only then is it. */
  complete(): Promise<void>;
  /** Closes the cache. When the run is not complete, says how to go on with it. */
  close(): void;
}

/**
 * Opens `--work-dir` for a run; without one, nothing outlives it.
 *
 * A folder holds one run: `run.json` says which settings it has and whether it is complete.
 *
 * @param settings Everything that decides what the run's files will be.
 * @param isFree Answers cost nothing: the folder keeps none.
 * @param note Is told, when the run is closed before it is complete, how to go on with it.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the folder holds other files, a run and `isResumed` is not set, or a run with
 *   other settings.
 */
export async function openRunFolder(
  folder: string | undefined,
  settings: object,
  isResumed: boolean,
  note: Note,
  { isFree = false }: Pick<Victim, 'isFree'> = {},
): Promise<RunFolder> {
  if (folder === undefined) {
    if (isResumed) throw invalid('--resume needs --work-dir: the folder of the run to go on with');
    return { store: memoryStore(REMEMBERED_ANSWERS), path: () => undefined, complete: async () => {}, close: () => {} };
  }
  await makeFolder(folder).catch((cause: NodeJS.ErrnoException) => {
    throw new TeapotError(ERROR_CODES.WRITE, `--work-dir ${folder} can't be made: ${cause.message}`, { cause });
  });
  const runFile = join(folder, 'run.json');
  const earlier = await readFile(runFile, 'utf8').catch(() => undefined);
  if (earlier === undefined) {
    // What a run left that was killed while it wrote its first file is no stranger.
    const strangers = (await readdir(folder)).filter((name) => !isTemporaryName(name));
    if (strangers.length > 0) {
      throw invalid(`--work-dir ${folder}: holds other files; give an empty folder or a new name`);
    }
  } else {
    if (!isResumed) {
      throw invalid(`--work-dir ${folder}: holds a run already; add --resume to go on with it, or give a new name`);
    }
    refuseOthers(earlier, runFile, settings);
  }
  const write = (status: 'running' | 'complete'): Promise<void> =>
    writeFileSafely(runFile, [`${JSON.stringify({ schema: 'teapot.run/1', status, settings }, null, 2)}\n`]);
  await write('running');
  let isComplete = false;
  const cache = isFree ? undefined : await ResponseCache.open(join(folder, 'answers.sqlite'));
  return {
    store: cache ?? memoryStore(REMEMBERED_ANSWERS),
    path: (name) => join(folder, name),
    complete: async () => {
      await write('complete');
      isComplete = true;
    },
    close: () => {
      cache?.close();
      if (!isComplete)
        note(`What was answered is kept in ${folder}: the same command with --resume goes on from there`);
    },
  };
}

/** Refuses to go on with a run that was begun with other settings, and says which ones differ. */
function refuseOthers(text: string, file: string, settings: object): void {
  let earlier: unknown;
  try {
    earlier = (JSON.parse(text) as { settings?: unknown }).settings;
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: is no run of teapot attack; give a new folder`, { cause });
  }
  if (JSON.stringify(earlier) === JSON.stringify(settings)) return;
  const before = new Map(Object.entries(typeof earlier === 'object' && earlier !== null ? earlier : {}));
  const now = new Map<string, unknown>(Object.entries(settings));
  const different = [...new Set([...now.keys(), ...before.keys()])].filter(
    (name) => JSON.stringify(now.get(name)) !== JSON.stringify(before.get(name)),
  );
  throw invalid(
    `${file}: holds a run with other settings (${different.join(', ')}); give the same ones, or a new folder`,
  );
}
