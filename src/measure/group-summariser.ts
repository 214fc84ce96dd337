import { ClaimsTally } from './claims.js';
import type { ClaimedResults } from './claims.js';
import { Grouping, splitByGroup } from './grouping.js';
import type { GroupColumns, GroupValues } from './grouping.js';
import { measure } from './measure.js';
import type { Measurement, SegmentScores } from './measure.js';
import { Summariser } from './summariser.js';
import type { FinishOptions, SummaryOptions } from './summariser.js';
import type { GroupResult, Result } from './summary.js';
import type { UndefinedReason } from './undefined-reason.js';

/** Scores of segments with what they are grouped by and what their tool claimed. */
export interface GroupedScores extends SegmentScores {
  /** Values of the grouping keys; needed where there are keys. */
  readonly groups?: GroupColumns | undefined;
  /** A byte a segment: 1 where a text of the source side is blank, plus 2 for the target side. Instead of `blank`. */
  readonly blankSides?: Uint8Array | undefined;
  /** What the tool claimed, for attack records. */
  readonly claimed?: ClaimedResults | undefined;
}

/** The state of one group. */
interface GroupState {
  readonly values: GroupValues;
  readonly summariser: Summariser;
  readonly claims: ClaimsTally;
}

/**
 * Sums up scored segments, by group where there are grouping keys: the one way from scores to a {@link Result}, wherever
 * the segments came from. One {@link Summariser} a group; memory doesn't grow with the number of segments.
 */
export class GroupSummariser {
  readonly #options: SummaryOptions;
  readonly #keys: readonly string[];
  readonly #groups: Grouping<GroupState>;
  #hasClaims = false;

  /** @param keys What the segments are grouped by; none gives one summary of all. */
  constructor(options: SummaryOptions, keys: readonly string[] = []) {
    this.#options = options;
    this.#keys = keys;
    this.#groups = new Grouping((values) => this.#newGroup(values));
  }

  /** How many segments were added. */
  get segments(): number {
    return this.#groups.all().reduce((sum, { summariser }) => sum + summariser.segments, 0);
  }

  /**
   * Applies the criteria to a batch and adds it to its groups.
   *
   * @returns What the criteria say of each segment of the batch.
   */
  add(scores: GroupedScores): Measurement {
    const { successThreshold, arrays } = this.#options;
    const measured = measure(scores, successThreshold, arrays);
    if (this.#keys.length === 0) this.#count([], { ...scores, blank: blankOf(scores) }, measured);
    else {
      const parts = splitByGroup(scores.groups ?? [], scores.count);
      for (const { values, indexes } of parts) {
        if (parts.length === 1) this.#count(values, { ...scores, blank: blankOf(scores) }, measured);
        else this.#count(values, pickScores(scores, indexes), pickMeasured(measured, indexes));
      }
    }
    return measured;
  }

  #count(values: GroupValues, scores: GroupedScores, measured: Measurement): void {
    const { summariser, claims } = this.#groups.of(values);
    summariser.count(scores, measured);
    if (scores.claimed === undefined) return;
    this.#hasClaims = true;
    claims.add(scores.claimed, measured, this.#options.successThreshold);
  }

  #newGroup(values: GroupValues): GroupState {
    return { values, summariser: new Summariser(this.#options), claims: new ClaimsTally() };
  }

  /**
   * The result of all batches so far.
   *
   * @throws {UsageError} `ERR_TEAPOT_EMPTY_INPUT` when there is no segment.
   */
  async result(options: FinishOptions = {}): Promise<Result & { readonly all: GroupResult }> {
    const states = this.#groups.all();
    const groups: GroupResult[] = [];
    for (const state of states) groups.push(await this.#resultOf(state, options));
    const [only] = groups;
    const all =
      only !== undefined && groups.length === 1
        ? { ...only, values: [] }
        : await this.#resultOf(this.#merged(states), options);
    return { by: this.#keys, groups: this.#keys.length === 0 ? [] : groups, all, comparisons: [] };
  }

  #merged(states: readonly GroupState[]): GroupState {
    const all = this.#newGroup([]);
    for (const { summariser, claims } of states) {
      all.summariser.merge(summariser);
      all.claims.merge(claims);
    }
    return all;
  }

  async #resultOf({ values, summariser, claims }: GroupState, options: FinishOptions): Promise<GroupResult> {
    return { values, summary: await summariser.summary(options), claims: this.#hasClaims ? claims.claims() : null };
  }
}

function blankOf({ blank, blankSides }: GroupedScores): { readonly source: number; readonly target: number } {
  if (blankSides === undefined) return blank ?? { source: 0, target: 0 };
  let [source, target] = [0, 0];
  for (const sides of blankSides) {
    source += sides & 1;
    target += sides >> 1;
  }
  return { source, target };
}

function pickScores(scores: GroupedScores, indexes: readonly number[]): GroupedScores {
  const { sSrc, base, attacked, blankSides, missing, zeroBase, claimed } = scores;
  return {
    count: indexes.length,
    ...(sSrc && { sSrc: pick(sSrc, indexes) }),
    ...(base && { base: pick(base, indexes) }),
    ...(attacked && { attacked: pick(attacked, indexes) }),
    blank: blankOf({
      count: indexes.length,
      blankSides: blankSides && Uint8Array.from(indexes, (at) => blankSides[at] ?? 0),
    }),
    missing,
    zeroBase,
    claimed: claimed && {
      results: indexes.map((at) => claimed.results[at] ?? null),
      withOriginals: claimed.withOriginals,
      human: claimed.human && indexes.map((at) => claimed.human?.[at] ?? null),
    },
  };
}

function pickMeasured({ dTgt, margin, undefinedReasons }: Measurement, indexes: readonly number[]): Measurement {
  const reasons = new Map<number, UndefinedReason>();
  if (undefinedReasons.size > 0) {
    for (const [index, at] of indexes.entries()) {
      const reason = undefinedReasons.get(at);
      if (reason !== undefined) reasons.set(index, reason);
    }
  }
  return {
    ...(dTgt && { dTgt: pick(dTgt, indexes) }),
    ...(margin && { margin: pick(margin, indexes) }),
    undefinedReasons: reasons,
  };
}

function pick(values: Float64Array, indexes: readonly number[]): Float64Array {
  return Float64Array.from(indexes, (at) => values[at] ?? Number.NaN);
}
