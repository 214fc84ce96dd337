import { candidateSources } from '../../attack/candidate-source.js';
import type { SourceOf } from '../../attack/candidate-source.js';
import { paraphraseRequest, paraphrasesOf } from '../../attack/paraphrase.js';
import { fixedCandidates, SEMANTIC } from '../../attack/prompt-recipes.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { WORDNET } from '../../attack/resource/neighbours.js';
import { ERROR_CODES, UsageError } from '../../errors.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import { VICTIM_KINDS } from '../../victim/create-victim.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import { interruptSignal } from '../interrupt.js';
import type { Note } from '../notes.js';
import { invalid } from '../values.js';
import { readKept } from './input-attack-keep.js';
import type { ResourceArguments } from './input-attack-resources.js';
import { readWordings } from './prompt-list.js';
import type { AttackArguments as PromptAttackArguments } from '../commands/attack.js';
import type { PromptTask } from './prompt-task.js';
import { paraphraseVictim } from './prompt-victim.js';

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
  argv: PromptAttackArguments,
  recipe: AttackRecipe,
  loaded: PromptTask,
  note: Note,
): Promise<CandidatePlan> {
  const { config, fromConfig } = loaded;
  if (recipe.name !== SEMANTIC.name) {
    return fixed(await kernelsOf({ ...argv, ...resourcesOf(argv, loaded) }, recipe, loaded, note));
  }
  const wordings = argv.wordings ?? (isModel(config.wordings) ? config.wordings : fromConfig(config.wordings));
  if (wordings === undefined) {
    throw new UsageError(
      ERROR_CODES.RESOURCE,
      'the attack semantic needs --wordings: a file of other wordings of the prompts, one a line, JSONL with "prompt", or one of ' +
        "PromptBench's archive adv_prompts; or the KIND:NAME of a model that is asked for them. It does not run without",
    );
  }
  return isModel(wordings) ? paraphrases(wordings, loaded, note) : fixed(await wordingsOf(wordings, loaded));
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
function resourcesOf(argv: ResourceArguments, { config, fromConfig }: PromptTask): ResourceArguments {
  return {
    neighbours: argv.neighbours ?? (config.neighbours === WORDNET ? WORDNET : fromConfig(config.neighbours)),
    neighbourCount: argv.neighbourCount ?? config.neighbour_count,
    minCosine: argv.minCosine ?? config.min_cosine,
    encoder: argv.encoder ?? fromConfig(config.encoder),
    minEncoderCosine: argv.minEncoderCosine ?? config.min_encoder_cosine,
    maskedLm: argv.maskedLm ?? fromConfig(config.masked_lm),
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
  argv: PromptAttackArguments,
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
