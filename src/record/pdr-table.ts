import { ERROR_CODES, UsageError } from '../errors.js';
import { DropRates } from '../measure/drop-rates.js';
import type { ItemPairs } from '../measure/drop-rates.js';
import { Grouping } from '../measure/grouping.js';
import { groupingValues } from './grouping.js';
import { recordKind } from './kind.js';
import { scorePair } from './score-pair.js';
import type { AttackRecord } from './schema.js';

/** The drop rates of one combination of grouping values. */
export interface PdrCell {
  /** The values of the keys; null where the records don't have one. */
  readonly group: readonly (string | null)[];
  readonly rates: DropRates;
}

/** Records that a table of drop rates leaves out, since they are no attacks. */
export interface LeftOut {
  readonly clean: number;
  readonly candidates: number;
  /** Records that sum others up: those are in the table. */
  readonly aggregates: number;
}

/**
 * Gathers attack records into a table of drop rates with one cell for each combination of grouping values.
 *
 * Clean prompts and candidates are left out and counted. Memory grows with the number of attacks (a few numbers each).
 */
export class PdrTable {
  /** The grouping keys. */
  readonly keys: readonly string[];
  /** All attacks together. */
  readonly all = new DropRates();
  readonly #cells: Grouping<PdrCell>;
  #clean = 0;
  #candidates = 0;
  #aggregates = 0;

  /**
   * @param keys one or more grouping keys, checked by `parseGroupingKeys`.
   */
  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.#cells = new Grouping((group) => ({ group, rates: new DropRates() }));
  }

  /**
   * Adds one record.
   *
   * @param items The scores of the items behind an attacked prompt, or why they aren't known.
   */
  add(record: AttackRecord, items?: ItemPairs): void {
    const kind = recordKind(record);
    if (kind === 'clean') this.#clean += 1;
    else if (kind === 'candidate') this.#candidates += 1;
    else if (kind === 'aggregate') this.#aggregates += 1;
    else {
      addTo(this.all, record, items);
      addTo(this.#cells.of(groupingValues(record, this.keys)).rates, record, items);
    }
  }

  /** How many records were left out. */
  get leftOut(): LeftOut {
    return { clean: this.#clean, candidates: this.#candidates, aggregates: this.#aggregates };
  }

  /** The cells in the order in which their first record came. */
  get cells(): readonly PdrCell[] {
    return this.#cells.all();
  }
}

/** Adds the drop rate of a record, or the reason why it has none. */
export function addTo(rates: DropRates, record: AttackRecord, items?: ItemPairs): void {
  const pair = scorePair(record);
  if ('reason' in pair) {
    rates.addUndefined(pair.reason);
    return;
  }
  const { original, attacked } = pair;
  const largest = Math.max(Math.abs(original), Math.abs(attacked));
  if (largest > LARGEST_SCORE) {
    const { file, line } = record.provenance ?? {};
    const place = typeof file === 'string' ? ` (from ${file}${typeof line === 'number' ? `:${line}` : ''})` : '';
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `record ${JSON.stringify(record.id)}${place}: a score of ${largest} is too large: sums of such scores overflow`,
    );
  }
  rates.add(pair, items);
}

/** Sums of as many scores as fit into memory stay finite. */
const LARGEST_SCORE = 1e290;
