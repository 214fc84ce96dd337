import type { ToolSummary } from '../importer.js';
import type { AttackRecord } from '../../schema.js';
import { isObject } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';

interface Counts {
  passed: number;
  fails: number;
}

/** Counts passes and hits per probe and detector, to compare them with the rows of type `eval`. */
export class Evaluations {
  readonly #counts = new Map<string, Counts>();

  /** Counts the scores of one output; those that are null are neither pass nor hit. */
  count(probe: string, record: AttackRecord, threshold: number): void {
    const scores = record.extra['scores'];
    if (!isObject(scores)) return;
    for (const [detector, score] of Object.entries(scores)) {
      if (typeof score !== 'number') continue;
      const counts = this.#of(probe, detector);
      if (score >= threshold) counts.fails += 1;
      else counts.passed += 1;
    }
  }

  /** What a row of type `eval` says, under names with probe and detector. */
  summary(row: JsonObject, file: string, line: number): ToolSummary {
    const values = Object.entries(row).flatMap(([key, value]) =>
      key !== 'entry_type' && (typeof value === 'number' || typeof value === 'string' || value === null)
        ? [[key, value] as const]
        : [],
    );
    return { file, line, values: Object.fromEntries(values) };
  }

  /** How a row of type `eval` contradicts the attempts; undefined when it doesn't. */
  difference(row: JsonObject): string | undefined {
    const probe = String(row['probe']);
    // Release 0.10 writes "detector." in front.
    const detector = String(row['detector']).replace(/^detector\./u, '');
    const { passed, fails } = this.#of(probe, detector);
    const total = row['total_evaluated'] ?? row['total'];
    const told = typeof row['passed'] === 'number' && typeof total === 'number' ? total - row['passed'] : undefined;
    if (told === undefined || (row['passed'] === passed && told === fails)) return undefined;
    return `${probe} ${detector}: the report says ${String(row['passed'])} passed and ${told} hit, its attempts say ${passed} and ${fails}`;
  }

  #of(probe: string, detector: string): Counts {
    const key = `${probe} ${detector}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const counts = { passed: 0, fails: 0 };
    this.#counts.set(key, counts);
    return counts;
  }
}
