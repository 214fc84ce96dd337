import type { AttackRecipe, Settings } from '../recipe.js';
import { angular, SEEDED } from '../recipe.js';
import { beam } from '../search/beam.js';
import { genetic } from '../search/genetic.js';
import { greedyWordImportance } from '../search/greedy-word-importance.js';
import { improvedGenetic } from '../search/improved-genetic.js';
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

const TEXTFOOLER: Settings = {
  candidates: 'neighbours by counter-fitted word vectors',
  search: 'greedy-word-importance:delete',
  'stop words': 'its own list',
  'candidates of a word': 50,
  'sentence encoder': 'USE, angular 0.8408 (cosine 0.8776), 15 words, short texts pass',
  'part of speech': 'same, or verb and noun',
};

const BERTATTACK: Settings = {
  candidates: 'words of a masked language model, the word in sight',
  search: 'greedy-word-importance:unk',
  'stop words': 'NLTK',
};

const ALZANTOT = {
  constraints: { maxShareChanged: 0.2, roundsShareUp: true },
  search: genetic(),
  needs: ['neighbours'],
  // Vectors of length 1 at a squared distance of 0.5.
  neighbours: { count: 8, minCosine: 0.75 },
  modelConstraints: ['language-model'],
} as const;

const ALZANTOT_SETTINGS: Settings = {
  candidates: 'neighbours by counter-fitted word vectors',
  search: 'genetic, 60 members, 20 rounds',
  'stop words': 'NLTK',
  'most of the words changed': '20 %, rounded up',
  'candidates of a word': 8,
  'least cosine of neighbours': 'squared distance 0.5 (cosine 0.75)',
};

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
    published: {
      textattack: {
        candidates: 'synonyms of WordNet',
        search: 'greedy-word-importance:weighted-saliency',
        'stop words': 'NLTK',
      },
    },
  },
  {
    ...REPLACES,
    name: 'textfooler',
    source: 'Jin et al. 2020; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: [
      'neighbours come from --neighbours',
      "the stop list is NLTK's; TextAttack's recipe has a longer one of its own (--stop-words takes any)",
      WHOLE_TEXTS,
    ],
    search: greedyWordImportance('delete'),
    needs: ['neighbours'],
    neighbours: { count: 50, minCosine: 0.5 },
    onPrompts: { neighbours: { count: 50, minCosine: 0.6 } },
    modelConstraints: ['part-of-speech', 'sentence-encoder'],
    mayExchangeVerbAndNoun: true,
    minEncoderCosine: angular(0.840845057),
    published: {
      textattack: { ...TEXTFOOLER, 'least cosine of neighbours': 0.5 },
      promptbench: { ...TEXTFOOLER, 'least cosine of neighbours': 0.6 },
    },
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
    neighbours: { count: 8, minCosine: -1 },
    constraints: { maxShareChanged: 0.4, roundsShareUp: true },
    modelConstraints: ['sentence-encoder'],
    minEncoderCosine: 0.2,
    onPrompts: { neighbours: { count: 48, minCosine: -1 }, constraints: {}, minEncoderCosine: 0.8 },
    published: {
      textattack: {
        ...BERTATTACK,
        'most of the words changed': '40 %, rounded up',
        'candidates of a word': 8,
        'sentence encoder': 'USE, cosine 0.2',
      },
      promptbench: { ...BERTATTACK, 'candidates of a word': 48, 'sentence encoder': 'USE, cosine 0.8' },
    },
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
    published: {
      textattack: {
        candidates: 'whole words of a masked language model, the word masked',
        search: 'greedy-word-importance:delete',
        'stop words': 'NLTK',
        'candidates of a word': 50,
        'sentence encoder': 'USE, cosine 0.9363, 15 words, short texts pass',
        'part of speech': 'same, or verb and noun',
      },
    },
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
    ...ALZANTOT,
    published: { textattack: { ...ALZANTOT_SETTINGS, 'language model': 'Google 1 billion words, best 4' } },
  },
  {
    ...REPLACES,
    name: 'faster-alzantot',
    source: 'Jia et al. 2019; TextAttack 0.3.11',
    differences: [
      SEEDED,
      'neighbours come from --neighbours',
      'parents are drawn by softmax(score / 0.3); TextAttack prefers the bad ones',
      'without the language model it is the same attack as alzantot',
    ],
    ...ALZANTOT,
    published: { textattack: { ...ALZANTOT_SETTINGS, 'language model': 'learning to write, 6 words, log 5' } },
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
    published: {
      textattack: {
        candidates: 'words with the same sememes of HowNet',
        search: 'particle swarm, 60 particles, 20 rounds',
        'stop words': 'NLTK',
        'part of speech': 'same, by HowNet',
      },
    },
  },
  {
    ...REPLACES,
    name: 'seq2sick',
    source: 'Cheng et al. 2018 (black box); TextAttack 0.3.11',
    differences: ['neighbours come from --neighbours'],
    constraints: { maxEditDistance: 30 },
    search: greedyWordImportance('unk'),
    needs: ['neighbours'],
    neighbours: { count: 50, minCosine: -1 },
    goal: 'non-overlapping-output',
    published: {
      textattack: {
        candidates: 'neighbours by word vectors',
        search: 'greedy-word-importance:unk',
        'stop words': 'NLTK',
        'most edits of characters': 30,
        'candidates of a word': 50,
      },
    },
  },
  {
    ...REPLACES,
    name: 'iga',
    source: 'Wang et al. 2019; TextAttack 0.3.11',
    differences: [
      SEEDED,
      'neighbours come from --neighbours',
      'parents are drawn by softmax(score / 0.3); TextAttack prefers the bad ones',
      'a word that is changed again gets a neighbour of the original word',
    ],
    constraints: { maxShareChanged: 0.2, roundsShareUp: true },
    search: improvedGenetic(),
    needs: ['neighbours'],
    neighbours: { count: 50, minCosine: 0.75 },
    published: {
      textattack: {
        candidates: 'neighbours by counter-fitted word vectors',
        search: 'improved genetic, 60 members, 20 rounds, 5 changes of a word',
        'stop words': 'NLTK',
        'most of the words changed': '20 %, rounded up',
        'candidates of a word': 50,
        'least cosine of neighbours': 'squared distance 0.5 (cosine 0.75)',
      },
    },
  },
  {
    ...REPLACES,
    name: 'kuleshov',
    source: 'Kuleshov et al. 2018; TextAttack 0.3.11',
    differences: [
      'neighbours come from --neighbours',
      'thought vectors (means of word vectors, Euclidean distance 0.2) are not compared',
      'the best text of all rounds is returned, not that of the last one',
    ],
    constraints: { maxShareChanged: 0.5, roundsShareUp: true },
    search: beam(1),
    needs: ['neighbours'],
    neighbours: { count: 15, minCosine: -1 },
    modelConstraints: ['language-model'],
    goalThreshold: 0.3,
    published: {
      textattack: {
        candidates: 'neighbours by counter-fitted word vectors',
        search: 'greedy',
        'stop words': 'NLTK',
        'most of the words changed': '50 %, rounded up',
        'candidates of a word': 15,
        'language model': 'GPT-2, log probability 2',
      },
    },
  },
  {
    name: 'clare',
    source: 'Li et al. 2021; TextAttack 0.3.11',
    differences: [
      'replacements are whole words of --masked-lm, predicted once in the original text; the original predicts anew in each round',
      'a word before which one was put is not changed any more',
      WHOLE_TEXTS,
      'the best text of all rounds is returned, not that of the last one',
    ],
    transformations: [],
    proposals: [
      { name: 'masked-replace', count: 50, minConfidence: 5e-4 },
      { name: 'masked-insert', count: 50 },
      { name: 'masked-merge', count: 50, minConfidence: 5e-3 },
    ],
    keepsStopWords: true,
    search: beam(1),
    needs: ['masked-lm', 'tagger'],
    modelConstraints: ['sentence-encoder'],
    minEncoderCosine: 0.7,
    published: {
      textattack: {
        candidates: 'a word replaced (0.0005), put in, or two merged (0.005) by DistilRoBERTa, 50 each',
        search: 'greedy',
        'stop words': 'NLTK',
        'sentence encoder': 'USE, cosine 0.7, 15 words, short texts pass',
      },
    },
  },
  {
    name: 'morpheus',
    source: 'Tan et al. 2020; TextAttack 0.3.11',
    differences: [
      'forms and parts of speech come from the package compromise, or inflect of --resources, not from lemminflect and flair: English',
      'BLEU is that of sacreBLEU (--s-tgt), not that of NLTK',
      'the best text of all rounds is returned, not that of the last one',
    ],
    transformations: [],
    proposals: [{ name: 'inflections', count: 50 }],
    keepsStopWords: true,
    search: beam(1),
    needs: ['inflections'],
    goal: 'minimise-metric',
    metric: 'bleu',
    published: {
      textattack: { candidates: 'all inflected forms (lemminflect)', search: 'greedy', 'stop words': 'NLTK' },
    },
  },
  ...[
    ['french', 'FrenchRecipe', 'wn-data-fra.tab'],
    ['spanish', 'SpanishRecipe', 'wn-data-spa.tab'],
  ].map(([name = '', recipe = '', file = '']): AttackRecipe => ({
    name,
    transformations: REPLACES.transformations,
    source: `TextAttack 0.3.11 (${recipe})`,
    differences: [
      `synonyms come from --neighbours: ${file} of the Open Multilingual WordNet`,
      'names and places are not exchanged',
      'stop words are those of --stop-words FILE; without, none',
    ],
    search: greedyWordImportance('unk'),
    needs: ['neighbours'],
    neighbours: { count: 1000, minCosine: -1 },
    published: {
      textattack: {
        candidates: 'synonyms of the Open Multilingual WordNet; names and places, 3 each',
        search: 'greedy-word-importance:unk',
        'stop words': 'NLTK, of the language',
      },
    },
  })),
];
