// Writes the jobs of scripts/textattack-golden.py to stdout: npm run build:ts, then node scripts/textattack-golden.mjs [TEXTS] > jobs.json
// Of each word the candidates that the kernels draw are listed, since TextAttack draws from one global generator.
import { readFileSync } from 'node:fs';

import { blocksOf, buildAttack } from '../dist/attack/blocks/attack-blocks.js';
import { candidateSources, nativeWords } from '../dist/attack/candidate-source.js';
import { attackRecipe } from '../dist/attack/recipes.js';
import { native } from '../dist/native.js';

const folder = new URL('../__test__/golden/textattack/', import.meta.url);
const { seed, bias, weights, budgets, attacks } = JSON.parse(readFileSync(new URL('jobs.json', folder), 'utf8'));
const texts = readFileSync(process.argv[2] ?? new URL('texts.txt', folder), 'utf8')
  .trimEnd()
  .split('\n');
const wordsOf = nativeWords();

/** The words that stand for each word of a text: the draws of a word are those of its turn, or of the first round. */
async function candidatesOf(recipe, text, item) {
  const isByWord = recipe.search.name.startsWith('greedy-word-importance');
  const source = await candidateSources({ recipe, seed })(text, item);
  const points = [...text];
  return wordsOf(text).map((word, index) => {
    const count = source.propose(isByWord ? index + 1 : 1, index);
    return Array.from({ length: count }, (_, candidate) => {
      const { start, end, replacement } = source.editOf(candidate);
      return points.slice(word.start, start).join('') + replacement + points.slice(end, word.end).join('');
    });
  });
}

const jobs = [];
for (const { name, attack, ...blocks } of attacks) {
  const { recipe } = buildAttack(attack === undefined ? undefined : attackRecipe(attack), blocks);
  const items = [];
  for (const [item, text] of texts.entries()) {
    items.push({ text, words: await candidatesOf(recipe, text, item) });
  }
  const { search, constraints } = blocksOf(recipe);
  for (const budget of budgets) jobs.push({ name, budget, search, constraints, texts: items });
}
process.stdout.write(`${JSON.stringify({ bias, weights, stop_words: native().englishStopWordList(), jobs })}\n`);
