import { ERROR_CODES, UsageError } from '../../../errors.js';
import type { ImportOptions } from '../importer.js';
import type { EvaluatedItem, EvaluatedRun } from './run.js';

/** The same item in a clean and in an attacked run. */
export interface ItemPair {
  readonly clean: EvaluatedItem;
  readonly attacked: EvaluatedItem;
}

/** What pairing two runs gave. */
export interface RunPairs {
  readonly pairs: readonly ItemPair[];
  /** What the items were paired by: `id`, or the path of a text that the attack left alone. */
  readonly by: string;
  /** Items of either run without a partner. */
  readonly unpaired: { readonly clean: number; readonly attacked: number };
}

/** Of the items of the smaller run so many must have a partner: otherwise the keys don't mean the same. */
const ENOUGH = 0.5;

/**
 * Pairs the items of a clean and an attacked run, by the tool's own ids; where these don't meet, by a text or number of
 * the data that the attack left alone and that names each item.
 *
 * Items without a partner, and pairs whose references differ (the attack changed the right answer), are left out, each
 * kind with a warning.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when the runs are of different models or metrics, when nothing pairs, or when
 *   the references of most pairs differ.
 */
export function pairRuns(clean: EvaluatedRun, attacked: EvaluatedRun, options: ImportOptions): RunPairs {
  for (const name of ['model', 'metric'] as const) {
    const [before, under] = [clean[name], attacked[name]];
    if (before !== null && under !== null && before !== under) {
      throw refused(
        clean,
        attacked,
        `the ${name} is ${JSON.stringify(before)} in the one and ${JSON.stringify(under)} in the other`,
      );
    }
  }
  const found = pairByKeys(clean, attacked, 'id', ({ key }) => key) ?? pairByContent(clean, attacked);
  if (found === undefined)
    throw refused(clean, attacked, 'their items have no ids, and no texts that the attack left alone, in common');
  const warn = (file: string, line: number | null, code: string, message: string): void =>
    options.onWarning?.({ file, line, code, message });
  const pairs = found.pairs.filter((pair) => {
    if (sameReference(pair)) return true;
    const { attacked: item } = pair;
    const message = `item ${item.key}: the reference is ${shown(pair.clean.ref)} in the clean run and ${shown(item.ref)} in this one: left out, since the attack may not change the right answer`;
    warn(item.file, item.line, 'reference-differs', message);
    return false;
  });
  if (pairs.length === 0) throw refused(clean, attacked, 'the references of all pairs differ');
  if (pairs.length < found.pairs.length * ENOUGH) {
    throw refused(
      clean,
      attacked,
      `the references of ${found.pairs.length - pairs.length} of ${found.pairs.length} pairs differ`,
    );
  }
  const { clean: cleanLeft, attacked: attackedLeft } = found.unpaired;
  if (cleanLeft + attackedLeft > 0) {
    const message = `paired by ${found.by}: ${pairs.length} pairs; without a partner: ${cleanLeft} items of ${clean.file} and ${attackedLeft} of ${attacked.file} (a limit, a cut file or another split)`;
    warn(attacked.file, null, 'unpaired-items', message);
  }
  return { ...found, pairs };
}

/** A warning is enough for references that are missing on one side. */
function sameReference({ clean, attacked }: ItemPair): boolean {
  return clean.ref === null || attacked.ref === null || JSON.stringify(clean.ref) === JSON.stringify(attacked.ref);
}

/** Undefined when the keys don't name the items of both runs. */
function pairByKeys(
  clean: EvaluatedRun,
  attacked: EvaluatedRun,
  by: string,
  keyOf: (item: EvaluatedItem) => string | undefined,
): RunPairs | undefined {
  const byKey = new Map<string, EvaluatedItem>();
  for (const item of clean.items) {
    const key = keyOf(item);
    if (key !== undefined) byKey.set(key, item);
  }
  const pairs: ItemPair[] = [];
  for (const item of attacked.items) {
    const partner = byKey.get(keyOf(item) ?? '');
    if (partner !== undefined) pairs.push({ clean: partner, attacked: item });
  }
  if (pairs.length === 0) return undefined;
  const wrong = pairs.filter((pair) => !sameReference(pair)).length;
  const smaller = Math.min(clean.items.length, attacked.items.length);
  // Ids that start anew in another order meet as well: the references tell.
  if (by === 'id' && wrong > pairs.length * (1 - ENOUGH) && pairByContent(clean, attacked) !== undefined)
    return undefined;
  if (by !== 'id' && pairs.length < smaller * ENOUGH) return undefined;
  const unpaired = { clean: clean.items.length - pairs.length, attacked: attacked.items.length - pairs.length };
  return { pairs, by, unpaired };
}

/** Pairs by the text that names most items in both runs: the part of the data that the attack left alone. */
function pairByContent(clean: EvaluatedRun, attacked: EvaluatedRun): RunPairs | undefined {
  const paths = new Set(clean.items.flatMap(({ texts }) => [...texts.keys()]));
  let best: RunPairs | undefined;
  for (const path of paths) {
    const valueOf = ({ texts }: EvaluatedItem): string | undefined => texts.get(path);
    if (![clean, attacked].every(({ items }) => isUnique(items.map(valueOf)))) continue;
    const found = pairByKeys(clean, attacked, path, valueOf);
    if (found !== undefined && found.pairs.length > (best?.pairs.length ?? 0)) best = found;
  }
  return best;
}

function isUnique(values: readonly (string | undefined)[]): boolean {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 && new Set(known).size === known.length;
}

/**
 * Finds out repeated keys of a run: a line that was written twice counts once, with a warning; the same key with another
 * answer means that two runs were put together, and nothing says which line belongs to which.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with both lines, unless bad rows are skipped.
 */
export function withoutRepeats(
  items: readonly EvaluatedItem[],
  options: ImportOptions,
  onBad: (item: EvaluatedItem, message: string) => void,
): EvaluatedItem[] {
  const first = new Map<string, EvaluatedItem>();
  const unclear = new Set<string>();
  for (const item of items) {
    const earlier = first.get(item.key);
    if (earlier === undefined) first.set(item.key, item);
    else if (JSON.stringify(earlier.raw) === JSON.stringify(item.raw)) {
      const message = `item ${item.key} stands there already (line ${earlier.line ?? '?'}): counted once`;
      options.onWarning?.({ file: item.file, line: item.line, code: 'repeated-item', message });
    } else {
      unclear.add(item.key);
      onBad(
        item,
        `item ${item.key} occurs again with another content (first at line ${earlier.line ?? '?'}): are two runs put together?`,
      );
    }
  }
  return [...first.values()].filter(({ key }) => !unclear.has(key));
}

function refused(clean: EvaluatedRun, attacked: EvaluatedRun, reason: string): UsageError {
  return new UsageError(
    ERROR_CODES.FORMAT,
    `${clean.file} and ${attacked.file} are no clean and attacked run of the same items: ${reason}`,
  );
}

function shown(ref: EvaluatedItem['ref']): string {
  const text = JSON.stringify(ref);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
