import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

/** What the values of a column are; any of them may be null. */
export type ParquetType = 'text' | 'number' | 'integer' | 'boolean';

/** A column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** How many rows make a row group: what a reader, and this writer, hold in memory at once. */
const ROWS_PER_GROUP = 10_000;

const ELEMENTS: Readonly<Record<ParquetType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
};

/** Makes a Parquet file (Snappy, row groups of 10,000 rows) portion by portion: memory doesn't grow with the file. */
export class ParquetEncoder {
  readonly #columns: readonly ParquetColumn[];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows: (readonly unknown[])[] = [];

  /** @param columns The columns, in order. */
  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns;
    const elements = columns.map(({ name, type }): SchemaElement => ({
      name,
      repetition_type: 'OPTIONAL',
      ...ELEMENTS[type],
    }));
    const schema: SchemaElement[] = [{ name: 'root', num_children: columns.length }, ...elements];
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema, createdBy: 'teapot' });
  }

  /**
   * Adds one row.
   *
   * @param values As many as columns, in order: texts, finite numbers, whole numbers, booleans or null.
   * @returns Bytes to be written next, or undefined until the row group is full.
   */
  add(values: readonly unknown[]): Uint8Array | undefined {
    this.#rows.push(values);
    if (this.#rows.length < ROWS_PER_GROUP) return undefined;
    this.#writeGroup();
    return this.#take();
  }

  /** Ends the file. */
  finish(): Uint8Array {
    if (this.#rows.length > 0) this.#writeGroup();
    // The writer of the library has no asynchronous part with a buffer in memory.
    void this.#writer.finish();
    return this.#take();
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(({ name, type }, index) => {
      const values = this.#rows.map((row) => row[index] ?? null);
      const data =
        type === 'integer' ? values.map((value) => (value === null ? null : BigInt(value as number))) : values;
      return { name, data };
    });
    void this.#writer.write({ columnData, rowGroupSize: this.#rows.length });
    this.#rows = [];
  }

  #take(): Uint8Array {
    const bytes = Buffer.from(this.#bytes.getBytes());
    this.#bytes.index = 0;
    return bytes;
  }
}
