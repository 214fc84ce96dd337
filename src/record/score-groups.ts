import { outcomeRates, share, type OutcomeCounts, type OutcomeRates, type Share } from '../measure/denominators.js';
import { Moments } from '../measure/moments.js';
import { Grouping } from './grouping.js';
import type { Measured } from './measured.js';
import type { ScoredRecord } from './score-records.js';

/** Mean and deviation of a quantity over the records that have it. */
export interface QuantitySummary {
  readonly n: number;
  readonly mean: number | null;
  /** Sample standard deviation; null below two values. */
  readonly std: number | null;
}

/** Where the tool and teapot agree about success, among the records that both judge. */
export interface Agreement {
  readonly both: number;
  readonly toolOnly: number;
  readonly teapotOnly: number;
  readonly neither: number;
}

/** What was measured of a group of records, beside what their tool claimed. */
export interface GroupSummary {
  /** The values of the grouping keys; null where the records don't have one. */
  readonly group: readonly (string | null)[];
  /** Attacks in the group. */
  readonly records: number;
  readonly sSrc: QuantitySummary;
  readonly sTgtBase: QuantitySummary;
  readonly sTgt: QuantitySummary;
  readonly dTgt: QuantitySummary;
  /** Successes by teapot's criterion over all records with a defined one. */
  readonly success: Share;
  /** The same successes over all records of the group. */
  readonly successOverAll: Share;
  /** The same successes over the records that the tool attacked (not skipped, no error); null where it says nothing. */
  readonly successOverAttacked: Share | null;
  /** What the tool said, and how many records it said nothing of. */
  readonly tool: OutcomeCounts & { readonly unknown: number };
  /** The tool's own rates with their denominators; null where it says nothing. */
  readonly toolRates: OutcomeRates | null;
  readonly agreement: Agreement;
  /** Records without a defined criterion, by reason. */
  readonly undefined: ReadonlyMap<string, number>;
}

/** Sums up scored records by group; memory doesn't grow with the number of records. */
export class GroupSummariser {
  readonly #groups: Grouping<Group>;
  readonly #all = new Group([]);

  /** @param keys grouping keys, checked by `parseGroupingKeys`; none gives one group. */
  constructor(keys: readonly string[]) {
    this.#groups = new Grouping(keys, (values) => new Group(values));
  }

  /** Adds one record; clean prompts and candidates are left out. */
  add(scored: ScoredRecord): void {
    if (scored.measured === null) return;
    this.#groups.of(scored.record).add(scored);
    this.#all.add(scored);
  }

  /** The groups in the order in which their first record came. */
  groups(): GroupSummary[] {
    return this.#groups.all().map((group) => group.summary());
  }

  /** All records together. */
  all(): GroupSummary {
    return this.#all.summary();
  }
}

class Group {
  readonly #values: readonly (string | null)[];
  readonly #moments = { sSrc: new Moments(), sTgtBase: new Moments(), sTgt: new Moments(), dTgt: new Moments() };
  readonly #tool = { successful: 0, failed: 0, skipped: 0, error: 0, unknown: 0 };
  readonly #agreement = { both: 0, toolOnly: 0, teapotOnly: 0, neither: 0 };
  readonly #undefined = new Map<string, number>();
  #records = 0;
  #defined = 0;
  #successes = 0;
  #successesAttacked = 0;

  constructor(values: readonly (string | null)[]) {
    this.#values = values;
  }

  add({ record, measured }: ScoredRecord): void {
    if (measured === null) return;
    this.#records += 1;
    add(this.#moments.sSrc, measured.s_src);
    add(this.#moments.sTgtBase, measured.s_tgt_base);
    add(this.#moments.sTgt, measured.s_tgt);
    add(this.#moments.dTgt, measured.d_tgt);
    this.#tool[record.result ?? 'unknown'] += 1;
    const reason = undefinedReason(measured);
    if (reason === undefined) this.#defined += 1;
    else this.#count(reason);
    const success = measured.success === true;
    const attacked = record.result === 'successful' || record.result === 'failed';
    if (success) this.#successes += 1;
    if (success && attacked) this.#successesAttacked += 1;
    if (attacked && measured.success !== null) this.#agree(record.result === 'successful', success);
  }

  #count(reason: string): void {
    this.#undefined.set(reason, (this.#undefined.get(reason) ?? 0) + 1);
  }

  #agree(tool: boolean, teapot: boolean): void {
    if (tool) this.#agreement[teapot ? 'both' : 'toolOnly'] += 1;
    else this.#agreement[teapot ? 'teapotOnly' : 'neither'] += 1;
  }

  summary(): GroupSummary {
    const { successful, failed, unknown } = this.#tool;
    const said = unknown < this.#records;
    return {
      group: this.#values,
      records: this.#records,
      sSrc: quantity(this.#moments.sSrc),
      sTgtBase: quantity(this.#moments.sTgtBase),
      sTgt: quantity(this.#moments.sTgt),
      dTgt: quantity(this.#moments.dTgt),
      success: share(this.#successes, this.#defined),
      successOverAll: share(this.#successes, this.#records),
      successOverAttacked: said ? share(this.#successesAttacked, successful + failed) : null,
      tool: { ...this.#tool },
      toolRates: said ? outcomeRates(this.#tool) : null,
      agreement: { ...this.#agreement },
      undefined: this.#undefined,
    };
  }
}

/** Why a record has no criterion that says something; undefined when it has one. A base score of 0 leaves no room. */
function undefinedReason({ criterion, reasons }: Measured): string | undefined {
  return reasons['success'] ?? (criterion === 'relative_decrease' ? reasons['d_tgt'] : undefined);
}

/** Target scores outside of [0, 1] come from a scale that the record doesn't tell; they have no mean with the others. */
function add(moments: Moments, value: number | null): void {
  if (value !== null && value >= 0 && value <= 1) moments.add(Float64Array.of(value));
}

function quantity(moments: Moments): QuantitySummary {
  return { n: moments.count, mean: moments.mean, std: moments.std };
}
