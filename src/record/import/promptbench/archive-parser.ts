import { splitArchiveLine, type ArchivePiece } from './archive-lines.js';
import type { ArchiveBlock, ArchiveListener, ArchiveSection, Slot } from './archive-rows.js';

/** The section of prompts that were not attacked. */
export const CLEAN_SECTION = '10 prompts';
/** The section of prompts that were translated and back: PromptBench's semantic attack. */
export const TRANSLATION_SECTION = 'translation';
/** How many triples of a section are task-oriented; the others are role-oriented. */
const TASK_TRIPLES = 3;

interface OpenTriple {
  line: number;
  original: string | null;
  attacked: string | null;
  /** A part of it could not be read: the rest is passed over. */
  bad?: boolean;
}

/**
 * Reads PromptBench's archive of adversarial prompts (`adv_prompts/*.md`) line by line.
 *
 * Every row is recovered, and everything that departs from the grammar is told with its line.
 *
 * Source: `promptbench/prompts/adv_prompts/` of microsoft/promptbench.
 */
export class ArchiveParser {
  readonly #listener: ArchiveListener;
  #block: ArchiveBlock | undefined;
  #section: ArchiveSection | undefined;
  #title: string | undefined;
  #triple: OpenTriple | undefined;
  /** Which block of the clean list is being read: blank lines part them, a run of blanks once. */
  #cleanSlot: Slot = 'task';
  #cleanGap = false;
  /** Rows of each language in the current translation section. */
  #languages = new Map<string, number>();

  constructor(listener: ArchiveListener) {
    this.#listener = listener;
  }

  /**
   * Reads one line.
   *
   * @param line the line without its line end.
   * @param number its 1-based number.
   */
  push(line: string, number: number): void {
    const pieces = splitArchiveLine(line);
    if (pieces.length > 1) {
      const what = `${pieces.length} parts of records stand on one line`;
      this.#oddity('several-records-on-a-line', number, `${what}; each was read`);
    }
    for (const piece of pieces) this.#piece(piece, number);
  }

  /** Ends the file: tells the last data set. */
  finish(lastLine: number): void {
    this.#closeTriple(lastLine);
    this.#closeBlock();
  }

  #piece(piece: ArchivePiece, line: number): void {
    switch (piece.type) {
      case 'heading':
        this.#closeTriple(line);
        this.#heading(piece.level, piece.name, line);
        return;
      case 'blank':
        // A blank between a prompt and its attacked form belongs to a prompt with line ends.
        if (this.#triple?.attacked === null && this.#triple.original !== null) this.#triple.original += '\n';
        if (this.#block !== undefined && this.#block.clean.length > 0) this.#cleanGap = true;
        return;
      case 'clean':
        this.#clean(piece, line);
        return;
      case 'translation':
        this.#translation(piece, line);
        return;
      case 'original':
        this.#closeTriple(line);
        this.#triple = { line, original: piece.prompt, attacked: null };
        return;
      case 'attacked':
        if (this.#triple === undefined || this.#triple.attacked !== null) {
          this.#closeTriple(line);
          this.#triple = { line, original: null, attacked: null };
        }
        this.#triple.attacked = piece.prompt;
        return;
      case 'scores':
        this.#scores(piece, line);
        return;
      case 'bad':
        if (this.#triple !== undefined && !piece.text.startsWith('Original acc: ')) this.#triple.bad = true;
        else this.#triple = undefined;
        this.#listener.onProblem({ line, message: piece.reason });
        return;
      case 'other':
        this.#other(piece.text, line);
        return;
    }
  }

  #heading(level: 1 | 2, name: string, line: number): void {
    if (level === 2) {
      if (this.#block === undefined) {
        this.#listener.onProblem({
          line,
          message: `section "${name}" stands before the first data set heading ("# cola")`,
        });
        return;
      }
      this.#section = { name, line, rows: 0 };
      this.#block.sections.push(this.#section);
      this.#cleanSlot = 'task';
      this.#cleanGap = false;
      this.#languages = new Map();
      return;
    }
    this.#closeBlock();
    if (this.#title === undefined && /_(?:zeroshot|fewshot)$/u.test(name)) {
      this.#title = name;
      this.#listener.onTitle(name, line);
      return;
    }
    this.#block = { dataset: name, line, sections: [], clean: [], triples: [], translations: [], strayClean: [] };
  }

  #clean(piece: Extract<ArchivePiece, { type: 'clean' }>, line: number): void {
    const place = this.#place(line);
    if (place === undefined) return;
    const { block, section } = place;
    const { accuracy, prompt } = piece;
    if (section.name !== CLEAN_SECTION) {
      block.strayClean.push({ line, section: section.name, accuracy, prompt });
      this.#oddity(
        'stray-clean-row',
        line,
        `a row of "## ${CLEAN_SECTION}" stands in section "${section.name}"; it is kept apart`,
      );
      return;
    }
    if (this.#cleanGap) this.#cleanSlot = 'role';
    section.rows += 1;
    block.clean.push({ line, slot: this.#cleanSlot, accuracy, prompt });
  }

  #translation(piece: Extract<ArchivePiece, { type: 'translation' }>, line: number): void {
    const place = this.#place(line);
    if (place === undefined) return;
    const { block, section } = place;
    if (section.name !== TRANSLATION_SECTION) {
      this.#oddity('stray-translation-row', line, `a translation stands in section "${section.name}"; it was read`);
    }
    const position = (this.#languages.get(piece.language) ?? 0) + 1;
    this.#languages.set(piece.language, position);
    section.rows += 1;
    block.translations.push({
      line,
      language: piece.language,
      position,
      accuracy: piece.accuracy,
      prompt: piece.prompt,
    });
  }

  #scores(piece: Extract<ArchivePiece, { type: 'scores' }>, line: number): void {
    const triple = this.#triple;
    this.#triple = undefined;
    const place = this.#place(line);
    if (place === undefined || triple?.bad === true) return;
    const { block, section } = place;
    if (triple === undefined || triple.original === null) {
      this.#oddity(
        'missing-original-prompt',
        triple?.line ?? line,
        'a triple has no "Original prompt:" line; its scores were read',
      );
    }
    if (triple === undefined || triple.attacked === null) {
      this.#oddity(
        'missing-attacked-prompt',
        triple?.line ?? line,
        'a triple has no "Attacked prompt:" line; its scores were read',
      );
    }
    section.rows += 1;
    block.triples.push({
      line: triple?.line ?? line,
      scoreLine: line,
      attack: section.name,
      position: section.rows,
      slot: section.rows <= TASK_TRIPLES ? 'task' : 'role',
      originalPrompt: triple?.original ?? null,
      attackedPrompt: triple?.attacked ?? null,
      original: piece.original,
      attacked: piece.attacked,
      dropped: piece.dropped,
    });
  }

  /** A line that is no row: the rest of a prompt with line ends, or a stray line. */
  #other(text: string, line: number): void {
    const triple = this.#triple;
    if (triple !== undefined && triple.original !== null && triple.attacked === null) {
      triple.original += `\n${text}`;
      this.#oddity('continued-prompt', line, 'a prompt goes on over a line end; it was kept whole');
      return;
    }
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    this.#oddity('stray-line', line, `the line ${JSON.stringify(shown)} is no row, heading or blank; it was left out`);
  }

  /** The data set and section that a row belongs to; a row before the first heading is a problem. */
  #place(line: number): { readonly block: ArchiveBlock; readonly section: ArchiveSection } | undefined {
    if (this.#block !== undefined && this.#section !== undefined) return { block: this.#block, section: this.#section };
    this.#listener.onProblem({ line, message: 'a row stands before the first "# data set" and "## section" headings' });
    return undefined;
  }

  /** A triple that ends without its scores can't be used. */
  #closeTriple(line: number): void {
    const triple = this.#triple;
    this.#triple = undefined;
    if (triple === undefined || triple.bad === true) return;
    const message = `the triple that starts here has no "Original acc: …" line before line ${line}`;
    this.#listener.onProblem({ line: triple.line, message });
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#listener.onBlock(this.#block);
    this.#block = undefined;
    this.#section = undefined;
  }

  #oddity(code: string, line: number, message: string): void {
    this.#listener.onOddity({ code, line, message });
  }
}
