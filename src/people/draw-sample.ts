import { splitByGroup } from '../measure/grouping.js';
import { randomOf } from '../random.js';
import type { Random } from '../random.js';
import { RATING_SCALES } from './sample-key.js';
import type { RatingScaleName, SampleKey } from './sample-key.js';

/** What can be drawn. */
export interface Rateable {
  readonly id: string;
  readonly run: string | null;
  readonly original: string;
  readonly perturbed: string;
  readonly stratum: string;
  readonly margin: number | null;
}

/** What raters see of an item. */
export interface SheetItem {
  readonly item: string;
  readonly original: string;
  readonly perturbed: string;
}

/** Settings of {@link drawSample}. */
export interface SampleSettings {
  /** Records, without repeats and controls. */
  readonly n: number;
  /** Records that stand twice, to see whether raters agree with themselves. */
  readonly repeats: number;
  /** Pairs with a known answer, half of them equal texts, half texts of different records. */
  readonly controls: number;
  readonly seed: number;
  readonly scale: RatingScaleName;
  readonly strata: readonly string[];
}

/**
 * Draws what people rate: an equal number of every stratum (small ones give all they have, the others share what is left), some
 * of them twice, and pairs with a known answer, all in random order under names that say nothing.
 *
 * @returns The sheet and its key, aligned.
 */
export function drawSample(
  records: readonly Rateable[],
  settings: SampleSettings,
): { readonly items: readonly SheetItem[]; readonly key: SampleKey } {
  const random = randomOf(settings.seed);
  const drawn = stratified(records, settings.n, random);
  const { low, high } = RATING_SCALES[settings.scale];
  type Entry = Omit<SheetItem, 'item'> & Omit<SampleKey['items'][number], 'item'>;
  const entry = (record: Rateable, kind: 'item' | 'repeat'): Entry => ({
    original: record.original,
    perturbed: record.perturbed,
    kind,
    record: record.id,
    run: record.run,
    expected: null,
    margin: record.margin,
    stratum: record.stratum,
  });
  const control = (original: Rateable, perturbed: Rateable, expected: number): Entry => ({
    original: original.original,
    perturbed: expected === high ? original.original : perturbed.perturbed,
    kind: 'control',
    record: null,
    run: null,
    expected,
    margin: null,
    stratum: '',
  });
  const entries = drawn.map((record) => entry(record, 'item'));
  for (const record of shuffled(drawn, random).slice(0, settings.repeats)) entries.push(entry(record, 'repeat'));
  const others = shuffled(records, random);
  for (let index = 0; index < settings.controls && others.length > 1; index += 1) {
    const first = others[index % others.length];
    const second =
      others.find((other, place) => place > index % others.length && other.original !== first?.original) ?? others[0];
    if (first !== undefined && second !== undefined) entries.push(control(first, second, index % 2 === 0 ? high : low));
  }
  const order = shuffled(entries, random);
  const digits = String(order.length).length;
  const name = (index: number): string => `i${String(index + 1).padStart(digits, '0')}`;
  return {
    items: order.map(({ original, perturbed }, index) => ({ item: name(index), original, perturbed })),
    key: {
      schema: 'teapot.sample/1',
      seed: settings.seed,
      scale: settings.scale,
      strata: [...settings.strata],
      items: order.map(({ kind, record, run, expected, margin, stratum }, index) => ({
        item: name(index),
        kind,
        record,
        run,
        expected,
        margin,
        stratum,
      })),
    },
  };
}

/** An equal share of each stratum; what small strata can't give is shared among the others. */
function stratified(records: readonly Rateable[], n: number, random: Random): Rateable[] {
  const groups = splitByGroup([records.map(({ stratum }) => stratum)], records.length);
  const bySize = groups
    .map(({ indexes }) => indexes.flatMap((index) => records[index] ?? []))
    .toSorted((a, b) => a.length - b.length);
  const drawn: Rateable[] = [];
  for (const [index, members] of bySize.entries()) {
    const left = bySize.length - index;
    const wanted = Math.min(members.length, Math.ceil((n - drawn.length) / left));
    drawn.push(...shuffled(members, random).slice(0, wanted));
  }
  return drawn;
}

/** Fisher and Yates' shuffle of a copy. */
function shuffled<T>(values: readonly T[], random: Random): T[] {
  const copy = [...values];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    const [a, b] = [copy[last], copy[other]];
    if (a !== undefined) copy[other] = a;
    if (b !== undefined) copy[last] = b;
  }
  return copy;
}
