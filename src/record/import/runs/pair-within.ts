import { parseJsonPath, valueAt } from '../../../read/json-path.js';
import { labelText } from '../../../read/label.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { isObject } from '../common/json-lines.js';
import type { ImportOptions } from '../importer.js';
import { attackedRecord, pairRecords } from './pair-records.js';
import type { ItemPair } from './pair-runs.js';
import type { EvaluatedItem, EvaluatedRun } from './run.js';

/** What a log says of an item that was not attacked. */
const CLEAN_NAMES = new Set(['', 'none', 'clean', 'original', 'baseline', 'basic', 'null', 'false']);

/** Where the user's own data names the attack of an item. */
const ATTACK_KEYS = ['attack', 'perturbation', 'transformation', 'strategyId', 'variant'];

/**
 * The attack that the metadata of an item name, as users write it: `attack: charswap`, `perturbation: none`.
 *
 * @returns null for an item that was not attacked, undefined when nothing is said.
 */
export function namedAttack(metadata: unknown): string | null | undefined {
  if (!isObject(metadata)) return undefined;
  const key = ATTACK_KEYS.find((name) => name in metadata);
  if (key === undefined) return undefined;
  const name = labelText(metadata[key]);
  return name === null || CLEAN_NAMES.has(name.toLowerCase()) ? null : name;
}

/** Records of the pairs of one log, and the items that have no part in one. */
export interface PairedLog {
  readonly records: Iterable<AttackRecord>;
  readonly clean: readonly EvaluatedItem[];
}

/** Pairs the attacked items of one log with the ones that they were made of. */
export function pairWithin(run: EvaluatedRun, options: ImportOptions): PairedLog {
  const attacked = run.items.filter(({ attack }) => attack !== undefined && attack !== null);
  const others = run.items.filter(({ attack }) => attack === undefined || attack === null);
  if (attacked.length === 0) return { records: [], clean: run.items };
  const groupOf = grouping(run, attacked, others, options.pairBy);
  const byGroup = new Map<string, EvaluatedItem>();
  for (const item of others) {
    const group = groupOf(item);
    if (group === undefined) continue;
    const earlier = byGroup.get(group);
    if (earlier === undefined) byGroup.set(group, item);
    else
      badRow(
        options,
        item.file,
        item.line ?? 1,
        `items ${earlier.key} and ${item.key} are both the original of ${JSON.stringify(group)}`,
      );
  }
  const pairs = new Map<string, ItemPair[]>();
  const used = new Set<EvaluatedItem>();
  const judged: EvaluatedItem[] = [];
  let alone = 0;
  for (const item of attacked) {
    const clean = byGroup.get(groupOf(item) ?? '');
    if (clean === undefined && item.result !== undefined) judged.push(item);
    else if (clean === undefined) alone += 1;
    else {
      used.add(clean);
      const attack = item.attack ?? '';
      const list = pairs.get(attack) ?? [];
      pairs.set(attack, list);
      list.push({ clean, attacked: item });
    }
  }
  if (alone > 0) {
    const message = `${alone} attacked items have no original in the log: they were left out`;
    options.onWarning?.({ file: run.file, line: null, code: 'unpaired-items', message });
  }
  return {
    records: recordsOf(run, pairs, judged, options),
    clean: run.keepsClean === true ? others : others.filter((item) => !used.has(item)),
  };
}

function* recordsOf(
  run: EvaluatedRun,
  pairs: ReadonlyMap<string, readonly ItemPair[]>,
  judged: readonly EvaluatedItem[],
  options: ImportOptions,
): Generator<AttackRecord> {
  for (const [attack, list] of pairs) {
    const by = options.pairBy ?? 'original';
    const unpaired = { clean: 0, attacked: 0 };
    yield* pairRecords({ clean: run, attacked: run, attack }, { pairs: list, by, unpaired }, options, options.text);
  }
  for (const item of judged) yield attackedRecord(run, item);
}

/** What an item and its original have in common: a path that the user names, what the log says, or a key of its own data. */
function grouping(
  { items }: EvaluatedRun,
  attacked: readonly EvaluatedItem[],
  others: readonly EvaluatedItem[],
  pairBy: string | undefined,
): (item: EvaluatedItem) => string | undefined {
  const path = pairBy === undefined ? undefined : parseJsonPath(pairBy);
  if (path !== undefined) return ({ raw }) => labelText(valueAt(raw, path)) ?? undefined;
  if (attacked.every(({ original }) => original !== undefined)) {
    return ({ attack, original, key }) => (attack === undefined || attack === null ? key : original);
  }
  const metadata = ({ raw }: EvaluatedItem): Record<string, unknown> =>
    isObject(raw['metadata']) ? raw['metadata'] : {};
  const names = new Set(items.flatMap((item) => Object.keys(metadata(item))));
  const group = [...names].find((name) => {
    const valueOf = (item: EvaluatedItem): string | null => labelText(metadata(item)[name]);
    const originals = others.map(valueOf);
    const known = new Set(originals);
    return (
      !originals.includes(null) && known.size === originals.length && attacked.every((item) => known.has(valueOf(item)))
    );
  });
  return (item) => (group === undefined ? undefined : (labelText(metadata(item)[group]) ?? undefined));
}
