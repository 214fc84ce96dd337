import { exportParallel } from '../../record/export/parallel.js';
import type { AttackRecord } from '../../record/schema.js';
import { writeRecords } from '../../record/write.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import { openRunFolder } from './run-folder.js';

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
  const { store, path, complete, close } = await openRunFolder(argv.workDir, settings, argv.resume === true);
  return {
    store,
    async finish(records, hasReferences) {
      const at = (name: string): string => path(name) ?? '';
      if (path('records.jsonl') !== undefined) {
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
      }
      await complete();
    },
    close,
  };
}

async function* asyncOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
