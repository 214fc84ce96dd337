import { rmSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { ERROR_CODES, TeapotError, UsageError } from '../../errors.js';
import { makeFolder } from '../../make-folder.js';
import { isTemporaryName, writeFileSafely } from '../../output-file.js';
import { memoryStore, ResponseCache } from '../../victim/response-cache.js';
import type { AnswerStore } from '../../victim/response-cache.js';
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

/** How a folder is used. */
export interface RunFolderOptions {
  readonly isFree?: boolean | undefined;
  /** Keeps the answers, in the place of a file of the folder: one for all runs of a matrix. */
  readonly store?: AnswerStore | undefined;
}

/**
 * Opens `--work-dir` for a run; without one, nothing outlives it.
 *
 * A folder holds one run: `run.json` says which settings it has and whether it is complete.
 *
 * @param settings Everything that decides what the run's files will be.
 * @param note Is told, when the run is closed before it is complete, how to go on with it.
 * @param options `isFree`: answers cost nothing, the folder keeps none.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the folder holds other files, a run and `isResumed` is not set, or a run with
 *   other settings; when another process is at work in it.
 */
export async function openRunFolder(
  folder: string | undefined,
  settings: object,
  isResumed: boolean,
  note: Note,
  options: RunFolderOptions = {},
): Promise<RunFolder> {
  if (folder === undefined) {
    if (isResumed) throw invalid('--resume needs --work-dir: the folder of the run to go on with');
    const store = options.store ?? memoryStore(REMEMBERED_ANSWERS);
    return { store, path: () => undefined, complete: async () => {}, close: () => {} };
  }
  await makeFolder(folder).catch((cause: NodeJS.ErrnoException) => {
    throw new TeapotError(ERROR_CODES.WRITE, `--work-dir ${folder} can't be made: ${cause.message}`, { cause });
  });
  const release = await lock(folder);
  try {
    return await openLocked(folder, settings, { ...options, isResumed, note, release });
  } catch (error) {
    release();
    throw error;
  }
}

async function openLocked(
  folder: string,
  settings: object,
  {
    isResumed,
    isFree = false,
    store,
    note,
    release,
  }: RunFolderOptions & { readonly isResumed: boolean; readonly note: Note; readonly release: () => void },
): Promise<RunFolder> {
  const runFile = join(folder, 'run.json');
  const earlier = await readFile(runFile, 'utf8').catch(() => undefined);
  if (earlier === undefined) {
    // What a run left that was killed while it wrote its first file is no stranger.
    const strangers = (await readdir(folder)).filter((name) => !isTemporaryName(name) && name !== LOCK);
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
  const cache = isFree || store !== undefined ? undefined : await ResponseCache.open(join(folder, 'answers.sqlite'));
  return {
    store: store ?? cache ?? memoryStore(REMEMBERED_ANSWERS),
    path: (name) => join(folder, name),
    complete: async () => {
      await write('complete');
      isComplete = true;
    },
    close: () => {
      cache?.close();
      release();
      if (!isComplete)
        note(`What was answered is kept in ${folder}: the same command with --resume goes on from there`);
    },
  };
}

/** The file that says which process works in a folder. */
const LOCK = 'run.lock';

/** A lock without a readable holder is being written, unless it is older than this, in milliseconds. */
const WRITING_MS = 10_000;

/**
 * Takes a folder for this process: two runs in one would delete each other's files.
 *
 * @returns Gives it back.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when a process that lives has it. That of a dead one is taken over.
 */
async function lock(folder: string): Promise<() => void> {
  const path = join(folder, LOCK);
  for (;;) {
    try {
      await writeFile(path, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new TeapotError(ERROR_CODES.WRITE, `${path} can't be written: ${reason}`, { cause });
      }
      const holder = await holderOf(path);
      if (holder !== undefined) {
        throw invalid(
          `--work-dir ${folder}: ${holder} is at work in it; wait for its end, give a new name, or delete ${path} if no run is there any more`,
        );
      }
      await rm(path, { force: true });
    }
  }
}

/** Who has a lock; undefined when that is a process of this machine that is dead. */
async function holderOf(path: string): Promise<string | undefined> {
  let holder: { readonly pid?: unknown; readonly host?: unknown } = {};
  try {
    holder = Object(JSON.parse(await readFile(path, 'utf8'))) as typeof holder;
  } catch {
    const written = await stat(path).catch(() => undefined);
    return written !== undefined && Date.now() - written.mtimeMs < WRITING_MS ? 'another run' : undefined;
  }
  const { pid, host } = holder;
  if (host !== hostname()) return `process ${String(pid)} of ${String(host)}`;
  try {
    process.kill(Number(pid), 0);
    return `process ${String(pid)}`;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM' ? `process ${String(pid)}` : undefined;
  }
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
