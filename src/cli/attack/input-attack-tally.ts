import type { InputOutcome } from '../../attack/attack-inputs.js';
import type { Measured } from '../../record/measured.js';
import { outcomeRates, share } from '../../measure/denominators.js';
import type { VictimCounters } from '../../victim/cached-victim.js';
import type { RequestCounts } from '../../victim/victim.js';
import type { InputAttackSummary } from './input-attack-report.js';

/** So many errors are told one by one. */
const TOLD_ERRORS = 5;

/** What the summary says besides counts. */
export interface TallySettings {
  readonly attack: string;
  readonly goal: string;
  readonly without: readonly string[];
}

/** Counts up what became of the inputs of a run, one by one, so that none has to be kept. */
export class InputAttackTally {
  readonly #counts = { successful: 0, failed: 0, skipped: 0, error: 0 };
  /** Inputs with a label and both answers, and how many of the answers are right. */
  readonly #labelled = { inputs: 0, before: 0, underAttack: 0 };
  readonly #sums = { queries: 0, edits: 0, sSrc: 0 };
  /** Inputs whose original has no answer: it was refused, filtered … */
  #unanswered = 0;
  #firstNone: string | undefined;
  #hasLabels = false;
  #won = 0;
  #successes = 0;
  readonly #errors: string[] = [];
  readonly #labels: ReadonlySet<string> | undefined;
  #firstAnswer: string | undefined;
  #hasLabelAnswer = false;

  /** @param labels The labels of the inputs, where there are any. */
  constructor(labels: readonly string[] | undefined) {
    this.#labels = labels === undefined ? undefined : new Set(labels);
  }

  /** Inputs so far. */
  get n(): number {
    const { successful, failed, skipped, error } = this.#counts;
    return successful + failed + skipped + error;
  }

  /** Attacks that reached their goal so far. */
  get successful(): number {
    return this.#counts.successful;
  }

  /** Counts an outcome. */
  add(outcome: InputOutcome): void {
    const { input, item, result, out, advOut, queries, edits } = outcome;
    this.#counts[result] += 1;
    if (result === 'successful' || result === 'failed') this.#sums.queries += queries;
    if (result === 'successful') this.#sums.edits += edits.length;
    if (result === 'error' && this.#errors.length < TOLD_ERRORS) {
      this.#errors.push(`input ${item + 1}: ${outcome.reason ?? ''}`);
    }
    const { outState } = outcome;
    const isNone = outState !== null && outState !== 'answered' && outState !== 'length';
    if (result === 'skipped' && isNone) {
      this.#unanswered += 1;
      this.#firstNone ??= outState;
    }
    if (out !== null) {
      this.#firstAnswer ??= out;
      this.#hasLabelAnswer ||= this.#labels?.has(out) === true;
    }
    this.#hasLabels ||= input.ref !== undefined;
    if (input.ref === undefined || out === null || advOut === null || isNone) return;
    const labels = new Set([input.ref].flat());
    this.#labelled.inputs += 1;
    if (labels.has(out)) this.#labelled.before += 1;
    if (labels.has(advOut)) this.#labelled.underAttack += 1;
  }

  /** Counts what was measured of an outcome's record. */
  addMeasured(result: string | null, measured: Measured | null): void {
    if (measured?.success === true) this.#successes += 1;
    if (result !== 'successful' || typeof measured?.s_src !== 'number') return;
    this.#sums.sSrc += measured.s_src;
    this.#won += 1;
  }

  /** The counts, rates and means so far. */
  summary(counters: VictimCounters, settings: TallySettings, requests?: RequestCounts): InputAttackSummary {
    const counts = { ...this.#counts };
    const { inputs, before, underAttack } = this.#labelled;
    const attacked = counts.successful + counts.failed;
    return {
      attack: settings.attack,
      goal: settings.goal,
      without: settings.without,
      n: this.n,
      counts,
      rates: outcomeRates(counts),
      hasLabels: this.#hasLabels,
      accuracy: inputs === 0 ? null : { before: share(before, inputs), underAttack: share(underAttack, inputs) },
      queries: this.#sums.queries,
      meanQueries: mean(this.#sums.queries, attacked),
      meanEdits: mean(this.#sums.edits, counts.successful),
      meanSSrc: mean(this.#sums.sSrc, this.#won),
      teapotSuccesses: this.#successes,
      calls: counters.calls,
      cached: counters.cached,
      tokens: { prompt: counters.promptTokens, completion: counters.completionTokens },
      nonAnswers: counters.nonAnswers,
      requests,
    };
  }

  /** Why the run was in vain: every input ended in an error, or its answer is none. Undefined when one did not. */
  get failure(): string | undefined {
    if (this.n === 0 || this.#counts.error + this.#unanswered < this.n) return undefined;
    return `the victim answered none of the ${this.n} inputs; ${this.#errors[0] ?? `the first one: ${this.#firstNone}`}`;
  }

  /** What the user must be told of the run. */
  warnings(): string[] {
    const told = this.#errors.map((error) => `Warning: ${error}`);
    const more = this.#counts.error - told.length;
    if (more > 0) told.push(`Warning: ${more} more errors; see the records.`);
    if (this.#labels !== undefined && this.#firstAnswer !== undefined && !this.#hasLabelAnswer) {
      const shown = JSON.stringify(this.#firstAnswer.slice(0, 60));
      told.push(
        `Warning: no answer of the victim is one of the labels; the first one is ${shown}. They must agree letter by letter.`,
      );
    }
    return told;
  }
}

function mean(sum: number, count: number): number | null {
  return count === 0 ? null : sum / count;
}
