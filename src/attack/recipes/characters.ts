import { angular, SEEDED } from '../recipe.js';
import type { AttackRecipe, Settings } from '../recipe.js';
import { beam } from '../search/beam.js';
import { greedyWordImportance } from '../search/greedy-word-importance.js';

/** TextAttack's and PromptBench's version are the same. */
const DEEPWORDBUG: Settings = {
  candidates: 'swap, substitution, deletion, insertion; one random each',
  search: 'greedy-word-importance:unk',
  'stop words': 'NLTK',
  'most edits of characters': 30,
};

/** TextAttack's and PromptBench's version are the same. */
const TEXTBUGGER: Settings = {
  candidates: 'space, deletion, swap: one random inner place each; homoglyph: all places; neighbours',
  search: 'greedy-word-importance:delete',
  'stop words': 'NLTK',
  'candidates of a word': 5,
  'sentence encoder': 'USE, angular 0.8 (cosine 0.809)',
};

/** Attacks that change characters of words. */
export const CHARACTER_RECIPES: readonly AttackRecipe[] = [
  {
    name: 'deepwordbug',
    source: 'Gao et al. 2018; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: [SEEDED],
    transformations: ['swap', 'substitute', 'delete', 'insert'],
    search: greedyWordImportance('unk'),
    keepsStopWords: true,
    constraints: { maxEditDistance: 30 },
    needs: [],
    published: { textattack: DEEPWORDBUG, promptbench: DEEPWORDBUG },
  },
  {
    name: 'textbugger',
    source: 'Li et al. 2019; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: [SEEDED, 'neighbours only with --neighbours: without, the character part alone'],
    transformations: ['space:skip=both', 'delete:skip=both', 'swap:skip=both', 'homoglyph:positions=all'],
    search: greedyWordImportance('delete'),
    keepsStopWords: true,
    needs: [],
    published: { textattack: TEXTBUGGER, promptbench: TEXTBUGGER },
    neighbours: { count: 5, minCosine: -1 },
    withNeighbours: ['replace:positions=all'],
    modelConstraints: ['sentence-encoder'],
    minEncoderCosine: angular(0.8),
  },
  {
    name: 'pruthi',
    source: 'Pruthi et al. 2019; TextAttack 0.3.11',
    differences: ['the best text of all rounds is returned, not that of the last one'],
    transformations: [
      'swap:positions=all,skip=both',
      'delete:positions=all,skip=both',
      'insert:positions=all,skip=both',
      'keyboard:positions=all,skip=both',
    ],
    constraints: { maxWordsChanged: 1, minWordLength: 4 },
    search: beam(1),
    keepsStopWords: true,
    needs: [],
    published: {
      textattack: {
        candidates: 'swap, deletion, insertion, keyboard neighbour; all inner places',
        search: 'greedy',
        'stop words': 'NLTK',
        'least word length': 4,
        'most words changed': 1,
      },
    },
  },
  {
    name: 'homoglyph',
    source: 'TextAttack 0.3.11 (table), Gao et al. 2018 (search)',
    differences: [],
    transformations: ['homoglyph:positions=all'],
    search: greedyWordImportance('unk'),
    needs: [],
  },
  {
    name: 'bad-characters',
    source: 'Boucher et al. 2022; TextAttack 0.3.11',
    differences: [SEEDED, 'greedy search by word importance instead of differential evolution'],
    transformations: ['homoglyph:table=intentional', 'invisible', 'reorder', 'deletion-control'],
    search: greedyWordImportance('delete'),
    needs: [],
    published: {
      textattack: {
        candidates: 'homoglyphs, invisible, reordering or deleting characters',
        search: 'differential evolution',
      },
    },
  },
  {
    name: 'viper',
    source: 'Eger et al. 2019 (easy character embedding space); OpenAttack 2.1',
    differences: [SEEDED, 'greedy search by word importance instead of repeated random drawing'],
    transformations: ['accent:positions=all'],
    search: greedyWordImportance('unk'),
    needs: [],
  },
  {
    name: 'typo',
    source: 'keyboard neighbours and slips, as in Pruthi et al. 2019',
    differences: [SEEDED],
    transformations: ['keyboard', 'swap', 'delete', 'repeat'],
    search: greedyWordImportance('unk'),
    needs: [],
  },
  {
    name: 'charswap',
    source: 'Michel et al. 2019 (TEAPOT)',
    differences: [SEEDED, 'greedy search by word importance instead of gradients'],
    transformations: ['charswap'],
    search: greedyWordImportance('unk'),
    needs: [],
  },
];
