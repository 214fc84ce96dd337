/** The part an input plays, in the words of the command line (snake_case as in every output). */
export type InputRole = 'src' | 'adv_src' | 'out' | 'adv_out' | 'ref' | 'data';

/** What is known of an input once it has been read. */
export interface InputFile {
  readonly role: InputRole;
  /** The path as given, or `<stdin>`. */
  readonly name: string;
  /** Lines, or records of a table. */
  readonly lines: number;
  /** SHA-256 of the file's own bytes (compressed, if it is), in hexadecimal. */
  readonly sha256: string;
  /** Carriage returns inside lines: they stay in the text. */
  readonly loneCarriageReturns: number;
  /** Characters U+0080 to U+009F of a file that is read as latin-1: it is rather windows-1252. */
  readonly controlCharacters?: number;
  /** Texts that end in a space and a full stop, as tokenised text does. */
  readonly tokenizedLines: number;
  /** Lines of a file that hold white space alone, or nothing. */
  readonly blankLines?: number;
  /** Rows in which a text is missing (null): how many, and the numbers of the first ones. They count as empty texts. */
  readonly missing?: { readonly count: number; readonly rows: readonly number[] };
  /** The lines of rows that repeat the header of the table: they are left out. */
  readonly repeatedHeaders?: readonly number[];
}

/** Consecutive segments as texts. All arrays have the length `count`. */
export interface SegmentBatch {
  /** Segments before this batch. */
  readonly firstSegment: number;
  readonly count: number;
  /** Names of the segments, where the input has a column for them. */
  readonly ids?: readonly string[];
  /** Values of the grouping keys, one array a key; null where a segment has none. */
  readonly groups?: readonly (readonly (string | null)[])[];
  /** Where each segment stands in the whole input, where the batch is a part of it. */
  readonly order?: readonly number[];
  /** Where a segment (0-based in the batch) comes from, for messages: `data.csv:17`. Default: its line. */
  readonly place?: (index: number) => string;
  readonly src?: readonly string[];
  readonly out?: readonly string[];
  /** The reference of each segment, or its several references; undefined without references. */
  readonly refs?: readonly (string | readonly string[])[];
  /** One an attack. */
  readonly attacks: readonly AttackTexts[];
}

/** What one attack made of consecutive segments. */
export interface AttackTexts {
  readonly advSrc?: readonly string[];
  readonly advOut?: readonly string[];
}

/** Aligned texts, read in order in flat memory. */
export interface SegmentSource {
  /**
   * Reads the segments; can be called once.
   *
   * @param segments About how many segments a batch has.
   */
  batches(segments: number, options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<SegmentBatch>;
  /** What was read; complete after the last batch. */
  inputs(): Promise<readonly InputFile[]>;
}
