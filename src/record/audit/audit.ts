import type { Scorer } from '../../score/scorer.js';
import { scoreRecords, type RecordScoring, type ScoredRecord } from '../score-records.js';
import type { AttackRecord } from '../schema.js';
import { ALIGNMENT_RULES, checkAlignment } from './rules/alignment.js';
import { claimCheck } from './rules/claims.js';
import { duplicateCheck } from './rules/duplicates.js';
import { protectedWordCheck } from './rules/protected-words.js';
import { nearTieCheck, resultCheck } from './rules/results.js';
import { summaryCheck } from './rules/summaries.js';
import type { AuditCheck, AuditRule, Finding, Severity } from './rule.js';
import { scaleCheck } from './rules/scale.js';
import { cleanListCheck, scoreCheck } from './rules/scores.js';
import { spellingCheck } from './rules/spellings.js';
import { textCheck } from './rules/texts.js';

/** Options of {@link audit}. */
export interface AuditOptions extends RecordScoring {
  /** A metric that is high for texts with the same words, for misaligned lines. */
  readonly similarity: Scorer;
  /** Words that count as labels wherever they stand in an original text. */
  readonly labels: readonly string[];
  /** The largest margin that counts as a tie. */
  readonly nearTie: number;
}

/** What a rule found. */
export interface RuleReport extends AuditRule {
  readonly count: number;
  /** The first findings, in the order of the records. */
  readonly examples: readonly Finding[];
}

/** What an audit found: every rule with its count, rules without findings too. */
export interface AuditReport {
  readonly records: number;
  readonly rules: readonly RuleReport[];
}

/** How many consecutive records are compared with their neighbours at a time. */
const WINDOW = 512;

const ORDER: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * Audits records: looks for rows whose numbers contradict each other, texts that were not changed or not aligned, damaged
 * labels and placeholders, mixed-up scales, duplicates, and ties.
 *
 * @param records attacks, clean prompts and candidates, in the order of their files.
 * @param shownExamples how many findings of each rule are kept.
 * @param onFinding called with every finding.
 */
export async function audit(
  records: AsyncIterable<AttackRecord>,
  options: AuditOptions,
  shownExamples: number,
  onFinding?: (finding: Finding) => void,
): Promise<AuditReport> {
  const checks = createChecks(options);
  const rules = checks.flatMap((check) => check.rules).concat(ALIGNMENT_RULES);
  const counts = new Map<string, { count: number; readonly examples: Finding[] }>(
    rules.map(({ id }) => [id, { count: 0, examples: [] }]),
  );
  const note = (findings: Iterable<Finding>): void => {
    for (const finding of findings) {
      const entry = counts.get(finding.rule);
      if (entry === undefined) continue;
      entry.count += 1;
      if (entry.examples.length < shownExamples) entry.examples.push(finding);
      onFinding?.(finding);
    }
  };

  let total = 0;
  let window: (ScoredRecord | undefined)[] = [undefined];
  const align = async (): Promise<void> => {
    note(await checkAlignment(window, options.similarity, options.signal));
  };
  for await (const scored of scoreRecords(records, options)) {
    total += 1;
    for (const check of checks) note(check.add(scored));
    window.push(scored);
    if (window.length <= WINDOW) continue;
    await align();
    window = window.slice(-2);
  }
  window.push(undefined);
  await align();
  for (const check of checks) note(check.end?.() ?? []);
  return {
    records: total,
    rules: rules
      .map((rule) => Object.assign({ count: 0, examples: [] }, rule, counts.get(rule.id)))
      .toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) || b.count - a.count),
  };
}

/** The ids of all rules: what `--fail-if` may name, beside the sums of each severity. */
export function ruleIds(): string[] {
  return createChecks({ labels: [], nearTie: 0 })
    .flatMap((check) => check.rules)
    .concat(ALIGNMENT_RULES)
    .map(({ id }) => id);
}

function createChecks(options: Pick<AuditOptions, 'labels' | 'nearTie'>): readonly AuditCheck[] {
  return [
    textCheck(),
    scoreCheck(),
    cleanListCheck(),
    scaleCheck(),
    protectedWordCheck(options.labels),
    duplicateCheck(),
    resultCheck(),
    summaryCheck(),
    claimCheck(),
    spellingCheck(),
    nearTieCheck(options.nearTie),
  ];
}
