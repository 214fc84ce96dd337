/** So many rows of a file are read: such files begin with the most frequent words. */
export const MOST_VECTORS = 400_000;

/** Words that may stand in a text: letters, with hyphens and apostrophes. */
export const WORD = /^[\p{L}\p{M}'’-]+$/u;

/** Vectors of words, of unit length. */
export interface VectorTable {
  readonly names: readonly string[];
  /** Name to row. */
  readonly rows: ReadonlyMap<string, number>;
  /** One row behind the other: 4 bytes a number, 480 MB for 400,000 words of 300. */
  readonly values: Float32Array;
  /** Numbers a row. */
  readonly size: number;
}

/** Collects the vectors of a file row by row. */
export class VectorTableBuilder {
  readonly #names: string[] = [];
  readonly #rows = new Map<string, number>();
  readonly #size: number;
  #values: Float32Array;

  /**
   * @param size Numbers a row.
   * @param expected How many rows the file says it has, if it does: so that memory is taken once.
   */
  constructor(size: number, expected = 1024) {
    this.#size = size;
    this.#values = new Float32Array(Math.min(expected, MOST_VECTORS) * size);
  }

  /** Whether no more rows are taken. */
  get isFull(): boolean {
    return this.#names.length >= MOST_VECTORS;
  }

  /**
   * Adds a row. Left out are: what is no word, a word that came before, a vector without length.
   *
   * @returns False when a number of it is not finite.
   */
  add(name: string, values: ArrayLike<number>): boolean {
    let squares = 0;
    for (let axis = 0; axis < this.#size; axis += 1) squares += (values[axis] ?? 0) ** 2;
    if (!Number.isFinite(squares)) return false;
    if (squares === 0 || this.isFull || !WORD.test(name) || this.#rows.has(name)) return true;
    const row = this.#names.length;
    const start = row * this.#size;
    if (start + this.#size > this.#values.length) {
      const larger = new Float32Array(Math.max(start + this.#size, this.#values.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    const norm = Math.sqrt(squares);
    for (let axis = 0; axis < this.#size; axis += 1) this.#values[start + axis] = (values[axis] ?? 0) / norm;
    this.#names.push(name);
    this.#rows.set(name, row);
    return true;
  }

  /** The table of what was added. */
  build(): VectorTable {
    const used = this.#names.length * this.#size;
    return { names: this.#names, rows: this.#rows, values: this.#values.subarray(0, used), size: this.#size };
  }
}
