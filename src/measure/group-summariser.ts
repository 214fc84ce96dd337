import type { CountSums } from '../score/score-batch.js';
import { ClaimsTally } from './claims.js';
import type { ClaimedResults, ClaimsState } from './claims.js';
import { Grouping, splitByGroup } from './grouping.js';
import type { GroupColumns, GroupValues } from './grouping.js';
import { measure } from './measure.js';
import type { Measurement, SegmentScores } from './measure.js';
import { Summariser } from './summariser.js';
import type { FinishOptions, SummaryOptions, SummaryState } from './summariser.js';
import type { GroupResult, Result } from './summary.js';
import type { UndefinedReason } from './undefined-reason.js';

/** Scores of segments with what they are grouped by and what their tool claimed. */
export interface GroupedScores extends SegmentScores {
  /** Values of the grouping keys; needed where there are keys. */
  readonly groups?: GroupColumns | undefined;
  /** A byte a segment: 1 where a text of the source side is blank, plus 2 for the target side. Instead of `blank`. */
  readonly blankSides?: Uint8Array | undefined;
  /**
   * Where each segment stands in the whole input, where batches are not in its order: groups come in the order of their
   * first segment.
   */
  readonly order?: readonly number[] | undefined;
  /** What the tool claimed, for attack records. */
  readonly claimed?: ClaimedResults | undefined;
}

/** The state of one group. */
interface GroupState {
  readonly values: GroupValues;
  summariser: Summariser;
  readonly claims: ClaimsTally;
  /** Where the first segment stands in the whole input. */
  first: number;
}

/** The state of {@link GroupSummariser}, for merging across processes: one entry a group. */
export interface GroupsState {
  readonly hasClaims: boolean;
  readonly groups: readonly {
    readonly values: GroupValues;
    readonly first: number;
    readonly summary: SummaryState;
    readonly claims: ClaimsState;
  }[];
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
  #segments = 0;

  /** @param keys What the segments are grouped by; none gives one summary of all. */
  constructor(options: SummaryOptions, keys: readonly string[] = []) {
    this.#options = options;
    this.#keys = keys;
    this.#groups = new Grouping((values) => this.#newGroup(values));
  }

  /** How many segments were added. */
  get segments(): number {
    return this.#segments;
  }

  /**
   * Applies the criteria to a batch and adds it to its groups.
   *
   * @returns What the criteria say of each segment of the batch.
   */
  add(scores: GroupedScores): Measurement {
    const { successThreshold, arrays } = this.#options;
    const measured = measure(scores, successThreshold, arrays);
    if (this.#keys.length === 0) this.#count([], 0, { ...scores, blank: blankOf(scores) }, measured);
    else {
      const parts = splitByGroup(scores.groups ?? [], scores.count);
      for (const { values, indexes } of parts) {
        const at = indexes[0] ?? 0;
        const first = scores.order?.[at] ?? this.#segments + at;
        if (parts.length === 1) this.#count(values, first, { ...scores, blank: blankOf(scores) }, measured);
        else this.#count(values, first, pickScores(scores, indexes), pickMeasured(measured, indexes));
      }
    }
    this.#segments += scores.count;
    return measured;
  }

  #count(values: GroupValues, first: number, scores: GroupedScores, measured: Measurement): void {
    const group = this.#groups.of(values);
    const { summariser, claims } = group;
    group.first = Math.min(group.first, first);
    summariser.count(scores, measured);
    if (scores.claimed === undefined) return;
    this.#hasClaims = true;
    claims.add(scores.claimed, measured, this.#options.successThreshold);
  }

  #newGroup(values: GroupValues): GroupState {
    return { values, summariser: new Summariser(this.#options), claims: new ClaimsTally(), first: Infinity };
  }

  /**
   * The result of all batches so far.
   *
   * @throws {UsageError} `ERR_TEAPOT_EMPTY_INPUT` when there is no segment.
   */
  async result(options: FinishOptions = {}): Promise<Result & { readonly all: GroupResult }> {
    const states = this.#inOrder();
    const groups: GroupResult[] = [];
    for (const state of states) groups.push(await this.#resultOf(state, options));
    const [only] = groups;
    const all =
      only !== undefined && groups.length === 1
        ? { ...only, values: [] }
        : await this.#resultOf(this.#merged(states), options);
    return { by: this.#keys, groups: this.#keys.length === 0 ? [] : groups, all, comparisons: [] };
  }

  /** The state of all batches so far, to be merged elsewhere: see {@link GroupSummariser.from}. */
  toJSON(): GroupsState {
    return {
      hasClaims: this.#hasClaims,
      groups: this.#inOrder().map(({ values, first, summariser, claims }) => ({
        values,
        first: Number.isFinite(first) ? first : 0,
        summary: summariser.toJSON(),
        claims: claims.toJSON(),
      })),
    };
  }

  /** Makes one of the states of the parts of a run: it gives the result of the run that was not cut. */
  static from(options: SummaryOptions, keys: readonly string[], states: readonly GroupsState[]): GroupSummariser {
    const merged = new GroupSummariser(options, keys);
    const parts = new Grouping((values) => ({ values, states: [] as GroupsState['groups'][number][] }));
    for (const { groups, hasClaims } of states) {
      merged.#hasClaims ||= hasClaims;
      for (const group of groups) parts.of(group.values).states.push(group);
    }
    for (const { values, states: ofGroup } of parts.all()) {
      const group = merged.#groups.of(values);
      group.summariser = Summariser.from(
        options,
        ofGroup.map(({ summary }) => summary),
      );
      group.first = Math.min(...ofGroup.map(({ first }) => first));
      for (const { claims } of ofGroup) group.claims.addState(claims);
      merged.#segments += group.summariser.segments;
    }
    return merged;
  }

  #inOrder(): readonly GroupState[] {
    return this.#groups.all().toSorted((a, b) => a.first - b.first);
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
  const { sSrc, base, attacked, counts, blankSides, missing, zeroBase, claimed } = scores;
  const within =
    (sums: CountSums): CountSums =>
    () =>
      sums(indexes);
  return {
    count: indexes.length,
    ...(sSrc && { sSrc: pick(sSrc, indexes) }),
    ...(base && { base: pick(base, indexes) }),
    ...(attacked && { attacked: pick(attacked, indexes) }),
    ...(counts && {
      counts: {
        ...(counts.sSrc && { sSrc: within(counts.sSrc) }),
        ...(counts.base && { base: within(counts.base) }),
        ...(counts.attacked && { attacked: within(counts.attacked) }),
      },
    }),
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
