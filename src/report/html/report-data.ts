import type { FigureData } from '../figures/figure-data.js';
import type { Grid } from '../grid.js';

/**
 * Everything that a report page says, computed before any of it is written: the page, the figures and the terminal show the
 * same numbers.
 */
export interface ReportData {
  readonly title: string;
  /** What was attacked, in plain sentences with their numbers; the first one is the headline. */
  readonly story: readonly string[];
  readonly keyNumbers: readonly KeyNumber[];
  readonly sections: readonly ReportSection[];
  /** The table of records; null where the input has no records. */
  readonly records: RecordTable | null;
  /** Signatures: everything that can change the numbers, a line each. */
  readonly signatures: readonly string[];
  readonly version: string;
}

/** A number of the headline. */
export interface KeyNumber {
  /** The name that JSON has for it. */
  readonly name: string;
  readonly label: string;
  /** Full precision; null where it is undefined. */
  readonly value: number | null;
  readonly text: string;
  /** Its interval, its denominator, or why it is undefined. */
  readonly detail: string;
}

/** A part of the page with a heading. */
export interface ReportSection {
  /** Letters and dashes: the fragment that leads to it. */
  readonly id: string;
  readonly title: string;
  readonly intro?: string | undefined;
  readonly blocks: readonly ReportBlock[];
}

/** What a section consists of. */
export type ReportBlock =
  | FigureBlock
  | { readonly kind: 'grid'; readonly grid: Grid; readonly folded?: string | undefined }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reading';
      readonly items: readonly ReadingItem[];
      /** Names of the kinds of edits. */
      readonly kinds: readonly string[];
    }
  | { readonly kind: 'findings'; readonly rules: readonly RuleFindings[] }
  | { readonly kind: 'words'; readonly items: readonly ImportanceItem[] };

/** A chart with its caption, and the numbers it shows. */
export interface FigureBlock {
  readonly kind: 'figure';
  readonly data: FigureData;
  /** What the chart is called, where several are of one kind. */
  readonly title?: string | undefined;
  readonly caption: string;
  readonly table?: Grid | undefined;
  /** Half the width of the page. */
  readonly narrow?: boolean | undefined;
  /** As high as two others beside it. */
  readonly tall?: boolean | undefined;
}

/** A record that is worth reading, and why. */
export interface ReadingItem {
  /** For example `strongest success`. */
  readonly why: string;
  /** How its verdict follows, a sentence each. */
  readonly sentences: readonly string[];
  readonly row: RecordRow;
}

/** What a rule of the audit found. */
export interface RuleFindings {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly description: string;
  readonly count: number;
  /** The first findings; `row` is the place in the table of records of the one it is about, or null where the table lacks it. */
  readonly examples: readonly {
    readonly record: string;
    readonly place: string;
    readonly message: string;
    readonly row: number | null;
  }[];
}

/** A text with the importance of its words. */
export interface ImportanceItem {
  readonly title: string;
  readonly text: string;
  /** `start` and `end` count code points. */
  readonly words: readonly {
    readonly word: string;
    readonly start: number;
    readonly end: number;
    readonly importance: number | null;
  }[];
  readonly figure: FigureBlock;
}

/** One record as the page has it. */
export interface RecordRow {
  readonly id: string;
  readonly attack: string | null;
  readonly model: string | null;
  readonly dataset: string | null;
  readonly run: string | null;
  /** What the tool said. */
  readonly result: string | null;
  /** What teapot says. */
  readonly success: boolean | null;
  readonly sSrc: number | null;
  readonly sTgtBase: number | null;
  readonly sTgt: number | null;
  readonly dTgt: number | null;
  readonly pdr: number | null;
  readonly margin: number | null;
  readonly queries: number | null;
  /** Why there is no verdict, or why it says little. */
  readonly reason: string | null;
  /** Kinds of edits that occur. */
  readonly kinds: readonly string[];
  readonly src: string | null;
  readonly advSrc: string | null;
  /**
   * The aligned texts: for each piece its kind (a place in {@link RecordTable.kinds}; −1 equal, −2 whitespace) and how many
   * UTF-16 units of `src` and of `advSrc` it takes; empty without both texts.
   */
  readonly diff: readonly number[];
  readonly out: string | null;
  readonly advOut: string | null;
  readonly ref: string | null;
  /** Where the record was read. */
  readonly place: string;
  /** Rules of the audit that found something in it. */
  readonly rules: readonly string[];
  /** UTF-16 units of its texts that the page leaves out, since a text is long. */
  readonly cut: number;
}

/** The records of a page. */
export interface RecordTable {
  readonly rows: readonly RecordRow[];
  /** How many records there are; more than rows when the page has a sample. */
  readonly total: number;
  /** Names of the kinds of edits. */
  readonly kinds: readonly string[];
  /** What the target side is called: `d_tgt`, or `s_tgt` without references. */
  readonly target: 'd_tgt' | 's_tgt';
}

/** What the first line of a page's records says. */
export interface EncodedHead {
  readonly version: 1;
  readonly rows: number;
  readonly total: number;
  readonly kinds: readonly string[];
  readonly target: 'd_tgt' | 's_tgt';
}

/** Some rows of a page's records, each as the values of the fields. */
export interface EncodedBlock {
  readonly fields: readonly (keyof RecordRow)[];
  readonly rows: readonly (readonly unknown[])[];
}
