import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

import { promptRecipe } from '../../attack/prompt-recipes.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { ERROR_CODES, UsageError } from '../../errors.js';
import { parseAttackConfig } from '../../task/attack-config.js';
import type { AttackConfig } from '../../task/attack-config.js';
import { loadTask } from '../../task/load-task.js';
import type { DatasetConfig } from '../../task/task-config.js';
import type { Task, TaskPrompt } from '../../task/task.js';
import { DEFAULT_BOOTSTRAP } from '../../measure/intervals.js';
import type { AttackArguments } from '../commands/attack.js';
import { interruptSignal } from '../interrupt.js';
import type { Note } from '../notes.js';
import { invalid } from '../values.js';
import { attackOf } from './attack-of.js';
import { planCandidates } from './prompt-candidates.js';
import type { CandidatePlan } from './prompt-candidates.js';
import { readPromptList } from './prompt-list.js';
import type { PromptTask } from './prompt-task.js';

/** The arguments of a prompt attack. */
export type PromptAttackArguments = AttackArguments;

/** The arguments that name the task of a run: `teapot importance` has them too. */
export type PromptTaskArguments = Partial<
  Pick<
    AttackArguments,
    | 'config'
    | 'dataset'
    | 'data'
    | 'prompts'
    | 'first'
    | 'shot'
    | 'generateLen'
    | 'seed'
    | 'model'
    | 'baseUrl'
    | 'workDir'
  >
>;

/** Everything that a prompt attack needs but its victim. */
export interface PromptPlan {
  readonly task: Task;
  readonly prompts: readonly TaskPrompt[];
  readonly recipe: AttackRecipe;
  readonly candidates: CandidatePlan;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly workDir: string | undefined;
  readonly shot: number;
  readonly generateLen: number;
  readonly queryBudget: number;
  readonly topK: number;
  readonly seed: number;
  readonly config: Partial<AttackConfig>;
}

/**
 * Loads the task that configuration and flags name; flags go first. Paths of the configuration start from its folder.
 *
 * @throws {UsageError} for what does not fit, and as the files say.
 */
export async function loadPromptTask(argv: PromptTaskArguments): Promise<PromptTask> {
  const config = await readConfig(argv.config);
  const folder = argv.config === undefined ? '.' : dirname(argv.config);
  const fromConfig = (path: string | undefined): string | undefined =>
    path === undefined || isAbsolute(path) ? path : join(folder, path);
  const seed = argv.seed ?? config.seed ?? DEFAULT_BOOTSTRAP.seed;
  const shot = argv.shot ?? config.shot ?? 0;
  const { task, prompts } = await loadTask(datasetOf(argv, config), {
    folder: argv.data === undefined ? folder : '.',
    shot,
    seed,
    signal: interruptSignal,
  });
  return {
    task,
    model: argv.model ?? config.model ?? 'lexicon',
    baseUrl: argv.baseUrl ?? config.base_url,
    workDir: argv.workDir ?? fromConfig(config.work_dir),
    shot,
    generateLen: argv.generateLen ?? config.generate_len ?? 64,
    seed,
    presetPrompts: prompts,
    config,
    fromConfig,
  };
}

/**
 * Puts everything together that a prompt attack needs but its victim.
 *
 * @throws {UsageError} as {@link loadPromptTask}; `ERR_TEAPOT_RESOURCE` when the attack needs something that is not given.
 */
export async function planPromptAttack(argv: PromptAttackArguments, note: Note): Promise<PromptPlan> {
  const loaded = await loadPromptTask(argv);
  const { task, config, fromConfig, seed } = loaded;
  const prompts = await promptsOf(argv, config, fromConfig, loaded.presetPrompts);
  const { recipe, constraints } = attackOf(
    {
      ...argv,
      attack: argv.attack ?? config.attack,
      transformation: argv.transformation ?? listOf(config.transformation),
      constraint: argv.constraint ?? listOf(config.constraint),
      search: argv.search ?? config.search,
    },
    promptRecipe,
  );
  const candidates = await planCandidates({ ...argv, ...constraints }, recipe, loaded, note);
  return {
    task,
    prompts,
    recipe,
    candidates,
    config,
    model: loaded.model,
    baseUrl: loaded.baseUrl,
    workDir: loaded.workDir,
    shot: loaded.shot,
    generateLen: loaded.generateLen,
    queryBudget: argv.queryBudget ?? config.query_budget ?? 100,
    topK: argv.promptTopk ?? config.prompt_topk ?? 1,
    seed,
  };
}

async function readConfig(path: string | undefined): Promise<Partial<AttackConfig>> {
  if (path === undefined) return {};
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : `can't be read: ${String(cause)}`;
    throw new UsageError(ERROR_CODES.READ, `--config ${path}: ${why}`, { cause });
  });
  return parseAttackConfig(text, path);
}

function datasetOf(argv: PromptTaskArguments, config: Partial<AttackConfig>): DatasetConfig {
  const given = typeof config.dataset === 'string' ? { preset: config.dataset } : (config.dataset ?? {});
  const dataset: DatasetConfig = {
    ...given,
    ...(argv.dataset === undefined ? {} : { preset: argv.dataset }),
    ...(argv.data === undefined ? {} : { data: argv.data.includes(',') ? argv.data.split(',') : argv.data }),
    ...(argv.first === undefined ? {} : { first: argv.first }),
  };
  if (dataset.preset === undefined && dataset.data === undefined) {
    throw invalid('a prompt attack needs a data set: --config FILE, or --dataset NAME (see "teapot list datasets")');
  }
  return dataset;
}

/**
 * The prompts of a run: those of the flag, else of the configuration, else of the preset; each once.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there are none; as the file of prompts says.
 */
export async function promptsOf(
  argv: PromptTaskArguments,
  config: Partial<AttackConfig>,
  fromConfig: (path: string | undefined) => string | undefined,
  preset: readonly TaskPrompt[],
): Promise<readonly TaskPrompt[]> {
  const file = argv.prompts ?? (typeof config.prompts === 'string' ? fromConfig(config.prompts) : undefined);
  if (file !== undefined) return unique(await readPromptList(file));
  if (Array.isArray(config.prompts)) {
    return unique(
      config.prompts.map((one) =>
        typeof one === 'string' ? { prompt: one, type: null } : { prompt: one.prompt, type: one.type ?? null },
      ),
    );
  }
  if (preset.length > 0) return preset;
  throw invalid('there are no prompts: give --prompts FILE, or "prompts" in the configuration');
}

function listOf(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value].flat();
}

/** A prompt given twice is one prompt: its first place counts. */
function unique(prompts: readonly TaskPrompt[]): readonly TaskPrompt[] {
  const seen = new Set<string>();
  return prompts.filter(({ prompt }) => !seen.has(prompt) && seen.add(prompt));
}
