import type { ScoredRecord } from '../score-records.js';
import type { AttackRecord } from '../schema.js';

/**
 * How bad a finding is: an `error` makes a number wrong, a `warning` makes it doubtful, a `note` is worth knowing.
 */
export type Severity = 'error' | 'warning' | 'note';

/** One rule of the audit. */
export interface AuditRule {
  /** Stable, snake_case: what `--fail-if` names. */
  readonly id: string;
  readonly severity: Severity;
  /** One sentence: what a finding means. */
  readonly description: string;
}

/** One place where a rule applies. */
export interface Finding {
  /** The id of the rule. */
  readonly rule: string;
  /** The id of the record. */
  readonly record: string;
  /** The file that the record was read from, or null. */
  readonly file: string | null;
  /** The 1-based line in that file, or null. */
  readonly line: number | null;
  /** What was found, with its values. */
  readonly message: string;
}

/** Looks at records one by one for one or more rules. */
export interface AuditCheck {
  /** The rules that it reports under. */
  readonly rules: readonly AuditRule[];
  /** Looks at one record. */
  add(scored: ScoredRecord): Iterable<Finding>;
  /** What can be said only when all records have been seen. */
  end?(): Iterable<Finding>;
}

/**
 * Makes a finding at a record.
 *
 * @param line the line where it differs from the one at which the record starts.
 */
export function findingAt(rule: AuditRule, record: AttackRecord, message: string, line?: number): Finding {
  const { provenance } = record;
  return {
    rule: rule.id,
    record: record.id,
    file: provenance?.file ?? null,
    line: line ?? provenance?.line ?? null,
    message,
  };
}

/** A text as messages show it: quoted, cut after 60 characters. */
export function quote(text: string): string {
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text);
}
