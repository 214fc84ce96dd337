import { basename, dirname } from 'node:path';

import { ERROR_CODES, UsageError } from '../../../errors.js';
import type { SourceFile } from '../../../read/source-file.js';
import { dropAgreement } from '../../printed.js';
import { defineImporter } from '../importer.js';
import type { ImportOptions } from '../importer.js';
import { makeRecord, type AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import {
  readOpenCompassLog,
  type LoggedAttack,
  type LoggedRun,
  type RankedPrompt,
  type SkippedPrompt,
} from './attack-log.js';

/** Scores of the log are percentages, whatever the metric. */
const SCALE = 100;

/**
 * Reads the `attacklog.txt` of OpenCompass's prompt attack.
 *
 * Every run in the file gets a run id of its own (`NAME#1`, `NAME#2`, …). Prompts whose score is 0 are `skipped` records
 * without an attacked score; prompts that were ranked but not attacked are records of the kind `clean`. The log names
 * neither attack nor data set; the model is the folder `<work_dir>/attack/<model>/` where the file lies in one.
 *
 * Source: `opencompass/tasks/openicl_attack.py` of open-compass/opencompass.
 */
export const opencompass = defineImporter({
  name: 'opencompass',
  description: "attacklog.txt of OpenCompass's prompt attack, with all runs that were appended",
  detect,
  import: importLog,
});

function detect(head: string, file: string): number {
  const ranked = /^Prompt: .*, acc: \d+\.\d\d%$/mu.test(head);
  const attacked = /^Attacked prompt: b['"]/mu.test(head) || /^Init acc is 0, skip this prompt$/mu.test(head);
  if (/^## /mu.test(head)) return 0;
  if (ranked) return attacked ? 1 : 0.9;
  return attacked && file.endsWith('attacklog.txt') ? 0.9 : attacked ? 0.6 : 0;
}

async function* importLog(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const lines: string[] = [];
  for await (const batch of source.lines()) {
    options.signal?.throwIfAborted();
    for (const { text } of batch) lines.push(text);
  }
  let problems = 0;
  const runs = readOpenCompassLog(
    lines,
    ({ line, message }) => {
      problems += 1;
      badRow(options, source.name, line, message);
    },
    ({ line, message }) => options.onWarning?.({ file: source.name, line, code: 'unclear-block', message }),
  );
  if (runs.length === 0 && problems === 0) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${source.name}:1: no OpenCompass attack log: expected lines like "Prompt: …, acc: 59.15%" or "Original prompt: …"`,
    );
  }
  if (runs.length > 1) {
    const starts = runs.map(({ line }) => line).join(', ');
    const message = `${runs.length} runs are appended to one file (lines ${starts}); each has its own run id`;
    options.onWarning?.({ file: source.name, line: runs[1]?.line ?? null, code: 'several-runs', message });
  }
  const place = placeOf(source);
  for (const [index, run] of runs.entries()) yield* runRecords(run, index + 1, place, source.name, options);
}

interface Place {
  readonly name: string;
  readonly model: string | null;
}

/** The model from the path: `<work_dir>/attack/<model>/attacklog.txt`, or `<model>attacklog.txt` of other releases. */
function placeOf(source: SourceFile): Place {
  if (source.path === undefined) return { name: 'stdin', model: null };
  const folder = dirname(source.path);
  const prefix = /^(.+)attacklog\.txt$/u.exec(basename(source.path))?.[1]?.replace(/[-_.]$/u, '') ?? null;
  const model = basename(dirname(folder)) === 'attack' ? basename(folder) : prefix;
  return { name: model ?? basename(source.path).replace(/\.[^.]*$/u, ''), model };
}

function* runRecords(
  run: LoggedRun,
  number: number,
  place: Place,
  file: string,
  options: ImportOptions,
): Generator<AttackRecord> {
  const context: RunContext = { run, name: `${options.defaults?.run ?? place.name}#${number}`, place, file, options };
  for (const [index, attack] of run.attacks.entries()) yield attackRecord(context, attack, index + 1);
  for (const [index, skipped] of run.skipped.entries()) yield skippedRecord(context, skipped, index + 1);
  const done = new Set([
    ...run.attacks.map(({ originalPrompt }) => originalPrompt),
    ...run.skipped.map(({ prompt }) => prompt),
  ]);
  for (const [index, ranked] of run.ranking.entries()) {
    if (!done.has(ranked.prompt)) yield rankedRecord(context, ranked, index + 1);
  }
}

interface RunContext {
  readonly run: LoggedRun;
  readonly name: string;
  readonly place: Place;
  readonly file: string;
  readonly options: ImportOptions;
}

function attackRecord(context: RunContext, attack: LoggedAttack, position: number): AttackRecord {
  const { run, file, options } = context;
  const { original, attacked, dropped } = attack;
  const decimals = Math.min(original.decimals, attacked.decimals, dropped.decimals);
  if (dropAgreement(original.value, attacked.value, dropped.value, decimals) === 'inconsistent') {
    const message = `the numbers contradict each other: printed drop ${dropped.value}, original ${original.value} − attacked ${attacked.value}; the two scores were used`;
    options.onWarning?.({ file, line: attack.line, code: 'drop-inconsistent', message });
  }
  const rank = run.ranking.findIndex(({ prompt }) => prompt === attack.originalPrompt);
  if (rank < 0) {
    const message = 'the attacked prompt is not in the ranking above it';
    options.onWarning?.({ file, line: attack.line, code: 'original-prompt-unknown', message });
  }
  return makeRecord({
    ...common(context, `attack/${position}`, attack.line),
    src: attack.originalPrompt,
    adv_src: attack.attackedPrompt,
    original_score: original.value,
    attacked_score: attacked.value,
    extra: {
      kind: 'attack',
      dropped: dropped.value,
      decimals,
      rank: rank < 0 ? null : rank + 1,
      ranking_score: run.ranking[rank]?.score.value ?? null,
    },
  });
}

function skippedRecord(context: RunContext, { line, prompt, score }: SkippedPrompt, position: number): AttackRecord {
  return makeRecord({
    ...common(context, `skipped/${position}`, line),
    src: prompt,
    original_score: score.value,
    result: 'skipped',
    extra: { kind: 'attack', decimals: score.decimals, reason: 'the score before the attack is 0' },
  });
}

function rankedRecord(context: RunContext, { line, prompt, score }: RankedPrompt, rank: number): AttackRecord {
  return makeRecord({
    ...common(context, `ranked/${rank}`, line),
    src: prompt,
    original_score: score.value,
    extra: {
      kind: 'clean',
      decimals: score.decimals,
      rank,
      reason: 'not attacked: outside the top k, or the run ended before',
    },
  });
}

function common({ name, place, file }: RunContext, id: string, line: number) {
  const { model } = place;
  return {
    id: `${name}/${id}`,
    unit: 'prompt' as const,
    run: name,
    model,
    source_model: model,
    scale: SCALE as 100,
    provenance: { tool: 'opencompass', version: null, file, line },
  };
}
