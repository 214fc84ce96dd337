import { ParallelFiles } from '../../record/export/parallel.js';
import type { AttackRecord } from '../../record/schema.js';
import { RecordFile } from '../../record/write.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import type { AttackArguments } from '../commands/attack.js';
import type { Victim } from '../../victim/victim.js';
import type { Note } from '../notes.js';
import { openRunFolder } from './run-folder.js';

/** Where a run keeps its answers and its results. */
export interface Run {
  readonly store: AnswerStore;
  /** Adds a record to the results. */
  write(record: AttackRecord): Promise<void>;
  /** Completes the files of results, and marks the run as complete. */
  complete(): Promise<void>;
  /** Closes what is open; results that are not complete are given up, answers are kept. */
  close(): Promise<void>;
}

/**
 * Opens `--work-dir`; without one, nothing outlives the run.
 *
 * @param settings Everything that can change the results: a run goes on only with the same.
 * @param hasReferences Whether the records have references.
 * @param note Is told how to go on with a run that is closed before it is complete.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the folder holds something else; `ERR_TEAPOT_FORMAT` when its run can't be read.
 */
export async function openRun(
  argv: Pick<AttackArguments, 'workDir' | 'resume'>,
  settings: object,
  hasReferences: boolean,
  note: Note,
  victim: Pick<Victim, 'isFree'>,
): Promise<Run> {
  const folder = await openRunFolder(argv.workDir, settings, argv.resume === true, note, victim);
  const { store, path, complete, close } = folder;
  try {
    const files = await openResults(path, hasReferences);
    return {
      store,
      async write(record) {
        for (const file of files) await file.write(record);
      },
      async complete() {
        for (const file of files) await file.commit();
        await complete();
      },
      async close() {
        for (const file of files) await file.discard();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function openResults(
  path: (name: string) => string | undefined,
  hasReferences: boolean,
): Promise<readonly (RecordFile | ParallelFiles)[]> {
  const recordsPath = path('records.jsonl');
  if (recordsPath === undefined) return [];
  const records = await RecordFile.open(recordsPath);
  try {
    const paths = {
      src: path('src.txt'),
      advSrc: path('adv-src.txt'),
      out: path('out.txt'),
      advOut: path('adv-out.txt'),
      refs: hasReferences ? [path('ref.txt') ?? ''] : [],
    };
    return [records, await ParallelFiles.open(paths, { lineBreaks: 'space' })];
  } catch (error) {
    await records.discard();
    throw error;
  }
}
