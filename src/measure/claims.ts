import { outcomeRates, share } from './denominators.js';
import type { OutcomeCounts } from './denominators.js';
import { successMargin } from './success.js';
import type { Agreement, Claims } from './summary.js';

/** What a tool said of segments that it attacked, beside their scores. */
export interface ClaimedResults {
  /** One a segment; null where the tool said nothing. */
  readonly results: readonly (keyof OutcomeCounts | null)[];
  /**
   * Whether the segments hold anything of the original: its text, output or score. A log without originals (a scanner's)
   * can't say how accurate the model was before the attack.
   */
  readonly withOriginals: boolean;
  /** How much of the meaning people say is kept, a fraction in [0, 1] a segment; null without ratings. */
  readonly human?: readonly (number | null)[] | undefined;
}

/** The state of {@link ClaimsTally}, for merging across processes. */
export interface ClaimsState {
  readonly tool: Claims['tool'];
  readonly agreement: Agreement;
  readonly successesAttacked: number;
  readonly withOriginals: number;
  readonly people: { readonly n: number; readonly successes: number; readonly byRule: number };
}

/** Counts what tools claimed beside what teapot measured. */
export class ClaimsTally {
  readonly #tool = { successful: 0, failed: 0, skipped: 0, error: 0, unknown: 0 };
  readonly #agreement = { both: 0, toolOnly: 0, teapotOnly: 0, neither: 0 };
  readonly #people = { n: 0, successes: 0, byRule: 0 };
  #successesAttacked = 0;
  #withOriginals = 0;

  /**
   * Adds segments.
   *
   * @param measured `margin`: how far each is above the threshold of success; undefined where the criterion is.
   * @param threshold T.
   */
  add(
    { results, withOriginals, human }: ClaimedResults,
    { margin, dTgt }: { readonly margin?: Float64Array | undefined; readonly dTgt?: Float64Array | undefined },
    threshold: number,
  ): void {
    this.#judge(human, dTgt, margin, threshold);
    if (withOriginals) this.#withOriginals += results.length;
    for (const [index, result] of results.entries()) {
      this.#tool[result ?? 'unknown'] += 1;
      if ((result !== 'successful' && result !== 'failed') || margin === undefined) continue;
      const success = (margin[index] ?? 0) > 0;
      if (success) this.#successesAttacked += 1;
      this.#agreement[agreementOf(result === 'successful', success)] += 1;
    }
  }

  /** Success by people: their rating in the place of s_src. */
  #judge(
    human: ClaimedResults['human'],
    dTgt: Float64Array | undefined,
    margin: Float64Array | undefined,
    threshold: number,
  ): void {
    if (human === undefined || dTgt === undefined) return;
    for (const [index, meaning] of human.entries()) {
      if (meaning === null) continue;
      this.#people.n += 1;
      if (successMargin(meaning, dTgt[index] ?? 0, threshold) > 0) this.#people.successes += 1;
      if ((margin?.[index] ?? 0) > 0) this.#people.byRule += 1;
    }
  }

  /** The state, to be merged elsewhere. */
  toJSON(): ClaimsState {
    return {
      tool: { ...this.#tool },
      agreement: { ...this.#agreement },
      successesAttacked: this.#successesAttacked,
      withOriginals: this.#withOriginals,
      people: { ...this.#people },
    };
  }

  /** Adds what another one has counted. */
  merge(other: ClaimsTally): void {
    this.addState(other.toJSON());
  }

  /** Adds a state that {@link ClaimsTally.toJSON} gave. */
  addState(state: ClaimsState): void {
    for (const name of Object.keys(this.#tool) as (keyof Claims['tool'])[]) this.#tool[name] += state.tool[name];
    for (const name of Object.keys(this.#agreement) as (keyof Agreement)[]) {
      this.#agreement[name] += state.agreement[name];
    }
    for (const name of ['n', 'successes', 'byRule'] as const) this.#people[name] += state.people[name];
    this.#successesAttacked += state.successesAttacked;
    this.#withOriginals += state.withOriginals;
  }

  /** The claims so far. */
  claims(): Claims {
    const { successful, failed, skipped, error, unknown } = this.#tool;
    const said = successful + failed + skipped + error > 0;
    const { both, toolOnly, teapotOnly, neither } = this.#agreement;
    const judged = both + toolOnly + teapotOnly + neither;
    const rates = outcomeRates(this.#tool);
    const unknowable = { ...rates.accuracyBefore, rate: null };
    return {
      tool: { successful, failed, skipped, error, unknown },
      rates: !said
        ? null
        : this.#withOriginals > 0
          ? rates
          : { ...rates, accuracyBefore: unknowable, accuracyUnderAttack: { ...rates.accuracyUnderAttack, rate: null } },
      // Where no attacked record has a verdict of ours, there is no rate of them.
      successOverAttacked: judged > 0 ? share(this.#successesAttacked, successful + failed) : null,
      agreement: { ...this.#agreement },
      people:
        this.#people.n === 0
          ? null
          : {
              success: share(this.#people.successes, this.#people.n),
              successByRule: share(this.#people.byRule, this.#people.n),
            },
    };
  }
}

function agreementOf(tool: boolean, teapot: boolean): keyof Agreement {
  if (tool) return teapot ? 'both' : 'toolOnly';
  return teapot ? 'teapotOnly' : 'neither';
}
