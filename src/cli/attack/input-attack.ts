import { attackInputs } from '../../attack/attack-inputs.js';
import { transformationsOf } from '../../attack/blocks/transformations.js';
import { goalName } from '../../attack/goal.js';
import type { Goal } from '../../attack/goal.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { attackRecipe } from '../../attack/recipes.js';
import { ERROR_CODES, TeapotError } from '../../errors.js';
import type { AttackRecord } from '../../record/schema.js';
import { scoreRecords } from '../../record/score-records.js';
import { numberNames, numbersOf } from '../../report/columns.js';
import type { Scorer } from '../../score/scorer.js';
import { DEFAULT_BOOTSTRAP } from '../../measure/intervals.js';
import { version } from '../../version.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import { createVictim } from '../../victim/create-victim.js';
import type { Victim } from '../../victim/victim.js';
import type { AttackArguments } from '../commands/attack.js';
import { checkGateNames, enforceGates } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { wantsColor } from '../color.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { startProgress } from '../progress.js';
import { openScorers } from '../scorers.js';
import { invalid } from '../values.js';
import { openRun } from './input-attack-folder.js';
import { attackOf } from './attack-of.js';
import { surveyInputs } from './input-attack-inputs.js';
import type { Inputs } from './input-attack-inputs.js';
import { readKept } from './input-attack-keep.js';
import type { Kept } from './input-attack-keep.js';
import { recordOf } from './input-attack-records.js';
import { showOutcome } from './verbose.js';
import { INPUT_ATTACK_COLUMNS, inputAttackReport } from './input-attack-report.js';
import { InputAttackTally } from './input-attack-tally.js';

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
export async function runInputAttack(argv: AttackArguments): Promise<void> {
  const note = createNote(argv);
  gatedFormat(argv);
  checkGateNames(argv.failIf ?? [], numberNames(INPUT_ATTACK_COLUMNS));
  const { recipe, constraints } = attackOf(argv, attackRecipe);
  const inputs = await surveyInputs(argv);
  const plan = readPlan(argv);
  const kept = await readKept({ ...argv, ...constraints }, recipe, note);
  const { sSrc, sTgt } = await openScorers(argv, { sSrc: 'chrf', sTgt: TARGET_METRIC }, note);
  const goal = readGoal(argv, recipe, sTgt);
  if (goal.target !== undefined && inputs.labels?.includes(goal.target) === false) {
    note(
      `Warning: --target ${goal.target} is none of the labels of the inputs: ${inputs.labels.slice(0, 10).join(', ')}.`,
    );
  }
  const bare = await createVictim(argv.model ?? 'lexicon', {
    labels: inputs.labels,
    baseUrl: argv.baseUrl,
    onNote: note,
  });
  const settings = describeRun(recipe, goal, plan, kept, { victim: bare, sSrc, sTgt, inputs });
  const counters = newCounters();
  const run = await openRun(argv, settings, inputs.hasReferences, note, bare);
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
      const record = recordOf(outcome, recipe, bare.name, settings, argv.sTgt ?? TARGET_METRIC);
      if (argv.verbose === true) {
        progress.stop();
        const { id, result, queries, src, adv_src: advSrc, out, adv_out: advOut } = record;
        await showOutcome({ id, result, queries, src, advSrc, before: out, after: advOut }, colorOfMessages);
      }
      progress.onProgress(tally.n, inputs.count);
      yield record;
    }
  }
  // Small blocks: what an attack found is on disk soon.
  const scoring = { sSrc, sTgt, successThreshold: plan.successThreshold, blockSize: 256, signal: interruptSignal };
  try {
    for await (const { record, measured } of scoreRecords(records(), scoring)) {
      tally.addMeasured(record.result, measured);
      if (measured !== null) record.measured = { ...measured };
      const ofColumns = await scoreColumns(record, sSrc);
      if (ofColumns !== undefined) record.extra['s_src_columns'] = ofColumns;
      await run.write(record);
    }
    await run.complete();
    progress.stop();
    const summary = tally.summary(counters, settings, victim.requests);
    const verdicts = await printGated(argv, {
      suite: 'teapot attack',
      signature: JSON.stringify(settings),
      rows: [{ group: null, numbers: numbersOf(INPUT_ATTACK_COLUMNS, summary) }],
      render: (format) => inputAttackReport(summary, format),
    });
    for (const warning of [...tally.warnings(), kept.unused()]) if (warning !== undefined) note(warning);
    if (tally.failure !== undefined) throw new TeapotError(ERROR_CODES.ENDPOINT, tally.failure);
    if (argv.workDir === undefined) note('Note: without --work-dir nothing is kept of this run but the summary.');
    enforceGates(verdicts);
  } finally {
    progress.stop();
    await run.close();
    await victim.close?.();
    await sSrc.close?.();
    await sTgt.close?.();
  }
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
}: AttackArguments): Plan {
  return { queryBudget, seed, parallel, successThreshold, countRefusals };
}

/** Goals that are reached at a threshold. */
const WITH_THRESHOLD: ReadonlySet<string> = new Set(['untargeted', 'minimise-metric', 'maximise-d-tgt']);

function readGoal(argv: AttackArguments, recipe: AttackRecipe, scorer: Scorer): Goal {
  const name = goalName(argv.goal ?? recipe.goal ?? 'untargeted');
  if ((name === 'targeted') !== (argv.target !== undefined)) {
    throw invalid('--target goes with --goal targeted, and the other way round: give both or none');
  }
  if (name === 'input-reduction' && argv.transformation !== undefined && !recipe.transformations.some(takesWordsAway)) {
    throw invalid(
      `--goal input-reduction takes words away, and ${recipe.transformations.join(', ')} do not: --transformation word-delete`,
    );
  }
  if (argv.goalThreshold !== undefined && !WITH_THRESHOLD.has(name)) {
    throw invalid(`--goal-threshold goes with --goal ${[...WITH_THRESHOLD].join(', ')}: leave it out`);
  }
  return { name, target: argv.target, scorer, threshold: argv.goalThreshold };
}

function takesWordsAway(transformation: string): boolean {
  return ['word-delete', 'word-drop', 'contract'].includes(transformation);
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
    inputs: used.inputs.signature,
    version: version(),
  };
}
