import { attackInputs } from '../../attack/attack-inputs.js';
import type { InputOutcome } from '../../attack/attack-inputs.js';
import { goalName } from '../../attack/goal.js';
import type { AttackedInput, Goal } from '../../attack/goal.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { attackRecipe } from '../../attack/recipes.js';
import type { AttackRecord } from '../../record/schema.js';
import { createScorer } from '../../score/registry.js';
import type { Scorer } from '../../score/scorer.js';
import { version } from '../../version.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import { createVictim } from '../../victim/create-victim.js';
import { digest } from '../../victim/digest.js';
import type { Victim } from '../../victim/victim.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { Note } from '../notes.js';
import { startProgress } from '../progress.js';
import { invalid, readNumber } from '../values.js';
import { openRun } from './input-attack-folder.js';
import type { FolderArguments } from './input-attack-folder.js';
import { labelsOf, MOST_LABELS, readInputs } from './input-attack-inputs.js';
import type { InputArguments } from './input-attack-inputs.js';
import { readKept } from './input-attack-keep.js';
import type { KeepArguments, Kept } from './input-attack-keep.js';
import { measure, recordOf, summarise } from './input-attack-records.js';
import { inputAttackJson, inputAttackText } from './input-attack-report.js';

/** The arguments of `teapot attack` on inputs. */
export interface AttackArguments extends InputArguments, FolderArguments, KeepArguments {
  readonly attack?: string | undefined;
  readonly goal?: string | undefined;
  readonly target?: string | undefined;
  readonly goalThreshold?: string | undefined;
  readonly queryBudget?: string | undefined;
  readonly seed?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly parallel?: string | undefined;
  readonly sSrc?: string | undefined;
  readonly sTgt?: string | undefined;
  readonly successThreshold?: string | undefined;
  readonly format: 'text' | 'json';
  readonly quiet?: boolean | undefined;
}

/** So many errors are printed one by one. */
const PRINTED_ERRORS = 5;

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
  const recipe = attackRecipe(argv.attack ?? 'deepwordbug');
  const inputs = await readInputs(argv);
  const plan = readPlan(argv);
  const kept = await readKept(argv, recipe, inputs, note);
  const sSrc = await createScorer(argv.sSrc ?? 'chrf');
  const sTgt = await createScorer(argv.sTgt ?? 'zero_one');
  const goal = readGoal(argv, recipe, sTgt);
  const bare = await createVictim(argv.model ?? 'lexicon', {
    ...labelsOf(inputs),
    baseUrl: argv.baseUrl,
    onNote: note,
  });
  const settings = describeRun(recipe, goal, plan, kept, { victim: bare, sSrc, sTgt, inputs });
  const counters = newCounters();
  const run = await openRun(argv, settings);
  const victim = cachedVictim(bare, run.store, counters);
  const outcomes: InputOutcome[] = [];
  const records: AttackRecord[] = [];
  let successes = 0;
  const reached = (): string => `${successes} successful · ${counters.calls + counters.cached} queries`;
  const progress = startProgress({ unit: 'inputs', quiet: argv.quiet, detail: reached });
  try {
    for await (const outcome of attackInputs(inputs, {
      ...plan,
      recipe,
      victim,
      goal,
      keep: kept.keep,
      models: kept.models?.models,
      signal: interruptSignal,
    })) {
      outcomes.push(outcome);
      if (outcome.result === 'successful') successes += 1;
      records.push(recordOf(outcome, recipe, bare.name, settings));
      progress.onProgress(outcomes.length, inputs.length);
    }
    const measured = await measure(records, { sSrc, sTgt, successThreshold: plan.successThreshold });
    await run.finish(measured, inputs[0]?.ref !== undefined);
    progress.stop();
    const summary = summarise(outcomes, measured, counters, settings);
    process.stdout.write(argv.format === 'json' ? inputAttackJson(summary) : inputAttackText(summary));
    warn(outcomes, note);
    if (argv.workDir === undefined) note('Note: without --work-dir nothing is kept of this run but the summary.');
  } finally {
    progress.stop();
    run.close();
    await victim.close?.();
    await sSrc.close?.();
    await sTgt.close?.();
  }
}

interface Plan {
  readonly queryBudget: number;
  readonly seed: number;
  readonly parallel: number;
  readonly successThreshold: number;
}

function readPlan(argv: AttackArguments): Plan {
  const whole = { integer: true, minimum: 0 };
  return {
    queryBudget:
      argv.queryBudget === undefined ? Number.POSITIVE_INFINITY : readNumber('--query-budget', argv.queryBudget, whole),
    seed: readNumber('--seed', argv.seed ?? '12345', whole),
    parallel: readNumber('--parallel', argv.parallel ?? '1', { integer: true, minimum: 1, below: 1001 }),
    successThreshold: readNumber('--success-threshold', argv.successThreshold ?? '1'),
  };
}

function readGoal(argv: AttackArguments, recipe: AttackRecipe, scorer: Scorer): Goal {
  const name = goalName(argv.goal ?? (recipe.reducesInput === true ? 'input-reduction' : 'untargeted'));
  if ((name === 'targeted') !== (argv.target !== undefined)) {
    throw invalid('--target goes with --goal targeted, and the other way round: give both or none');
  }
  const isMeasured = name === 'minimise-metric' || name === 'maximise-d-tgt';
  if (argv.goalThreshold !== undefined && !isMeasured) {
    throw invalid('--goal-threshold goes with --goal minimise-metric or maximise-d-tgt: leave it out');
  }
  const fraction = { minimum: 0, below: 1 + Number.EPSILON };
  const threshold =
    argv.goalThreshold === undefined ? undefined : readNumber('--goal-threshold', argv.goalThreshold, fraction);
  return { name, target: argv.target, scorer, threshold };
}

/** Everything that can change the results of a run, as it stands in `run.json` and in every record. */
function describeRun(
  recipe: AttackRecipe,
  goal: Goal,
  plan: Plan,
  { keep, models, without }: Kept,
  used: {
    readonly victim: Victim;
    readonly sSrc: Scorer;
    readonly sTgt: Scorer;
    readonly inputs: readonly AttackedInput[];
  },
) {
  return {
    attack: recipe.name,
    search: recipe.search.name,
    goal: goal.name,
    target: goal.target ?? null,
    goal_threshold: goal.threshold ?? null,
    query_budget: Number.isFinite(plan.queryBudget) ? plan.queryBudget : null,
    seed: plan.seed,
    constraints: {
      ...recipe.constraints,
      ...keep,
      replacements: keep.replacements === undefined ? null : digest(keep.replacements),
    },
    without,
    resources: models?.signature ?? null,
    victim: used.victim.signature,
    s_src: used.sSrc.signature,
    s_tgt: used.sTgt.signature,
    success_threshold: plan.successThreshold,
    inputs: digest(used.inputs),
    version: version(),
  };
}

function warn(outcomes: readonly InputOutcome[], note: Note): void {
  const errors = outcomes.filter(({ result }) => result === 'error');
  for (const { item, reason } of errors.slice(0, PRINTED_ERRORS)) note(`Warning: input ${item + 1}: ${reason ?? ''}`);
  if (errors.length > PRINTED_ERRORS) note(`Warning: ${errors.length - PRINTED_ERRORS} more errors; see the records.`);
  const labels = new Set(outcomes.flatMap(({ input }) => (input.ref === undefined ? [] : [input.ref].flat())));
  const answered = outcomes.flatMap(({ out }) => out ?? []);
  if (
    labels.size > 0 &&
    labels.size <= MOST_LABELS &&
    answered.length > 0 &&
    !answered.some((out) => labels.has(out))
  ) {
    const shown = JSON.stringify((answered[0] ?? '').slice(0, 60));
    note(
      `Warning: no answer of the victim is one of the labels; the first one is ${shown}. They must agree letter by letter.`,
    );
  }
}
