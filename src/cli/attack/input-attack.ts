import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { attackInputs } from '../../attack/attack-inputs.js';
import type { InputOutcome } from '../../attack/attack-inputs.js';
import { goalName } from '../../attack/goal.js';
import type { AttackedInput, Goal } from '../../attack/goal.js';
import { attackRecipe } from '../../attack/recipes.js';
import type { AttackRecipe } from '../../attack/recipes.js';
import { ERROR_CODES, TeapotError, UsageError } from '../../errors.js';
import type { PerturbOptions } from '../../native.js';
import { writeFileSafely } from '../../output-file.js';
import { openParallelCorpus } from '../../read/parallel-corpus.js';
import type { SegmentSource } from '../../read/segment-source.js';
import { openTable } from '../../read/table.js';
import { parseColumns } from '../../read/table-columns.js';
import { exportParallel } from '../../record/export/parallel.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';
import { scoreBatch } from '../../record/score-records.js';
import { writeRecords } from '../../record/write.js';
import { createScorer } from '../../score/registry.js';
import { outcomeRates } from '../../summarise/denominators.js';
import { version } from '../../version.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import type { VictimCounters } from '../../victim/cached-victim.js';
import { createVictim } from '../../victim/create-victim.js';
import { memoryStore, ResponseCache } from '../../victim/response-cache.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { startProgress } from '../progress.js';
import { invalid, readNumber } from '../values.js';
import { inputAttackJson, inputAttackText } from './input-attack-report.js';
import type { InputAttackSummary } from './input-attack-report.js';

/** The arguments of `teapot attack` on inputs. */
export interface AttackArguments {
  readonly data?: string | undefined;
  readonly columns?: string | undefined;
  readonly src?: string | undefined;
  readonly ref?: string | undefined;
  readonly first?: string | undefined;
  readonly attack?: string | undefined;
  readonly goal?: string | undefined;
  readonly target?: string | undefined;
  readonly goalThreshold?: string | undefined;
  readonly queryBudget?: string | undefined;
  readonly seed?: string | undefined;
  readonly protect?: readonly string[] | undefined;
  readonly minSSrc?: string | undefined;
  readonly maxWordsChanged?: string | undefined;
  readonly maxEditDistance?: string | undefined;
  readonly neighbours?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly parallel?: string | undefined;
  readonly sSrc?: string | undefined;
  readonly sTgt?: string | undefined;
  readonly successThreshold?: string | undefined;
  readonly workDir?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly format: 'text' | 'json';
  readonly quiet?: boolean | undefined;
}

/** Records scored at a time. */
const SCORED_RECORDS = 256;

/**
 * Attacks inputs, writes `records.jsonl` and parallel files into `--work-dir`, and prints the summary.
 *
 * With `--resume`, the answers that an earlier run of the same settings paid for are taken from its cache: the run ends with the
 * same bytes as one that was never disturbed.
 *
 * @throws {UsageError} for arguments that don't fit; what the victim, the scorers and the files throw.
 */
export async function runInputAttack(argv: AttackArguments): Promise<void> {
  const note = createNote(argv);
  const inputs = await readInputs(argv);
  const recipe = attackRecipe(argv.attack ?? 'deepwordbug');
  const keep = await keepOf(argv, recipe);
  const seed = readNumber('--seed', argv.seed ?? '12345', { integer: true, minimum: 0 });
  const labels = [...new Set(inputs.flatMap(({ ref }) => (typeof ref === 'string' ? [ref] : [])))];
  const bare = await createVictim(argv.model ?? 'lexicon', {
    ...(labels.length > 0 && labels.length <= 100 ? { labels } : {}),
    baseUrl: argv.baseUrl,
    onNote: note,
  });
  const sSrc = await createScorer(argv.sSrc ?? 'chrf');
  const sTgt = await createScorer(argv.sTgt ?? 'zero_one');
  const goal: Goal = {
    name: goalName(argv.goal ?? (recipe.reducesInput === true ? 'input-reduction' : 'untargeted')),
    target: argv.target,
    scorer: sTgt,
    threshold:
      argv.goalThreshold === undefined
        ? undefined
        : readNumber('--goal-threshold', argv.goalThreshold, { minimum: 0, below: 1 + Number.EPSILON }),
  };
  if ((goal.name === 'targeted') !== (argv.target !== undefined)) {
    throw invalid('--target goes with --goal targeted, and the other way round: give both or none');
  }
  const settings = {
    attack: recipe.name,
    search: recipe.search.name,
    goal: goal.name,
    target: argv.target ?? null,
    goal_threshold: goal.threshold ?? null,
    query_budget: argv.queryBudget ?? null,
    seed,
    constraints: { ...recipe.constraints, ...keep, replacements: keep.replacements && digest(keep.replacements) },
    victim: bare.signature,
    s_src: sSrc.signature,
    s_tgt: sTgt.signature,
    success_threshold: readNumber('--success-threshold', argv.successThreshold ?? '1'),
    inputs: digest(JSON.stringify(inputs)),
    version: version(),
  };
  const counters = newCounters();
  const run = await openRun(argv, settings);
  const victim = cachedVictim(bare, run.store, counters);
  const progress = startProgress({ unit: 'inputs', quiet: argv.quiet });
  const outcomes: InputOutcome[] = [];
  const records: AttackRecord[] = [];
  try {
    for await (const outcome of attackInputs(inputs, {
      recipe,
      victim,
      goal,
      queryBudget:
        argv.queryBudget === undefined
          ? Number.POSITIVE_INFINITY
          : readNumber('--query-budget', argv.queryBudget, { integer: true, minimum: 0 }),
      seed,
      keep,
      parallel: readNumber('--parallel', argv.parallel ?? '1', { integer: true, minimum: 1, below: 1001 }),
      signal: interruptSignal,
    })) {
      outcomes.push(outcome);
      records.push(recordOf(outcome, recipe, bare.name, settings));
      progress.onProgress(outcomes.length, inputs.length);
    }
    const measured = await measure(records, { sSrc, sTgt, successThreshold: settings.success_threshold });
    await run.finish(measured, inputs[0]?.ref !== undefined);
    progress.stop();
    const summary = summarise(outcomes, measured, counters, settings);
    process.stdout.write(argv.format === 'json' ? inputAttackJson(summary) : inputAttackText(summary));
    for (const { item, reason, result } of outcomes.filter((one) => one.result === 'error').slice(0, 5)) {
      note(`Warning: input ${item + 1}: ${result}: ${reason ?? ''}`);
    }
  } finally {
    progress.stop();
    run.close();
    await victim.close?.();
    await sSrc.close?.();
    await sTgt.close?.();
  }
}

async function readInputs(argv: AttackArguments): Promise<AttackedInput[]> {
  const most =
    argv.first === undefined
      ? Number.POSITIVE_INFINITY
      : readNumber('--first', argv.first, { integer: true, minimum: 1 });
  const inputs: AttackedInput[] = [];
  for await (const batch of openInputs(argv).batches(4096, { signal: interruptSignal })) {
    for (const [index, text] of (batch.src ?? []).entries()) {
      if (inputs.length >= most) return inputs;
      inputs.push({ text, ref: batch.refs?.[index] });
    }
  }
  return inputs;
}

function openInputs(argv: AttackArguments): SegmentSource {
  if (argv.data !== undefined) {
    if (argv.src !== undefined || argv.ref !== undefined)
      throw invalid('--data takes the place of --src and --ref: give one of them');
    return openTable(argv.data, parseColumns(argv.columns ?? 'src=src,ref=ref'));
  }
  if (argv.src === undefined) throw invalid('nothing to attack: give --data FILE --columns src=…,ref=… or --src FILE');
  return openParallelCorpus({ src: argv.src, attacks: [], refs: argv.ref === undefined ? [] : [argv.ref] });
}

async function keepOf(argv: AttackArguments, recipe: AttackRecipe): Promise<Omit<PerturbOptions, 'attacks' | 'seed'>> {
  const keep: Omit<PerturbOptions, 'attacks' | 'seed'> = { protect: [...(argv.protect ?? [])] };
  if (argv.minSSrc !== undefined)
    keep.minSSrc = readNumber('--min-s-src', argv.minSSrc, { minimum: 0, below: 1 + Number.EPSILON });
  if (argv.maxWordsChanged !== undefined) {
    keep.maxWordsChanged = readNumber('--max-words-changed', argv.maxWordsChanged, { integer: true, minimum: 0 });
  }
  if (argv.maxEditDistance !== undefined) {
    keep.maxEditDistance = readNumber('--max-edit-distance', argv.maxEditDistance, { integer: true, minimum: 0 });
  }
  const need = recipe.resources.find(({ name }) => name === 'neighbours');
  if (need !== undefined) {
    if (argv.neighbours === undefined) {
      throw new UsageError(
        ERROR_CODES.RESOURCE,
        `the attack ${recipe.name} needs --neighbours FILE: ${need.help}. It does not run without`,
      );
    }
    keep.replacements = await readFile(argv.neighbours, 'utf8').catch((cause: unknown) => {
      throw new UsageError(ERROR_CODES.READ, `--neighbours ${argv.neighbours ?? ''}: can't be read`, { cause });
    });
  } else if (argv.neighbours !== undefined) {
    throw invalid(`--neighbours has no use for the attack ${recipe.name}: leave it out`);
  }
  return keep;
}

/** Where a run keeps its answers and its results. */
interface Run {
  readonly store: AnswerStore;
  finish(records: readonly AttackRecord[], hasReferences: boolean): Promise<void>;
  close(): void;
}

/** Opens `--work-dir`; without one, nothing outlives the run. */
async function openRun(argv: AttackArguments, settings: object): Promise<Run> {
  const folder = argv.workDir;
  if (folder === undefined) {
    if (argv.resume === true) throw invalid('--resume needs --work-dir: the folder of the run to go on with');
    return { store: memoryStore(), finish: async () => {}, close: () => {} };
  }
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new TeapotError(ERROR_CODES.WRITE, `--work-dir ${folder}: can't be made`, { cause });
  });
  const runFile = join(folder, 'run.json');
  const described = JSON.stringify(settings);
  const earlier = await readFile(runFile, 'utf8').catch(() => undefined);
  if (earlier === undefined) {
    const strangers = await readdir(folder);
    if (strangers.length > 0)
      throw invalid(`--work-dir ${folder}: holds other files; give an empty folder or a new name`);
  } else {
    if (argv.resume !== true)
      throw invalid(`--work-dir ${folder}: holds a run already; add --resume to go on with it, or give a new name`);
    if (settingsIn(earlier, runFile) !== described) {
      throw invalid(
        `--work-dir ${folder}: holds a run with other settings (see run.json); give the same ones, or a new folder`,
      );
    }
  }
  const write = (status: 'running' | 'complete'): Promise<void> =>
    writeFileSafely(runFile, [`${JSON.stringify({ schema: 'teapot.run/1', status, settings }, null, 2)}\n`]);
  await write('running');
  const cache = await ResponseCache.open(join(folder, 'answers.sqlite'));
  const at = (name: string): string => join(folder, name);
  return {
    store: cache,
    async finish(records, hasReferences) {
      await writeRecords(at('records.jsonl'), records);
      await exportParallel(
        asyncOf(records),
        {
          src: at('src.txt'),
          advSrc: at('adv-src.txt'),
          out: at('out.txt'),
          advOut: at('adv-out.txt'),
          refs: hasReferences ? [at('ref.txt')] : [],
        },
        { lineBreaks: 'space' },
      );
      await write('complete');
    },
    close: () => cache.close(),
  };
}

function settingsIn(text: string, file: string): string {
  try {
    return JSON.stringify((JSON.parse(text) as { settings?: unknown }).settings);
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: is no run of teapot attack; give a new folder`, { cause });
  }
}

async function* asyncOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function recordOf(
  outcome: InputOutcome,
  recipe: AttackRecipe,
  model: string,
  settings: { readonly seed: number },
): AttackRecord {
  const { input, item } = outcome;
  return makeRecord({
    id: String(item + 1),
    unit: 'input',
    attack: recipe.name,
    model,
    source_model: model,
    src: input.text,
    adv_src: outcome.advSrc,
    out: outcome.out,
    adv_out: outcome.advOut,
    ref: input.ref === undefined ? null : typeof input.ref === 'string' ? input.ref : [...input.ref],
    result: outcome.result,
    queries: outcome.queries,
    provenance: {
      tool: 'teapot',
      version: version(),
      file: null,
      line: null,
      settings: { ...settings },
      seed: settings.seed,
    },
    extra: {
      edits: outcome.edits,
      goal_score_original: outcome.originalScore,
      goal_score_attacked: outcome.attackedScore,
      ...(outcome.reason === null ? {} : { reason: outcome.reason }),
    },
  });
}

type Scoring = Omit<Parameters<typeof scoreBatch>[1], 'signal'>;

/** The records with what was measured of them. */
async function measure(records: readonly AttackRecord[], scoring: Scoring): Promise<AttackRecord[]> {
  const measured: AttackRecord[] = [];
  for (let from = 0; from < records.length; from += SCORED_RECORDS) {
    const batch = await scoreBatch(records.slice(from, from + SCORED_RECORDS), { ...scoring, signal: interruptSignal });
    for (const one of batch) {
      if (one.measured !== null) one.record.measured = Object.assign<Record<string, unknown>, object>({}, one.measured);
      measured.push(one.record);
    }
  }
  return measured;
}

function summarise(
  outcomes: readonly InputOutcome[],
  records: readonly AttackRecord[],
  counters: VictimCounters,
  settings: { readonly attack: string; readonly goal: string },
): InputAttackSummary {
  const count = (result: InputOutcome['result']): number => outcomes.filter((one) => one.result === result).length;
  const counts = {
    successful: count('successful'),
    failed: count('failed'),
    skipped: count('skipped'),
    error: count('error'),
  };
  const attacked = outcomes.filter(({ result }) => result === 'successful' || result === 'failed');
  const won = records.filter(({ result }) => result === 'successful');
  return {
    attack: settings.attack,
    goal: settings.goal,
    n: outcomes.length,
    counts,
    rates: outcomeRates(counts),
    queries: attacked.reduce((sum, { queries }) => sum + queries, 0),
    meanQueries: mean(attacked.map(({ queries }) => queries)),
    meanEdits: mean(outcomes.filter(({ result }) => result === 'successful').map(({ edits }) => edits.length)),
    meanSSrc: mean(won.flatMap(({ measured }) => (typeof measured?.s_src === 'number' ? [measured.s_src] : []))),
    teapotSuccesses: records.filter(({ measured }) => measured?.success === true).length,
    calls: counters.calls,
    cached: counters.cached,
    tokens: { prompt: counters.promptTokens, completion: counters.completionTokens },
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
