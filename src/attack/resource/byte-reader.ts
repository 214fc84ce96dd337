import { ERROR_CODES, UsageError } from '../../errors.js';

/** Reads a stream of bytes in portions of any size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #name: string;
  #rest: Uint8Array = new Uint8Array(0);

  /**
   * @param chunks The stream; read once.
   * @param name The file, for messages.
   */
  constructor(chunks: AsyncIterable<Uint8Array>, name: string) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#name = name;
  }

  /**
   * The next bytes, in memory of their own (so that numbers in them are aligned).
   *
   * @param what What they are, for the message.
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` when the file ends before.
   */
  async read(count: number, what: string): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) {
          throw new UsageError(
            ERROR_CODES.FORMAT,
            `${this.#name}: ends within ${what}: found ${filled} of ${count} bytes; the file is cut off`,
          );
        }
        this.#rest = next.value;
      }
      const taken = this.#rest.subarray(0, count - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      this.#rest = this.#rest.subarray(taken.length);
    }
    return bytes;
  }

  /** The bytes before the next one of this value, which is read over; `most` at most. */
  async until(value: number, most: number, what: string): Promise<Uint8Array> {
    const bytes: number[] = [];
    for (;;) {
      const byte = (await this.#peek(what)) ?? value;
      this.#rest = this.#rest.subarray(1);
      if (byte === value) return Uint8Array.from(bytes);
      bytes.push(byte);
      if (bytes.length > most) {
        throw new UsageError(ERROR_CODES.FORMAT, `${this.#name}: found no end of ${what} within ${most} bytes`);
      }
    }
  }

  /** Reads over bytes. */
  async skip(count: number, what: string): Promise<void> {
    for (let left = count; left > 0;) {
      const portion = Math.min(left, 1 << 20);
      await this.read(portion, what);
      left -= portion;
    }
  }

  /** Stops reading: the file is closed. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #peek(what: string): Promise<number | undefined> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new UsageError(ERROR_CODES.FORMAT, `${this.#name}: ends within ${what}`);
      this.#rest = next.value;
    }
    return this.#rest[0];
  }
}
