import type { AttackRecipe } from '../recipe.js';
import { SEEDED } from '../recipe.js';
import { genetic } from '../search/genetic.js';
import { greedyWordImportance } from '../search/greedy-word-importance.js';
import { particleSwarm } from '../search/particle-swarm.js';

/** What all attacks on words have in common. */
const REPLACES = { transformations: ['replace:positions=all'], keepsStopWords: true } as const;

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
    differences: ['neighbours come from --neighbours', 'the encoder looks at whole texts, not at windows of 15 words'],
    search: greedyWordImportance('delete'),
    needs: ['neighbours'],
    neighbours: { count: 50, minCosine: 0.6 },
    modelConstraints: ['part-of-speech', 'sentence-encoder'],
    minEncoderCosine: 0.84,
  },
  {
    ...REPLACES,
    name: 'bertattack',
    source: 'Li et al. 2020; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: ['replacements are whole words of --masked-lm; a word that comes twice has those of both places'],
    search: greedyWordImportance('unk'),
    needs: ['masked-lm'],
    neighbours: { count: 48, minCosine: -1 },
    modelConstraints: ['sentence-encoder'],
    minEncoderCosine: 0.8,
  },
  {
    ...REPLACES,
    name: 'bae',
    source: 'Garg and Ramakrishnan 2020 (BAE-R); TextAttack 0.3.11',
    differences: ['replacements are whole words of --masked-lm; a word that comes twice has those of both places'],
    search: greedyWordImportance('delete'),
    needs: ['masked-lm'],
    neighbours: { count: 50, minCosine: -1 },
    modelConstraints: ['part-of-speech', 'sentence-encoder'],
    minEncoderCosine: 0.936,
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
