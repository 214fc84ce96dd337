import type { AttackRecipe } from '../recipe.js';
import { angular, SEEDED } from '../recipe.js';
import { genetic } from '../search/genetic.js';
import { greedyWordImportance } from '../search/greedy-word-importance.js';
import { particleSwarm } from '../search/particle-swarm.js';

/** What all attacks on words have in common. */
const REPLACES = { transformations: ['replace:positions=all'], keepsStopWords: true } as const;

/** What attacks with a masked language model have in common. */
const PREDICTED = [
  'replacements are whole words of --masked-lm, predicted once in the original text',
  'a word that comes twice has the predictions of both places',
] as const;

/** How the encoder is used. */
const WHOLE_TEXTS =
  'the encoder compares whole texts with the original, short ones too; the original attack looks at 15 words and lets short texts pass';

/** Attacks that replace words by others. */
export const WORD_RECIPES: readonly AttackRecipe[] = [
  {
    ...REPLACES,
    name: 'pwws',
    source: 'Ren et al. 2019; TextAttack 0.3.11',
    differences: ['synonyms come from --neighbours: WordNet 3.1 with "wordnet", in the order of its senses'],
    search: greedyWordImportance('weighted-saliency'),
    needs: ['neighbours'],
    neighbours: { count: 1000, minCosine: -1 },
  },
  {
    ...REPLACES,
    name: 'textfooler',
    source: 'Jin et al. 2020; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: ['neighbours come from --neighbours', WHOLE_TEXTS],
    search: greedyWordImportance('delete'),
    needs: ['neighbours'],
    neighbours: { count: 50, minCosine: 0.6 },
    modelConstraints: ['part-of-speech', 'sentence-encoder'],
    mayExchangeVerbAndNoun: true,
    minEncoderCosine: angular(0.840845057),
  },
  {
    ...REPLACES,
    name: 'bertattack',
    source: 'Li et al. 2020; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: [
      ...PREDICTED,
      'a word of several pieces is masked, where the original combines predictions of its pieces',
    ],
    search: greedyWordImportance('unk'),
    seesWord: true,
    needs: ['masked-lm'],
    neighbours: { count: 48, minCosine: -1 },
    modelConstraints: ['sentence-encoder'],
    minEncoderCosine: 0.8,
  },
  {
    ...REPLACES,
    name: 'bae',
    source: 'Garg and Ramakrishnan 2020 (BAE-R); TextAttack 0.3.11',
    differences: [...PREDICTED, WHOLE_TEXTS],
    search: greedyWordImportance('delete'),
    mayExchangeVerbAndNoun: true,
    needs: ['masked-lm'],
    neighbours: { count: 50, minCosine: -1 },
    modelConstraints: ['part-of-speech', 'sentence-encoder'],
    minEncoderCosine: 0.936338023,
  },
  {
    ...REPLACES,
    name: 'alzantot',
    source: 'Alzantot et al. 2018; TextAttack 0.3.11',
    differences: [
      SEEDED,
      'neighbours come from --neighbours',
      'parents are drawn by softmax(score / 0.3); TextAttack prefers the bad ones',
    ],
    constraints: { maxShareChanged: 0.2 },
    search: genetic(),
    needs: ['neighbours'],
    neighbours: { count: 8, minCosine: 0.5 },
    modelConstraints: ['language-model'],
  },
  {
    ...REPLACES,
    name: 'pso',
    source: 'Zang et al. 2020; TextAttack 0.3.11',
    differences: [SEEDED, 'neighbours come from --neighbours, not from HowNet'],
    search: particleSwarm(),
    needs: ['neighbours'],
    neighbours: { count: 50, minCosine: 0.5 },
    modelConstraints: ['part-of-speech'],
  },
];
