import type { RunOptions } from '../run-options.js';
import type { MetricOptions } from '../native.js';

export type { RunOptions } from '../run-options.js';

/** What {@link Scorer.score} takes last. */
export interface ScoreOptions extends RunOptions {
  /** Line number of the first pair, 1-based, for messages about one pair. Default 1. */
  readonly firstLine?: number;
  /**
   * Where a pair (0-based) comes from, for messages about one pair, with the field of the text that is wrong where one is:
   * `run.jsonl:17 (id "a"), field adv_src`. Default: its line.
   */
  readonly place?: (index: number, text?: PairText) => string;
}

/** One of the two sides of a pair. */
export type PairText = 'hypothesis' | 'reference';

/** The reference of a segment: one text, or several of which the metric takes its own multi-reference score. */
export type Reference = string | readonly string[];

/**
 * Scores hypotheses against references: N pairs in, N fractions in [0, 1] out, same order.
 *
 * Native metrics, METEOR, modules and programs all stand behind this interface.
 */
export interface Scorer {
  /** The key on the command line, for example `chrf`. */
  readonly key: string;
  /** The name in headings, as teapot-nlp prints it, for example `ChrF`. */
  readonly name: string;
  /**
   * Everything that can change a score, as sacreBLEU writes it:
   * `chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:0.1.0`.
   */
  readonly signature: string;
  /** The metric of the native core that the scorer is: a streaming engine can take it wholly in Rust. */
  readonly native?: MetricOptions;
  /**
   * Scores N pairs.
   *
   * @param hypotheses N texts.
   * @param references N references, aligned with the hypotheses.
   * @returns N fractions in [0, 1], finite.
   * @throws {TeapotError} `ERR_TEAPOT_LENGTH_MISMATCH` when the lengths differ, `ERR_TEAPOT_SCORER` when the scorer fails.
   */
  score(hypotheses: readonly string[], references: readonly Reference[], options?: ScoreOptions): Promise<Float64Array>;
  /**
   * Ends what the scorer started (a program, a module's own things). Safe to call twice. Call it before the scores are
   * shown: a program that wrote too many lines, or failed at its end, is found out here.
   *
   * @throws {TeapotError} `ERR_TEAPOT_SCORER` when the scores can't be trusted after all.
   */
  close?(): Promise<void>;
}
