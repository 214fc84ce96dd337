import { createHash } from 'node:crypto';
import { attackPrompts } from '../../attack/attack-prompts.js';
import type { PromptOutcome, RankedPrompt } from '../../attack/attack-prompts.js';
import { transformationsOf } from '../../attack/blocks/transformations.js';
import { PARAPHRASE_TOKENS } from '../../attack/paraphrase.js';
import { ERROR_CODES, TeapotError, UsageError } from '../../errors.js';
import {
  PROMPT_ATTACK_COLUMNS,
  attackLog,
  nothingAnswered,
  promptAttackReport,
  promptAttackRows,
  promptRecordsOf,
  showOutcome,
  shownScore,
} from './report.js';
import { evaluatePrompt } from '../../attack/evaluate-prompt.js';
import type { EvaluatePromptOptions } from '../../attack/evaluate-prompt.js';
import { writeFileSafely } from '../../output-file.js';
import { RecordFile } from '../../record/write.js';
import { version } from '../../version.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import type { Victim } from '../../victim/victim.js';
import { csvOf, gridOf, numberNames, numbersOf } from '../../report/columns.js';
import type { ValueColumn } from '../../report/columns.js';
import { checkGateNames, enforceGates } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { wantsColor } from '../color.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { startProgress } from '../progress.js';
import { loadPromptTask, planPromptAttack, promptVictim } from './plan.js';
import type { AttackRunArguments, ConfigSource, PreparedCandidates, PromptPlan, RunWithin } from './plan.js';
import type { PromptAttackSummary } from './report.js';
import type { Note } from '../notes.js';
import { openRunFolder } from './run-folder.js';
import { invalid } from '../values.js';
import { printResult } from '../terminal.js';
import { performanceDropRate } from '../../measure/performance-drop-rate.js';
import { UNDEFINED_REASON } from '../../measure/undefined-reason.js';
import { openSource } from '../../read/source-file.js';
import { recordKind } from '../../record/kind.js';
import { readRecords } from '../../record/read.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';
import type { TableFormat } from '../../report/formats.js';
import { cellText } from '../../report/grid.js';
import { renderJson } from '../../report/json.js';
import { renderGrids } from '../../report/render-grids.js';
import type { Task } from '../../task/task.js';

/** Code points that one token has, about: the estimate of `--dry-run`. */
const CODE_POINTS_A_TOKEN = 4;

/** With a larger share of outputs that can't be read, a score says more about the format of the answers than about the prompt. */
const UNPARSED_SHARE = 0.1;

/**
 * Attacks the best prompts of a list on a data set and prints a table with PDR.
 *
 * Writes into `--work-dir`: `attacklog.txt` as OpenCompass has it, `records.jsonl`, `predictions.jsonl`, `run.json` and the
 * cache of answers. The bytes are the same for a run that was killed and resumed.
 *
 * @throws {UsageError} for arguments that don't fit; what the victim and the files throw.
 */
export async function runPromptAttack(argv: AttackRunArguments, source: ConfigSource): Promise<void> {
  const note = createNote(argv);
  const format = gatedFormat(argv);
  checkGateNames(argv.failIf ?? [], numberNames(PROMPT_ATTACK_COLUMNS), ['rank']);
  const plan = await planPromptAttack(argv, source, note);
  if (argv.dryRun === true) {
    if (format !== 'text' && format !== 'json') throw invalid(`--dry-run has text or json, not ${format}.`);
    await printResult(estimate(plan, format), { output: argv.output, format });
    return;
  }
  const { summary, settings, failure } = await measurePromptAttack(argv, plan, note);
  const verdicts = await printGated(argv, {
    suite: 'teapot attack',
    signature: JSON.stringify(settings),
    rows: promptAttackRows(summary),
    render: (asked) => promptAttackReport(summary, asked),
  });
  for (const warning of promptWarnings(summary)) note(warning);
  if (failure !== undefined) throw new TeapotError(ERROR_CODES.ENDPOINT, failure);
  enforceGates(verdicts);
}

/** What came of an attack on prompts. */
export interface PromptAttackResult {
  readonly summary: PromptAttackSummary;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Why the run was in vain, if it was. */
  readonly failure: string | undefined;
}

/**
 * Attacks the best prompts of a plan, and writes log, records and predictions into the work folder.
 *
 * @throws What the victim and the files throw.
 */
export async function measurePromptAttack(
  argv: AttackRunArguments,
  plan: PromptPlan,
  note: Note,
  within: RunWithin = {},
): Promise<PromptAttackResult> {
  const { task, prompts, recipe } = plan;
  const bare = await promptVictim(plan, note);
  const candidates = await plan.candidates.prepare();
  const settings = settingsOf(plan, bare, candidates.constraints, argv.countRefusals === true);
  const model = within.modelName ?? bare.name;
  const { store } = within;
  // The whole matrix says how to go on.
  const onEnd = store === undefined ? note : () => {};
  const run = await openRunFolder(plan.workDir, settings, argv.resume === true, onEnd, {
    isFree: bare.isFree,
    store: bare.isFree === true ? undefined : store,
  });
  const counters = newCounters();
  const victim = cachedVictim(bare, run.store, counters);
  // The scores while prompts are ranked, then the lowest one that the attack on the current prompt has reached.
  const reached = { before: null as number | null, lowest: null as number | null };
  const best = (): string => {
    const { before, lowest } = reached;
    const now = before === null ? 'ranking' : `score ${shownScore(before)}, lowest ${shownScore(lowest ?? before)}`;
    return `${now} · ${counters.calls + counters.cached} queries`;
  };
  const progress = startProgress({ unit: 'passes', quiet: argv.quiet, detail: best });
  const most = prompts.length + Math.min(plan.topK, prompts.length) * plan.queryBudget;
  let ranking: readonly RankedPrompt[] = [];
  const outcomes: PromptOutcome[] = [];
  const recordOf = promptRecordsOf({ plan, model, attack: within.attackName, settings });
  let records: RecordFile | undefined;
  const writeLog = async (): Promise<void> => {
    const path = run.path('attacklog.txt');
    if (path !== undefined) await writeFileSafely(path, [attackLog(ranking, outcomes)]);
  };
  try {
    const recordsPath = run.path('records.jsonl');
    if (recordsPath !== undefined) records = await RecordFile.open(recordsPath, { isLive: true });
    for await (const outcome of attackPrompts({
      task,
      prompts,
      recipe,
      sourceOf: candidates.sourceOf(run.store),
      seed: plan.seed,
      victim,
      queryBudget: plan.queryBudget,
      topK: plan.topK,
      countRefusals: argv.countRefusals,
      signal: interruptSignal,
      onRanking: async (ranked) => {
        ranking = ranked;
        reached.before = ranked[0]?.score ?? null;
        await writeLog();
      },
      onPass: (passes, score) => {
        if (reached.before !== null) reached.lowest = Math.min(reached.lowest ?? score, score);
        progress.onProgress(passes, most);
      },
    })) {
      outcomes.push(outcome);
      await records?.write(recordOf.attacked(outcome));
      Object.assign(reached, { before: ranking[outcomes.length]?.score ?? outcome.original.score, lowest: null });
      if (argv.verbose === true) {
        progress.stop();
        const { original, attackedPrompt, attackedScore, result, queries } = outcome;
        const [before, after] = [original.score, attackedScore].map(shownScore);
        const texts = { src: original.prompt, advSrc: attackedPrompt, before: before ?? null, after: after ?? null };
        await showOutcome(
          { id: `prompt ${original.rank}`, result, queries, ...texts },
          wantsColor(argv, process.stderr),
        );
      }
      await writeLog();
    }
    const spent = { ...counters, nonAnswers: { ...counters.nonAnswers } };
    for (const prompt of ranking.slice(outcomes.length)) await records?.write(recordOf.ranked(prompt));
    await records?.commit();
    const predictions = run.path('predictions.jsonl');
    if (predictions !== undefined) {
      await writeFileSafely(
        predictions,
        predictionLines(ranking, outcomes, plan, victim, argv.countRefusals),
        interruptSignal,
      );
    }
    await run.complete();
    progress.stop();
    const isInVain = ranking.length > 0 && ranking.every(({ refused }) => refused === task.items.length);
    return {
      summary: { ranking, outcomes, plan, model, counters: spent, requests: victim.requests },
      settings,
      failure: isInVain ? nothingAnswered(spent) : undefined,
    };
  } finally {
    progress.stop();
    await records?.discard();
    run.close();
    await candidates.close();
    await victim.close?.();
  }
}

/** Everything that decides the bytes of the run's files. */
function settingsOf(
  plan: PromptPlan,
  victim: Victim,
  constraints: PreparedCandidates['constraints'],
  countRefusals: boolean,
): Readonly<Record<string, unknown>> {
  const { task } = plan;
  return {
    kind: 'prompt',
    attack: plan.recipe.name,
    transformations: transformationsOf(plan.recipe),
    search: plan.recipe.search.name,
    dataset: task.name,
    items: task.items.length,
    task: task.signature,
    metric: task.metric,
    scale: task.scale,
    prompts: createHash('sha256').update(JSON.stringify(plan.prompts)).digest('hex'),
    prompt_count: plan.prompts.length,
    shot: plan.shot,
    generate_len: plan.generateLen,
    query_budget: plan.queryBudget,
    prompt_topk: plan.topK,
    count_refusals: countRefusals,
    seed: plan.seed,
    constraints: createHash('sha256').update(JSON.stringify(constraints)).digest('hex'),
    victim: victim.signature,
    version: version(),
  };
}

/** What was answered to every prompt of the ranking and to every attacked prompt: one object an item, tied to its prompt. */
async function* predictionLines(
  ranking: readonly RankedPrompt[],
  outcomes: readonly PromptOutcome[],
  { task }: PromptPlan,
  victim: Victim,
  countRefusals: boolean | undefined,
): AsyncGenerator<string> {
  const asked = [
    ...ranking.map(({ prompt, rank }) => ({ prompt, rank, role: 'original', of: undefined })),
    ...outcomes.flatMap(({ attackedPrompt, original, edits }) =>
      attackedPrompt === null || edits.length === 0
        ? []
        : [{ prompt: attackedPrompt, rank: original.rank, role: 'attacked', of: original.prompt }],
    ),
  ];
  for (const { prompt, rank, role, of } of asked) {
    const options = { countRefusals, signal: interruptSignal };
    const original = of === undefined ? undefined : (await evaluatePrompt(of, task, victim, options)).outputs;
    const evaluation = await evaluatePrompt(prompt, task, victim, { ...options, original });
    const { outputs, states, answers, perItem } = evaluation;
    const lines = task.items.map((item, index) =>
      JSON.stringify({
        role,
        rank,
        prompt,
        id: item.id,
        output: outputs[index],
        state: states[index],
        answer: answers[index],
        ref: item.answers,
        score: perItem[index],
      }),
    );
    yield `${lines.join('\n')}\n`;
  }
}

/** What the user must be told of a run. */
export function promptWarnings({ ranking, outcomes, plan }: PromptAttackSummary): readonly string[] {
  const items = plan.task.items.length;
  const warnings: string[] = [];
  const note = (text: string): void => {
    warnings.push(text);
  };
  const unclear = ranking.filter(({ unparsed }) => unparsed > items * UNPARSED_SHARE);
  if (unclear.length > 0) {
    const worst = Math.max(...unclear.map(({ unparsed }) => unparsed));
    note(
      `Warning: with ${unclear.length} of ${ranking.length} prompts more than ${UNPARSED_SHARE * 100} % of the outputs hold no answer ` +
        `that can be read (${worst} of ${items} at worst): their scores and PDR say little. See predictions.jsonl`,
    );
  }
  const refused = ranking.reduce((sum, one) => sum + one.refused, 0);
  if (refused > 0) {
    note(
      `Warning: ${refused} answers of the ranking are none (see "state" in predictions.jsonl): they count as empty outputs`,
    );
  }
  for (const { original, attackedUnparsed, damaged } of outcomes) {
    if ((attackedUnparsed ?? 0) > original.unparsed + items * UNPARSED_SHARE) {
      note(
        `Warning: under attack, prompt ${original.rank} has ${attackedUnparsed ?? 0} outputs of ${items} that can't be read ` +
          `(${original.unparsed} before): its PDR is partly that`,
      );
    }
    if (damaged.length > 0) note(`Warning: the attacked prompt ${original.rank} has lost ${damaged.join(', ')}`);
  }
  return warnings;
}

/** The most that an attack on prompts may cost. */
export interface PromptEstimate {
  readonly items: number;
  readonly prompts: number;
  /** Over the data set. */
  readonly passes: number;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** The most that an attack on prompts may cost: nothing is asked for it. */
export function estimatePromptAttack(plan: PromptPlan): PromptEstimate {
  const { task, prompts, queryBudget, topK, generateLen, candidates } = plan;
  const items = task.items.length;
  const ranking = prompts.length;
  // The original is asked in the ranking and costs no call in the search.
  const search = Math.min(topK, ranking) * Math.max(0, queryBudget - 1);
  const passes = ranking + search;
  const codePoints = prompts
    .map(({ prompt }) => task.inputs(prompt).reduce((sum, input) => sum + [...input].length, 0))
    .reduce((sum, one) => sum + one, 0);
  const asked = Math.min(topK, ranking) * candidates.calls;
  const tokensAPass = codePoints / ranking / CODE_POINTS_A_TOKEN;
  return {
    items,
    prompts: ranking,
    passes,
    calls: passes * items + asked,
    input_tokens: Math.ceil(tokensAPass * passes),
    output_tokens: passes * items * generateLen + asked * PARAPHRASE_TOKENS,
  };
}

function estimate(plan: PromptPlan, format: 'text' | 'json'): string {
  const figures = estimatePromptAttack(plan);
  const { items, prompts, passes } = figures;
  const attacked = Math.min(plan.topK, prompts);
  if (format === 'json') return `${JSON.stringify({ schema: 'teapot.attack-estimate/1', ...figures }, null, 2)}\n`;
  return [
    `Items:\t${items}\n`,
    `Prompts to rank:\t${prompts}\n`,
    `Passes over the data, at most:\t${passes} (${prompts} + ${attacked} × ${Math.max(0, plan.queryBudget - 1)})\n`,
    `Calls of the model, at most:\t${figures.calls}\n`,
    `Input tokens, about, at most:\t${figures.input_tokens}\n`,
    `Output tokens, at most:\t${figures.output_tokens}\n`,
  ].join('');
}

/**
 * Asks another model about prompts that were attacked on one: `--transfer RECORDS`.
 *
 * Every attacked prompt of the data set is evaluated, and the original beside it, both on the model that `--model` names. Writes
 * `records.jsonl` with `source_model` into `--work-dir`, for `teapot transfer`, and prints a table.
 *
 * @throws {UsageError} `ERR_TEAPOT_EMPTY_INPUT` when no record holds an attacked prompt of the data set.
 */
export async function runPromptTransfer(
  argv: AttackRunArguments & { readonly transfer: string },
  source: ConfigSource,
): Promise<void> {
  const note = createNote(argv);
  gatedFormat(argv);
  checkGateNames(argv.failIf ?? [], numberNames(TRANSFER_COLUMNS), ['attack', 'source_model']);
  const loaded = await loadPromptTask(argv, source);
  const { task, workDir, generateLen } = loaded;
  const attacks = await attackedPrompts(argv.transfer, task, note);
  const bare = await promptVictim(loaded, note);
  const settings = {
    kind: 'transfer',
    dataset: task.name,
    task: task.signature,
    attacks: digest(attacks),
    generate_len: generateLen,
    victim: bare.signature,
    version: version(),
  };
  const run = await openRunFolder(workDir, settings, argv.resume === true, note, bare);
  const victim = cachedVictim(bare, run.store, newCounters());
  const progress = startProgress({ unit: 'prompts', quiet: argv.quiet });
  const records: AttackRecord[] = [];
  const options = { signal: interruptSignal };
  let file: RecordFile | undefined;
  try {
    const path = run.path('records.jsonl');
    if (path !== undefined) file = await RecordFile.open(path, { isLive: true });
    for (const attack of attacks) {
      const record = await transferred(attack, task, victim, options, settings, records.length + 1);
      records.push(record);
      await file?.write(record);
      progress.onProgress(records.length, attacks.length);
    }
    await file?.commit();
    await run.complete();
    progress.stop();
    const verdicts = await printGated(argv, {
      suite: 'teapot attack --transfer',
      signature: JSON.stringify(settings),
      rows: records.map((record) => ({
        group: { attack: record.attack, source_model: record.source_model },
        numbers: numbersOf(TRANSFER_COLUMNS, record),
      })),
      render: (format) => report(records, format),
    });
    enforceGates(verdicts);
  } finally {
    progress.stop();
    await file?.discard();
    run.close();
    await victim.close?.();
  }
}

type AttackedPrompt = AttackRecord & { readonly src: string; readonly adv_src: string };

async function attackedPrompts(
  path: string,
  task: Task,
  note: (text: string) => void,
): Promise<readonly AttackedPrompt[]> {
  const found: AttackedPrompt[] = [];
  let others = 0;
  for await (const record of readRecords(openSource(path, { signal: interruptSignal }))) {
    const isPrompt = record.unit === 'prompt' && recordKind(record) === 'attack';
    if (isPrompt && typeof record.src === 'string' && typeof record.adv_src === 'string') {
      if (record.dataset === null || record.dataset === task.name) found.push(record as AttackedPrompt);
      else others += 1;
    }
  }
  if (found.length === 0) {
    throw new UsageError(
      ERROR_CODES.EMPTY_INPUT,
      `${path}: there is no attacked prompt of the data set ${task.name} in it` +
        (others === 0 ? '' : ` (${others} of other data sets)`),
    );
  }
  if (others > 0) note(`Note: ${others} attacked prompts of other data sets are left out`);
  return found;
}

async function transferred(
  { src, adv_src, attack, model, source_model, prompt_type, dataset, id }: AttackedPrompt,
  task: Task,
  victim: Victim,
  options: EvaluatePromptOptions,
  settings: Readonly<Record<string, unknown>>,
  number: number,
): Promise<AttackRecord> {
  const original = await evaluatePrompt(src, task, victim, options);
  const attacked = await evaluatePrompt(adv_src, task, victim, { ...options, original: original.outputs });
  const pdr = performanceDropRate(original.score, attacked.score);
  return makeRecord({
    id: `transfer/${number}`,
    run: digest(settings).slice(0, 16),
    unit: 'prompt',
    attack,
    model: victim.name,
    source_model: source_model ?? model,
    dataset: dataset ?? task.name,
    prompt_type,
    src,
    adv_src,
    original_score: original.score * task.scale,
    attacked_score: attacked.score * task.scale,
    metric: task.metric,
    scale: task.scale,
    measured: { pdr, ...(pdr === null ? { reasons: { pdr: UNDEFINED_REASON.ORIGINAL_IS_ZERO } } : {}) },
    provenance: { tool: 'teapot', version: version(), file: null, line: null, settings },
    extra: {
      kind: 'attack',
      source_id: id,
      items: task.items.length,
      unparsed: original.unparsed,
      attacked_unparsed: attacked.unparsed,
    },
  });
}

/** What is said of each attacked prompt on the other model. */
const TRANSFER_COLUMNS: readonly ValueColumn<AttackRecord>[] = [
  { name: 'attack', kind: 'text', describe: 'Name of the attack', heading: 'attack', value: ({ attack }) => attack },
  {
    name: 'source_model',
    kind: 'text',
    describe: 'The model that the attack was made on',
    heading: 'source model',
    value: ({ source_model }) => source_model,
  },
  { name: 'model', kind: 'text', describe: 'The model that was asked', heading: 'model', value: ({ model }) => model },
  {
    name: 'original_score',
    kind: 'score',
    decimals: 2,
    describe: 'Score of the original prompt',
    heading: 'original',
    value: ({ original_score, scale }) => (original_score === null ? null : original_score / (scale ?? 1)),
  },
  {
    name: 'attacked_score',
    kind: 'score',
    decimals: 2,
    describe: 'Score of the attacked prompt',
    heading: 'attacked',
    value: ({ attacked_score, scale }) => (attacked_score === null ? null : attacked_score / (scale ?? 1)),
  },
  {
    name: 'pdr',
    kind: 'number',
    describe: '1 - attacked_score / original_score',
    heading: 'PDR',
    value: ({ measured }) => (typeof measured?.pdr === 'number' ? measured.pdr : null),
  },
];

async function report(records: readonly AttackRecord[], format: TableFormat): Promise<string> {
  const table = { columns: TRANSFER_COLUMNS, rows: records, undefinedText: 'n/a' };
  if (format === 'json') return renderJson({ schema: 'teapot.prompt-transfer/1', records });
  if (format === 'csv') return csvOf(table);
  const grid = gridOf(table, { scale: 100 });
  if (format === 'html') return (await import('../report/result-page.js')).gridPage('Transfer of attacks', grid);
  if (format !== 'text') return renderGrids([grid], format);
  const lines = [grid.columns.map(({ name }) => name), ...grid.rows.map((row) => row.map(cellText))];
  return lines.map((cells) => `${cells.join('\t')}\n`).join('');
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
