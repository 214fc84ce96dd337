import { formatFixed } from '../../number-format.js';
import { CORRELATIONS } from '../../people/correlation.js';
import { meanRatings, ratingTable, readRatings } from '../../people/ratings.js';
import { resampleCount } from '../../people/resample-items.js';
import type { ResampleSettings } from '../../people/resample-items.js';
import { compareMetrics, validateMetrics } from '../../people/validate-metrics.js';
import type { Estimate, JudgedItems, MetricComparison, MetricValidity } from '../../people/validate-metrics.js';
import { verdict } from '../../people/verdict.js';
import { splitByGroup } from '../../measure/grouping.js';
import { groupingValues, parseGroupingKeys } from '../../record/grouping.js';
import type { AttackRecord } from '../../record/schema.js';
import { allGroups, csvOf, gridOf, groupColumns, objectOf } from '../../report/columns.js';
import type { Column } from '../../report/columns.js';
import type { Grid } from '../../report/grid.js';
import { renderGrids } from '../../report/render-grids.js';
import type { GridFormat } from '../../report/render-grids.js';
import { renderJson } from '../../report/json.js';
import { splitMetrics } from '../../score/metric-list.js';
import { createScorer, refuseUnusedFlags } from '../../score/registry.js';
import { version } from '../../version.js';
import type { ValidateArguments } from '../commands/validate.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { Note } from '../notes.js';
import { openRecordFiles, tableFormat } from '../record-options.js';
import { printResult } from '../terminal.js';
import { invalid } from '../values.js';
import { readSampleKey } from './read-key.js';

/** A metric over all rated records, or those of a group. */
interface ValidityRow extends MetricValidity {
  readonly group: readonly (string | null)[];
  readonly signature: string;
}

function estimateColumns(
  name: string,
  heading: string,
  describe: string,
  of: (row: ValidityRow) => Estimate | null,
): readonly Column<ValidityRow>[] {
  return [
    {
      name: `${name}.value`,
      kind: 'number',
      describe,
      heading,
      value: (row) => of(row)?.value ?? null,
      text: (row) => estimateText(of(row)),
    },
    {
      name: `${name}.low`,
      kind: 'number',
      describe: `Lower end of its interval over items`,
      value: (row) => of(row)?.interval?.low ?? null,
    },
    {
      name: `${name}.high`,
      kind: 'number',
      describe: `Upper end of its interval over items`,
      value: (row) => of(row)?.interval?.high ?? null,
    },
  ];
}

function estimateText(estimate: Estimate | null): string | null {
  const { value = null, interval = null } = estimate ?? {};
  if (value === null) return null;
  return interval === null
    ? formatFixed(value, 3)
    : `${formatFixed(value, 3)} (${formatFixed(interval.low, 3)} to ${formatFixed(interval.high, 3)})`;
}

export const VALIDITY_COLUMNS: readonly Column<ValidityRow>[] = [
  { name: 'metric', kind: 'text', describe: 'The metric', heading: 'Metric', value: ({ metric }) => metric },
  {
    name: 'signature',
    kind: 'text',
    describe: 'Everything that can change the scores of the metric',
    value: ({ signature }) => signature,
  },
  { name: 'n', kind: 'count', describe: 'Rated records', heading: 'n', value: ({ n }) => n },
  ...CORRELATIONS.flatMap((name) =>
    estimateColumns(
      name,
      name[0]?.toUpperCase() + name.slice(1),
      `${name} correlation with the mean rating`,
      (row) => row.correlations[name],
    ),
  ),
  {
    name: 'kept',
    kind: 'count',
    describe: 'Records whose meaning people say is kept',
    value: ({ separation }) => separation?.kept ?? null,
  },
  {
    name: 'changed',
    kind: 'count',
    describe: 'Records whose meaning people say is changed',
    value: ({ separation }) => separation?.changed ?? null,
  },
  ...estimateColumns(
    'auc',
    'AUC',
    'Area under the ROC curve: kept against changed meaning',
    (row) => row.separation?.auc ?? null,
  ),
  ...estimateColumns(
    'threshold',
    'threshold',
    'The score with the best balanced accuracy',
    (row) => row.separation?.threshold ?? null,
  ),
  ...estimateColumns(
    'balanced_accuracy',
    'balanced accuracy',
    'Its balanced accuracy',
    (row) => row.separation?.balancedAccuracy ?? null,
  ),
];

export const COMPARISON_COLUMNS: readonly Column<MetricComparison>[] = [
  { name: 'a', kind: 'text', describe: 'A metric', heading: 'Metric', value: ({ a }) => a },
  { name: 'b', kind: 'text', describe: 'Another one', heading: 'against', value: ({ b }) => b },
  {
    name: 'difference',
    kind: 'number',
    describe: 'Pearson correlation of a − that of b',
    heading: 'difference of r',
    value: ({ difference }) => difference,
  },
  {
    name: 'williams.t',
    kind: 'number',
    describe: "Williams' t",
    heading: "Williams' t",
    decimals: 2,
    value: ({ williams }) => williams?.t ?? null,
  },
  {
    name: 'williams.p',
    kind: 'p',
    describe: 'Two-sided',
    heading: 'p',
    value: ({ williams }) => williams?.pValue ?? null,
  },
  {
    name: 'williams.p_holm',
    kind: 'p',
    describe: 'Corrected over all pairs (Holm)',
    heading: 'p (Holm)',
    value: ({ williamsPHolm }) => williamsPHolm,
  },
  {
    name: 'permutation.p',
    kind: 'p',
    describe: 'Of the permutation test',
    heading: 'permutation p',
    value: ({ permutationP }) => permutationP,
  },
  {
    name: 'permutation.p_holm',
    kind: 'p',
    describe: 'Corrected over all pairs (Holm)',
    heading: 'p (Holm)',
    value: ({ permutationPHolm }) => permutationPHolm,
  },
];

/**
 * Prints how metrics of the source side agree with people.
 *
 * @throws {UsageError} when an option is wrong, ratings can't be read, or no record of the ratings is there.
 */
export async function runValidate(argv: ValidateArguments): Promise<void> {
  const note = createNote(argv);
  const format = tableFormat(argv);
  const keys = argv.by === undefined ? [] : parseGroupingKeys(argv.by, '--by');
  const metrics = (argv.sSrc ?? ['chrf']).flatMap(splitMetrics);
  const twice = metrics.find((metric, index) => metrics.indexOf(metric) !== index);
  if (twice !== undefined) throw invalid(`--s-src names ${twice} twice.`);
  const { records, human, isYesNo } = await ratedRecords(argv, note);
  const keptFrom = argv.keptFrom ?? (isYesNo ? 0.5 : undefined);
  // On a yes/no scale a tie of the raters says neither.
  const keptOf = (mean: number): boolean | null =>
    argv.keptFrom === undefined && mean === 0.5 ? null : mean >= (keptFrom ?? 0);
  const { scores, signatures } = await scoreAll(records, metrics, argv, note);
  const items: JudgedItems = { human, scores, ...(keptFrom !== undefined && { kept: human.map(keptOf) }) };
  const settings: ResampleSettings = {
    confidence: argv.confidence,
    resamples: argv.resamples,
    seed: argv.seed,
    signal: interruptSignal,
  };
  const all = validateMetrics(items, settings);
  const comparisons = compareMetrics(items, settings);
  const rowOf = (validity: MetricValidity, group: readonly (string | null)[]): ValidityRow => ({
    ...validity,
    group,
    signature: signatures.get(validity.metric) ?? '',
  });
  const rows = all.map((validity) => rowOf(validity, allGroups(keys)));
  if (keys.length > 0) {
    const values = records.map((record) => groupingValues(record, keys));
    const columns = keys.map((_, key) => values.map((of) => of[key] ?? null));
    for (const group of splitByGroup(columns, records.length)) {
      for (const validity of validateMetrics(pick(items, group.indexes), settings)) {
        rows.push(rowOf(validity, group.values));
      }
    }
  }
  const columns = [...groupColumns<ValidityRow>(keys, ({ group }) => group, '(none)'), ...VALIDITY_COLUMNS];
  const sentences = verdict(all, comparisons, argv.confidence);
  if (format === 'json') {
    const document = {
      schema: 'teapot.validity/1',
      metrics: rows.map((row) => objectOf(columns, row)),
      comparisons: comparisons.map((row) => objectOf(COMPARISON_COLUMNS, row)),
      verdict: sentences,
      settings: {
        ratings: argv.ratings,
        kept_from: keptFrom ?? null,
        confidence: argv.confidence,
        seed: argv.seed,
        resamples: resampleCount(records.length, settings),
        permutations: argv.resamples,
      },
      version: version(),
    };
    await printResult(renderJson(document), { output: argv.output, format });
  } else if (format === 'csv') {
    await printResult(csvOf({ columns, rows }), { output: argv.output, format });
  } else {
    const style = { scale: 1 };
    const grids = [gridOf({ columns, rows, omitEmpty: true }, style)];
    if (comparisons.length > 0)
      grids.push(gridOf({ columns: COMPARISON_COLUMNS, rows: comparisons, omitEmpty: true }, style));
    await printResult(await people(grids, sentences, format), { output: argv.output, format });
  }
}

/** The results for people: the tables, and what follows from them in sentences. */
async function people(
  grids: readonly Grid[],
  sentences: readonly string[],
  format: GridFormat | 'html',
): Promise<string> {
  if (format === 'html') {
    return (await import('../report/result-page.js')).gridsPage('Metrics and people', grids, sentences);
  }
  if (format === 'text') return `${renderGrids(grids, format)}\n${sentences.join('\n')}\n`;
  return renderGrids(grids, format, { remarks: sentences });
}

/** The records that people rated, with the mean of their ratings. */
async function ratedRecords(
  argv: ValidateArguments,
  note: Note,
): Promise<{
  readonly records: readonly AttackRecord[];
  readonly human: readonly number[];
  readonly isYesNo: boolean;
}> {
  const { ratings } = await readRatings(argv.ratings, interruptSignal);
  const { items, table } = ratingTable(ratings);
  const means = meanRatings(items, table);
  const isYesNo = ratings.every(({ value }) => value === 0 || value === 1);
  const key = argv.key === undefined ? undefined : await readSampleKey(argv.key);
  // By run and id where there is a key, else by the id alone.
  const wanted = new Map<string, number>();
  if (key === undefined) for (const [item, mean] of means) wanted.set(item, mean);
  else {
    for (const { item, kind, record, run } of key.items) {
      const mean = means.get(item);
      if (kind === 'item' && mean !== undefined) wanted.set(JSON.stringify([run, record]), mean);
    }
  }
  const found = new Map<string, AttackRecord>();
  const files = await openRecordFiles(argv, note, { wellFormed: true });
  for await (const record of files.records()) {
    const name = key === undefined ? record.id : JSON.stringify([record.run, record.id]);
    if (!wanted.has(name)) continue;
    if (found.has(name)) throw invalid(`Two records are called ${record.id}: which one was rated can't be told.`);
    if (record.src === null || record.adv_src === null) {
      note(`${record.id} has ratings, but not both texts: it is left out.`);
      continue;
    }
    found.set(name, record);
  }
  if (found.size === 0) {
    throw invalid(
      `No rated item is in ${argv.records.join(', ')}: ${key === undefined ? 'items are the ids of records; for a sheet give its --key' : 'is the key that of another sample?'}`,
    );
  }
  const missing = wanted.size - found.size;
  if (missing > 0) note(`${missing} rated items are not in these records.`);
  return {
    records: [...found.values()],
    human: [...found.keys()].map((name) => wanted.get(name) ?? Number.NaN),
    isYesNo,
  };
}

async function scoreAll(
  records: readonly AttackRecord[],
  metrics: readonly string[],
  argv: ValidateArguments,
  note: Note,
): Promise<{
  readonly scores: ReadonlyMap<string, readonly number[]>;
  readonly signatures: ReadonlyMap<string, string>;
}> {
  const flags = argv.scorerFlags ?? {};
  refuseUnusedFlags(flags, Object.fromEntries(metrics.map((metric) => [`s-src ${metric}`, metric])));
  const scores = new Map<string, readonly number[]>();
  const signatures = new Map<string, string>();
  for (const metric of metrics) {
    const scorer = await createScorer(metric, { flags, onNote: note, side: 'source', language: argv.srcLang });
    try {
      const values = await scorer.score(
        records.map((record) => record.adv_src ?? ''),
        records.map((record) => record.src ?? ''),
        { signal: interruptSignal },
      );
      scores.set(metric, [...values]);
      signatures.set(metric, scorer.signature);
    } finally {
      await scorer.close?.();
    }
  }
  return { scores, signatures };
}

function pick({ human, kept, scores }: JudgedItems, places: readonly number[]): JudgedItems {
  return {
    human: places.map((place) => human[place] ?? Number.NaN),
    ...(kept !== undefined && { kept: places.map((place) => kept[place] ?? null) }),
    scores: new Map(
      [...scores].map(([metric, values]) => [metric, places.map((place) => values[place] ?? Number.NaN)]),
    ),
  };
}
