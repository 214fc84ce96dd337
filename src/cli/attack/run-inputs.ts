import { attackInputs } from '../../attack/attack-inputs.js';
import type { InputOutcome } from '../../attack/attack-inputs.js';
import { transformationsOf } from '../../attack/blocks/transformations.js';
import { goalName } from '../../attack/goal.js';
import type { Goal } from '../../attack/goal.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { attackRecipe } from '../../attack/recipes.js';
import { ERROR_CODES, TeapotError } from '../../errors.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';
import { scoreRecords } from '../../record/score-records.js';
import { numberNames, numbersOf } from '../../report/columns.js';
import type { Scorer } from '../../score/scorer.js';
import { DEFAULT_BOOTSTRAP } from '../../measure/intervals.js';
import { version } from '../../version.js';
import { fileDigest } from '../../digest.js';
import { readListText } from '../../read/list.js';
import { answerAll } from '../../victim/answer-all.js';
import { autocorrect } from '../../victim/autocorrect.js';
import type { Autocorrect } from '../../victim/autocorrect.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import type { VictimCounters } from '../../victim/cached-victim.js';
import { createVictim } from '../../victim/create-victim.js';
import type { RequestCounts, Victim } from '../../victim/victim.js';
import { checkGateNames, enforceGates } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { wantsColor } from '../color.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { Note } from '../notes.js';
import { startProgress } from '../progress.js';
import { openScorers } from '../scorers.js';
import { invalid } from '../values.js';
import { attackOf, readKept } from './resources.js';
import type { Kept } from './resources.js';
import { surveyInputs } from './plan.js';
import type { AttackRunArguments, Inputs, RunWithin } from './plan.js';
import { INPUT_ATTACK_COLUMNS, inputAttackReport, showOutcome } from './report.js';
import type { Accuracy, InputAttackSummary } from './report.js';
import { ParallelFiles } from '../../record/export/parallel.js';
import { RecordFile } from '../../record/write.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import { openRunFolder } from './run-folder.js';
import type { RunFolderOptions } from './run-folder.js';
import { renderJson } from '../../report/json.js';
import { printResult } from '../terminal.js';
import { columnsAfter, columnsBefore } from '../../attack/input-columns.js';
import type { Measured } from '../../record/measured.js';
import { outcomeRates, share } from '../../measure/denominators.js';

/** What compares outputs unless another metric is named. */
const TARGET_METRIC = 'zero_one';

/**
 * Attacks inputs, writes `records.jsonl` and parallel files into `--work-dir`, and prints the summary.
 *
 * With `--resume`, the answers that an earlier run of the same settings paid for are taken from its cache: the run ends with the
 * same bytes as one that was never disturbed.
 *
 * @throws {UsageError} for arguments that don't fit; what the victim, the scorers and the files throw.
 */
export async function runInputAttack(argv: AttackRunArguments, victim?: RunWithin['victim']): Promise<void> {
  const note = createNote(argv);
  const format = gatedFormat(argv);
  checkGateNames(argv.failIf ?? [], numberNames(INPUT_ATTACK_COLUMNS));
  if (argv.dryRun === true) {
    if (format !== 'text' && format !== 'json') throw invalid(`--dry-run has text or json, not ${format}.`);
    const estimate = await estimateInputAttack(argv);
    const text = format === 'json' ? renderJson({ schema: 'teapot.attack-estimate/1', ...estimate }) : shown(estimate);
    await printResult(text, { output: argv.output, format });
    return;
  }
  const { summary, settings, warnings, failure } = await measureInputAttack(argv, note, { victim });
  const verdicts = await printGated(argv, {
    suite: 'teapot attack',
    signature: JSON.stringify(settings),
    rows: [{ group: null, numbers: numbersOf(INPUT_ATTACK_COLUMNS, summary) }],
    render: (asked) => inputAttackReport(summary, asked),
  });
  for (const warning of warnings) note(warning);
  if (failure !== undefined) throw new TeapotError(ERROR_CODES.ENDPOINT, failure);
  if (argv.workDir === undefined) note('Note: without --work-dir nothing is kept of this run but the summary.');
  enforceGates(verdicts);
}

/** The most that an attack on inputs may cost. */
export async function estimateInputAttack(argv: AttackRunArguments): Promise<InputEstimate> {
  attackOf(argv, attackRecipe);
  const { count } = await surveyInputs(argv);
  return { inputs: count, queries: argv.queryBudget === undefined ? null : count * argv.queryBudget };
}

/** The most that an attack on inputs may cost. */
export interface InputEstimate {
  readonly inputs: number;
  /** Null without a query budget: it depends on the texts. */
  readonly queries: number | null;
}

function shown({ inputs, queries }: InputEstimate): string {
  return `Inputs:\t${inputs}\nQueries, at most:\t${queries ?? 'no limit without --query-budget'}\n`;
}

/** What came of an attack on inputs. */
export interface InputAttackResult {
  readonly summary: InputAttackSummary;
  readonly settings: Readonly<Record<string, unknown>>;
  /** What the user must be told of the run. */
  readonly warnings: readonly string[];
  /** Why the run was in vain, if it was. */
  readonly failure: string | undefined;
}

/**
 * Attacks inputs, and writes their records and parallel files into the work folder.
 *
 * @throws {UsageError} for arguments that don't fit; what the victim, the scorers and the files throw.
 */
export async function measureInputAttack(
  argv: AttackRunArguments,
  note: Note,
  within: RunWithin = {},
): Promise<InputAttackResult> {
  const { recipe, constraints } = attackOf(argv, attackRecipe);
  const inputs = await surveyInputs(argv);
  const plan = readPlan(argv);
  const kept = await readKept({ ...argv, ...constraints }, recipe, note);
  const { sSrc, sTgt } = await openScorers(argv, { sSrc: 'chrf', sTgt: recipe.metric ?? TARGET_METRIC }, note);
  const goal = readGoal(argv, recipe, sTgt);
  if (goal.target !== undefined && inputs.labels?.includes(goal.target) === false) {
    note(
      `Warning: --target ${goal.target} is none of the labels of the inputs: ${inputs.labels.slice(0, 10).join(', ')}.`,
    );
  }
  const bare = await createVictim(argv.model ?? 'lexicon', {
    ...within.victim,
    labels: inputs.labels,
    baseUrl: argv.baseUrl,
    onNote: note,
  });
  const model = within.modelName ?? bare.name;
  const defence = await readAutocorrect(argv, inputs);
  const settings = describeRun(recipe, goal, plan, kept, { victim: bare, sSrc, sTgt, inputs, defence });
  const counters = newCounters();
  const run = await openRun(argv, settings, inputs.hasReferences, within.store === undefined ? note : () => {}, {
    isFree: bare.isFree,
    store: bare.isFree === true ? undefined : within.store,
  });
  const victim = cachedVictim(bare, run.store, counters);
  const tally = new InputAttackTally(inputs.labels);
  const reached = (): string => `${tally.successful} successful · ${counters.calls + counters.cached} queries`;
  const progress = startProgress({ unit: 'inputs', quiet: argv.quiet, detail: reached });
  const attacks = attackInputs(inputs.read(), {
    ...plan,
    recipe,
    victim,
    goal,
    keep: kept.keep,
    models: kept.models,
    minEncoderCosine: kept.minEncoderCosine,
    signal: interruptSignal,
  });
  const colorOfMessages = wantsColor(argv, process.stderr);
  async function* records(): AsyncGenerator<AttackRecord> {
    for await (const outcome of attacks) {
      tally.add(outcome);
      const metric = argv.sTgt ?? recipe.metric ?? TARGET_METRIC;
      const record = recordOf(outcome, within.attackName ?? recipe.name, model, settings, metric);
      if (argv.verbose === true) {
        progress.stop();
        const { id, result, queries, src, adv_src: advSrc, out, adv_out: advOut } = record;
        await showOutcome({ id, result, queries, src, advSrc, before: out, after: advOut }, colorOfMessages);
      }
      if (defence !== undefined) {
        const corrected = await correctedOutcome(outcome, victim, defence);
        tally.addCorrected(outcome, corrected);
        if (corrected !== undefined) record.extra['autocorrect'] = corrected;
      }
      progress.onProgress(tally.n, inputs.count);
      yield record;
    }
  }
  // Each record is on disk as soon as it is found.
  const { successThreshold } = plan;
  const scoring = { sSrc, sTgt, successThreshold, blockSize: 256, asTheyCome: true, signal: interruptSignal };
  try {
    for await (const { record, measured } of scoreRecords(records(), scoring)) {
      if (measured !== null) record.measured = { ...measured };
      const ofColumns = await scoreColumns(record, sSrc);
      tally.addMeasured(record.result, measured, ofColumns);
      if (ofColumns !== undefined) record.extra['s_src_columns'] = ofColumns;
      await run.write(record);
    }
    await run.complete();
    progress.stop();
    const unused = kept.unused();
    return {
      summary: tally.summary(counters, settings, victim.requests),
      settings,
      warnings: [...tally.warnings(), ...(unused === undefined ? [] : [unused])],
      failure: tally.failure,
    };
  } finally {
    progress.stop();
    await run.close();
    await victim.close?.();
    await sSrc.close?.();
    await sTgt.close?.();
  }
}

/** What corrects texts, as `--autocorrect` says. */
async function readAutocorrect(argv: AttackRunArguments, inputs: Inputs): Promise<Autocorrect | undefined> {
  const { autocorrect: source } = argv;
  if (source === undefined) return undefined;
  if (!inputs.hasReferences) {
    throw invalid(
      '--autocorrect compares accuracies, and the inputs have no labels: give them with --ref, or ref= in --columns',
    );
  }
  if (source === 'fold') return autocorrect();
  const words = (await readListText(source, 'words')).split('\n');
  if (words.every((word) => word.trim() === '')) throw invalid(`--autocorrect ${source}: has no words`);
  return autocorrect(words, (await fileDigest(source, Number.POSITIVE_INFINITY)) ?? source);
}

/** Corrected texts of an outcome, and what the victim says to them. */
interface Corrected {
  readonly src: string;
  readonly adv_src: string;
  readonly out: string;
  readonly adv_out: string;
}

/** Asks about the original and the attacked text once more, corrected; undefined where either has no answer. */
async function correctedOutcome(
  { input, advSrc, out, advOut }: InputOutcome,
  victim: Victim,
  { correct }: Autocorrect,
): Promise<Corrected | undefined> {
  if (out === null || advOut === null || input.ref === undefined) return undefined;
  const [src = '', adv = ''] = await correct([input.text, advSrc ?? input.text], { signal: interruptSignal });
  const [before, after] = await answerAll(victim, [src, adv], { signal: interruptSignal });
  if (before === undefined || after === undefined || before.state === 'error' || after.state === 'error')
    return undefined;
  return { src, adv_src: adv, out: before.output, adv_out: after.output };
}

/** s_src of each column of an input of several; undefined of other inputs. */
async function scoreColumns(
  { columns }: AttackRecord,
  scorer: Scorer,
): Promise<Readonly<Record<string, number>> | undefined> {
  const { original, perturbed } = columns ?? {};
  if (original === undefined || perturbed === undefined || perturbed === null) return undefined;
  const names = Object.keys(original);
  const scores = await scorer.score(
    names.map((name) => perturbed[name] ?? ''),
    names.map((name) => [original[name] ?? '']),
  );
  return Object.fromEntries(names.map((name, index) => [name, scores[index] ?? 0]));
}

interface Plan {
  readonly queryBudget: number;
  readonly seed: number;
  readonly parallel: number;
  readonly successThreshold: number;
  readonly countRefusals: boolean;
}

function readPlan({
  queryBudget = Number.POSITIVE_INFINITY,
  seed = DEFAULT_BOOTSTRAP.seed,
  parallel,
  successThreshold,
  countRefusals = false,
}: AttackRunArguments): Plan {
  return { queryBudget, seed, parallel, successThreshold, countRefusals };
}

/** Goals that are reached at a threshold. */
const WITH_THRESHOLD: ReadonlySet<string> = new Set(['untargeted', 'minimise-metric', 'maximise-d-tgt']);

function readGoal(argv: AttackRunArguments, recipe: AttackRecipe, scorer: Scorer): Goal {
  const name = goalName(argv.goal ?? recipe.goal ?? 'untargeted');
  if ((name === 'targeted') !== (argv.target !== undefined)) {
    throw invalid('--target goes with --goal targeted, and the other way round: give both or none');
  }
  if (
    name === 'input-reduction' &&
    argv.transformation !== undefined &&
    !transformationsOf(recipe).some(takesWordsAway)
  ) {
    throw invalid(
      `--goal input-reduction takes words away, and ${transformationsOf(recipe).join(', ')} do not: --transformation word-delete`,
    );
  }
  if (argv.goalThreshold !== undefined && !WITH_THRESHOLD.has(name)) {
    throw invalid(`--goal-threshold goes with --goal ${[...WITH_THRESHOLD].join(', ')}: leave it out`);
  }
  return {
    name,
    target: argv.target,
    scorer,
    threshold: argv.goalThreshold ?? (argv.goal === undefined ? recipe.goalThreshold : undefined),
  };
}

function takesWordsAway(transformation: string): boolean {
  return /^(?:word-delete|word-drop|contract|masked-merge)(?::|$)/u.test(transformation);
}

/** Everything that can change the results of a run, as it stands in `run.json` and in every record. */
function describeRun(
  recipe: AttackRecipe,
  goal: Goal,
  plan: Plan,
  { keep, signature, without }: Kept,
  used: {
    readonly victim: Victim;
    readonly sSrc: Scorer;
    readonly sTgt: Scorer;
    readonly inputs: Inputs;
    readonly defence: Autocorrect | undefined;
  },
) {
  return {
    attack: recipe.name,
    transformations: transformationsOf(recipe),
    search: recipe.search.name,
    goal: goal.name,
    target: goal.target ?? null,
    goal_threshold: goal.threshold ?? null,
    query_budget: Number.isFinite(plan.queryBudget) ? plan.queryBudget : null,
    seed: plan.seed,
    constraints: { ...(recipe.keepsStopWords === true && { stopWords: 'english' }), ...recipe.constraints, ...keep },
    without,
    resources: signature,
    victim: used.victim.signature,
    s_src: used.sSrc.signature,
    s_tgt: used.sTgt.signature,
    success_threshold: plan.successThreshold,
    count_refusals: plan.countRefusals,
    ...(used.defence !== undefined && { autocorrect: used.defence.signature }),
    inputs: used.inputs.signature,
    version: version(),
  };
}

/** Where a run keeps its answers and its results. */
export interface Run {
  readonly store: AnswerStore;
  /** Adds a record to the results. */
  write(record: AttackRecord): Promise<void>;
  /** Completes the files of results, and marks the run as complete. */
  complete(): Promise<void>;
  /** Closes what is open; parallel files that are not complete are given up, records and answers are kept. */
  close(): Promise<void>;
}

/**
 * Opens `--work-dir`; without one, nothing outlives the run.
 *
 * @param settings Everything that can change the results: a run goes on only with the same.
 * @param hasReferences Whether the records have references.
 * @param note Is told how to go on with a run that is closed before it is complete.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the folder holds something else; `ERR_TEAPOT_FORMAT` when its run can't be read.
 */
export async function openRun(
  argv: Pick<AttackRunArguments, 'workDir' | 'resume'>,
  settings: object,
  hasReferences: boolean,
  note: Note,
  options: RunFolderOptions,
): Promise<Run> {
  const folder = await openRunFolder(argv.workDir, settings, argv.resume === true, note, options);
  const { store, path, complete, close } = folder;
  try {
    const files = await openResults(path, hasReferences);
    return {
      store,
      async write(record) {
        for (const file of files) await file.write(record);
      },
      async complete() {
        for (const file of files) await file.commit();
        await complete();
      },
      async close() {
        for (const file of files) await file.discard();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function openResults(
  path: (name: string) => string | undefined,
  hasReferences: boolean,
): Promise<readonly (RecordFile | ParallelFiles)[]> {
  const recordsPath = path('records.jsonl');
  if (recordsPath === undefined) return [];
  const records = await RecordFile.open(recordsPath, { isLive: true });
  try {
    const paths = {
      src: path('src.txt'),
      advSrc: path('adv-src.txt'),
      out: path('out.txt'),
      advOut: path('adv-out.txt'),
      refs: hasReferences ? [path('ref.txt') ?? ''] : [],
    };
    return [records, await ParallelFiles.open(paths, { lineBreaks: 'space' })];
  } catch (error) {
    await records.discard();
    throw error;
  }
}

/**
 * The record of an outcome.
 *
 * @param metric What compares outputs, as `--s-tgt` names it: the records are scored by it later.
 */
export function recordOf(
  outcome: InputOutcome,
  attack: string,
  model: string,
  settings: { readonly seed: number; readonly version: string },
  metric: string,
): AttackRecord {
  const { input, item } = outcome;
  return makeRecord({
    id: String(item + 1),
    unit: 'input',
    attack,
    model,
    source_model: model,
    src: input.text,
    adv_src: outcome.advSrc,
    out: outcome.out,
    adv_out: outcome.advOut,
    ref: input.ref === undefined ? null : typeof input.ref === 'string' ? input.ref : [...input.ref],
    columns:
      input.columns === undefined
        ? null
        : {
            original: columnsBefore(input.columns),
            perturbed: outcome.advSrc === null ? null : columnsAfter(input.columns, outcome.edits),
          },
    metric,
    result: outcome.result,
    queries: outcome.queries,
    provenance: {
      tool: 'teapot',
      version: settings.version,
      file: null,
      line: null,
      settings: { ...settings },
      seed: settings.seed,
    },
    extra: {
      edits: outcome.edits,
      out_state: outcome.outState,
      adv_out_state: outcome.advOutState,
      goal_score_original: outcome.originalScore,
      goal_score_attacked: outcome.attackedScore,
      ...(outcome.reason === null ? {} : { reason: outcome.reason }),
    },
  });
}

/** So many errors are told one by one. */
const TOLD_ERRORS = 5;

/** What the summary says besides counts. */
export interface TallySettings {
  readonly attack: string;
  readonly goal: string;
  readonly without: readonly string[];
}

/** The shares of right answers; null of no inputs. */
function accuracyOf({
  inputs,
  before,
  underAttack,
}: {
  inputs: number;
  before: number;
  underAttack: number;
}): Accuracy | null {
  return inputs === 0 ? null : { before: share(before, inputs), underAttack: share(underAttack, inputs) };
}

/** Counts up what became of the inputs of a run, one by one, so that none has to be kept. */
export class InputAttackTally {
  readonly #counts = { successful: 0, failed: 0, skipped: 0, error: 0 };
  /** Inputs with a label and both answers, and how many of the answers are right. */
  readonly #labelled = { inputs: 0, before: 0, underAttack: 0 };
  /** The same of corrected texts. */
  readonly #corrected = { inputs: 0, before: 0, underAttack: 0 };
  /** s_src of the successful attacks by column. */
  readonly #columnSums = new Map<string, number>();
  readonly #sums = { queries: 0, edits: 0, sSrc: 0 };
  /** Inputs whose original has no answer: it was refused, filtered … */
  #unanswered = 0;
  #firstNone: string | undefined;
  #hasLabels = false;
  #won = 0;
  #successes = 0;
  readonly #errors: string[] = [];
  readonly #labels: ReadonlySet<string> | undefined;
  #firstAnswer: string | undefined;
  #hasLabelAnswer = false;

  /** @param labels The labels of the inputs, where there are any. */
  constructor(labels: readonly string[] | undefined) {
    this.#labels = labels === undefined ? undefined : new Set(labels);
  }

  /** Inputs so far. */
  get n(): number {
    const { successful, failed, skipped, error } = this.#counts;
    return successful + failed + skipped + error;
  }

  /** Attacks that reached their goal so far. */
  get successful(): number {
    return this.#counts.successful;
  }

  /** Counts an outcome. */
  add(outcome: InputOutcome): void {
    const { input, item, result, out, advOut, queries, edits } = outcome;
    this.#counts[result] += 1;
    if (result === 'successful' || result === 'failed') this.#sums.queries += queries;
    if (result === 'successful') this.#sums.edits += edits.length;
    if (result === 'error' && this.#errors.length < TOLD_ERRORS) {
      this.#errors.push(`input ${item + 1}: ${outcome.reason ?? ''}`);
    }
    const { outState } = outcome;
    const isNone = outState !== null && outState !== 'answered' && outState !== 'length';
    if (result === 'skipped' && isNone) {
      this.#unanswered += 1;
      this.#firstNone ??= outState;
    }
    if (out !== null) {
      this.#firstAnswer ??= out;
      this.#hasLabelAnswer ||= this.#labels?.has(out) === true;
    }
    this.#hasLabels ||= input.ref !== undefined;
    if (input.ref === undefined || out === null || advOut === null || isNone) return;
    const labels = new Set([input.ref].flat());
    this.#labelled.inputs += 1;
    if (labels.has(out)) this.#labelled.before += 1;
    if (labels.has(advOut)) this.#labelled.underAttack += 1;
  }

  /** Counts what the victim says to the corrected texts of an outcome. */
  addCorrected(
    { input }: InputOutcome,
    corrected: { readonly out: string; readonly adv_out: string } | undefined,
  ): void {
    if (corrected === undefined || input.ref === undefined) return;
    const labels = new Set([input.ref].flat());
    this.#corrected.inputs += 1;
    if (labels.has(corrected.out)) this.#corrected.before += 1;
    if (labels.has(corrected.adv_out)) this.#corrected.underAttack += 1;
  }

  /** Counts what was measured of an outcome's record. */
  addMeasured(
    result: string | null,
    measured: Measured | null,
    ofColumns: Readonly<Record<string, number>> | undefined,
  ): void {
    if (measured?.success === true) this.#successes += 1;
    if (result !== 'successful' || typeof measured?.s_src !== 'number') return;
    this.#sums.sSrc += measured.s_src;
    this.#won += 1;
    for (const [name, score] of Object.entries(ofColumns ?? {})) {
      this.#columnSums.set(name, (this.#columnSums.get(name) ?? 0) + score);
    }
  }

  /** The counts, rates and means so far. */
  summary(counters: VictimCounters, settings: TallySettings, requests?: RequestCounts): InputAttackSummary {
    const counts = { ...this.#counts };
    const attacked = counts.successful + counts.failed;
    return {
      attack: settings.attack,
      goal: settings.goal,
      without: settings.without,
      n: this.n,
      counts,
      rates: outcomeRates(counts),
      hasLabels: this.#hasLabels,
      accuracy: accuracyOf(this.#labelled),
      autocorrect: accuracyOf(this.#corrected),
      queries: this.#sums.queries,
      meanQueries: mean(this.#sums.queries, attacked),
      meanEdits: mean(this.#sums.edits, counts.successful),
      meanSSrc: mean(this.#sums.sSrc, this.#won),
      sSrcColumns:
        this.#columnSums.size === 0
          ? null
          : Object.fromEntries([...this.#columnSums].map(([name, sum]) => [name, sum / this.#won])),
      teapotSuccesses: this.#successes,
      calls: counters.calls,
      cached: counters.cached,
      tokens: { prompt: counters.promptTokens, completion: counters.completionTokens },
      nonAnswers: counters.nonAnswers,
      requests,
    };
  }

  /** Why the run was in vain: every input ended in an error, or its answer is none. Undefined when one did not. */
  get failure(): string | undefined {
    if (this.n === 0 || this.#counts.error + this.#unanswered < this.n) return undefined;
    return `the victim answered none of the ${this.n} inputs; ${this.#errors[0] ?? `the first one: ${this.#firstNone}`}`;
  }

  /** What the user must be told of the run. */
  warnings(): string[] {
    const told = this.#errors.map((error) => `Warning: ${error}`);
    const more = this.#counts.error - told.length;
    if (more > 0) told.push(`Warning: ${more} more errors; see the records.`);
    if (this.#labels !== undefined && this.#firstAnswer !== undefined && !this.#hasLabelAnswer) {
      const shown = JSON.stringify(this.#firstAnswer.slice(0, 60));
      told.push(
        `Warning: no answer of the victim is one of the labels; the first one is ${shown}. They must agree letter by letter.`,
      );
    }
    return told;
  }
}

function mean(sum: number, count: number): number | null {
  return count === 0 ? null : sum / count;
}
