import type { ComparedItem, Judge } from '../../record/compare.js';
import type { RecordInput } from '../../record/record-files.js';
import { objectOf } from '../../report/columns.js';
import type { BootstrapSettings } from '../../measure/intervals.js';
import { version } from '../../version.js';
import { COMPARISON_COLUMNS, itemObject } from './columns.js';
import type { ComparisonRow } from './columns.js';

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

/** The JSON document of a comparison (`teapot.compare/2`). */
export function comparisonDocument(row: ComparisonRow, settings: ComparisonSettings): unknown {
  const first = (change: ComparedItem['change']): unknown[] =>
    row.comparison.items.first(change, row.examples).map(itemObject);
  return {
    schema: 'teapot.compare/2',
    ...objectOf(COMPARISON_COLUMNS, row),
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
