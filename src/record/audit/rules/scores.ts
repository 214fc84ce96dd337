import { strip } from '../../../read/whitespace.js';
import { differsInPrint, dropAgreement } from '../../printed.js';
import { printedDecimals } from '../../score-pair.js';
import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { findingAt, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const DROP_INCONSISTENT: AuditRule = {
  id: 'drop_inconsistent',
  severity: 'error',
  description: 'The stored drop is not original − attacked, beyond what rounding explains',
};

const DROP_ROUNDING: AuditRule = {
  id: 'drop_rounding',
  severity: 'note',
  description: 'The stored drop is off by the last decimal, as rounding explains',
};

const PDR_INCONSISTENT: AuditRule = {
  id: 'pdr_inconsistent',
  severity: 'error',
  description: 'The stored drop rate is not (original − attacked) / original',
};

const IMPROVED: AuditRule = {
  id: 'improved',
  severity: 'note',
  description: 'The score is higher under attack: the drop is negative',
};

const ORIGINAL_ZERO: AuditRule = {
  id: 'original_zero',
  severity: 'warning',
  description: 'The original score is 0: the drop rate is undefined',
};

const OUT_OF_RANGE: AuditRule = {
  id: 'score_out_of_range',
  severity: 'error',
  description: 'A score is negative or above a perfect one: its scale is not the one that the record states',
};

/** What a stored drop rate may differ from the recomputed one when nothing was rounded. */
const PDR_TOLERANCE = 1e-9;

/** Compares the numbers of each record with each other. */
export function scoreCheck(): AuditCheck {
  return {
    rules: [DROP_INCONSISTENT, PDR_INCONSISTENT, OUT_OF_RANGE, ORIGINAL_ZERO, DROP_ROUNDING, IMPROVED],
    add: checkScores,
  };
}

function* checkScores({ record, measured }: ScoredRecord): Generator<Finding> {
  const { original_score: original, attacked_score: attacked, unit } = record;
  if (unit !== 'prompt') return;
  yield* checkRange(record);
  if (measured === null || original === null || attacked === null) return;
  const line = scoreLine(record);
  const numbers = `original ${original}, attacked ${attacked}`;
  const dropped = numberIn(record, 'dropped');
  if (dropped !== null) {
    const agreement = dropAgreement(original, attacked, dropped, printedDecimals(record));
    const message = `${numbers}, stored drop ${dropped}`;
    if (agreement === 'inconsistent') yield findingAt(DROP_INCONSISTENT, record, message, line);
    if (agreement === 'rounding') yield findingAt(DROP_ROUNDING, record, message, line);
  }
  const stored = numberIn(record, 'stored_pdr');
  if (stored !== null && original !== 0 && Math.abs(stored - (original - attacked) / original) > PDR_TOLERANCE) {
    const message = `${numbers}: the drop rate is ${(original - attacked) / original}, stored is ${stored}`;
    yield findingAt(PDR_INCONSISTENT, record, message, line);
  }
  if (original === 0) yield findingAt(ORIGINAL_ZERO, record, numbers, line);
  if (attacked > original) yield findingAt(IMPROVED, record, numbers, line);
}

function* checkRange(record: AttackRecord): Generator<Finding> {
  const scale = record.scale ?? null;
  for (const name of ['original_score', 'attacked_score'] as const) {
    const score = record[name];
    if (score === null || (score >= 0 && (scale === null || score <= scale))) continue;
    yield findingAt(
      OUT_OF_RANGE,
      record,
      `${name} is ${score}, a perfect score is ${scale ?? 'unknown'}`,
      scoreLine(record),
    );
  }
}

const ORIGINAL_DIFFERS: AuditRule = {
  id: 'original_score_differs',
  severity: 'warning',
  description: 'The original score of an attack is not the one of the same prompt without an attack',
};

const ORIGINAL_UNKNOWN: AuditRule = {
  id: 'original_prompt_unknown',
  severity: 'warning',
  description: 'The original prompt of an attack is not among the clean prompts of the same run and data set',
};

interface PromptScore {
  readonly record: AttackRecord;
  readonly score: number;
  readonly decimals: number | null;
}

/**
 * Compares the original score of attacked prompts with the score of the same prompt without an attack, where the records
 * hold both (kind `clean`). White space at the ends of a prompt doesn't count.
 */
export function cleanListCheck(): AuditCheck {
  const clean = new Map<string, Map<string, PromptScore>>();
  const attacks: PromptScore[] = [];
  return {
    rules: [ORIGINAL_DIFFERS, ORIGINAL_UNKNOWN],
    add({ record, measured }) {
      const { src, original_score: score, unit } = record;
      if (unit !== 'prompt' || src === null || score === null || record.extra['stray_in_section'] !== undefined)
        return [];
      const prompt = { record, score, decimals: printedDecimals(record) };
      if (measured !== null && record.extra['language'] === undefined) attacks.push(prompt);
      else if (record.extra['kind'] === 'clean') {
        const list = clean.get(listKey(record)) ?? new Map<string, PromptScore>();
        if (!list.has(strip(src))) list.set(strip(src), prompt);
        clean.set(listKey(record), list);
      }
      return [];
    },
    *end() {
      for (const attack of attacks) {
        const list = clean.get(listKey(attack.record));
        if (list !== undefined) yield* compareWithList(attack, list);
      }
    },
  };
}

function* compareWithList(attack: PromptScore, list: ReadonlyMap<string, PromptScore>): Generator<Finding> {
  const { record, score, decimals } = attack;
  const same = list.get(strip(record.src ?? ''));
  if (same === undefined) {
    yield findingAt(ORIGINAL_UNKNOWN, record, 'no clean prompt has this text');
    return;
  }
  const printed = Math.min(decimals ?? 15, same.decimals ?? 15);
  if (differsInPrint({ value: score, decimals: printed }, { value: same.score, decimals: printed })) {
    const message = `original score ${score}, without an attack ${same.score} (${same.record.id})`;
    yield findingAt(ORIGINAL_DIFFERS, record, message, scoreLine(record));
  }
}

/** Clean prompts and attacks belong together by run, model and data set. */
function listKey({ run, model, dataset }: AttackRecord): string {
  return JSON.stringify([run, model, dataset]);
}

/** The line of the scores, where the source has them on a line of their own. */
function scoreLine(record: AttackRecord): number | undefined {
  return numberIn(record, 'score_line') ?? undefined;
}

function numberIn(record: AttackRecord, name: string): number | null {
  const value = record.extra[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
