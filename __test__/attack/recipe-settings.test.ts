import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, test } from 'vitest';

import { promptRecipe } from '../../src/attack/prompt-recipes.js';
import { settingRows, settingsTable } from '../../src/attack/recipe-settings.js';
import { ATTACK_RECIPES, attackRecipe } from '../../src/attack/recipes.js';
import { native } from '../../src/native.js';

test('docs/attack.md holds the table of settings (node scripts/attack-table.mjs writes it)', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/attack.md'), 'utf8');
  expect(page).toContain(settingsTable(ATTACK_RECIPES));
});

test("A7: inputs are attacked with TextAttack's settings, prompts with PromptBench's", () => {
  const bertattack = attackRecipe('bertattack');
  expect(bertattack).toMatchObject({
    neighbours: { count: 8 },
    constraints: { maxShareChanged: 0.4, roundsShareUp: true },
    minEncoderCosine: 0.2,
  });
  expect(promptRecipe('bertattack')).toMatchObject({
    neighbours: { count: 48 },
    constraints: {},
    minEncoderCosine: 0.8,
  });
  expect(attackRecipe('textfooler').neighbours?.minCosine).toBe(0.5);
  expect(promptRecipe('textfooler').neighbours?.minCosine).toBe(0.6);
  expect(attackRecipe('alzantot').constraints).toEqual({ maxShareChanged: 0.2, roundsShareUp: true });
});

test('every number that a published version sets is the one here, or a difference says why', () => {
  const rows = ATTACK_RECIPES.flatMap((recipe) => settingRows(recipe));
  const numbers = rows.filter(({ textattack }) => typeof textattack === 'number');
  expect(numbers.length).toBeGreaterThan(8);
  expect(numbers.filter(({ inputs, textattack }) => inputs !== textattack)).toEqual([]);
});

test('A7: the stop list is that of NLTK', () => {
  const words = native().englishStopWordList();
  expect(words.length).toBe(179);
  for (const word of ['not', 'no', 'more', 'few', "couldn't", 'yourselves', 'the']) expect(words).toContain(word);
  for (const word of ['across', 'although', 'might', 'one']) expect(words).not.toContain(word);
});
