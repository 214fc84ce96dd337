import { runNative } from '../native.js';
import type { MetricOptions } from '../native.js';
import { checkPairs } from './pairs.js';
import type { Reference, ScoreOptions, Scorer } from './scorer.js';
import { unspacedScriptNote } from './unspaced-script.js';

/** Pairs that are scored between two looks at the signal: some ten milliseconds of work. */
const BATCH_PAIRS = 4096;

/** What a {@link NativeScorer} is made of. */
export interface NativeScorerOptions {
  /** The key on the command line. */
  readonly key: string;
  /** The name in headings. */
  readonly name: string;
  /** Everything that can change a score. */
  readonly signature: string;
  /** The metric and its parameters, as the core takes them. */
  readonly native: MetricOptions;
  /** Is told about texts that the metric isn't made for. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** A metric of the native core: chrF, BLEU, TER, F1, exact match, edit similarity. Stateless; several calls may run at once. */
export class NativeScorer implements Scorer {
  readonly key: string;
  readonly name: string;
  readonly signature: string;
  readonly native: MetricOptions;
  readonly #onNote: ((note: string) => void) | undefined;
  #looked = false;

  constructor(options: NativeScorerOptions) {
    this.key = options.key;
    this.name = options.name;
    this.signature = options.signature;
    this.native = options.native;
    this.#onNote = options.onNote;
  }

  /**
   * Scores N pairs on the core's threads, 4,096 at a time.
   *
   * @returns N fractions in [0, 1].
   * @throws {UsageError} `ERR_TEAPOT_LENGTH_MISMATCH`, `ERR_TEAPOT_INVALID_OPTION` or `ERR_TEAPOT_FORMAT` for texts that
   *   are no N pairs of well-formed strings; the signal's reason when it aborts.
   */
  async score(
    hypotheses: readonly string[],
    references: readonly Reference[],
    options: ScoreOptions = {},
  ): Promise<Float64Array> {
    checkPairs(hypotheses, references, options.place);
    this.#look(hypotheses, references);
    const scores = new Float64Array(hypotheses.length);
    const several = references.some((reference) => typeof reference !== 'string');
    for (let start = 0; start < hypotheses.length; start += BATCH_PAIRS) {
      const batch = references.slice(start, start + BATCH_PAIRS);
      const counts = several
        ? batch.map((reference) => (typeof reference === 'string' ? 1 : reference.length))
        : undefined;
      const part = await runNative(
        (binding, cancellation) =>
          binding.scoreBatch(
            this.native,
            hypotheses.slice(start, start + BATCH_PAIRS),
            batch.flat(),
            counts,
            undefined,
            cancellation,
          ),
        options,
      );
      scores.set(part, start);
      options.onProgress?.(start + part.length, hypotheses.length);
    }
    return scores;
  }

  #look(hypotheses: readonly string[], references: readonly Reference[]): void {
    if (this.#onNote === undefined || this.#looked) return;
    this.#looked = true;
    const note = unspacedScriptNote(this.native, [...hypotheses.slice(0, 500), ...references.slice(0, 500).flat()]);
    if (note !== undefined) this.#onNote(note);
  }
}
