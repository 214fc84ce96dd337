import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { createHash } from 'node:crypto';
import { parseAttackConfig } from '../../task/attack-config.js';
import type { AttackConfig } from '../../task/attack-config.js';
import type { Task, TaskPrompt } from '../../task/task.js';
import { SEMANTIC, fixedCandidates, promptRecipe } from '../../attack/prompt-recipes.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { ERROR_CODES, TeapotError, UsageError } from '../../errors.js';
import { loadTask } from '../../task/load-task.js';
import type { DatasetConfig } from '../../task/task-config.js';
import { DEFAULT_BOOTSTRAP } from '../../measure/intervals.js';
import type { AttackArguments } from '../commands/attack.js';
import { interruptSignal } from '../interrupt.js';
import type { Note } from '../notes.js';
import { flagName } from '../command.js';
import { invalid } from '../values.js';
import { attackOf, checkNeeds, readKept } from './resources.js';
import type { ResourceArguments } from './resources.js';
import { PARAPHRASE_TOKENS, paraphraseRequest, paraphrasesOf } from '../../attack/paraphrase.js';
import { VICTIM_KINDS, createVictim } from '../../victim/create-victim.js';
import type { EndpointLimits, Victim, VictimContext } from '../../victim/victim.js';
import { candidateSources } from '../../attack/candidate-source.js';
import type { SourceOf } from '../../attack/candidate-source.js';
import { WORDNET } from '../../attack/resource/neighbours.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import { readList, readListText } from '../../read/list.js';
import { didYouMean } from '../../nearest.js';
import { modelName } from '../../model-folder.js';
import { recordKind } from '../../record/kind.js';
import { promptsOfJson, promptsOfPython } from '../../task/prompt-source.js';
import { parseTemplate } from '../../task/template.js';
import { FileImport } from '../../record/import/import-files.js';
import { parseJson } from '../../read/json.js';
import { PROMPT_TYPES } from '../../record/schema.js';
import type { AttackedInput } from '../../attack/goal.js';
import { openParallelCorpus } from '../../read/parallel-corpus.js';
import type { SegmentSource } from '../../read/segment-source.js';
import { openTable } from '../../read/table.js';
import { parseColumns } from '../../read/table-columns.js';
import type { TableColumns } from '../../read/table-columns.js';
import { defaultAttacked, joinInput } from '../../attack/input-columns.js';

/** The task of a run and who answers it. */
export interface PromptTask {
  readonly task: Task;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly workDir: string | undefined;
  readonly shot: number;
  readonly generateLen: number;
  readonly seed: number;
  /** The prompts of the preset. */
  readonly presetPrompts: readonly TaskPrompt[];
  readonly config: Partial<AttackConfig>;
  /** A path of the configuration, from its folder. */
  readonly fromConfig: (path: string | undefined) => string | undefined;
}

/** The arguments of one attack on one victim. */
export type AttackRunArguments = Omit<AttackArguments, 'model' | 'attack'> & {
  readonly model?: string | undefined;
  readonly attack?: string | undefined;
};

/** What a run of a matrix has from the whole. */
export interface RunWithin {
  /** The answers of all runs. */
  readonly store?: AnswerStore | undefined;
  /** The names of victim and attack in records and reports. Default: their own. */
  readonly modelName?: string | undefined;
  readonly attackName?: string | undefined;
  /** How the victim of an attack on inputs is asked. */
  readonly victim?: Pick<VictimContext, 'limits' | 'sampling'> | undefined;
}

/** The settings of a configuration, and the folder that its paths start from. */
export interface ConfigSource {
  readonly config: Partial<AttackConfig>;
  readonly folder: string;
}

/** The arguments that name the task of a run: `teapot importance` has them too. */
export type PromptTaskArguments = Partial<
  Pick<
    AttackRunArguments,
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
export async function loadPromptTask(argv: PromptTaskArguments, { config, folder }: ConfigSource): Promise<PromptTask> {
  if (config.inputs !== undefined) {
    throw invalid(`${argv.config ?? ''}: "inputs" is for attacks on inputs; expected "dataset"`);
  }
  if (config.models !== undefined && argv.model === undefined) {
    throw invalid(`${argv.config ?? ''}: holds several "models": name one, --model KIND:NAME`);
  }
  const fromConfig = pathsFrom(folder);
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
export async function planPromptAttack(
  argv: AttackRunArguments,
  source: ConfigSource,
  note: Note,
): Promise<PromptPlan> {
  const loaded = await loadPromptTask(argv, source);
  const { task, config, fromConfig, seed } = loaded;
  const prompts = await promptsOf(argv, config, fromConfig, loaded.presetPrompts, task.name);
  for (const warning of placeholderWarnings(prompts, task)) note(warning);
  const { recipe, constraints } = attackOf({ ...argv, ...blocksOf(argv, config) }, promptRecipe);
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

/** Makes paths of a configuration start from its folder. */
export function pathsFrom(folder: string): (path: string | undefined) => string | undefined {
  return (path) => (path === undefined || isAbsolute(path) ? path : join(folder, path));
}

/**
 * Reads the configuration of `--config`; without one, there are no settings.
 *
 * @throws {UsageError} `ERR_TEAPOT_READ` when it can't be read, `ERR_TEAPOT_FORMAT` with file and line.
 */
export async function readConfig(path: string | undefined): Promise<ConfigSource> {
  if (path === undefined) return { config: {}, folder: '.' };
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : `can't be read: ${String(cause)}`;
    throw new UsageError(ERROR_CODES.READ, `--config ${path}: ${why}`, { cause });
  });
  return { config: parseAttackConfig(text, path), folder: dirname(path) };
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
  dataset: string,
): Promise<readonly TaskPrompt[]> {
  const file = argv.prompts ?? (typeof config.prompts === 'string' ? fromConfig(config.prompts) : undefined);
  if (file !== undefined) return unique(await readPrompts(file, dataset));
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

/** The attack and its blocks: those of the flags, else of the configuration. */
export function blocksOf(
  argv: Pick<AttackRunArguments, 'attack' | 'transformation' | 'constraint' | 'search'>,
  config: Partial<AttackConfig>,
): Pick<AttackRunArguments, 'attack' | 'transformation' | 'constraint' | 'search'> {
  return {
    attack: argv.attack ?? config.attack,
    transformation: argv.transformation ?? listOf(config.transformation),
    constraint: argv.constraint ?? listOf(config.constraint),
    search: argv.search ?? config.search,
  };
}

/** Flags that attacks on prompts alone have a use for. */
const OF_PROMPTS = ['dataset', 'prompts', 'shot', 'generateLen', 'promptTopk', 'wordings'] as const;

/**
 * The arguments of an attack on inputs: what flags say, else the configuration. Without one they stay as they are.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for a flag that only attacks on prompts have.
 */
export function inputRunArguments(argv: AttackRunArguments, { config, folder }: ConfigSource): AttackRunArguments {
  const { inputs } = config;
  const blocks = blocksOf(argv, config);
  if (inputs === undefined) return { ...argv, ...blocks, model: argv.model ?? config.model };
  const idle = OF_PROMPTS.find((name) => argv[name] !== undefined);
  if (idle !== undefined) {
    throw invalid(
      `--${flagName(idle)} does nothing with the "inputs" of ${argv.config ?? 'the configuration'}: leave it out`,
    );
  }
  const fromConfig = pathsFrom(folder);
  return {
    ...argv,
    ...blocks,
    ...resourcesOf(argv, { config, fromConfig }),
    data: argv.data ?? fromConfig(inputs.data),
    columns: argv.columns ?? inputs.columns,
    attackColumns: argv.attackColumns ?? inputs.attack_columns,
    src: fromConfig(inputs.src),
    ref: fromConfig(inputs.ref),
    first: argv.first ?? inputs.first,
    model: argv.model ?? config.model,
    baseUrl: argv.baseUrl ?? config.base_url,
    queryBudget: argv.queryBudget ?? config.query_budget,
    seed: argv.seed ?? config.seed,
    goal: config.goal,
    target: config.target,
    goalThreshold: config.goal_threshold,
    parallel: config.parallel ?? argv.parallel,
    sSrc: argv.sSrc ?? config.s_src,
    sTgt: argv.sTgt ?? config.s_tgt,
    successThreshold: config.success_threshold ?? argv.successThreshold,
    workDir: argv.workDir ?? fromConfig(config.work_dir),
  };
}

/** How the victim of an attack on inputs is asked, as a configuration says it. */
export function victimSettings({
  limits,
  system,
  generate_len: maxTokens,
}: Partial<AttackConfig>): NonNullable<RunWithin['victim']> {
  return {
    limits: limitsOf(limits ?? {}),
    sampling: { ...(system !== undefined && { system }), ...(maxTokens !== undefined && { maxTokens }) },
  };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value].flat();
}

/** A prompt given twice is one prompt: its first place counts. */
function unique(prompts: readonly TaskPrompt[]): readonly TaskPrompt[] {
  const seen = new Set<string>();
  return prompts.filter(({ prompt }) => !seen.has(prompt) && seen.add(prompt));
}

/**
 * Makes the victim that answers a task: flags and configuration say who, the task how long its answers may be.
 *
 * @throws {UsageError} as `createVictim`.
 */
export function promptVictim(
  loaded: Pick<PromptTask, 'task' | 'model' | 'baseUrl' | 'generateLen' | 'config'>,
  note: Note,
): Promise<Victim> {
  const { task, model, generateLen, config } = loaded;
  return createVictim(model, {
    ...(task.labels.length > 0 ? { labels: task.labels } : {}),
    ...contextOf(loaded, note),
    sampling: { maxTokens: generateLen, ...(config.system === undefined ? {} : { system: config.system }) },
  });
}

/**
 * Makes the model that writes other wordings of prompts; an endpoint is the one of the task.
 *
 * @throws {UsageError} as `createVictim`.
 */
export function paraphraseVictim(
  spec: string,
  loaded: Pick<PromptTask, 'baseUrl' | 'config'>,
  note: Note,
): Promise<Victim> {
  return createVictim(spec, { ...contextOf(loaded, note), sampling: { maxTokens: PARAPHRASE_TOKENS } });
}

function contextOf({ baseUrl, config }: Pick<PromptTask, 'baseUrl' | 'config'>, note: Note): VictimContext {
  return { baseUrl, limits: limitsOf(config.limits ?? {}), onNote: note };
}

function limitsOf(limits: NonNullable<AttackConfig['limits']>): EndpointLimits {
  const given = {
    concurrency: limits.concurrency,
    requestsPerMinute: limits.requests_per_minute,
    timeoutMs: limits.timeout_ms,
    retries: limits.retries,
    firstWaitMs: limits.first_wait_ms,
    maxWaitMs: limits.max_wait_ms,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Where the candidates of a prompt attack come from. */
export interface CandidatePlan {
  /** Questions to a model for each attacked prompt, on top of the passes over the data. */
  readonly calls: number;
  /** Makes ready what asks a model; nothing is asked yet. */
  prepare(): Promise<PreparedCandidates>;
}

/** Candidates, ready to be made. */
export interface PreparedCandidates {
  /** What decides them, for the settings of the run. */
  readonly constraints: Readonly<Record<string, unknown>>;
  /** The sources; what a model says is kept in the store. */
  sourceOf(store: AnswerStore): SourceOf;
  close(): Promise<void>;
}

/**
 * Plans where the candidates come from; flags go before the configuration.
 *
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when the attack needs something that is not given, and as its files say.
 */
export async function planCandidates(
  argv: AttackRunArguments,
  recipe: AttackRecipe,
  loaded: PromptTask,
  note: Note,
): Promise<CandidatePlan> {
  const { config, fromConfig } = loaded;
  if (recipe.name !== SEMANTIC.name) {
    return fixed(await kernelsOf({ ...argv, ...resourcesOf(argv, loaded) }, recipe, loaded, note));
  }
  const wordings = argv.wordings ?? (isModel(config.wordings) ? config.wordings : fromConfig(config.wordings));
  if (wordings === undefined) throw withoutWordings();
  return isModel(wordings) ? paraphrases(wordings, loaded, note) : fixed(await wordingsOf(wordings, loaded));
}

/**
 * Checks that an attack of a matrix is there and has the resources that it can't run without: before any pair runs.
 *
 * @throws {UsageError} as `attackOf`; `ERR_TEAPOT_RESOURCE`.
 */
export function checkPair(
  argv: AttackRunArguments,
  { config }: ConfigSource,
  find: (name: string) => AttackRecipe,
): void {
  const { recipe } = attackOf({ ...argv, ...blocksOf(argv, config) }, find);
  if (recipe.name === SEMANTIC.name && (argv.wordings ?? config.wordings) === undefined) throw withoutWordings();
  checkNeeds(resourcesOf(argv, { config, fromConfig: (path) => path }), recipe);
}

function withoutWordings(): UsageError {
  return new UsageError(
    ERROR_CODES.RESOURCE,
    'the attack semantic needs --wordings: a file of other wordings of the prompts, one a line, JSONL with "prompt", or one of ' +
      "PromptBench's archive adv_prompts; or the KIND:NAME of a model that is asked for them. It does not run without",
  );
}

interface FixedCandidates {
  readonly source: SourceOf;
  readonly constraints: Readonly<Record<string, unknown>>;
  /** Tells after the run what was of no use. */
  readonly close?: () => void;
}

function fixed({ source, constraints, close }: FixedCandidates): CandidatePlan {
  return { calls: 0, prepare: async () => ({ constraints, sourceOf: () => source, close: async () => close?.() }) };
}

/** The words and models that flags name, else the configuration. */
export function resourcesOf(
  argv: ResourceArguments,
  { config, fromConfig }: Pick<PromptTask, 'config' | 'fromConfig'>,
): ResourceArguments {
  // A model that "teapot models" sets up has a name; anything else is a path.
  const modelOf = (path: string | undefined): string | undefined =>
    path !== undefined && modelName(path) !== undefined ? path : fromConfig(path);
  return {
    neighbours: argv.neighbours ?? (config.neighbours === WORDNET ? WORDNET : fromConfig(config.neighbours)),
    neighbourCount: argv.neighbourCount ?? config.neighbour_count,
    minCosine: argv.minCosine ?? config.min_cosine,
    encoder: argv.encoder ?? modelOf(config.encoder),
    minEncoderCosine: argv.minEncoderCosine ?? config.min_encoder_cosine,
    maskedLm: argv.maskedLm ?? modelOf(config.masked_lm),
    resources: argv.resources ?? fromConfig(config.resources),
  };
}

/** Whether a text is the KIND:NAME of a model and not the name of a file. */
function isModel(wordings: string | undefined): wordings is string {
  return VICTIM_KINDS.some(({ kind }) => kind !== 'lexicon' && wordings?.startsWith(`${kind}:`) === true);
}

function paraphrases(spec: string, loaded: PromptTask, note: Note): CandidatePlan {
  const { protect } = loaded.task;
  return {
    calls: 1,
    async prepare() {
      const model = await paraphraseVictim(spec, loaded, note);
      return {
        constraints: { paraphraser: model.signature, request: paraphraseRequest('', protect) },
        sourceOf: (store) =>
          paraphrasesOf(cachedVictim(model, store, newCounters()), protect, { signal: interruptSignal }),
        close: async () => model.close?.(),
      };
    },
  };
}

async function wordingsOf(path: string, { task }: PromptTask): Promise<FixedCandidates> {
  const wordings = await readWordings(path, task.name);
  return { source: fixedCandidates(wordings), constraints: { wordings } };
}

/** The native kernels, with labels, fixed words and placeholders out of their reach. */
async function kernelsOf(
  argv: AttackRunArguments,
  recipe: AttackRecipe,
  { task, seed }: PromptTask,
  note: Note,
): Promise<FixedCandidates> {
  if (argv.wordings !== undefined) throw invalid(`--wordings has no use for the attack ${recipe.name}: leave it out`);
  const protect = [...task.protect, ...(argv.protect ?? [])];
  const kept = await readKept({ ...argv, protect, protectPlaceholders: true }, recipe, note);
  const { keep, signature, without } = kept;
  return {
    source: candidateSources({ ...kept, recipe, seed, signal: interruptSignal }),
    constraints: { ...recipe.constraints, ...keep, resources: signature, without },
    close: () => {
      const unused = kept.unused();
      if (unused !== undefined) note(unused);
    },
  };
}

/** A prompt of a file is shown up to here. */
const SHOWN = 40;

/** Warns of `{names}` of prompts that nothing fills: they are sent as they stand. */
function placeholderWarnings(prompts: readonly TaskPrompt[], { items }: Task): readonly string[] {
  const known = ['content', 'examples', ...Object.keys(items[0]?.columns ?? {})];
  return prompts.flatMap(({ prompt }) =>
    [...parseTemplate(prompt).names]
      .filter((name) => !known.includes(name))
      .map(
        (name) =>
          `Warning: {${name}} in the prompt ${JSON.stringify(prompt.slice(0, SHOWN))} is no column of the data and is sent as it stands.` +
          `${didYouMean(name, known)} Known: ${known.map((one) => `{${one}}`).join(', ')}`,
      ),
  );
}

/** A line of PromptBench's archive: a prompt with its score. */
const ARCHIVE_LINE = /^Acc: \d+(?:\.\d+)?%, prompt: /u;

/**
 * Reads the prompts of a file: a list as {@link readPromptList} reads it; a Python or JSON file with a list, as OpenCompass's configurations and
 * users of PromptBench have it; or a file of PromptBench's archive, of which the prompts of one data set are taken.
 *
 * @throws {UsageError} as {@link readPromptList}; `ERR_TEAPOT_EMPTY_INPUT` when the archive has none for the data set.
 */
async function readPrompts(path: string, dataset: string): Promise<readonly TaskPrompt[]> {
  if (ARCHIVE.test(path)) return archivePrompts(path, dataset);
  const source = /\.(?<kind>py|json)(?:\.gz|\.zst)?$/iu.exec(path)?.groups?.['kind']?.toLowerCase();
  if (source === undefined) {
    const prompts = await readPromptList(path);
    const scored = prompts.find(({ prompt }) => ARCHIVE_LINE.test(prompt));
    if (scored === undefined) return prompts;
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${path}: holds lines of PromptBench's archive (${JSON.stringify(scored.prompt.slice(0, SHOWN))}), expected prompts: ` +
        'name the file .md to take the prompts of the data set from it',
    );
  }
  const text = await readListText(path, 'prompts', { signal: interruptSignal });
  const found = source === 'py' ? promptsOfPython(text, dataset) : promptsOfJson(text, dataset);
  if (typeof found === 'string') throw new UsageError(ERROR_CODES.FORMAT, `${path}: ${found}`);
  const prompts = found.filter((prompt) => !/^\s*$/u.test(prompt)).map((prompt) => ({ prompt, type: null }));
  if (prompts.length === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, `${path}: there is no prompt in it`);
  return prompts;
}

async function archivePrompts(path: string, dataset: string): Promise<readonly TaskPrompt[]> {
  const prompts: TaskPrompt[] = [];
  const others = new Set<string>();
  const archive = new FileImport('promptbench', [path], { signal: interruptSignal });
  for await (const record of archive.records()) {
    if (recordKind(record) !== 'clean' || record.src === null) continue;
    if (record.dataset === dataset) prompts.push({ prompt: record.src, type: record.prompt_type });
    else others.add(record.dataset ?? '');
  }
  if (prompts.length > 0) return prompts;
  throw new UsageError(
    ERROR_CODES.EMPTY_INPUT,
    `${path}: there are no prompts for the data set ${dataset}.${didYouMean(dataset, others)} It has prompts for: ${[...others].join(', ') || 'none'}`,
  );
}

/** The name of a file of PromptBench's archive. */
const ARCHIVE = /\.md(?:\.gz|\.zst)?$/iu;

/**
 * Reads a list of prompts: one a line, or JSONL with `{"prompt": "…", "type": "zs-task"}` (`type` may be missing), which can hold line
 * ends. Blank lines hold none.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line; `ERR_TEAPOT_EMPTY_INPUT` for a list without a prompt.
 */
export async function readPromptList(path: string): Promise<readonly TaskPrompt[]> {
  const prompts: TaskPrompt[] = [];
  const isJson = /\.(?:jsonl|ndjson)$/iu.test(path);
  for await (const lines of readList(path, 'prompts', { signal: interruptSignal })) {
    for (const { text, line } of lines) {
      if (/^\s*$/u.test(text)) continue;
      prompts.push(isJson ? promptOf(text, `${path}:${line}`) : { prompt: text, type: null });
    }
  }
  if (prompts.length === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, `${path}: there is no prompt in it`);
  return prompts;
}

function promptOf(text: string, place: string): TaskPrompt {
  const parsed = parseJson(text);
  const value = 'value' in parsed ? parsed.value : undefined;
  const prompt: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'prompt') : undefined;
  if (typeof prompt !== 'string' || prompt === '') {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${place}: expected {"prompt": "…"} with a text, found ${text.slice(0, 80)}`,
    );
  }
  const type: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined;
  const known = PROMPT_TYPES.find((one) => one === type);
  if (known === undefined && type !== undefined && type !== null) {
    throw new UsageError(ERROR_CODES.FORMAT, `${place}: "type" is one of ${PROMPT_TYPES.join(', ')}`);
  }
  return { prompt, type: known ?? null };
}

/**
 * Reads other wordings of prompts for the attack `semantic`: a list of prompts, or a file of PromptBench's archive, of which the
 * wordings of one data set are taken.
 *
 * @throws {UsageError} as {@link readPromptList}; `ERR_TEAPOT_EMPTY_INPUT` when the archive has none for the data set.
 */
export async function readWordings(path: string, dataset: string): Promise<readonly string[]> {
  if (!ARCHIVE.test(path)) return (await readPrompts(path, dataset)).map(({ prompt }) => prompt);
  const wordings = new Set<string>();
  const archive = new FileImport('promptbench', [path], { signal: interruptSignal });
  for await (const record of archive.records()) {
    if (record.attack === 'semantic' && record.dataset === dataset && record.adv_src !== null) {
      wordings.add(record.adv_src);
    }
  }
  if (wordings.size > 0) return [...wordings];
  throw new UsageError(
    ERROR_CODES.EMPTY_INPUT,
    `${path}: there are no translations of prompts for the data set ${dataset}`,
  );
}

/** The arguments that say what is attacked. */
export interface InputArguments {
  readonly data?: string | undefined;
  readonly columns?: string | undefined;
  readonly src?: string | undefined;
  readonly ref?: string | undefined;
  readonly first?: number | undefined;
  readonly attackColumns?: string | undefined;
}

/** What is attacked: known as a whole, and read again one by one. */
export interface Inputs {
  readonly count: number;
  /** A hash of all of them, in order. */
  readonly signature: string;
  readonly hasReferences: boolean;
  /** The different references in order of appearance; undefined when they are too many to be labels, or none. */
  readonly labels: readonly string[] | undefined;
  /**
   * Reads them from the first one on.
   *
   * @throws {TeapotError} `ERR_TEAPOT_READ` at the end when they are not the same any more.
   */
  read(): AsyncIterable<AttackedInput>;
}

/** Inputs read at a time. */
const BATCH = 4096;

/** More different references than that are no labels. */
const MOST_LABELS = 100;

/**
 * Looks through the inputs of `--data` or `--src` and `--ref`, the first `--first` of them.
 *
 * Files are read twice, so that memory does not grow with their length: once here and once for the attack. What can be read
 * once only (standard input, a pipe) is held in memory.
 */
export async function surveyInputs(argv: InputArguments): Promise<Inputs> {
  const { first: most = Number.POSITIVE_INFINITY } = argv;
  const held: AttackedInput[] | undefined = (await canReadTwice(argv)) ? undefined : [];
  const hash = newHash();
  const labels = new Set<string>();
  let count = 0;
  let hasReferences = false;
  for await (const input of firstInputs(argv, most)) {
    held?.push(input);
    hash.add(input);
    count += 1;
    if (input.ref === undefined) continue;
    hasReferences = true;
    for (const label of [input.ref].flat()) if (labels.size <= MOST_LABELS) labels.add(label);
  }
  const signature = hash.digest();
  return {
    count,
    signature,
    hasReferences,
    labels: labels.size > 0 && labels.size <= MOST_LABELS ? [...labels] : undefined,
    async *read() {
      if (held !== undefined) {
        yield* held;
        return;
      }
      const again = newHash();
      for await (const input of firstInputs(argv, most)) {
        again.add(input);
        yield input;
      }
      if (again.digest() !== signature) {
        const files = [argv.data, argv.src, argv.ref].filter((path) => path !== undefined).join(', ');
        throw new TeapotError(ERROR_CODES.READ, `${files}: changed while it was attacked; run again`);
      }
    },
  };
}

async function* firstInputs(argv: InputArguments, most: number): AsyncGenerator<AttackedInput> {
  let count = 0;
  const names = argv.data === undefined ? [] : (tableColumns(argv).groups ?? []);
  const attacked = attackedColumns(argv.attackColumns, names);
  for await (const batch of openInputs(argv).batches(Math.min(BATCH, most), { signal: interruptSignal })) {
    for (const [index, text] of (batch.src ?? []).entries()) {
      if (count >= most) return;
      count += 1;
      const ref = batch.refs?.[index];
      if (names.length < 2) {
        yield { text, ref };
        continue;
      }
      const texts = names.map((_, column) => batch.groups?.[column]?.[index] ?? '');
      const columns = { names, texts, attacked };
      yield { text: joinInput(columns).text, ref, columns };
    }
    if (count >= most) return;
  }
}

/** The columns of `--data`; `src=premise+hypothesis` names several that are one input: they stand in `groups`. */
function tableColumns({ columns }: InputArguments): TableColumns {
  const parsed = parseColumns(columns ?? 'src=src,ref=ref');
  const parts = parsed.src?.split('+').map((name) => name.trim()) ?? [];
  if (parts.length < 2) return parsed;
  if (parts.includes('') || new Set(parts).size < parts.length) {
    throw invalid(`--columns src=${parsed.src ?? ''}: expected different columns with + between them`);
  }
  return { ...parsed, src: parts[0], groups: parts };
}

/** Which of several columns are attacked. */
function attackedColumns(given: string | undefined, names: readonly string[]): readonly string[] {
  if (given === undefined) return defaultAttacked(names);
  if (names.length < 2) throw invalid('--attack-columns goes with --columns src=NAME+NAME: leave it out');
  if (given === 'all') return names;
  const attacked = given.split('+').map((name) => name.trim());
  const unknown = attacked.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalid(`--attack-columns ${given}: ${unknown} is none of the columns ${names.join(', ')}; or give all`);
  }
  return attacked;
}

function openInputs(argv: InputArguments): SegmentSource {
  if (argv.data !== undefined) {
    if (argv.src !== undefined || argv.ref !== undefined)
      throw invalid('--data takes the place of --src and --ref: give one of them');
    return openTable(argv.data, tableColumns(argv));
  }
  if (argv.src === undefined) throw invalid('nothing to attack: give --data FILE --columns src=…,ref=… or --src FILE');
  return openParallelCorpus({ src: argv.src, attacks: [], refs: argv.ref === undefined ? [] : [argv.ref] });
}

/** Regular files can. A file that is not there is left to the reader, which says so. */
async function canReadTwice({ data, src, ref }: InputArguments): Promise<boolean> {
  const found = await Promise.all(
    [data, src, ref].filter((path) => path !== undefined).map((path) => stat(path).catch(() => undefined)),
  );
  return found.every((file) => file?.isFile() === true);
}

function newHash(): { readonly add: (input: AttackedInput) => void; readonly digest: () => string } {
  const hash = createHash('sha256');
  return {
    add: ({ text, ref = null, columns }) =>
      hash.update(`${JSON.stringify([text, ref, ...(columns === undefined ? [] : [columns.attacked])])}\n`),
    digest: () => hash.digest('hex'),
  };
}
