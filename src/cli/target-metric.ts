import { stat } from 'node:fs/promises';

import { openParallelCorpus } from '../read/parallel-corpus.js';
import type { SegmentBatch } from '../read/segment-source.js';
import { isBlank, splitWords } from '../read/whitespace.js';
import { recordKind } from '../record/kind.js';
import type { AttackRecord } from '../record/schema.js';
import { referencesOf } from '../score/pairs.js';
import { listScorers } from '../score/registry.js';
import type { Reference } from '../score/scorer.js';
import type { Note } from './notes.js';
import type { ScorePlan } from './score-plan.js';
import { invalid } from './values.js';

/** What `--s-tgt` says to have the metric chosen by the outputs. */
export const AUTO = 'auto';

/** Segments or records that are looked at before the run. */
export const SAMPLE = 500;

/** The metric of outputs that are texts, and of outputs that are labels. */
const TEXT_METRIC = 'chrf';
const LABEL_METRIC = 'zero_one';

/** Labels are few and short: so many words, code points and different ones at most. */
const LABEL_WORDS = 3;
const LABEL_LENGTH = 30;
const LABELS = 20;

/** Each label occurs so often on average at least, and fewer outputs than this say nothing. */
const REPEATED = 3;
const FEWEST = 5;

/**
 * Chooses the metrics of the target side of files and tables: those that were named; for `auto` exact match where the outputs
 * are labels; else chrF, with a note where they look like labels.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for `auto` when the outputs can't be looked at twice (a pipe).
 */
export async function targetMetricOfTexts(plan: ScorePlan, note: Note): Promise<readonly string[]> {
  const { sTgt, isTargetNamed } = plan;
  if (sTgt.length === 0 || (isTargetNamed && !isAuto(sTgt))) return sTgt;
  const outputs = await firstOutputs(plan);
  if (outputs === undefined) {
    if (isAuto(sTgt))
      throw invalid('--s-tgt auto looks at the outputs first, which a pipe does not allow: name a metric.');
    return sTgt;
  }
  return [chosen(outputs, isAuto(sTgt), note)];
}

/** @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for `auto` among other metrics. */
function isAuto(specs: readonly string[]): boolean {
  if (specs.length > 1 && specs.includes(AUTO)) {
    throw invalid(`--s-tgt ${specs.join(',')}: ${AUTO} chooses one metric by the outputs, so it stands alone.`);
  }
  return specs[0] === AUTO;
}

/**
 * Chooses the metric of the target side of records: the one that was named, else the one that the records say they were made
 * with, else as for texts.
 *
 * @param records The first records of the run.
 */
export function targetMetricOfRecords(
  plan: ScorePlan,
  records: readonly AttackRecord[],
  note: Note,
): readonly string[] {
  const { sTgt, isTargetNamed } = plan;
  if (isTargetNamed && !isAuto(sTgt)) return sTgt;
  const attacks = records.filter((record) => record.unit === 'input' && recordKind(record) === 'attack');
  const metrics = new Set(attacks.map(({ metric }) => scorerNamed(metric)));
  const [metric] = metrics;
  if (metrics.size === 1 && metric !== undefined) {
    if (metric !== TEXT_METRIC)
      note(`Note: the target side is scored by ${metric}, as the records say; --s-tgt names another.`);
    return [metric];
  }
  const outputs = attacks.flatMap(({ out, adv_out: advOut, ref }) => [out ?? [], advOut ?? [], ref ?? []].flat());
  return [chosen(outputs, isAuto(sTgt), note)];
}

/** The scorer that a record's metric names, with its parameters; undefined where there is none. */
function scorerNamed(metric: string | null): string | undefined {
  if (metric === null) return undefined;
  const [key = ''] = metric.split(':', 1);
  const named = listScorers().find(
    (scorer) => scorer.key === key || scorer.aliases?.includes(key) === true || scorer.name.toLowerCase() === key,
  );
  return named === undefined ? undefined : named.key + metric.slice(key.length);
}

function chosen(outputs: readonly string[], isAutomatic: boolean, note: Note): string {
  const labels = labelsOf(outputs);
  if (labels === undefined) return TEXT_METRIC;
  const shown = labels.slice(0, 3).join(', ') + (labels.length > 3 ? ', …' : '');
  if (isAutomatic) {
    note(`Note: the outputs look like labels (${shown}): the target side is scored by ${LABEL_METRIC}.`);
    return LABEL_METRIC;
  }
  note(
    `Note: the outputs look like labels (${shown}), of which chrF compares the letters. --s-tgt ${LABEL_METRIC} --success-threshold 1.8 compares them whole (--s-tgt auto chooses the metric).`,
  );
  return TEXT_METRIC;
}

/** The different outputs, where they look like labels: few, short, and each of them often. */
export function labelsOf(outputs: readonly string[]): readonly string[] | undefined {
  const texts = outputs.filter((text) => !isBlank(text));
  if (texts.length < FEWEST) return undefined;
  const labels = new Set<string>();
  for (const text of texts) {
    labels.add(text);
    if (labels.size > LABELS || text.length > LABEL_LENGTH || splitWords(text).length > LABEL_WORDS) return undefined;
  }
  return labels.size * REPEATED <= texts.length ? [...labels] : undefined;
}

/** The first outputs and references; undefined for a pipe, which can't be read twice. */
async function firstOutputs({ input, read, by }: ScorePlan): Promise<readonly string[] | undefined> {
  if (input.kind === 'records') return undefined;
  const paths =
    input.kind === 'table'
      ? input.paths
      : [input.files.out, ...input.files.attacks.map(({ advOut }) => advOut), ...input.files.refs];
  for (const path of paths) if (path === undefined || !(await isRegular(path))) return undefined;
  const source =
    input.kind === 'files'
      ? openParallelCorpus(
          { ...input.files, src: undefined, attacks: input.files.attacks.map(({ advOut }) => ({ advOut })) },
          read,
        )
      : (await import('../read/table.js')).openTable(input.paths[0] ?? '', { ...input.columns, groups: by }, read);
  try {
    for await (const batch of source.batches(SAMPLE)) return textsOf(batch);
  } catch {
    // The run itself will say what is wrong with the file.
  }
  return [];
}

function textsOf({ out = [], refs = [], attacks }: SegmentBatch): readonly string[] {
  const columns: readonly (readonly Reference[])[] = [out, refs, ...attacks.map(({ advOut }) => advOut ?? [])];
  return columns.flatMap((column) => column.slice(0, SAMPLE).flatMap(referencesOf));
}

async function isRegular(path: string): Promise<boolean> {
  if (path === '-') return false;
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
