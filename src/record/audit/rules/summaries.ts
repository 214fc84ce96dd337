import { summaryCounts } from '../../import/textattack/summary.js';
import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { findingAt, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const SUMMARY_DIFFERS: AuditRule = {
  id: 'summary_differs',
  severity: 'error',
  description: "The tool's own summary counts other attacks than the records hold",
};

interface RunCounts {
  readonly counts: Record<string, number>;
  readonly summaries: { readonly record: AttackRecord; readonly values: Record<string, number | string | null> }[];
}

/** Compares the summaries that importers keep (`extra.tool_summary`) with the results of the same run. */
export function summaryCheck(): AuditCheck {
  const runs = new Map<string, RunCounts>();
  return {
    rules: [SUMMARY_DIFFERS],
    add({ record }: ScoredRecord) {
      const key = record.run ?? '';
      const run = runs.get(key) ?? { counts: {}, summaries: [] };
      runs.set(key, run);
      if (record.result !== null) run.counts[record.result] = (run.counts[record.result] ?? 0) + 1;
      for (const values of summariesOf(record)) run.summaries.push({ record, values });
      return [];
    },
    *end(): Generator<Finding> {
      for (const { counts, summaries } of runs.values()) {
        // Several summaries are of several logs that share a run: their sums can't be told apart.
        const [summary] = summaries;
        if (summary === undefined || summaries.length > 1) continue;
        const told = summaryCounts({ file: '', line: null, values: summary.values });
        const differences = Object.entries(told).filter(
          ([kind, count]) => count !== undefined && count !== (counts[kind] ?? 0),
        );
        if (differences.length === 0) continue;
        const list = differences.map(([kind, count]) => `${count} ${kind}, the records hold ${counts[kind] ?? 0}`);
        yield findingAt(SUMMARY_DIFFERS, summary.record, `the summary counts ${list.join('; ')}`);
      }
    },
  };
}

function summariesOf(record: AttackRecord): Record<string, number | string | null>[] {
  const summary = record.extra['tool_summary'];
  const list = Array.isArray(summary) ? summary : [summary];
  return list.filter((one): one is Record<string, number | string | null> => typeof one === 'object' && one !== null);
}
