import { basename } from 'node:path';

import { readText, type SourceFile } from '../../../read/source-file.js';
import type { ImportOptions } from '../importer.js';
import { makeRecord, type AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { literalValues } from '../common/literal-values.js';
import { readPromptBenchLog, type LoggedCall } from './verbose-log.js';
import { readPromptBenchResults, type PromptBenchResult } from './result.js';

/** More than this is no log or result of PromptBench: it is read whole. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A stored drop rate that differs by more than this from the recomputed one contradicts it. */
const PDR_TOLERANCE = 1e-9;

/** Imports what `attack()` returned: JSON, JSON lines or Python's repr, one result or several. */
export async function* importResults(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const text = await readText(source, MAX_BYTES);
  const builder = new RecordBuilder(source, options);
  const onBad = (error: Error, line: number): void => badRow(options, source.name, line, withoutPlace(error.message));
  for (const { value, line } of literalValues(text, source.name, options.onError === 'skip' ? onBad : undefined)) {
    options.signal?.throwIfAborted();
    const results = readPromptBenchResults(value);
    if ('problem' in results) badRow(options, source.name, line, results.problem);
    else for (const result of results) yield* builder.records(result, line, undefined);
  }
}

/** Imports what a verbose run printed: every query, and the result where it was printed too. */
export async function* importVerboseLog(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const lines = (await readText(source, MAX_BYTES))
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const builder = new RecordBuilder(source, options);
  let run: LogRun | undefined;
  for (const piece of readPromptBenchLog(lines)) {
    options.signal?.throwIfAborted();
    switch (piece.type) {
      case 'run':
        if (run !== undefined && run.calls.length > 0) yield builder.unfinished(run);
        run = { line: piece.line, protectedWords: piece.protectedWords, calls: [] };
        break;
      case 'call':
        run ??= { line: piece.call.line, protectedWords: null, calls: [] };
        run.calls.push(piece.call);
        break;
      case 'result': {
        const values = [...literalValues(piece.text, source.name)];
        for (const { value } of values) {
          const results = readPromptBenchResults(value);
          if ('problem' in results) badRow(options, source.name, piece.line, results.problem);
          else for (const result of results) yield* builder.records(result, piece.line, run);
        }
        run = undefined;
        break;
      }
      case 'cut-off':
        badRow(
          options,
          source.name,
          piece.line,
          'the query that starts here has no "Current accuracy is:" line: the log is cut off',
        );
        break;
    }
  }
  if (run !== undefined && run.calls.length > 0) yield builder.unfinished(run);
}

/** The queries of one attack in a verbose log. */
interface LogRun {
  readonly line: number;
  readonly protectedWords: string | null;
  readonly calls: LoggedCall[];
}

/** Makes records of results, with ids that are unique in the file. */
class RecordBuilder {
  readonly #source: SourceFile;
  readonly #options: ImportOptions;
  readonly #name: string;
  #count = 0;

  constructor(source: SourceFile, options: ImportOptions) {
    this.#source = source;
    this.#options = options;
    this.#name = source.path === undefined ? 'stdin' : basename(source.path);
  }

  /** The records of one result; the semantic attack gives one for every prompt. */
  *records(result: PromptBenchResult, line: number, run: LogRun | undefined): Generator<AttackRecord> {
    if (result.layout === 'semantic') {
      this.#count += 1;
      const scale = scaleOf(result.scores.map(([, score]) => score));
      for (const [index, [prompt, score]] of result.scores.entries()) {
        yield makeRecord({
          ...this.#common(`${this.#count}/${index + 1}`, line),
          attack: 'semantic',
          adv_src: prompt,
          attacked_score: score,
          scale,
          extra: {
            kind: 'attack',
            layout: result.layout,
            reason: 'the semantic attack stores no original prompt and score',
          },
        });
      }
      return;
    }
    this.#count += 1;
    yield this.#record(result, line, run);
  }

  /** The record of a run that printed queries but no result. */
  unfinished(run: LogRun): AttackRecord {
    this.#count += 1;
    const message = `the log holds ${run.calls.length} queries but no result: the attack was cut off, or its result was not printed`;
    this.#options.onWarning?.({ file: this.#source.name, line: run.line, code: 'no-result', message });
    const first = run.calls[0];
    return makeRecord({
      ...this.#common(String(this.#count), run.line),
      src: first?.prompt ?? null,
      original_score: first?.score ?? null,
      scale: scaleOf(run.calls.map(({ score }) => score)),
      result: 'error',
      queries: run.calls.length,
      extra: { kind: 'attack', reason: 'no result', ...logExtra(run) },
    });
  }

  #record(
    result: Exclude<PromptBenchResult, { layout: 'semantic' }>,
    line: number,
    run: LogRun | undefined,
  ): AttackRecord {
    const { originalScore, attackedScore, storedPdr, storedDrop } = result;
    this.#checkStored(result, line);
    const first = run?.calls[0];
    if (first !== undefined && result.originalPrompt !== null && first.prompt !== result.originalPrompt) {
      const message = `the first query of the log (line ${first.line}) is not the original prompt of the result`;
      this.#options.onWarning?.({ file: this.#source.name, line, code: 'first-query-differs', message });
    }
    return makeRecord({
      ...this.#common(String(this.#count), line),
      src: result.originalPrompt ?? first?.prompt ?? null,
      adv_src: result.attackedPrompt,
      original_score: originalScore,
      attacked_score: attackedScore,
      scale: scaleOf([originalScore, attackedScore, ...(run?.calls ?? []).map(({ score }) => score)]),
      queries: run?.calls.length ?? null,
      extra: {
        ...Object.fromEntries(result.others),
        kind: 'attack',
        layout: result.layout,
        ...(storedPdr === null ? {} : { stored_pdr: storedPdr }),
        ...(storedDrop === null ? {} : { dropped: storedDrop, decimals: null }),
        ...(run === undefined ? {} : logExtra(run)),
      },
    });
  }

  /** A stored drop rate or drop that the two scores contradict is told; the scores are kept as they are. */
  #checkStored({ originalScore, attackedScore, storedPdr, storedDrop }: StoredNumbers, line: number): void {
    const pdr = originalScore === 0 ? null : (originalScore - attackedScore) / originalScore;
    const warn = (code: string, message: string): void => {
      this.#options.onWarning?.({ file: this.#source.name, line, code, message });
    };
    if (storedPdr !== null && (pdr === null || Math.abs(storedPdr - pdr) > PDR_TOLERANCE)) {
      const recomputed = pdr === null ? 'undefined (the original score is 0)' : String(pdr);
      warn('pdr-differs', `the stored PDR is ${storedPdr}, recomputed from the two scores it is ${recomputed}`);
    }
    if (storedDrop !== null && Math.abs(storedDrop - (originalScore - attackedScore)) > PDR_TOLERANCE) {
      warn(
        'drop-inconsistent',
        `the stored drop is ${storedDrop}, the two scores give ${originalScore - attackedScore}`,
      );
    }
  }

  #common(id: string, line: number) {
    return {
      id: `${this.#name}/${id}`,
      unit: 'prompt' as const,
      run: this.#name,
      provenance: { tool: 'promptbench', version: null, file: this.#source.name, line },
    };
  }
}

type StoredNumbers = Pick<
  Exclude<PromptBenchResult, { layout: 'semantic' }>,
  'originalScore' | 'attackedScore' | 'storedPdr' | 'storedDrop'
>;

function logExtra(run: LogRun): Record<string, unknown> {
  return {
    calls: run.calls.map(({ prompt, score }) => ({ prompt, score })),
    ...(run.protectedWords === null ? {} : { protected_words: run.protectedWords }),
  };
}

/** PromptBench's F1 is on 0–100, its other scores are fractions: a score above 1 tells. */
function scaleOf(scores: readonly number[]): 1 | 100 {
  return scores.some((score) => score > 1) ? 100 : 1;
}

/** The message of an error without the `file:line: ` that it starts with. */
function withoutPlace(message: string): string {
  return message.replace(/^.*?:\d+: /su, '');
}
