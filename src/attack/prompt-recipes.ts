import { ERROR_CODES, UsageError } from '../errors.js';
import type { AttackEdit } from '../native.js';
import { didYouMean } from '../nearest.js';
import type { SourceOf } from './candidate-source.js';
import type { AttackRecipe } from './recipe.js';
import { onPrompts } from './recipe-settings.js';
import { ATTACK_RECIPES } from './recipes.js';
import { bruteForce } from './search/brute-force.js';

/** The attack whose candidates are whole wordings of a prompt, from a file. */
export const SEMANTIC: AttackRecipe = {
  name: 'semantic',
  source: 'Zhu et al. 2023; PromptBench 0.0.4',
  differences: [
    'the other wordings come from a file (translations there and back, or paraphrases), or a model is asked for paraphrases',
  ],
  transformations: [],
  search: bruteForce,
  needs: [],
};

/** PromptBench's attacks, in its order. */
const SEVEN = ['textbugger', 'deepwordbug', 'textfooler', 'bertattack', 'checklist', 'stresstest', 'semantic'];

/** Every attack on prompts, PromptBench's seven first. */
export function promptRecipes(): readonly AttackRecipe[] {
  const all = [...ATTACK_RECIPES, SEMANTIC].filter((one) => one.goal === undefined).map(onPrompts);
  const rank = ({ name }: AttackRecipe): number => (SEVEN.includes(name) ? SEVEN.indexOf(name) : SEVEN.length);
  return all.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * The attack on prompts of this name.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION`, with the nearest name and the list.
 */
export function promptRecipe(name: string): AttackRecipe {
  const known = promptRecipes();
  const recipe = known.find((one) => one.name === name);
  if (recipe !== undefined) return recipe;
  const names = known.map((one) => one.name);
  throw new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `the option \`attack\` ${name}: no such attack on prompts.${didYouMean(name, names)} Expected one of ${names.join(', ')}`,
  );
}

/** Candidates that are given as whole texts, in their order. */
export function fixedCandidates(texts: readonly string[]): SourceOf {
  return (text) => {
    const others = [...new Set(texts)].filter((one) => one !== text);
    const end = [...text].length;
    const editOf = (candidate: number): AttackEdit | null => {
      const replacement = others[candidate];
      return replacement === undefined ? null : { start: 0, end, replacement, kind: 'replace' };
    };
    let made: readonly AttackEdit[] = [];
    return {
      words: () => [],
      changeable: () => [],
      without: () => [],
      begin(edits) {
        made = edits;
        return true;
      },
      propose: () => others.length,
      texts: (start, to) => others.slice(start, to),
      wordOf: () => -1,
      editOf,
      accept(candidate) {
        const edit = editOf(candidate);
        if (edit !== null) made = [edit];
      },
      edits: () => made,
    };
  };
}
