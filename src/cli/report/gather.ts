import { analyseEdits } from '../../record/analyse-edits.js';
import { audit, type AuditReport, type RuleReport } from '../../record/audit/audit.js';
import type { Finding } from '../../record/audit/rule.js';
import { compareRuns, OutcomeTable, type Comparison } from '../../record/compare.js';
import { groupingValues } from '../../record/grouping.js';
import { scoreBlocks } from '../../record/score-records.js';
import type { AttackRecord } from '../../record/schema.js';
import type { ReferenceCounts } from '../../score/reference-counts.js';
import type { Reference, Scorer } from '../../score/scorer.js';
import { ReportCollector, type CollectSettings } from './collect.js';

/** What records are measured with. */
export interface GatherOptions extends CollectSettings {
  readonly sSrc: Scorer;
  readonly sTgt: Scorer;
  /** Of the audit: high for texts with the same words. */
  readonly similarity: Scorer;
  readonly labels: readonly string[];
  readonly nearTie: number;
  /** Counts the references, for the signature. */
  readonly references: ReferenceCounts;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((records: number) => void) | undefined;
}

/** One input of a report. */
export interface ReportInput {
  /** How the page calls the run where its records don't say. */
  readonly name: string;
  readonly records: AsyncIterable<AttackRecord>;
}

/** Everything that was found out about the records of some inputs. */
export interface Gathered {
  readonly collected: ReportCollector;
  readonly audited: AuditReport;
  /** Two inputs that hold the same items, compared. */
  readonly comparison: Comparison | undefined;
}

/** Findings of each rule that the page lists. */
const SHOWN_FINDINGS = 25;

/**
 * Reads every record once: measures it, finds its edits and audits it. Each input is audited for itself, since two runs of
 * the same items would be each other's duplicates.
 */
export async function gather(inputs: readonly ReportInput[], options: GatherOptions): Promise<Gathered> {
  const collected = new ReportCollector(options);
  // The audit scores every record as well; its pairs are the ones that were scored a moment before.
  const scorers = { sSrc: remembering(options.sSrc), sTgt: remembering(options.sTgt) };
  const scoring = { ...scorers, successThreshold: options.successThreshold, signal: options.signal };
  const tables = inputs.length === 2 ? inputs.map(() => ['id', 'src'].map((key) => outcomes(key))) : undefined;
  const reports: AuditReport[] = [];
  let read = 0;

  for (const [place, input] of inputs.entries()) {
    const measured = async function* (): AsyncGenerator<AttackRecord> {
      const runOf = ({ run }: AttackRecord): string | null => run ?? (inputs.length > 1 ? input.name : null);
      for await (const block of scoreBlocks(input.records, { ...scoring, references: options.references })) {
        const scored = collected.measure(block, runOf);
        let index = 0;
        for await (const { record, edits } of analyseEdits(block.records, scorers.sSrc, options.signal)) {
          const one = scored[index];
          index += 1;
          if (one === undefined) continue;
          collected.add(record, one.measured, edits, runOf(record));
          for (const table of tables?.[place] ?? []) table.add(one);
        }
        read += block.records.length;
        options.onProgress?.(read);
        yield* block.records;
      }
    };
    const onFinding = (finding: Finding): void => collected.addFinding(finding);
    const { similarity, labels, nearTie } = options;
    const report = await audit(measured(), { ...scoring, similarity, labels, nearTie }, SHOWN_FINDINGS, onFinding);
    reports.push(report);
  }
  return { collected, audited: merged(reports), comparison: await compared(tables, options) };
}

function outcomes(key: string): OutcomeTable {
  return new OutcomeTable((record) => groupingValues(record, key === 'src' ? ['attack', 'src'] : [key]), 'teapot');
}

/** Compares two inputs by the key that matches more of their items; nothing where most of them are in one alone. */
async function compared(
  tables: readonly (readonly OutcomeTable[])[] | undefined,
  { bootstrap, signal }: GatherOptions,
): Promise<Comparison | undefined> {
  const [first = [], second = []] = tables ?? [];
  let best: { readonly a: OutcomeTable; readonly b: OutcomeTable; readonly both: number } | undefined;
  for (const [index, a] of first.entries()) {
    const b = second[index];
    if (b === undefined) continue;
    let both = 0;
    for (const [key] of a.outcomes.places()) if (b.outcomes.placeOf(key) !== undefined) both += 1;
    if (both > (best?.both ?? 0)) best = { a, b, both };
  }
  if (best === undefined || best.both * 2 < Math.min(best.a.outcomes.size, best.b.outcomes.size)) return undefined;
  return compareRuns(best.a, best.b, bootstrap, signal === undefined ? {} : { signal });
}

/** The reports of several inputs as one: counts are added, the first findings kept. */
function merged(reports: readonly AuditReport[]): AuditReport {
  const [first, ...others] = reports;
  if (first === undefined) return { records: 0, rules: [] };
  const order = ['error', 'warning', 'note'];
  const rules = first.rules.map((rule): RuleReport => {
    const same = others.flatMap((report) => report.rules.find(({ id }) => id === rule.id) ?? []);
    const count = same.reduce((sum, other) => sum + other.count, rule.count);
    const examples = [...rule.examples, ...same.flatMap((other) => other.examples)].slice(0, SHOWN_FINDINGS);
    return Object.assign({}, rule, { count, examples });
  });
  return {
    records: reports.reduce((sum, { records }) => sum + records, 0),
    rules: rules.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || b.count - a.count),
  };
}

/** Pairs that a scorer remembers: those of a block of records, all sides. */
const REMEMBERED = 200_000;

/** A scorer that gives the score of a pair again that it had a moment before; native ones are as fast without. */
function remembering(scorer: Scorer): Scorer {
  if (scorer.native !== undefined) return scorer;
  const known = new Map<string, number>();
  const nameOf = (hypothesis: string, reference: Reference | undefined): string =>
    JSON.stringify([hypothesis, reference]);
  return {
    ...scorer,
    key: scorer.key,
    name: scorer.name,
    signature: scorer.signature,
    async score(hypotheses, references, options) {
      const names = hypotheses.map((hypothesis, index) => nameOf(hypothesis, references[index]));
      const missing = names.flatMap((name, index) => (known.has(name) ? [] : [index]));
      if (missing.length > 0) {
        if (known.size > REMEMBERED) for (const name of known.keys()) if (!names.includes(name)) known.delete(name);
        const scores = await scorer.score(
          missing.map((index) => hypotheses[index] ?? ''),
          missing.map((index) => references[index] ?? ''),
          options,
        );
        for (const [place, index] of missing.entries()) known.set(names[index] ?? '', scores[place] ?? Number.NaN);
      }
      return Float64Array.from(names, (name) => known.get(name) ?? Number.NaN);
    },
  };
}
