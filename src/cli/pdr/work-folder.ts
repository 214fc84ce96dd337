import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { ItemPairs } from '../../measure/drop-rates.js';
import { recordKind } from '../../record/kind.js';
import { PromptPredictions } from '../../record/prompt-items.js';
import type { AttackRecord } from '../../record/schema.js';
import { interruptSignal } from '../interrupt.js';
import type { Note } from '../notes.js';

/** The files of an attack's work folder. */
const RECORDS = 'records.jsonl';
const PREDICTIONS = 'predictions.jsonl';

/** The file of records that a path names: itself, or the one of a work folder. */
export async function recordsOf(path: string): Promise<string> {
  return (await isKind(path, 'isDirectory')) ? join(path, RECORDS) : path;
}

/** The items behind attacked prompts, from the `predictions.jsonl` beside a `records.jsonl`; read when the first one is asked for. */
export class WorkFolderPredictions {
  readonly #files = new Map<string, Promise<PromptPredictions | undefined>>();
  readonly #note: Note;

  /** @param note Is told which files are read. */
  constructor(note: Note) {
    this.#note = note;
  }

  /**
   * The scores of the items of an attacked prompt, or why they aren't known.
   *
   * @param path The file of the record.
   * @returns undefined for other records, and without predictions.
   * @throws {UsageError} as `PromptPredictions.read`.
   */
  async itemsOf(path: string, record: AttackRecord): Promise<ItemPairs | undefined> {
    if (record.unit !== 'prompt' || recordKind(record) !== 'attack') return undefined;
    let file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, (file = this.#read(path)));
    return (await file)?.itemsOf(record);
  }

  async #read(path: string): Promise<PromptPredictions | undefined> {
    const predictions = join(dirname(path), PREDICTIONS);
    if (basename(path) !== RECORDS || !(await isKind(predictions, 'isFile'))) return undefined;
    this.#note(`Note: intervals of single prompts are over their items: ${predictions}`);
    return PromptPredictions.read(predictions, { signal: interruptSignal });
  }
}

async function isKind(path: string, kind: 'isFile' | 'isDirectory'): Promise<boolean> {
  try {
    return (await stat(path))[kind]();
  } catch {
    return false;
  }
}
