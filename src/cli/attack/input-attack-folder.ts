import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { ERROR_CODES, TeapotError, UsageError } from '../../errors.js';
import { writeFileSafely } from '../../output-file.js';
import { exportParallel } from '../../record/export/parallel.js';
import type { AttackRecord } from '../../record/schema.js';
import { writeRecords } from '../../record/write.js';
import { memoryStore, ResponseCache } from '../../victim/response-cache.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import { invalid } from '../values.js';

/** The arguments that say where a run is kept. */
export interface FolderArguments {
  readonly workDir?: string | undefined;
  readonly resume?: boolean | undefined;
}

/** Where a run keeps its answers and its results. */
export interface Run {
  readonly store: AnswerStore;
  finish(records: readonly AttackRecord[], hasReferences: boolean): Promise<void>;
  close(): void;
}

/**
 * Opens `--work-dir`; without one, nothing outlives the run.
 *
 * @param settings Everything that can change the results: a run goes on only with the same.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the folder holds something else; `ERR_TEAPOT_FORMAT` when its run can't be read.
 */
export async function openRun(argv: FolderArguments, settings: object): Promise<Run> {
  const folder = argv.workDir;
  if (folder === undefined) {
    if (argv.resume === true) throw invalid('--resume needs --work-dir: the folder of the run to go on with');
    return { store: memoryStore(), finish: async () => {}, close: () => {} };
  }
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new TeapotError(ERROR_CODES.WRITE, `--work-dir ${folder}: can't be made`, { cause });
  });
  const runFile = join(folder, 'run.json');
  const described = JSON.stringify(settings);
  const earlier = await readFile(runFile, 'utf8').catch(() => undefined);
  if (earlier === undefined) {
    // What a run left that was killed while it wrote its first file is no stranger.
    const strangers = (await readdir(folder)).filter((name) => !/^\.run\.json\..*\.tmp$/u.test(name));
    if (strangers.length > 0)
      throw invalid(`--work-dir ${folder}: holds other files; give an empty folder or a new name`);
  } else {
    if (argv.resume !== true)
      throw invalid(`--work-dir ${folder}: holds a run already; add --resume to go on with it, or give a new name`);
    if (settingsIn(earlier, runFile) !== described) {
      throw invalid(
        `--work-dir ${folder}: holds a run with other settings (see run.json); give the same ones, or a new folder`,
      );
    }
  }
  const write = (status: 'running' | 'complete'): Promise<void> =>
    writeFileSafely(runFile, [`${JSON.stringify({ schema: 'teapot.run/1', status, settings }, null, 2)}\n`]);
  await write('running');
  const cache = await ResponseCache.open(join(folder, 'answers.sqlite'));
  const at = (name: string): string => join(folder, name);
  return {
    store: cache,
    async finish(records, hasReferences) {
      await writeRecords(at('records.jsonl'), records);
      await exportParallel(
        asyncOf(records),
        {
          src: at('src.txt'),
          advSrc: at('adv-src.txt'),
          out: at('out.txt'),
          advOut: at('adv-out.txt'),
          refs: hasReferences ? [at('ref.txt')] : [],
        },
        { lineBreaks: 'space' },
      );
      await write('complete');
    },
    close: () => cache.close(),
  };
}

function settingsIn(text: string, file: string): string {
  try {
    return JSON.stringify((JSON.parse(text) as { settings?: unknown }).settings);
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: is no run of teapot attack; give a new folder`, { cause });
  }
}

async function* asyncOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
