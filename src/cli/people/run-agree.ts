import { cohenKappa, fleissKappa, krippendorffAlpha, LEVELS, percentAgreement } from '../../people/agreement.js';
import type { RatingTable } from '../../people/agreement.js';
import { correlation } from '../../people/correlation.js';
import { meanRatings, ratingTable, readRatings } from '../../people/ratings.js';
import type { Rating } from '../../people/ratings.js';
import { itemIntervals, resampleCount } from '../../people/resample-items.js';
import { RATING_SCALES } from '../../people/sample-key.js';
import type { SampleKey } from '../../people/sample-key.js';
import type { AttackRecord } from '../../record/schema.js';
import { writeRecords } from '../../record/write.js';
import { csvOf, gridOf, objectOf } from '../../report/columns.js';
import type { Column } from '../../report/columns.js';
import { renderGrids } from '../../report/render-grids.js';
import { renderJson } from '../../report/json.js';
import { DEFAULT_BOOTSTRAP } from '../../measure/intervals.js';
import type { Interval } from '../../measure/intervals.js';
import { version } from '../../version.js';
import type { AgreeArguments } from '../commands/agree.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { openRecordFiles, tableFormat } from '../record-options.js';
import { printResult } from '../terminal.js';
import { invalid } from '../values.js';
import { readSampleKey } from './read-key.js';

/** One coefficient of agreement. */
interface AgreementRow {
  readonly measure: string;
  readonly name: string;
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly reason: string | null;
}

/** One rater beside the others. */
interface RaterRow {
  readonly rater: string;
  readonly n: number;
  readonly mean: number;
  readonly withOthers: number | null;
  readonly equalPairs: number | null;
  readonly repeats: number | null;
  readonly repeatedItems: number;
  readonly controls: number | null;
  readonly controlItems: number;
}

export const AGREEMENT_COLUMNS: readonly Column<AgreementRow>[] = [
  { name: 'measure', kind: 'text', describe: 'Key of the coefficient', value: ({ measure }) => measure },
  { name: 'name', kind: 'text', describe: 'The coefficient', heading: 'Agreement', value: ({ name }) => name },
  {
    name: 'value',
    kind: 'number',
    describe: 'Its value; null where it is undefined',
    heading: 'value',
    decimals: 3,
    value: ({ value }) => value,
  },
  {
    name: 'low',
    kind: 'number',
    describe: 'Lower end of its interval over items',
    heading: 'from',
    decimals: 3,
    value: ({ interval }) => interval?.low ?? null,
  },
  {
    name: 'high',
    kind: 'number',
    describe: 'Upper end of its interval over items',
    heading: 'to',
    decimals: 3,
    value: ({ interval }) => interval?.high ?? null,
  },
  {
    name: 'reason',
    kind: 'text',
    describe: 'Why it is undefined',
    heading: 'undefined because',
    value: ({ reason }) => reason,
  },
];

export const RATER_COLUMNS: readonly Column<RaterRow>[] = [
  { name: 'rater', kind: 'text', describe: 'The rater', heading: 'Rater', value: ({ rater }) => rater },
  { name: 'n', kind: 'count', describe: 'Ratings, without repeats and controls', heading: 'n', value: ({ n }) => n },
  { name: 'mean', kind: 'number', describe: 'Mean rating', heading: 'mean', decimals: 2, value: ({ mean }) => mean },
  {
    name: 'with_others',
    kind: 'number',
    describe: 'Pearson correlation with the mean of the other raters',
    heading: 'r with others',
    decimals: 3,
    value: ({ withOthers }) => withOthers,
  },
  {
    name: 'equal_pairs',
    kind: 'rate',
    describe: 'Share of pairs with another rater that are equal',
    heading: 'equal pairs',
    value: ({ equalPairs }) => equalPairs,
  },
  {
    name: 'repeated_items',
    kind: 'count',
    describe: 'Items that were rated twice',
    value: ({ repeatedItems }) => repeatedItems,
  },
  {
    name: 'repeats',
    kind: 'rate',
    describe: 'Share of items rated twice with the same answer',
    heading: 'repeats equal',
    value: ({ repeats }) => repeats,
  },
  {
    name: 'control_items',
    kind: 'count',
    describe: 'Controls that were rated',
    value: ({ controlItems }) => controlItems,
  },
  {
    name: 'controls',
    kind: 'rate',
    describe: 'Share of controls answered on the right half of the scale',
    heading: 'controls right',
    value: ({ controls }) => controls,
  },
];

/**
 * Prints how far raters agree; with `--into`, writes the mean ratings into the records.
 *
 * @throws {UsageError} when an option is wrong, or ratings or key can't be read.
 */
export async function runAgree(argv: AgreeArguments): Promise<void> {
  const note = createNote(argv);
  const format = tableFormat(argv);
  if (argv.into !== undefined && argv.rated === undefined) throw invalid('--into needs --rated: where the records go.');
  const key = argv.key === undefined ? undefined : await readSampleKey(argv.key);
  const read = await readRatings(argv.ratings, interruptSignal);
  const { first, repeated, controls, unknown } = split(read.ratings, key);
  if (unknown.length > 0) {
    throw invalid(
      `${argv.key ?? ''}: the item ${unknown[0] ?? ''} isn't in the key (${unknown.length} such): is it the key of another sheet?`,
    );
  }
  if (first.length === 0) throw invalid('There are ratings of repeats and controls only.');
  const { items, raters, table } = ratingTable(first);
  const bootstrap = { ...DEFAULT_BOOTSTRAP, confidence: argv.confidence, seed: argv.seed, signal: interruptSignal };
  const placeOf = new Map(items.map((item, index) => [item, index]));
  const agreement = agreementRows(table, raters.length, bootstrap);
  const rows = raters.map((rater, column) => raterRow({ rater, column, table, placeOf, repeated, controls, key }));
  if (format === 'json') {
    await printResult(
      renderJson({
        schema: 'teapot.agreement/1',
        items: items.length,
        raters: raters.length,
        ratings: first.length,
        open: read.open,
        agreement: agreement.map((row) => objectOf(AGREEMENT_COLUMNS, row)),
        by_rater: rows.map((row) => objectOf(RATER_COLUMNS, row)),
        settings: { confidence: argv.confidence, seed: argv.seed, resamples: resampleCount(items.length, bootstrap) },
        version: version(),
      }),
      { output: argv.output, format },
    );
  } else if (format === 'csv') {
    await printResult(csvOf({ columns: AGREEMENT_COLUMNS, rows: agreement }), { output: argv.output, format });
  } else {
    const style = { scale: 1 };
    const title = `${items.length} items, ${raters.length} ${raters.length === 1 ? 'rater' : 'raters'}, ${first.length} ratings`;
    const grids = [
      gridOf({ title, columns: AGREEMENT_COLUMNS, rows: agreement, omitEmpty: true }, style),
      gridOf({ columns: RATER_COLUMNS, rows, omitEmpty: true }, style),
    ];
    const text =
      format === 'html'
        ? await (await import('../report/result-page.js')).gridsPage('Agreement of raters', grids)
        : renderGrids(grids, format);
    await printResult(text, { output: argv.output, format });
  }
  if (read.open > 0) note(`${read.open} items were left without a rating.`);
  if (argv.into !== undefined && argv.rated !== undefined && key !== undefined) {
    const count = await writeHuman(argv.into, argv.rated, key, first, note);
    note(`${count} records got the mean of their ratings ("human"); they are in ${argv.rated}.`);
  }
}

/** The first ratings of records, those of repeats by their record, and those of controls. */
function split(ratings: readonly Rating[], key: SampleKey | undefined) {
  const parts = { first: [] as Rating[], repeated: [] as Rating[], controls: [] as Rating[], unknown: [] as string[] };
  const kinds = new Map(key?.items.map((entry) => [entry.item, entry]));
  const firstOf = new Map(
    key?.items.flatMap(({ item, kind, record, run }) =>
      kind === 'item' ? [[JSON.stringify([run, record]), item]] : [],
    ),
  );
  for (const rating of ratings) {
    const entry = kinds.get(rating.item);
    if (key === undefined || entry?.kind === 'item') parts.first.push(rating);
    else if (entry === undefined) parts.unknown.push(rating.item);
    else if (entry.kind === 'control') parts.controls.push(rating);
    else
      parts.repeated.push({ ...rating, item: firstOf.get(JSON.stringify([entry.run, entry.record])) ?? rating.item });
  }
  return parts;
}

function agreementRows(
  table: RatingTable,
  raters: number,
  bootstrap: Parameters<typeof itemIntervals>[2],
): readonly AgreementRow[] {
  const kappas = (rows: RatingTable): number | null => {
    const values: number[] = [];
    for (let a = 0; a < raters; a += 1) {
      for (let b = a + 1; b < raters; b += 1) {
        const kappa = cohenKappa(
          rows.map((row) => row[a] ?? null),
          rows.map((row) => row[b] ?? null),
        );
        if (kappa !== null) values.push(kappa);
      }
    }
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const fleiss = fleissKappa(table);
  const statistics = (rows: RatingTable): readonly (number | null)[] => {
    const kappa = fleissKappa(rows);
    return [
      ...LEVELS.map((level) => krippendorffAlpha(rows, level)),
      kappas(rows),
      'value' in kappa ? kappa.value : null,
      percentAgreement(rows),
    ];
  };
  const values = statistics(table);
  const intervals = itemIntervals(
    table.length,
    (places) => statistics(places.map((place) => table[place] ?? [])),
    bootstrap,
  );
  const names = [
    ...LEVELS.map((level) => [`alpha_${level}`, `Krippendorff's alpha, ${level}`] as const),
    ['cohen_kappa', raters > 2 ? "Cohen's kappa, mean of the pairs" : "Cohen's kappa"] as const,
    ['fleiss_kappa', "Fleiss' kappa"] as const,
    ['percent_agreement', 'share of equal pairs'] as const,
  ];
  return names.map(([measure, name], index) => ({
    measure,
    name,
    value: values[index] ?? null,
    interval: values[index] === null ? null : (intervals[index] ?? null),
    reason:
      (values[index] ?? null) !== null
        ? null
        : measure === 'fleiss_kappa' && 'reason' in fleiss
          ? fleiss.reason
          : 'no item has two ratings, or all are equal',
  }));
}

/** What a rater is judged by. */
interface RaterData {
  readonly rater: string;
  /** The rater's column in the table. */
  readonly column: number;
  readonly table: RatingTable;
  /** The row of each item. */
  readonly placeOf: ReadonlyMap<string, number>;
  readonly repeated: readonly Rating[];
  readonly controls: readonly Rating[];
  readonly key: SampleKey | undefined;
}

function raterRow({ rater, column, table, placeOf, repeated, controls, key }: RaterData): RaterRow {
  const own = table.flatMap((row) => row[column] ?? []);
  const pairs: [own: number, others: number][] = [];
  let [equal, all] = [0, 0];
  for (const row of table) {
    const mine = row[column] ?? null;
    const others = row.filter((value, other) => other !== column && value !== null) as number[];
    if (mine === null || others.length === 0) continue;
    pairs.push([mine, others.reduce((sum, value) => sum + value, 0) / others.length]);
    equal += others.filter((value) => value === mine).length;
    all += others.length;
  }
  const again = repeated.flatMap(({ item, rater: by, value }) => {
    const first = by === rater ? (table[placeOf.get(item) ?? -1]?.[column] ?? null) : null;
    return first === null ? [] : [first === value];
  });
  const known = controls.filter((rating) => rating.rater === rater);
  const scale = key === undefined ? undefined : RATING_SCALES[key.scale];
  const expected = new Map(key?.items.map((entry) => [entry.item, entry.expected]));
  const middle = scale === undefined ? 0 : (scale.low + scale.high) / 2;
  const right = known.filter(({ item, value }) => (expected.get(item) ?? 0) > middle === value > middle);
  return {
    rater,
    n: own.length,
    mean: own.reduce((sum, value) => sum + value, 0) / own.length,
    withOthers: correlation(
      'pearson',
      pairs.map(([mine]) => mine),
      pairs.map(([, others]) => others),
    ),
    equalPairs: all === 0 ? null : equal / all,
    repeats: again.length === 0 ? null : again.filter(Boolean).length / again.length,
    repeatedItems: again.length,
    controls: known.length === 0 ? null : right.length / known.length,
    controlItems: known.length,
  };
}

/** Copies records, those of the sample with what people say of them; returns how many these are. */
async function writeHuman(
  paths: readonly string[],
  output: string,
  key: SampleKey,
  ratings: readonly Rating[],
  note: (message: string) => void,
): Promise<number> {
  const { items, table } = ratingTable(ratings);
  const means = meanRatings(items, table);
  const counts = new Map<string, number>();
  for (const { item } of ratings) counts.set(item, (counts.get(item) ?? 0) + 1);
  const rated = new Map<string, string>();
  for (const { item, kind, record, run } of key.items) {
    if (kind === 'item' && means.has(item)) rated.set(JSON.stringify([run, record]), item);
  }
  const { low, high } = RATING_SCALES[key.scale];
  let count = 0;
  const files = await openRecordFiles({ records: paths, onError: 'stop' }, note);
  async function* withHuman(): AsyncGenerator<AttackRecord> {
    for await (const record of files.records()) {
      const item = rated.get(JSON.stringify([record.run, record.id]));
      const mean = item === undefined ? undefined : means.get(item);
      if (item === undefined || mean === undefined) {
        yield record;
        continue;
      }
      count += 1;
      const human = {
        rating: mean,
        meaning: (mean - low) / (high - low),
        scale: [low, high] as [number, number],
        ratings: counts.get(item) ?? 0,
      };
      yield { ...record, human };
    }
  }
  await writeRecords(output, withHuman(), { signal: interruptSignal });
  return count;
}
