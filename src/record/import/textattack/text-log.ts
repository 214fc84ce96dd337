import { ERROR_CODES, UsageError } from '../../../errors.js';
import type { SourceFile } from '../../../read/source-file.js';
import type { ImportOptions } from '../importer.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { stripAnsi } from './ansi.js';
import { cleanPair, decideLayout } from './pair.js';
import type { TextLayout } from './pair.js';
import { resultRecord, runName } from './result.js';
import { findSummary, summaryCounts } from './summary.js';
import { ARROW, cutOutputs, cutTexts, readOutput } from './text-result.js';
import type { Output } from './text-result.js';

/** The line above every result. */
const HEADING = /^-{45} Result (\d+) -{45}$/u;

/** How many results are looked at before the first is given out, to tell how the file writes its texts. */
const LAYOUT_RESULTS = 200;

/** The progress bar, when the terminal's stream was kept. */
const PROGRESS =
  /\r?(?:\[Succeeded \/ Failed \/ Skipped \/ Total\][^\r\n]*?:)?\s{1,3}\d{1,3}%\|[^|\r\n]*\|\s*\d+\/\d+ \[[^\]\r\n]*\]/gu;

/** A line that TextAttack logs to the terminal, not part of a result. */
const LOG_LINE = /^textattack: /u;

/** Whether a file looks like the text log (`--log-to-txt`) or what TextAttack prints. */
export function isTextLog(head: string): boolean {
  return (
    /(?:^|\n)-{45} Result \d+ -{45}\r?\n/u.test(stripAnsi(head)) || /^Attack\(\r?\n {2}\(search_method\): /u.test(head)
  );
}

/** The lines of one result, as they stand between two headings. */
interface Block {
  readonly number: number;
  readonly line: number;
  readonly run: string;
  readonly lines: string[];
}

/** A result taken apart, its texts still with markers. */
interface ParsedResult {
  readonly number: number;
  readonly line: number;
  readonly run: string;
  readonly resultType: 'Failed' | 'Skipped' | null;
  readonly original: string;
  /** null: the log shows the original text alone. */
  readonly perturbed: string | null;
  readonly out: Output;
  readonly advOut: Output | null;
}

/**
 * Reads TextAttack's text log, or what it printed (terminal colours and progress bar included).
 *
 * The log doesn't tell perturbed texts of failed attacks, queries and right answers; the CSV log does. It has no type for
 * successes that go on to the end (Maximized). Runs that were appended are told apart by their numbers starting again.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line when a result is cut off.
 */
export async function* readTextLog(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const reader = new TextLogReader(source.name, options);
  for await (const lines of source.lines({ keepCarriageReturns: true })) {
    options.signal?.throwIfAborted();
    for (const { text, line } of lines) yield* reader.read(text, line);
  }
  yield* reader.end();
}

class TextLogReader {
  readonly #file: string;
  readonly #options: ImportOptions;
  #block: Block | undefined;
  #runs = 0;
  #preamble: string[] = [];
  #settings: Record<string, unknown> | undefined;
  #isPrinted = false;
  #hasCrLf: boolean | undefined;
  #layout: TextLayout | undefined;
  #waiting: ParsedResult[] = [];
  #counts = { successful: 0, failed: 0, skipped: 0 };

  constructor(file: string, options: ImportOptions) {
    this.#file = file;
    this.#options = options;
  }

  *read(raw: string, line: number): Generator<AttackRecord> {
    // A terminal ends lines with CR LF; elsewhere the carriage return belongs to a text.
    this.#hasCrLf ??= raw.endsWith('\r');
    const text = this.#plain(this.#hasCrLf && raw.endsWith('\r') ? raw.slice(0, -1) : raw, line);
    if (text === undefined) return;
    const number = Number(HEADING.exec(text)?.[1] ?? Number.NaN);
    // A text may hold a line that looks like a heading: the numbers tell.
    const isNext = this.#block === undefined ? !Number.isNaN(number) : number === this.#block.number + 1;
    const isNewRun = this.#block !== undefined && number === 1 && findSummary(this.#block.lines) !== undefined;
    if (!isNext && !isNewRun) {
      (this.#block?.lines ?? this.#preamble).push(text);
      return;
    }
    if (this.#block === undefined || isNewRun) {
      yield* this.#endRun();
      this.#startRun();
    } else yield* this.#finish(this.#block.lines);
    const run = this.#runs > 1 ? `${runName(this.#file)}#${this.#runs}` : runName(this.#file);
    this.#block = { number, line, run, lines: [] };
  }

  *end(): Generator<AttackRecord> {
    if (this.#block === undefined) {
      throw this.#error(1, 'no results of TextAttack: no line "--- Result 1 ---"');
    }
    yield* this.#endRun();
  }

  /** A line without colours; undefined for one of the progress bar or of TextAttack's messages. */
  #plain(raw: string, line: number): string | undefined {
    const colourless = stripAnsi(raw);
    if (LOG_LINE.test(colourless) && (colourless !== raw || this.#block === undefined)) return undefined;
    if (!colourless.includes('%|')) return colourless;
    const text = colourless.replaceAll(PROGRESS, '');
    if (text === colourless) return text;
    this.#warn(line, 'progress-bar', 'part of the progress bar is taken away');
    return text === '' ? undefined : text;
  }

  #startRun(): void {
    this.#runs += 1;
    this.#counts = { successful: 0, failed: 0, skipped: 0 };
    const start = this.#preamble.lastIndexOf('Attack(');
    this.#isPrinted = start !== -1;
    const end = this.#preamble.lastIndexOf(') ');
    this.#settings =
      start === -1
        ? undefined
        : {
            attack: this.#preamble
              .slice(start, end > start ? end + 1 : undefined)
              .join('\n')
              .trimEnd(),
          };
    this.#preamble = [];
  }

  /** Finishes the last result of a run: its lines go on with the summary and what stands before the next run. */
  *#endRun(): Generator<AttackRecord> {
    const block = this.#block;
    if (block === undefined) return;
    const summary = findSummary(block.lines);
    if (summary === undefined) {
      this.#warn(
        null,
        'no-summary',
        `the log ends after result ${block.number} without the summary: the run was interrupted`,
      );
      const traceback = block.lines.indexOf('Traceback (most recent call last):');
      yield* this.#finish(traceback === -1 ? block.lines : block.lines.slice(0, traceback));
    } else {
      yield* this.#finish(trimBlankLines(block.lines.slice(0, summary.before), this.#isPrinted));
      this.#preamble = block.lines.slice(summary.before);
    }
    yield* this.#release();
    if (summary === undefined) return;
    const told = { file: this.#file, line: block.line, values: summary.values };
    this.#options.onSummary?.(told);
    this.#compare(summaryCounts(told), block.line);
  }

  #compare(told: ReturnType<typeof summaryCounts>, line: number): void {
    for (const kind of ['successful', 'failed', 'skipped'] as const) {
      if (told[kind] === undefined || told[kind] === this.#counts[kind]) continue;
      const message = `the summary counts ${told[kind]} ${kind} attacks, the log holds ${this.#counts[kind]}`;
      this.#warn(line, 'summary-differs', message);
    }
  }

  *#finish(lines: readonly string[]): Generator<AttackRecord> {
    const block = this.#block;
    if (block === undefined) return;
    const parsed = this.#parse(block, trimTail(lines, this.#isPrinted).join('\n'));
    if (typeof parsed === 'string') badRow(this.#options, this.#file, block.line, parsed);
    else this.#waiting.push(parsed);
    if (this.#layout !== undefined || this.#waiting.length >= LAYOUT_RESULTS) yield* this.#release();
  }

  *#release(): Generator<AttackRecord> {
    this.#layout ??= decideLayout(
      this.#waiting.map(({ original, perturbed }) => ({ original, perturbed: perturbed ?? original })),
      this.#options.markers,
    );
    for (const result of this.#waiting) yield this.#record(result, this.#layout);
    this.#waiting = [];
  }

  /** Takes a result apart; what is wrong with it if it can't be. */
  #parse(block: Block, body: string): ParsedResult | string {
    const arrow = body.indexOf(ARROW);
    const headingEnd = arrow === -1 ? -1 : body.indexOf('\n\n', arrow);
    if (headingEnd === -1) return `result ${block.number} is cut off: no "output${ARROW}output" and text`;
    const heading = body.slice(0, headingEnd);
    const texts = body.slice(headingEnd + 2);
    const place = { number: block.number, line: block.line, run: block.run };
    const unsuccessful = /^(.*) --> (?:\[\[)?\[(FAILED|SKIPPED)\](?:\]\])?$/su.exec(heading);
    if (unsuccessful !== null) {
      const isSkipped = unsuccessful[2] === 'SKIPPED';
      this.#counts[isSkipped ? 'skipped' : 'failed'] += 1;
      return {
        ...place,
        resultType: isSkipped ? 'Skipped' : 'Failed',
        original: texts,
        // Nothing was tried on a skipped input; of a failed attack the log doesn't tell the text.
        perturbed: isSkipped ? texts : null,
        out: readOutput(unsuccessful[1] ?? ''),
        advOut: isSkipped ? readOutput(unsuccessful[1] ?? '') : null,
      };
    }
    const outputs = cutOutputs(heading);
    if (!outputs.isCertain) {
      this.#warn(block.line, 'unclear-outputs', `the outputs hold "${ARROW}": where the first one ends is a guess`);
    }
    const cut = cutTexts(texts);
    if (cut === undefined) return `result ${block.number} is cut off: one text, expected two`;
    if (!cut.isCertain) {
      this.#warn(block.line, 'unclear-texts', 'the texts hold blank lines: where the first one ends is a guess');
    }
    this.#counts.successful += 1;
    return {
      ...place,
      resultType: null,
      original: cut.original,
      perturbed: cut.perturbed,
      out: outputs.original,
      advOut: outputs.perturbed,
    };
  }

  #record(result: ParsedResult, layout: TextLayout): AttackRecord {
    const texts = cleanPair({ original: result.original, perturbed: result.perturbed ?? result.original }, layout);
    const confidence = (output: Output | null): number | null => output?.confidence ?? null;
    const hasConfidence = result.out.confidence !== undefined;
    const columns =
      texts.columns === null || result.perturbed !== null ? texts.columns : { ...texts.columns, perturbed: null };
    return resultRecord(
      {
        number: result.number,
        run: result.run,
        line: result.line,
        texts: {
          original: texts.original,
          perturbed: result.perturbed === null ? null : texts.perturbed,
          columns,
          changed: texts.changed,
        },
        resultType: result.resultType ?? 'Successful',
        out: result.out.label,
        advOut: result.advOut?.label ?? null,
        ref: null,
        originalScore: null,
        perturbedScore: null,
        queries: null,
        settings: this.#settings,
        extra: hasConfidence
          ? { original_confidence: confidence(result.out), perturbed_confidence: confidence(result.advOut) }
          : {},
      },
      this.#file,
    );
  }

  #error(line: number, message: string): UsageError {
    return new UsageError(ERROR_CODES.FORMAT, `${this.#file}:${line}: ${message}`);
  }

  #warn(line: number | null, code: string, message: string): void {
    this.#options.onWarning?.({ file: this.#file, line, code, message });
  }
}

/** What TextAttack prints ends each result with two blank lines; the text log has none. */
function trimTail(lines: readonly string[], isPrinted: boolean): readonly string[] {
  const hasTail = isPrinted && lines.length >= 2 && lines.at(-1) === '' && lines.at(-2) === '';
  return hasTail ? lines.slice(0, -2) : lines;
}

/** Before the table of the summary stand more blank lines, how many depends on the release and the terminal. */
function trimBlankLines(lines: readonly string[], isPrinted: boolean): readonly string[] {
  return isPrinted ? lines.slice(0, lines.findLastIndex((line) => line !== '') + 1) : lines;
}
