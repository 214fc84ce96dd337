import { QUANTITIES, type ComparedItem, type Comparison, type Judge } from '../../record/compare.js';
import type { RecordInput } from '../../record/record-files.js';
import type { BootstrapSettings } from '../../measure/intervals.js';
import { version } from '../../version.js';

/** What a comparison depends on. */
export interface ComparisonSettings {
  readonly keys: readonly string[];
  readonly judge: Judge;
  /** Signatures of the metrics. */
  readonly sSrc: string;
  readonly sTgt: string;
  readonly successThreshold: number;
  readonly bootstrap: BootstrapSettings;
  readonly inputs: readonly RecordInput[];
}

/** The JSON document of a comparison (`teapot.compare/1`). */
export function comparisonDocument(comparison: Comparison, settings: ComparisonSettings, examples: number): unknown {
  const { mcnemar, counts } = comparison;
  const first = (change: ComparedItem['change']): unknown[] =>
    comparison.items
      .filter((item) => item.change === change)
      .slice(0, examples)
      .map(itemObject);
  return {
    schema: 'teapot.compare/1',
    items: comparison.items.length,
    fixed: counts.fixed,
    broken: counts.broken,
    unchanged: counts.unchanged,
    unchanged_successful: comparison.successfulInBoth,
    undefined: counts.undefined,
    only_in_a: { count: comparison.onlyInA.length, examples: comparison.onlyInA.slice(0, examples) },
    only_in_b: { count: comparison.onlyInB.length, examples: comparison.onlyInB.slice(0, examples) },
    success: { a: comparison.successA, b: comparison.successB },
    mcnemar:
      mcnemar === null ? null : { only_a: mcnemar.firstOnly, only_b: mcnemar.secondOnly, p_value: mcnemar.pValue },
    quantities: Object.fromEntries(
      QUANTITIES.map((name) => {
        const { n, meanA, meanB, test } = comparison.quantities[name];
        const difference =
          test === null ? null : { difference: test.difference, interval: test.interval, p_value: test.pValue };
        return [name, { n, mean_a: meanA, mean_b: meanB, paired_bootstrap: difference }];
      }),
    ),
    examples: { broken: first('broken'), fixed: first('fixed') },
    settings: {
      key: settings.keys,
      success: settings.judge,
      s_src: settings.sSrc,
      s_tgt: settings.sTgt,
      success_threshold: settings.successThreshold,
      ...settings.bootstrap,
    },
    version: version(),
    inputs: settings.inputs,
  };
}

/** One item as JSON has it. */
export function itemObject({ key, change, a, b }: ComparedItem): Record<string, unknown> {
  return {
    key,
    change,
    a: { id: a.id, success: a.success, ...a.quantities },
    b: { id: b.id, success: b.success, ...b.quantities },
  };
}

/** The numbers of a comparison by name, for `--fail-if` and CSV; null for what is undefined. */
export function comparisonNumbers(comparison: Comparison): Map<string, number | null> {
  const { counts, successA, successB, mcnemar } = comparison;
  const difference = successA.rate === null || successB.rate === null ? null : successB.rate - successA.rate;
  return new Map<string, number | null>([
    ['items', comparison.items.length],
    ['fixed', counts.fixed],
    ['broken', counts.broken],
    ['unchanged', counts.unchanged],
    ['unchanged_successful', comparison.successfulInBoth],
    ['undefined', counts.undefined],
    ['only_in_a', comparison.onlyInA.length],
    ['only_in_b', comparison.onlyInB.length],
    ['success_rate_a', successA.rate],
    ['success_rate_b', successB.rate],
    ['success_rate_difference', difference],
    ['mcnemar_p', mcnemar?.pValue ?? null],
    ...QUANTITIES.flatMap((name): [string, number | null][] => {
      const { n, meanA, meanB, test } = comparison.quantities[name];
      return [
        [`${name}_n`, n],
        [`${name}_a`, meanA],
        [`${name}_b`, meanB],
        [`${name}_difference`, test?.difference ?? null],
        [`${name}_difference_low`, test?.interval.low ?? null],
        [`${name}_difference_high`, test?.interval.high ?? null],
        [`${name}_p`, test?.pValue ?? null],
      ];
    }),
  ]);
}

/** The names of {@link comparisonNumbers}. */
export const NUMBER_NAMES: readonly string[] = [
  'items',
  'fixed',
  'broken',
  'unchanged',
  'unchanged_successful',
  'undefined',
  'only_in_a',
  'only_in_b',
  'success_rate_a',
  'success_rate_b',
  'success_rate_difference',
  'mcnemar_p',
  ...QUANTITIES.flatMap((name) =>
    ['n', 'a', 'b', 'difference', 'difference_low', 'difference_high', 'p'].map((part) => `${name}_${part}`),
  ),
];
