import { EditGroups } from '../../record/edit-groups.js';
import type { EditAnalysis } from '../../record/analyse-edits.js';
import type { AuditRule, Finding, Severity } from '../../record/audit/rule.js';
import { verdictOf } from '../../record/explain.js';
import { diffSegments } from '../../record/diff-segments.js';
import { groupingValue, NO_VALUE } from '../../record/grouping.js';
import type { Measured } from '../../record/measured.js';
import { PdrTable } from '../../record/pdr-table.js';
import type { AttackRecord } from '../../record/schema.js';
import { measuredRecords, type ScoredBlock, type ScoredRecord } from '../../record/score-records.js';
import { GroupSummariser } from '../../measure/group-summariser.js';
import { scorePair } from '../../record/score-pair.js';
import { EDIT_KINDS, type TextEdit } from '../../record/text-edits.js';
import { meanInterval, normalInterval, type BootstrapSettings } from '../../measure/intervals.js';
import { Moments } from '../../measure/moments.js';
import type { FinishOptions } from '../../measure/summariser.js';
import type { GroupResult, MetricSummary, Result } from '../../measure/summary.js';
import { EQUAL, SPACE } from '../../report/html/diff-pieces.js';
import type { ReadingItem, RecordRow } from '../../report/html/report-data.js';
import { StratifiedSample } from '../../report/html/stratified-sample.js';
import type {
  LineSeries,
  QueriesData,
  RobustnessBin,
  RobustnessData,
  ScatterData,
} from '../../report/figures/figure-data.js';

/** What the summaries of a report are grouped by. */
export type GroupKey = 'attack' | 'model' | 'dataset' | 'run';

/** What is collected, and how much of it a page may hold. */
export interface CollectSettings {
  readonly version: string;
  readonly sSrc: MetricSummary;
  readonly sTgt: MetricSummary;
  readonly successThreshold: number;
  readonly bootstrap: BootstrapSettings;
  /** Rows of the page's table, at most. */
  readonly rows: number;
}

/** UTF-16 units of a text that a row keeps. */
const TEXT_LIMIT = 12_000;

/** UTF-16 units of all texts of a page's rows: more than a page of 15 MB has room for. */
const TEXTS_LIMIT = 48_000_000;

/** Up to so many different places, the scatter chart shows each; beyond, squares of a grid with their counts. */
const SCATTER_PLACES = 1500;
const SCATTER_GRID = 50;
const SCATTER_FINE = 2000;

/** Thresholds of the sweep: 0 to 2 by twentieths. */
const THRESHOLDS = Array.from({ length: 41 }, (_, index) => index / 20);

/** Charts with a line an attack show so many, the ones with the most records. */
export const SERIES = 6;

/** Upper ends of the classes of the share of words changed. */
const SHARES = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1] as const;

/** A class of the share of words changed needs so many attacks to be shown: an interval of fewer says nothing. */
const LEAST_OF_BIN = 5;

/** Values of a class that are kept for its bootstrap interval; beyond, the interval is the normal one. */
const BIN_VALUES = 20_000;

/** Findings that are kept to be linked with the rows. */
const LINKED_FINDINGS = 200_000;

/** How much a finding counts for the choice of the most suspicious record. */
const WEIGHTS: Readonly<Record<Severity, number>> = { error: 100, warning: 10, note: 1 };

/** Records to read at each end. */
const READ_EACH = 5;

/** The number of distinct values of a field, up to a limit. */
class Distinct {
  readonly values = new Map<string, number>();
  missing = 0;

  add(value: string | null): void {
    if (value === null) this.missing += 1;
    else if (this.values.has(value) || this.values.size < 10_000) {
      this.values.set(value, (this.values.get(value) ?? 0) + 1);
    }
  }

  /** Names, the most frequent first. */
  get names(): string[] {
    return [...this.values].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  }
}

/** A record that may be worth reading. */
interface Candidate {
  readonly margin: number;
  readonly row: RecordRow;
  readonly sentences: readonly string[];
}

/**
 * Takes the measured records of a report one by one and keeps what the page, the figures and the terminal show: sums and
 * counts of all records, and a sample of them. Numbers come from the modules that compute them for the other commands.
 *
 * Memory: the sample and the counts are bounded; tables of drop rates keep a few numbers an attack.
 */
export class ReportCollector {
  readonly #settings: CollectSettings;
  readonly #groups: Readonly<Record<GroupKey, GroupSummariser>>;
  readonly edits = new EditGroups(['attack']);
  readonly pdr = {
    attack: new PdrTable(['attack']),
    model: new PdrTable(['attack', 'model']),
    dataset: new PdrTable(['dataset', 'attack']),
    promptType: new PdrTable(['attack', 'prompt_type']),
  };
  readonly distinct = {
    attack: new Distinct(),
    model: new Distinct(),
    dataset: new Distinct(),
    prompt_type: new Distinct(),
    run: new Distinct(),
    tool: new Distinct(),
    metric: new Distinct(),
  };
  readonly units = { input: 0, prompt: 0 };
  readonly criteria = { relative_decrease: 0, reference_less: 0 };
  /** Clean prompts and candidates, which are no attacks. */
  notAttacks = 0;
  readonly #scatter = { relative_decrease: new ScatterCounts(), reference_less: new ScatterCounts() };
  readonly #queries = new Map<string, { n: number; readonly successes: Map<number, number> }>();
  readonly #robustness = { measured: new ShareClasses(), tool: new ShareClasses() };
  readonly #sample: StratifiedSample<RecordRow>;
  readonly #strongest: Candidate[] = [];
  readonly #weakest: Candidate[] = [];
  #mostDoubtful: (Candidate & { readonly doubt: number }) | undefined;
  readonly #findings = new Map<string, Set<string>>();

  constructor(settings: CollectSettings) {
    this.#settings = settings;
    const { version, sSrc, sTgt, successThreshold } = settings;
    const options = { version, sSrc, sTgt, successThreshold, percentileMethod: 'teapot' } as const;
    this.#groups = {
      attack: new GroupSummariser({ ...options, sweep: THRESHOLDS }, ['attack']),
      model: new GroupSummariser(options, ['model']),
      dataset: new GroupSummariser(options, ['dataset']),
      run: new GroupSummariser(options, ['run']),
    };
    this.#sample = new StratifiedSample<RecordRow>(settings.rows, TEXTS_LIMIT);
  }

  /**
   * Applies the criteria to a block of records and adds it to the summaries.
   *
   * @param runOf How the run of a record is called.
   * @returns What was measured of each record, to be given to {@link add} with its edits.
   */
  measure(block: ScoredBlock, runOf: (record: AttackRecord) => string | null): readonly ScoredRecord[] {
    return measuredRecords(block, ({ records, scores }) => {
      const column = (key: GroupKey): (string | null)[] =>
        records.map((record) => (key === 'run' ? runOf(record) : groupingValue(record, key)));
      for (const key of ['model', 'dataset', 'run'] as const) {
        this.#groups[key].add({ ...scores, groups: [column(key)] });
      }
      return this.#groups.attack.add({ ...scores, groups: [column('attack')] });
    });
  }

  /** The summaries by one key. */
  async summarise(key: GroupKey, options: FinishOptions): Promise<Result & { readonly all: GroupResult }> {
    return this.#groups[key].result(options);
  }

  /** Adds one record with what was measured of it. */
  add(record: AttackRecord, measured: Measured | null, edits: EditAnalysis | null, run: string | null): void {
    if (measured === null) {
      this.notAttacks += 1;
      return;
    }
    this.edits.add({ record, edits });
    for (const table of Object.values(this.pdr)) table.add(record);
    for (const [key, values] of Object.entries(this.distinct)) {
      values.add(key === 'run' ? run : groupingValue(record, key));
    }
    this.units[record.unit] += 1;
    this.#count(record, measured, edits);
    let made: RecordRow | undefined;
    const row = (): RecordRow => {
      made ??= rowOf(record, measured, edits, run);
      return made;
    };
    const weight = 300 + textsOf(record).reduce((sum, text) => sum + Math.min(TEXT_LIMIT, text?.length ?? 0), 0);
    this.#sample.add(JSON.stringify([record.attack, record.model, record.result ?? measured.success]), weight, row);
    this.#consider(record, measured, row);
  }

  #count(record: AttackRecord, measured: Measured, edits: EditAnalysis | null): void {
    const { s_src: sSrc, s_tgt: sTgt, s_tgt_attacked: attacked, d_tgt: dTgt, criterion, success } = measured;
    const attack = record.attack ?? NO_VALUE;
    if (criterion !== null && sSrc !== null && success !== null) {
      const y = criterion === 'relative_decrease' ? (dTgt ?? 0) : (sTgt ?? 0);
      this.criteria[criterion] += 1;
      this.#scatter[criterion].add(sSrc, y, success);
    }
    if (record.queries !== null && record.result !== 'skipped' && record.result !== 'error') {
      const succeeded = record.result === null ? success : record.result === 'successful';
      if (succeeded !== null) this.#queriesOf(attack, record.queries, succeeded);
    }
    if (edits?.wordDistance !== undefined && edits.words > 0) {
      const share = edits.wordDistance / edits.words;
      if (measured.s_tgt_base !== null && attacked !== null) {
        this.#robustness.measured.add(share, measured.s_tgt_base, attacked);
      }
      const pair = scorePair(record);
      if (!('reason' in pair) && pair.scale !== null) {
        this.#robustness.tool.add(share, pair.original / pair.scale, pair.attacked / pair.scale);
      }
    }
  }

  #queriesOf(attack: string, queries: number, succeeded: boolean): void {
    const entry = this.#queries.get(attack) ?? { n: 0, successes: new Map<number, number>() };
    if (!this.#queries.has(attack)) {
      if (this.#queries.size > 1000) return;
      this.#queries.set(attack, entry);
    }
    entry.n += 1;
    if (succeeded) entry.successes.set(queries, (entry.successes.get(queries) ?? 0) + 1);
  }

  /** Keeps the records at both ends of the margin, and the one that raises the most doubts about the log. */
  #consider(record: AttackRecord, measured: Measured, row: () => RecordRow): void {
    const { margin } = measured;
    const candidate = (): Candidate => ({
      margin: margin ?? 0,
      row: row(),
      sentences: verdictOf(measured, this.#settings.successThreshold),
    });
    const texts = { src: record.src, advSrc: record.adv_src };
    if (margin !== null && record.src !== record.adv_src) {
      keep(this.#strongest, margin, texts, candidate, (a, b) => b.margin - a.margin, margin > 0);
      keep(this.#weakest, margin, texts, candidate, (a, b) => a.margin - b.margin, margin <= 0);
    }
    const contradicts =
      measured.success !== null &&
      margin !== null &&
      ((record.result === 'successful' && !measured.success) || (record.result === 'failed' && measured.success));
    const doubt = contradicts ? Math.abs(margin) : 0;
    if (doubt > 0 && doubt > (this.#mostDoubtful?.doubt ?? 0)) this.#mostDoubtful = { ...candidate(), doubt };
  }

  /** Notes what the audit found, to be linked with the rows. */
  addFinding(finding: Finding): void {
    const key = keyOf(finding.record, finding.file);
    if (this.#findings.size > LINKED_FINDINGS && !this.#findings.has(key)) return;
    const rules = this.#findings.get(key) ?? new Set<string>();
    rules.add(finding.rule);
    this.#findings.set(key, rules);
  }

  /** The place among rows of the record that a finding is about; null where none of them is it. */
  static rowOfFinding(rows: ReadonlyMap<string, number>, finding: Finding): number | null {
    return rows.get(keyOf(finding.record, finding.file)) ?? null;
  }

  /** Rows by what {@link rowOfFinding} looks them up with. */
  static rowPlaces(rows: readonly RecordRow[]): ReadonlyMap<string, number> {
    return new Map(rows.map((row, index) => [keyOf(row.id, fileOf(row)), index]));
  }

  /** How many records were attacks. */
  get total(): number {
    return this.#sample.seen;
  }

  /** The rows of the page, with what the audit found in each. */
  rows(share = 1): RecordRow[] {
    const rows = this.#sample.values(share);
    const there = new Set(rows);
    for (const { row } of [...this.#strongest, ...this.#weakest, ...(this.#mostDoubtful ? [this.#mostDoubtful] : [])]) {
      if (!there.has(row)) rows.push(row);
      there.add(row);
    }
    for (const row of rows) {
      const rules = this.#findings.get(keyOf(row.id, fileOf(row)));
      if (rules !== undefined) (row as { rules: readonly string[] }).rules = [...rules];
    }
    return rows;
  }

  /** What to read first: both ends of the margin, and the record that raises the most doubts. */
  reading(rows: readonly RecordRow[], rules: readonly AuditRule[]): ReadingItem[] {
    const items: ReadingItem[] = [];
    const add = (why: string, { row, sentences }: Candidate): void => {
      if (!items.some((item) => item.row === row)) items.push({ why, row, sentences });
    };
    for (const candidate of this.#strongest) add('clear success', candidate);
    for (const candidate of this.#weakest) add('clear failure', candidate);
    const doubtful = this.#mostSuspicious(rows, rules);
    if (doubtful !== undefined) items.push(doubtful);
    return items;
  }

  #mostSuspicious(rows: readonly RecordRow[], rules: readonly AuditRule[]): ReadingItem | undefined {
    const weights = new Map(rules.map(({ id, severity }) => [id, WEIGHTS[severity]]));
    let most: { readonly row: RecordRow; readonly severity: number } | undefined;
    for (const row of rows) {
      const severity = row.rules.reduce((sum, rule) => sum + (weights.get(rule) ?? 0), 0);
      if (severity > (most?.severity ?? 0)) most = { row, severity };
    }
    const contradiction = this.#mostDoubtful;
    // A finding of the audit that makes a number wrong counts more than a verdict that differs from the tool's.
    if (most !== undefined && (most.severity >= WEIGHTS.error || contradiction === undefined)) {
      const rules = most.row.rules.map((rule) => rule.replaceAll('_', ' ')).join(', ');
      return { why: 'most suspicious', row: most.row, sentences: [`The audit found: ${rules}.`] };
    }
    if (contradiction === undefined) return undefined;
    const { row, sentences } = contradiction;
    return {
      why: 'most suspicious',
      row,
      sentences: [
        `The tool says ${row.result ?? ''}; the criterion says ${row.success === true ? 'successful' : 'not successful'}.`,
        ...sentences,
      ],
    };
  }

  /** The charts of the distribution; none without verdicts. */
  scatter(): ScatterData | undefined {
    const criterion =
      this.criteria.reference_less > this.criteria.relative_decrease ? 'reference_less' : 'relative_decrease';
    const n = this.criteria[criterion];
    if (n === 0) return undefined;
    return {
      kind: 'scatter',
      criterion,
      threshold: this.#settings.successThreshold,
      n,
      ...this.#scatter[criterion].result(),
    };
  }

  queries(): QueriesData | undefined {
    const groups = [...this.#queries].toSorted(([, a], [, b]) => b.n - a.n).slice(0, SERIES);
    const maximum = Math.max(0, ...groups.flatMap(([, { successes }]) => largest(successes.keys())));
    if (maximum === 0) return undefined;
    const series = groups.map(([name, { n, successes }]): LineSeries => {
      let sum = 0;
      const steps = [...successes].toSorted(([a], [b]) => a - b).map(([x, count]) => ({ x, y: (sum += count) / n }));
      const thinned = steps.filter(
        (_, index) => index % Math.ceil(steps.length / 200) === 0 || index === steps.length - 1,
      );
      return { name, n, points: [{ x: 0, y: 0 }, ...thinned, { x: maximum, y: sum / n }] };
    });
    return { kind: 'queries', series, maximum };
  }

  async robustness(): Promise<RobustnessData | undefined> {
    const { measured, tool } = this.#robustness;
    const classes = measured.n * 2 >= tool.n ? measured : tool;
    const bins = await classes.bins(this.#settings.bootstrap);
    if (bins.length < 3) return undefined;
    const [metric, other] = this.distinct.metric.names;
    const score =
      this.units.prompt > this.units.input
        ? other === undefined
          ? (metric ?? 'score')
          : 'score'
        : classes === measured
          ? 's_tgt: score of the output'
          : 'accuracy';
    return { kind: 'robustness', score, bins, confidence: this.#settings.bootstrap.confidence };
  }
}

/** Places of the scatter chart with their counts: exact up to a limit, then a grid. */
class ScatterCounts {
  readonly #places = new Map<number, [count: number, successes: number]>();
  #grid = SCATTER_FINE;

  add(x: number, y: number, success: boolean): void {
    const place = this.#placeOf(x, y);
    const counts = this.#places.get(place);
    if (counts === undefined) this.#places.set(place, [1, success ? 1 : 0]);
    else {
      counts[0] += 1;
      if (success) counts[1] += 1;
    }
    if (this.#grid === SCATTER_FINE && this.#places.size > SCATTER_PLACES) this.#coarsen();
  }

  #placeOf(x: number, y: number): number {
    const cell = (value: number): number => Math.min(this.#grid - 1, Math.max(0, Math.floor(value * this.#grid)));
    return cell(x) * this.#grid + cell(y);
  }

  #coarsen(): void {
    const before = [...this.#places];
    const fine = this.#grid;
    this.#grid = SCATTER_GRID;
    this.#places.clear();
    for (const [place, [count, successes]] of before) {
      const coarse = this.#placeOf((Math.floor(place / fine) + 0.5) / fine, ((place % fine) + 0.5) / fine);
      const counts = this.#places.get(coarse) ?? [0, 0];
      this.#places.set(coarse, [counts[0] + count, counts[1] + successes]);
    }
  }

  result(): Pick<ScatterData, 'points' | 'grid'> {
    const grid = this.#grid;
    const isFine = grid === SCATTER_FINE;
    // Fine places are the ends of their range at the ends, so that 0 and 1 are drawn where they are.
    const at = (cell: number): number => (isFine ? cell / (grid - 1) : (cell + 0.5) / grid);
    return {
      grid: isFine ? 0 : 1 / grid,
      points: [...this.#places].map(([place, [count, successes]]) => ({
        x: at(Math.floor(place / grid)),
        y: at(place % grid),
        count,
        successes,
      })),
    };
  }
}

/** Scores under attack by classes of the share of words changed. */
class ShareClasses {
  readonly #before = new ScoreClass();
  readonly #classes = SHARES.map(() => new ScoreClass());
  n = 0;

  add(share: number, before: number, after: number): void {
    if (!(before >= 0 && before <= 1 && after >= 0 && after <= 1)) return;
    this.n += 1;
    this.#before.add(before);
    if (share <= 0) return;
    const index = SHARES.findIndex((high) => share <= high);
    this.#classes[index === -1 ? SHARES.length - 1 : index]?.add(after);
  }

  async bins(settings: BootstrapSettings): Promise<RobustnessBin[]> {
    const bins: RobustnessBin[] = [];
    const add = async (low: number, high: number, scores: ScoreClass): Promise<void> => {
      if (scores.n < LEAST_OF_BIN) return;
      bins.push({ low, high, n: scores.n, mean: scores.mean, interval: await scores.interval(settings) });
    };
    await add(0, 0, this.#before);
    for (const [index, high] of SHARES.entries())
      await add(SHARES[index - 1] ?? 0, high, this.#classes[index] ?? new ScoreClass());
    return bins;
  }
}

/** The mean of some scores and its interval, in bounded memory. */
class ScoreClass {
  readonly #moments = new Moments();
  readonly #values: number[] = [];

  add(score: number): void {
    this.#moments.add(Float64Array.of(score));
    if (this.#values.length < BIN_VALUES) this.#values.push(score);
  }

  get n(): number {
    return this.#moments.count;
  }

  get mean(): number {
    return this.#moments.mean ?? 0;
  }

  async interval(settings: BootstrapSettings): Promise<{ readonly low: number; readonly high: number }> {
    if (this.n <= this.#values.length) {
      return (await meanInterval(this.#values, settings)) ?? { low: this.mean, high: this.mean };
    }
    return normalInterval(this.mean, this.#moments.std ?? 0, this.n, settings.confidence);
  }
}

/** Keeps the first few by an order, of those that qualify. */
function keep(
  kept: Candidate[],
  margin: number,
  text: { readonly src: string | null; readonly advSrc: string | null },
  make: () => Candidate,
  order: (a: Pick<Candidate, 'margin'>, b: Pick<Candidate, 'margin'>) => number,
  qualifies: boolean,
): void {
  if (!qualifies) return;
  const last = kept.at(-1);
  // Runs and styles of one log may repeat a record: one of them is enough to read.
  if (kept.some(({ row }) => row.advSrc === text.advSrc && row.src === text.src)) return;
  if (kept.length >= READ_EACH && last !== undefined && order({ margin }, last) >= 0) return;
  kept.push(make());
  kept.sort(order);
  if (kept.length > READ_EACH) kept.pop();
}

function largest(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}

function textsOf(record: AttackRecord): readonly (string | null)[] {
  return [record.src, record.adv_src, record.out, record.adv_out, referenceOf(record)];
}

function referenceOf({ ref }: AttackRecord): string | null {
  return Array.isArray(ref) ? ref.join('\n') : ref;
}

const KIND_PLACES: ReadonlyMap<string, number> = new Map(EDIT_KINDS.map((kind, index) => [kind, index]));

/**
 * A record as a page has it: long texts are cut.
 *
 * @param edits Those from its original text to the attacked one; null without both texts.
 */
export function rowOf(
  record: AttackRecord,
  measured: Measured,
  edits: { readonly edits: readonly TextEdit[] } | null,
  run: string | null,
): RecordRow {
  let cut = 0;
  const limited = (text: string | null): string | null => {
    if (text === null || text.length <= TEXT_LIMIT) return text;
    cut += text.length - TEXT_LIMIT;
    return text.slice(0, TEXT_LIMIT).replace(/[\uD800-\uDBFF]$/u, '');
  };
  const { src, adv_src: advSrc } = record;
  const name = (value: string | null): string | null => (value === null ? null : value.slice(0, 300));
  return {
    id: record.id.slice(0, 300),
    attack: name(record.attack),
    model: name(record.model),
    dataset: name(record.dataset),
    run: name(run),
    result: record.result,
    success: measured.success,
    sSrc: measured.s_src,
    sTgtBase: measured.s_tgt_base,
    sTgt: measured.s_tgt_attacked ?? measured.s_tgt,
    dTgt: measured.d_tgt,
    pdr: measured.pdr,
    margin: measured.margin,
    queries: record.queries,
    reason: measured.reasons['success'] ?? null,
    kinds: edits === null ? [] : [...new Set(edits.edits.map(({ kind }) => kind))],
    src: limited(src),
    advSrc: limited(advSrc),
    diff: edits === null || src === null || advSrc === null ? [] : compactDiff(src, advSrc, edits),
    out: limited(record.out),
    advOut: limited(record.adv_out),
    ref: limited(referenceOf(record)),
    place: placeOf(record.provenance?.file ?? null, record.provenance?.line ?? null),
    rules: [],
    cut,
  };
}

function compactDiff(src: string, advSrc: string, { edits }: { readonly edits: readonly TextEdit[] }): number[] {
  const flat: number[] = [];
  let [left, right] = [0, 0];
  for (const { kind, original, edited } of diffSegments(src, advSrc, edits)) {
    // What the row's texts leave out has no piece; a piece that is cut ends with them.
    const taken = Math.min(original.length, TEXT_LIMIT - left);
    const brought = Math.min(edited.length, TEXT_LIMIT - right);
    const place = kind === 'equal' ? EQUAL : kind === 'space' ? SPACE : (KIND_PLACES.get(kind) ?? EQUAL);
    if (taken > 0 || brought > 0) flat.push(place, taken, brought);
    left += taken;
    right += brought;
  }
  return flat;
}

/** Findings name the line that is wrong, which may not be the one where the record starts: they are linked by file and id. */
function keyOf(id: string, file: string | null): string {
  return JSON.stringify([id.slice(0, 300), file === null ? '' : baseName(file)]);
}

function fileOf({ place }: RecordRow): string {
  return place.replace(/:\d+$|^line \d+$/u, '');
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** Where a record or a finding stands: the name of the file and the line, as far as they are known. */
export function placeOf(file: string | null, line: number | null): string {
  if (file === null) return line === null ? '' : `line ${line}`;
  return line === null ? baseName(file) : `${baseName(file)}:${line}`;
}
