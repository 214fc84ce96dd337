import type { Printed } from '../../printed.js';

/** Task- or role-oriented prompt. */
export type Slot = 'task' | 'role';

/** One prompt of a `## 10 prompts` list: a score without an attack. */
export interface CleanRow {
  readonly line: number;
  readonly slot: Slot;
  readonly accuracy: Printed;
  readonly prompt: string;
}

/** One attack triple. */
export interface TripleRow {
  /** The line of its first part. */
  readonly line: number;
  /** The line of its scores. */
  readonly scoreLine: number;
  readonly attack: string;
  /** 1-based position in its section. */
  readonly position: number;
  /** By position: the first three of a section are task-oriented, the others role-oriented. */
  readonly slot: Slot;
  /** Null where the file has lost the line. */
  readonly originalPrompt: string | null;
  /** Null where the file has lost the line. */
  readonly attackedPrompt: string | null;
  readonly original: Printed;
  readonly attacked: Printed;
  readonly dropped: Printed;
}

/** One prompt that went through a language and back. */
export interface TranslationRow {
  readonly line: number;
  readonly language: string;
  /** 1-based position among the rows of its language. */
  readonly position: number;
  readonly accuracy: Printed;
  readonly prompt: string;
}

/** One `## …` heading and how many rows stand under it. */
export interface ArchiveSection {
  readonly name: string;
  readonly line: number;
  rows: number;
}

/** Everything of one data set in one file. */
export interface ArchiveBlock {
  readonly dataset: string;
  readonly line: number;
  readonly sections: ArchiveSection[];
  readonly clean: CleanRow[];
  readonly triples: TripleRow[];
  readonly translations: TranslationRow[];
  /** Rows of the clean list that stand in another section. */
  readonly strayClean: {
    readonly line: number;
    readonly section: string;
    readonly accuracy: Printed;
    readonly prompt: string;
  }[];
}

/** Something odd that the grammar met, at a line. */
export interface ArchiveOddity {
  readonly code: string;
  readonly line: number;
  readonly message: string;
}

/** A row that can't be read. */
export interface ArchiveProblem {
  readonly line: number;
  readonly message: string;
}

/** What the parser tells while it reads. */
export interface ArchiveListener {
  /** The file's title, `# chatgpt_zeroshot`. */
  onTitle(title: string, line: number): void;
  /** A data set has been read to its end. */
  onBlock(block: ArchiveBlock): void;
  onOddity(oddity: ArchiveOddity): void;
  /** A row that can't be read; it is left out when the listener returns. */
  onProblem(problem: ArchiveProblem): void;
}
