import type { ImportOptions } from '../importer.js';
import { fileName } from '../common/values.js';
import { makeRecord } from '../../schema.js';
import type { AttackRecord } from '../../schema.js';
import type { ItemPair, RunPairs } from './pair-runs.js';
import type { EvaluatedItem, EvaluatedRun, RunClaim } from './run.js';

/** The two runs that a record is of; one and the same where one log holds both sides. */
export interface PairedRuns {
  readonly clean: EvaluatedRun;
  readonly attacked: EvaluatedRun;
  /** The name of the attack; null where nobody says it. */
  readonly attack: string | null;
}

/** Which side of the model's input an attack changed: parts of the data, or the prompt around them. */
type AttackedSide = { readonly kind: 'data'; readonly paths: readonly string[] } | { readonly kind: 'prompt' };

/**
 * Makes one record of each pair, and one more where the prompt was attacked and both templates are known: the attacked
 * prompt with the two scores of the tool.
 *
 * @param text The path of the attacked text; undefined finds it out: the texts of the data that differ, else the prompt.
 */
export function* pairRecords(
  runs: PairedRuns,
  { pairs, by }: RunPairs,
  options: ImportOptions,
  text: string | undefined,
): Generator<AttackRecord> {
  const side = attackedSide(pairs, text);
  if (side.kind === 'data' && side.paths.length === 0) {
    const message = 'no text of the data and no prompt differs from the clean run: is this an attacked run?';
    options.onWarning?.({ file: runs.attacked.file, line: null, code: 'no-change', message });
  }
  const claims = claimsOf(runs, pairs.length);
  let isFirst = true;
  for (const pair of pairs) {
    const record = pairRecord(runs, pair, side, by);
    if (isFirst && claims.length > 0) record.extra['claims'] = claims;
    isFirst = false;
    yield record;
  }
  if (side.kind === 'prompt') yield* templateRecord(runs);
}

/** One record of an item that has no partner: scored, not attacked. */
export function cleanRecord(run: EvaluatedRun, item: EvaluatedItem): AttackRecord {
  const texts = [...item.texts.values()];
  return makeRecord({
    ...commonFields(run, item),
    id: item.key,
    dataset: run.dataset,
    attack: item.attack ?? null,
    src: texts.length === 1 ? (texts[0] ?? null) : (item.prompt ?? texts[0] ?? null),
    out: item.out,
    original_score: item.score,
    result: item.isError === true ? 'error' : (item.result ?? null),
    extra: { kind: 'clean', item: item.raw },
  });
}

/** One record of an attacked item whose original the log doesn't hold as an item: the tool judged it all the same. */
export function attackedRecord(run: EvaluatedRun, item: EvaluatedItem): AttackRecord {
  const texts = [...item.texts.values()];
  const attack = item.attack ?? null;
  return makeRecord({
    ...commonFields(run, item),
    id: attack === null ? item.key : `${attack}/${item.key}`,
    dataset: run.dataset,
    attack,
    src: item.source ?? null,
    adv_src: texts.length === 1 ? (texts[0] ?? null) : item.prompt,
    adv_out: item.out,
    attacked_score: item.score,
    result: item.isError === true ? 'error' : (item.result ?? null),
    queries: item.queries ?? null,
    extra: { kind: 'attack', attacked: item.raw },
  });
}

function pairRecord(runs: PairedRuns, { clean, attacked }: ItemPair, side: AttackedSide, by: string): AttackRecord {
  const attack = attacked.attack ?? runs.attack;
  const isError = clean.isError === true || attacked.isError === true;
  return makeRecord({
    ...commonFields(runs.attacked, attacked),
    ...textsOf(clean, attacked, side),
    id: attack === null ? attacked.key : `${attack}/${attacked.key}`,
    dataset: runs.clean.dataset ?? runs.attacked.dataset,
    attack,
    out: clean.out,
    adv_out: attacked.out,
    ref: asReference(clean.ref ?? attacked.ref),
    original_score: clean.score,
    attacked_score: attacked.score,
    result: isError ? 'error' : (attacked.result ?? null),
    extra: {
      kind: 'attack',
      paired_by: by,
      clean: clean.raw,
      attacked: attacked.raw,
      clean_file: clean.file,
      clean_line: clean.line,
    },
  });
}

function commonFields(run: EvaluatedRun, item: EvaluatedItem) {
  return {
    run: run.run ?? fileName(run.file),
    unit: 'input' as const,
    model: run.model,
    source_model: run.model,
    ref: asReference(item.ref),
    metric: run.metric,
    scale: run.metric === null ? null : (1 as const),
    provenance: {
      tool: run.tool,
      version: run.version,
      file: item.file,
      line: item.line,
      ...(run.settings === undefined ? {} : { settings: run.settings }),
      ...(item.seed === undefined ? {} : { seed: item.seed }),
    },
  };
}

function attackedSide(pairs: readonly ItemPair[], text: string | undefined): AttackedSide {
  if (text === 'prompt') return { kind: 'prompt' };
  if (text !== undefined) return { kind: 'data', paths: [text] };
  const changed = new Set<string>();
  for (const { clean, attacked } of pairs) {
    for (const [path, before] of clean.texts) {
      const under = attacked.texts.get(path);
      if (under !== undefined && under !== before) changed.add(path);
    }
  }
  if (changed.size > 0) return { kind: 'data', paths: [...changed] };
  const isPrompt = pairs.some(({ clean, attacked }) => clean.prompt !== attacked.prompt);
  return isPrompt ? { kind: 'prompt' } : { kind: 'data', paths: [] };
}

/** Source texts of a pair; several changed texts are columns. */
function textsOf(
  clean: EvaluatedItem,
  attacked: EvaluatedItem,
  side: AttackedSide,
): Pick<AttackRecord, 'src' | 'adv_src' | 'columns'> {
  const paths = side.kind === 'data' ? side.paths : [];
  const [only, ...more] = paths;
  if (only === undefined) return { src: clean.prompt, adv_src: attacked.prompt, columns: null };
  if (more.length === 0) {
    return { src: clean.texts.get(only) ?? null, adv_src: attacked.texts.get(only) ?? null, columns: null };
  }
  const named = ({ texts }: EvaluatedItem): [string, string][] =>
    paths.map((path) => [path.slice(path.lastIndexOf('.') + 1), texts.get(path) ?? '']);
  const joined = (columns: readonly (readonly [string, string])[]): string =>
    columns.map(([name, value]) => `${name}: ${value}`).join('\n');
  const [original, perturbed] = [named(clean), named(attacked)];
  return {
    src: joined(original),
    adv_src: joined(perturbed),
    columns: { original: Object.fromEntries(original), perturbed: Object.fromEntries(perturbed) },
  };
}

/** The attacked prompt itself, as one record with the tool's own scores. */
function* templateRecord({ clean, attacked, attack }: PairedRuns): Generator<AttackRecord> {
  if (clean.template === null || attacked.template === null || clean.template === attacked.template) return;
  if (clean.reported === null || attacked.reported === null) return;
  yield makeRecord({
    id: `${attack ?? attacked.dataset ?? 'attacked'}/prompt`,
    run: attacked.run ?? fileName(attacked.file),
    unit: 'prompt',
    attack,
    model: attacked.model,
    source_model: attacked.model,
    dataset: clean.dataset,
    src: clean.template,
    adv_src: attacked.template,
    original_score: clean.reported.value,
    attacked_score: attacked.reported.value,
    metric: attacked.metric,
    scale: 1,
    provenance: { tool: attacked.tool, version: attacked.version, file: attacked.file, line: null },
    extra: { kind: 'aggregate', clean_file: clean.file },
  });
}

function claimsOf({ clean, attacked }: PairedRuns, pairs: number): RunClaim[] {
  if (clean === attacked) return [];
  const sides = [
    ['mean_original', clean.reported],
    ['mean_attacked', attacked.reported],
  ] as const;
  return sides.flatMap(([quantity, reported]) =>
    reported === null ? [] : [{ quantity, ...reported, over: reported.over ?? pairs }],
  );
}

function asReference(ref: EvaluatedItem['ref']): AttackRecord['ref'] {
  if (ref === null || typeof ref === 'string') return ref;
  return ref.length > 1 ? [...ref] : (ref[0] ?? null);
}
