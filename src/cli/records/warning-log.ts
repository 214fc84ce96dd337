import { writeFileSafely } from '../../output-file.js';
import type { ImportWarning } from '../../record/import/importer.js';
import type { Note } from '../notes.js';

/** How many warnings of one kind and file stderr shows; the rest is counted. */
const SHOWN = 20;

/** Shows warnings on stderr and, where asked, gathers all of them for a file. */
export class WarningLog {
  readonly #note: Note;
  readonly #path: string | undefined;
  readonly #counts = new Map<string, number>();
  readonly #all: string[] = [];

  /** @param path Where to write all warnings as JSONL; undefined for nowhere. */
  constructor(note: Note, path: string | undefined) {
    this.#note = note;
    this.#path = path;
  }

  /** Takes one warning. */
  add(warning: ImportWarning): void {
    if (this.#path !== undefined) this.#all.push(`${JSON.stringify(warning)}\n`);
    const { file, line, code, message } = warning;
    const kind = `${file}: ${code}`;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count <= SHOWN) this.#note(`warning: ${file}${line === null ? '' : `:${line}`}: ${message} [${code}]`);
  }

  /** Says how many were not shown, and writes the file. */
  async end(): Promise<void> {
    for (const [kind, count] of this.#counts) {
      if (count > SHOWN) this.#note(`warning: ${kind}: ${count - SHOWN} more (--warnings FILE keeps all)`);
    }
    if (this.#path !== undefined) await writeFileSafely(this.#path, this.#all);
  }
}
