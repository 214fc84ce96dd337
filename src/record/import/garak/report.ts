import { makeRecord } from '../../schema.js';
import type { AttackRecord, AttackResult } from '../../schema.js';
import { isObject, withoutKeys } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';

/** garak counts a score from here on as a hit, unless the run says otherwise. */
const DEFAULT_THRESHOLD = 0.5;

/** What the rows at the head of a report tell about the run. */
export interface RunInfo {
  readonly run: string | null;
  readonly version: string | null;
  readonly model: string | null;
  readonly seed: number | string | null;
  readonly threshold: number;
  readonly settings: JsonObject;
}

/** A run of which nothing is known yet. */
export const UNKNOWN_RUN: RunInfo = {
  run: null,
  version: null,
  model: null,
  seed: null,
  threshold: DEFAULT_THRESHOLD,
  settings: {},
};

/** Adds what a row of type `start_run setup` or `init` tells. */
export function readRunInfo(row: JsonObject, known: RunInfo): RunInfo {
  if (row['entry_type'] === 'init') {
    return { ...known, run: textOr(row['run'], known.run), version: textOr(row['garak_version'], known.version) };
  }
  const threshold = row['run.eval_threshold'];
  const seed = row['run.seed'];
  const settings = Object.entries(row).flatMap(([key, value]) => {
    const name =
      /^(?:run|plugins)\.(generations|eval_threshold|spec|probe_spec|detector_spec|buff_spec|deprefix)$/u.exec(
        key,
      )?.[1];
    return name === undefined || value === null ? [] : [[name, value] as const];
  });
  return {
    run: textOr(row['transient.run_id'], known.run),
    version: textOr(row['_config.version'], known.version),
    model: generatorName(row) ?? known.model,
    seed: typeof seed === 'number' || typeof seed === 'string' ? seed : known.seed,
    threshold: typeof threshold === 'number' ? threshold : known.threshold,
    settings: Object.fromEntries(settings),
  };
}

/**
 * Makes one record of each output of an attempt.
 *
 * `result` is successful when any detector scored the output at or above the threshold, failed when all scored it lower,
 * error when the generator gave no output, null when no detector scored it.
 *
 * @param attempt A row of type `attempt`.
 */
export function attemptRecords(
  attempt: JsonObject,
  run: RunInfo,
  place: { readonly file: string; readonly line: number },
  onOddity: (code: string, message: string) => void,
): AttackRecord[] {
  const outputs = Array.isArray(attempt['outputs']) ? (attempt['outputs'] as unknown[]) : [];
  const detectors = isObject(attempt['detector_results']) ? Object.entries(attempt['detector_results']) : [];
  const conversations = attempt['conversations'] ?? attempt['messages'];
  const prompt = attempt['prompt'];
  const rest = withoutKeys(attempt, [
    'entry_type',
    'probe_classname',
    'prompt',
    'outputs',
    'detector_results',
    'conversations',
    'messages',
  ]);
  const record = (index: number | null, output: unknown): AttackRecord => {
    const unknown: JsonObject = {};
    const scores = detectors.map(([name, values]) => {
      const raw: unknown = index !== null && Array.isArray(values) ? (values[index] ?? null) : null;
      const score = scoreOf(raw);
      if (score === undefined) {
        unknown[name] = raw;
        onOddity(
          'unknown-score',
          `the score of ${name} is no number, kept in extra.unknown_scores: ${JSON.stringify(raw).slice(0, 80)}`,
        );
      }
      return [name, score ?? null] as const;
    });
    const text = messageText(output);
    const conversation: unknown = Array.isArray(conversations) && index !== null ? conversations[index] : undefined;
    return makeRecord({
      id: index === null ? String(attempt['uuid']) : `${String(attempt['uuid'])}:${index}`,
      run: run.run,
      unit: 'input',
      attack: textOr(attempt['probe_classname'], null),
      model: run.model,
      source_model: run.model,
      adv_src: messageText(prompt),
      adv_out: text,
      result: resultOf(text, scores, run.threshold),
      provenance: { tool: 'garak', version: run.version, ...place, settings: run.settings, seed: run.seed },
      extra: {
        ...rest,
        output_index: index,
        scores: Object.fromEntries(scores),
        ...(Object.keys(unknown).length > 0 ? { unknown_scores: unknown } : {}),
        ...(messageCount(prompt) > 1 ? { prompt } : {}),
        ...(conversation === undefined ? {} : { conversation }),
      },
    });
  };
  return outputs.length === 0 ? [record(null, null)] : outputs.map((output, index) => record(index, output));
}

/** Makes the record of one row of a hit log: one output that one detector scored as a hit. */
export function hitRecord(hit: JsonObject, place: { readonly file: string; readonly line: number }): AttackRecord {
  // The hit log writes a generator without a name as "test.Repeat None".
  const model = textOr(hit['generator'], null)?.replace(/ None$/u, '') ?? null;
  return makeRecord({
    id: [hit['attempt_id'], hit['attempt_idx'], hit['detector']].map(String).join(':'),
    run: textOr(hit['run_id'], null),
    unit: 'input',
    attack: textOr(hit['probe'], null),
    model,
    source_model: model,
    adv_src: messageText(hit['prompt']),
    adv_out: messageText(hit['output']),
    result: 'successful',
    provenance: { tool: 'garak', version: null, ...place },
    extra: withoutKeys(hit, typeof hit['prompt'] === 'string' ? ['prompt', 'output'] : []),
  });
}

function resultOf(
  output: string | null,
  scores: readonly (readonly [string, number | null])[],
  threshold: number,
): AttackResult | null {
  if (output === null) return 'error';
  const known = scores.map(([, score]) => score).filter((score) => score !== null);
  if (known.length === 0) return null;
  return known.some((score) => score >= threshold) ? 'successful' : 'failed';
}

/**
 * The score of an output: a number, null, or a list of numbers (builds of 0.14 and 0.17 write `[1.0]`), of which the
 * highest counts: a hit is a hit.
 *
 * @returns undefined for anything else.
 */
function scoreOf(value: unknown): number | null | undefined {
  if (typeof value === 'number' || value === null) return value;
  if (!Array.isArray(value)) return undefined;
  const scores = (value as unknown[]).map(scoreOf);
  const numbers = scores.filter((score) => typeof score === 'number');
  if (numbers.length < scores.filter((score) => score !== null).length) return undefined;
  return numbers.length === 0 ? null : Math.max(...numbers);
}

/** The target was called `model` before release 0.13. */
function generatorName(row: JsonObject): string | null {
  const type = textOr(row['plugins.target_type'] ?? row['plugins.model_type'], null);
  const name = textOr(row['plugins.target_name'] ?? row['plugins.model_name'], null);
  return type !== null && name !== null ? `${type} ${name}` : (type ?? name);
}

function textOr(value: unknown, other: string | null): string | null {
  return typeof value === 'string' ? value : other;
}

/**
 * The text of a prompt or an output, as garak's releases write them: a string, a message `{text}`, a turn
 * `{role, content}`, or a conversation `{turns}` of which the last turn of the user counts (of the list's last otherwise).
 *
 * @returns null where there is none: the generator gave no answer, or no text.
 */
function messageText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageText(lastOfUser(value));
  if (!isObject(value)) return null;
  if ('turns' in value) return messageText(value['turns']);
  return messageText(value['text'] ?? value['content'] ?? null);
}

/** How many messages a prompt has. */
function messageCount(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) && Array.isArray(value['turns']) ? value['turns'].length : 1;
}

function lastOfUser(turns: readonly unknown[]): unknown {
  return turns.findLast((turn) => isObject(turn) && turn['role'] === 'user') ?? turns.at(-1) ?? null;
}
