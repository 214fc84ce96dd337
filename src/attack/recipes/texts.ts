import { SEEDED } from '../recipe.js';
import type { AttackRecipe } from '../recipe.js';
import { beam } from '../search/beam.js';
import { bruteForce } from '../search/brute-force.js';
import { greedyWordImportance } from '../search/greedy-word-importance.js';

/** Attacks that add to a text, take words away, or write it otherwise. */
export const TEXT_RECIPES: readonly AttackRecipe[] = [
  {
    name: 'checklist',
    source: 'Ribeiro et al. 2020; PromptBench 0.0.4',
    differences: ['the 50 strings are seeded, not a fixed list', 'a candidate that does not help is not returned'],
    transformations: ['checklist'],
    search: bruteForce,
    needs: [],
    published: { promptbench: { candidates: '50 fixed strings after the last word', search: 'brute-force' } },
  },
  {
    name: 'stresstest',
    source: 'Naik et al. 2018; PromptBench 0.0.4',
    differences: ['a candidate that does not help is not returned'],
    transformations: ['stresstest'],
    search: bruteForce,
    needs: [],
    published: { promptbench: { candidates: 'three fixed phrases after the last word', search: 'brute-force' } },
  },
  {
    name: 'contractions',
    source: 'Ribeiro et al. 2020; TextAttack 0.3.11 (part of CheckList)',
    differences: ['names, places and numbers are not exchanged: checklist2020 does that'],
    transformations: ['contract', 'expand'],
    search: beam(1),
    needs: [],
    published: { textattack: { candidates: 'contractions, names, numbers, places', search: 'greedy' } },
  },
  {
    name: 'checklist2020',
    source: 'Ribeiro et al. 2020; TextAttack 0.3.11',
    differences: [
      SEEDED,
      'names and places are found and listed by the package compromise, or entities of --resources, not by flair and lists of its own: English',
      'the list of contractions is our own',
      'the best text of all rounds is returned, not that of the last one',
    ],
    transformations: ['expand', 'contract'],
    proposals: [
      { name: 'entities', count: 3 },
      { name: 'numbers', count: 3 },
    ],
    search: beam(1),
    needs: ['entities'],
    published: { textattack: { candidates: 'contractions, names, numbers, places; 3 each', search: 'greedy' } },
  },
  {
    name: 'input-reduction',
    source: 'Feng et al. 2018; TextAttack 0.3.11',
    differences: [
      'counts as successful when one word is left',
      'a word goes with the space after it, where TextAttack takes the one before it',
    ],
    transformations: ['word-delete'],
    search: greedyWordImportance('delete'),
    needs: [],
    published: { textattack: { candidates: 'a word left out', search: 'greedy-word-importance:delete' } },
    goal: 'input-reduction',
  },
];
