import { callNative } from '../../native.js';
import type { ParameterDefinition } from '../../score/parameters.js';
import { editKinds, listPerturbations } from '../perturb.js';
import { PROPOSALS } from '../recipe.js';
import type { AttackRecipe, ProposalUse, ResourceName } from '../recipe.js';
import { blockNamed, nameOf, readBlockParameters, shownParameters, wrongBlock } from './block.js';
import type { Block } from './block.js';

const FLAG = '--transformation';

/** The kernels' replacement of words, all candidates. */
export const REPLACE_ALL = 'replace:positions=all';

/** Kernels that add to the text as a whole. */
const OF_WHOLE_TEXTS: ReadonlySet<string> = new Set(['checklist', 'stresstest']);

/** Kernels whose words and texts an attack takes from elsewhere. */
const FROM_TABLES: ReadonlySet<string> = new Set(['replace', 'append']);

/** Transformations of the core that are no single kind of edit. */
const OWN: ReadonlySet<string> = new Set(['charswap', ...OF_WHOLE_TEXTS]);

const COUNT: ParameterDefinition = {
  name: 'count',
  type: 'integer',
  minimum: 1,
  maximum: 1_000_000,
  default: 50,
  help: 'The most candidates of a word',
};

const CONFIDENCE: ParameterDefinition = {
  name: 'min-confidence',
  type: 'number',
  minimum: 0,
  maximum: 1,
  default: 0,
  help: 'The least probability of a prediction',
};

/** Where words come from that are no kernel's own. */
const SOURCES = {
  neighbours: {
    description: 'a word becomes a neighbour (--neighbours, or neighbours of a --resources module)',
    source: 'TextAttack 0.3.11 (word-swap-embedding, word-swap-wordnet)',
    parameters: [
      COUNT,
      { name: 'min-cosine', type: 'number', minimum: -1, maximum: 1, default: -1, help: 'Of word vectors' },
      { name: 'needed', type: 'boolean', default: true, help: 'Without neighbours the attack does not run' },
    ],
  },
  'masked-lm': {
    description:
      'a word becomes one that a masked language model predicts (--masked-lm, or predict of a --resources module)',
    source: 'TextAttack 0.3.11 (word-swap-masked-lm)',
    parameters: [
      COUNT,
      {
        name: 'word',
        type: 'choice',
        choices: ['masked', 'seen'],
        default: 'masked',
        help: 'Masked as in BAE, or seen as in BERT-Attack',
      },
    ],
  },
  'masked-replace': {
    description: 'a word becomes one that a masked language model predicts for its own place (--masked-lm)',
    source: 'Li et al. 2021 (CLARE); TextAttack 0.3.11',
    parameters: [COUNT, CONFIDENCE],
  },
  'masked-insert': {
    description: 'a predicted word is put before a word (--masked-lm)',
    source: 'Li et al. 2021 (CLARE); TextAttack 0.3.11',
    parameters: [COUNT, CONFIDENCE],
  },
  'masked-merge': {
    description: 'two words become a predicted one, by their parts of speech (--masked-lm and a tagger)',
    source: 'Li et al. 2021 (CLARE); TextAttack 0.3.11',
    parameters: [COUNT, CONFIDENCE],
  },
  inflections: {
    description:
      'a noun, verb or adjective takes another form (the package compromise, or inflect of a --resources module)',
    source: 'Tan et al. 2020 (Morpheus); TextAttack 0.3.11',
    parameters: [],
  },
  entities: {
    description: 'a name or place becomes another (the package compromise, or entities of a --resources module)',
    source: 'Ribeiro et al. 2020 (CheckList); TextAttack 0.3.11',
    parameters: [{ ...COUNT, default: 3 }],
  },
  numbers: {
    description: 'a number becomes another of up to twice its size, in figures or in English words',
    source: 'Ribeiro et al. 2020 (CheckList); TextAttack 0.3.11',
    parameters: [{ ...COUNT, default: 3 }],
  },
} as const satisfies Readonly<
  Record<string, Omit<Block, 'name' | 'parameters'> & { readonly parameters: readonly ParameterDefinition[] }>
>;

/** What the transformations of an attack say of a recipe. */
export type TransformationSettings = Pick<
  AttackRecipe,
  'transformations' | 'needs' | 'neighbours' | 'withNeighbours' | 'seesWord' | 'proposals'
>;

/** Every transformation of an attack, for `teapot list transformations`. */
export function transformationBlocks(): readonly Block[] {
  const sources = Object.entries(SOURCES).map(([name, { description, source, parameters }]) => ({
    name,
    description,
    source,
    parameters: shownParameters(parameters),
  }));
  return [...kernels().values(), ...sources];
}

function kernels(): ReadonlyMap<string, Block> {
  const kinds = new Set(editKinds());
  const isOne = (name: string): boolean => (kinds.has(name) || OWN.has(name)) && !FROM_TABLES.has(name);
  const entries = listPerturbations().filter(({ name }) => isOne(name));
  return new Map(
    entries.map(({ name, description, source, parameters }) => {
      // Shares of characters are what "perturb" draws; an attack tries each candidate.
      const shown = parameters.filter((parameter) => !parameter.startsWith('unit='));
      return [name, { name, description, source, parameters: shown }];
    }),
  );
}

/**
 * Reads the transformations of an attack, each `NAME` or `NAME:param=value,param=value`.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for one that is none, or two that don't go together.
 */
export function readTransformations(texts: readonly string[]): TransformationSettings {
  const all = kernels();
  const names = new Map<string, Block | keyof typeof SOURCES>(all);
  for (const name of Object.keys(SOURCES) as (keyof typeof SOURCES)[]) names.set(name, name);
  const made: string[] = [];
  const proposals: ProposalUse[] = [];
  let given: Omit<TransformationSettings, 'transformations'> = { needs: [] };
  for (const text of texts) {
    refuseAttacks(text);
    const block = blockNamed(FLAG, text, names, 'transformations');
    if (typeof block !== 'string') {
      checkKernel(text);
      made.push(text);
      continue;
    }
    const proposal = PROPOSALS.find((name) => name === block);
    if (proposal !== undefined) {
      const values = readBlockParameters(FLAG, text, SOURCES[proposal].parameters);
      const least = Number(values['min-confidence'] ?? 0);
      const count = Number(values['count'] ?? COUNT.default);
      proposals.push({ name: proposal, count, ...(least > 0 && { minConfidence: least }) });
      continue;
    }
    if (given.neighbours !== undefined) {
      throw wrongBlock(`${FLAG} ${text}: an attack takes words from one place: neighbours or masked-lm, once`);
    }
    const values = readBlockParameters(FLAG, text, SOURCES[block].parameters);
    const count = Number(values['count']);
    if (block === 'masked-lm') {
      given = {
        needs: ['masked-lm'],
        neighbours: { count, minCosine: -1 },
        ...(values['word'] === 'seen' && { seesWord: true }),
      };
      made.push(REPLACE_ALL);
      continue;
    }
    const neighbours = { count, minCosine: Number(values['min-cosine']) };
    if (values['needed'] === false) given = { needs: [], neighbours, withNeighbours: [REPLACE_ALL] };
    else {
      given = { needs: ['neighbours'], neighbours };
      made.push(REPLACE_ALL);
    }
  }
  if (proposals.length > 0) {
    if (given.neighbours !== undefined || made.some(isOfWholeText)) {
      throw wrongBlock(
        `${FLAG} ${texts.join(' + ')}: ${proposals[0]?.name ?? ''} goes with ${PROPOSALS.join(', ')} and changes of characters`,
      );
    }
    return { transformations: made, proposals, needs: neededBy(proposals) };
  }
  if (made.some(isOfWholeText) && !made.every(isOfWholeText)) {
    throw wrongBlock(
      `${FLAG} ${texts.join(' + ')}: ${[...OF_WHOLE_TEXTS].join(' and ')} add to the text as a whole and don't go with changes of words`,
    );
  }
  return { ...given, transformations: made };
}

/** Whether a transformation adds to the text as a whole. */
export function isOfWholeText(text: string): boolean {
  return OF_WHOLE_TEXTS.has(nameOf(text));
}

/** The transformations of a recipe as `--transformation` takes them. */
export function transformationsOf(recipe: TransformationSettings): readonly string[] {
  const { transformations, withNeighbours = [], needs } = recipe;
  const count = recipe.neighbours?.count ?? Number(COUNT.default);
  const minCosine = recipe.neighbours?.minCosine ?? -1;
  const neighbours = (rest: readonly string[]): string =>
    ['neighbours', [`count=${count}`, ...(minCosine > -1 ? [`min-cosine=${minCosine}`] : []), ...rest].join(',')].join(
      ':',
    );
  const shown = transformations.map((text) => {
    if (text !== REPLACE_ALL) return text;
    if (!needs.includes('masked-lm')) return neighbours([]);
    return `masked-lm:count=${count}${recipe.seesWord === true ? ',word=seen' : ''}`;
  });
  const proposed = (recipe.proposals ?? []).map(({ name, count: most, minConfidence = 0 }) => {
    const definitions: readonly ParameterDefinition[] = SOURCES[name].parameters;
    const given = [
      ...(definitions.some((one) => one.name === 'count') ? [`count=${most}`] : []),
      ...(minConfidence > 0 ? [`min-confidence=${minConfidence}`] : []),
    ];
    return [name, ...(given.length === 0 ? [] : [given.join(',')])].join(':');
  });
  return [...shown, ...proposed, ...(withNeighbours.length === 0 ? [] : [neighbours(['needed=no'])])];
}

/** The resources that proposals need. */
export function neededBy(proposals: readonly ProposalUse[]): readonly ResourceName[] {
  const names = proposals.map(({ name }) => name);
  const needs: ResourceName[] = [];
  if (names.some((name) => name.startsWith('masked-'))) needs.push('masked-lm');
  if (names.includes('masked-merge')) needs.push('tagger');
  if (names.includes('inflections')) needs.push('inflections');
  if (names.includes('entities')) needs.push('entities');
  return needs;
}

/** An attack of several transformations is named with --attack. */
function refuseAttacks(text: string): void {
  const name = nameOf(text);
  const entry = listPerturbations().find((one) => one.name === name);
  if (entry === undefined || kernels().has(name)) return;
  const instead = FROM_TABLES.has(name)
    ? 'here words come from "neighbours" or "masked-lm", and texts from "checklist" or "stresstest"'
    : `it is an attack of several transformations: --attack ${name}`;
  throw wrongBlock(`${FLAG} ${text}: ${instead} (teapot list transformations)`);
}

/** What the kernels say of parameters. */
function checkKernel(text: string): void {
  if (/[:,]unit=/u.test(text)) throw wrongBlock(`${FLAG} ${text}: "unit" is a parameter of "teapot perturb" only`);
  try {
    callNative((binding) => new binding.CandidateGenerator({ attacks: [text] }));
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^attack is `[^`]*`, /u, '') : String(error);
    throw wrongBlock(`${FLAG} ${text}: ${message}`);
  }
}
