import { createHash } from 'node:crypto';

import { attackPrompts } from '../../attack/attack-prompts.js';
import { transformationsOf } from '../../attack/blocks/transformations.js';
import type { PromptOutcome, RankedPrompt } from '../../attack/attack-prompts.js';
import { PARAPHRASE_TOKENS } from '../../attack/paraphrase.js';
import { ERROR_CODES, TeapotError } from '../../errors.js';
import { nothingAnswered } from './victim-summary.js';
import { evaluatePrompt } from '../../attack/evaluate-prompt.js';
import { writeFileSafely } from '../../output-file.js';
import { writeRecords } from '../../record/write.js';
import { version } from '../../version.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import type { Victim } from '../../victim/victim.js';
import { numberNames } from '../../report/columns.js';
import { checkGateNames, enforceGates } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { wantsColor } from '../color.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { startProgress } from '../progress.js';
import { attackLog } from './attack-log.js';
import { PROMPT_ATTACK_COLUMNS, promptAttackReport, promptAttackRows, promptRecords } from './prompt-attack-report.js';
import type { PreparedCandidates } from './prompt-candidates.js';
import { planPromptAttack } from './prompt-plan.js';
import type { PromptAttackArguments, PromptPlan } from './prompt-plan.js';
import { promptVictim } from './prompt-victim.js';
import { openRunFolder } from './run-folder.js';
import { shownScore, showOutcome } from './verbose.js';
import { invalid } from '../values.js';
import { printResult } from '../terminal.js';

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
export async function runPromptAttack(argv: PromptAttackArguments): Promise<void> {
  const note = createNote(argv);
  const format = gatedFormat(argv);
  checkGateNames(argv.failIf ?? [], numberNames(PROMPT_ATTACK_COLUMNS), ['rank']);
  const plan = await planPromptAttack(argv, note);
  const { task, prompts, recipe } = plan;
  if (argv.dryRun === true) {
    if (format !== 'text' && format !== 'json') throw invalid(`--dry-run has text or json, not ${format}.`);
    await printResult(estimate(plan, format), { output: argv.output, format });
    return;
  }
  const bare = await promptVictim(plan, note);
  const candidates = await plan.candidates.prepare();
  const settings = settingsOf(plan, bare, candidates.constraints, argv.countRefusals === true);
  const run = await openRunFolder(plan.workDir, settings, argv.resume === true, note, bare);
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
  const writeLog = async (): Promise<void> => {
    const path = run.path('attacklog.txt');
    if (path !== undefined) await writeFileSafely(path, [attackLog(ranking, outcomes)]);
  };
  try {
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
    const recordsPath = run.path('records.jsonl');
    if (recordsPath !== undefined) {
      await writeRecords(recordsPath, promptRecords({ ranking, outcomes, plan, model: bare.name, settings }));
    }
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
    const summary = { ranking, outcomes, plan, model: bare.name, counters: spent, requests: victim.requests };
    const verdicts = await printGated(argv, {
      suite: 'teapot attack',
      signature: JSON.stringify(settings),
      rows: promptAttackRows(summary),
      render: (format) => promptAttackReport(summary, format),
    });
    warn(ranking, outcomes, task.items.length, note);
    if (ranking.length > 0 && ranking.every(({ refused }) => refused === task.items.length)) {
      throw new TeapotError(ERROR_CODES.ENDPOINT, nothingAnswered(spent));
    }
    enforceGates(verdicts);
  } finally {
    progress.stop();
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

function warn(
  ranking: readonly RankedPrompt[],
  outcomes: readonly PromptOutcome[],
  items: number,
  note: (text: string) => void,
): void {
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
}

/** The most that the run may cost. */
function estimate(plan: PromptPlan, format: 'text' | 'json'): string {
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
  const figures = {
    items,
    prompts: ranking,
    passes,
    calls: passes * items + asked,
    input_tokens: Math.ceil(tokensAPass * passes),
    output_tokens: passes * items * generateLen + asked * PARAPHRASE_TOKENS,
  };
  if (format === 'json') return `${JSON.stringify({ schema: 'teapot.attack-estimate/1', ...figures }, null, 2)}\n`;
  return [
    `Items:\t${items}\n`,
    `Prompts to rank:\t${ranking}\n`,
    `Passes over the data, at most:\t${passes} (${ranking} + ${Math.min(topK, ranking)} × ${Math.max(0, queryBudget - 1)})\n`,
    `Calls of the model, at most:\t${figures.calls}\n`,
    `Input tokens, about, at most:\t${figures.input_tokens}\n`,
    `Output tokens, at most:\t${figures.output_tokens}\n`,
  ].join('');
}
