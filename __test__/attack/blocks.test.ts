import { describe, expect, test } from 'vitest';

import { attackInputs } from '../../src/attack/attack-inputs.js';
import { blocksOf, buildAttack } from '../../src/attack/blocks/attack-blocks.js';
import { candidateSources, nativeSources } from '../../src/attack/candidate-source.js';
import type { AttackRecipe } from '../../src/attack/recipe.js';
import { ATTACK_RECIPES, attackRecipe } from '../../src/attack/recipes.js';
import { createVictim } from '../../src/victim/create-victim.js';

const TEXT = "The acting wasn't bad, but the 2nd half of this overlong film is dreadful and I'm not happy.";

async function candidatesOf(recipe: AttackRecipe): Promise<readonly string[]> {
  const source = await candidateSources({ recipe, seed: 7 })(TEXT, 3);
  return source.texts(0, source.propose(2));
}

describe('blocks of a recipe', () => {
  test.each(ATTACK_RECIPES.map((recipe) => [recipe.name, recipe] as const))(
    '%s: given again, the same attack',
    (_, recipe) => {
      const again = buildAttack(undefined, blocksOf(recipe));
      expect(again.stopWords).toBeUndefined();
      expect(blocksOf(again.recipe)).toEqual(blocksOf(recipe));
      const { transformations, needs, neighbours, withNeighbours, seesWord, search } = recipe;
      expect(again.recipe).toMatchObject({ transformations, needs });
      expect(again.recipe.neighbours).toEqual(neighbours);
      expect(again.recipe.withNeighbours).toEqual(withNeighbours);
      expect(again.recipe.proposals).toEqual(recipe.proposals);
      expect(again.recipe.seesWord).toEqual(seesWord);
      expect(again.recipe.search.name).toBe(search.name);
      expect(again.recipe.constraints).toEqual(recipe.constraints ?? {});
      expect(again.recipe.keepsStopWords).toBe(recipe.keepsStopWords === true);
      const offered = (recipe.modelConstraints ?? []).filter((name) => name !== 'language-model');
      expect(new Set(again.recipe.modelConstraints)).toEqual(new Set(offered));
    },
  );

  test.each([
    ['deepwordbug', 'deepwordbug'],
    ['textbugger', 'textbugger'],
    ['pruthi', 'pruthi:positions=all'],
    ['typo', 'typo'],
    ['bad-characters', 'bad-characters'],
    ['viper', 'viper'],
    ['contractions', 'contractions'],
  ])("%s has the candidates of the core's attack %s", async (name, whole) => {
    const { keepsStopWords = false, constraints = {}, ...recipe } = attackRecipe(name);
    const more = name === 'textbugger' ? ['homoglyph:positions=all'] : [];
    const source = nativeSources({ transformations: [whole, ...more], constraints, keepsStopWords }, 7, {})(TEXT, 3);
    const expected = source.texts(0, source.propose(2));
    expect(expected.length).toBeGreaterThan(1);
    expect(await candidatesOf({ ...recipe, keepsStopWords, constraints })).toEqual(expected);
  });
});

describe('blocks in the place of those of a recipe', () => {
  test('a search, a constraint, and one that is dropped', () => {
    const { recipe } = buildAttack(attackRecipe('pruthi'), {
      constraints: ['max-words-changed=2', 'min-word-length=none'],
      search: 'beam:3',
    });
    expect(recipe.name).toBe('pruthi[constraint=max-words-changed=2+min-word-length=none;search=beam:3]');
    expect(blocksOf(recipe)).toEqual({
      transformations: attackRecipe('pruthi').transformations,
      constraints: ['stop-words=english', 'max-words-changed=2'],
      search: 'beam:3',
    });
  });

  test('none drops all, and what is given holds', () => {
    const { recipe } = buildAttack(attackRecipe('bertattack'), { constraints: ['none', 'max-share-changed=0.2'] });
    expect(recipe.constraints).toEqual({ maxShareChanged: 0.2, roundsShareUp: true });
    expect(recipe).toMatchObject({ keepsStopWords: false, modelConstraints: [], insistsOn: [] });
  });

  test('other transformations take the words of the recipe with them', () => {
    const { recipe } = buildAttack(attackRecipe('bertattack'), { transformations: ['swap'] });
    expect(recipe).toMatchObject({ needs: [], transformations: ['swap'] });
    expect(recipe.neighbours).toBeUndefined();
    expect(recipe.seesWord).toBeUndefined();
  });

  test('aliases and parameters without a name', () => {
    const search = (text: string): string => buildAttack(attackRecipe('typo'), { search: text }).recipe.search.name;
    expect(search('greedy-wir')).toBe('greedy-word-importance:unk');
    expect(search('greedy-wir:delete')).toBe('greedy-word-importance:delete');
    expect(search('beam:width=1')).toBe('greedy');
    expect(search('pso')).toBe('particle-swarm:population=60,rounds=20');
    expect(search('genetic:rounds=3')).toBe('genetic:population=60,rounds=3,temperature=0.3');
  });

  test.each([
    [{ transformations: ['swop'] }, 'Did you mean "swap"?'],
    [{ transformations: ['pruthi'] }, 'it is an attack of several transformations: --attack pruthi'],
    [{ transformations: ['swap:unit=character'] }, '"unit" is a parameter of "teapot perturb" only'],
    [{ transformations: ['neighbours', 'masked-lm'] }, 'an attack takes words from one place'],
    [{ transformations: ['checklist'], search: 'pso' }, '--search greedy, beam or brute-force'],
    [{ transformations: ['stresstest'], constraints: ['min-word-length=3'] }, 'does nothing here'],
    [{ transformations: ['swap'], constraints: ['max-share-changed=2'] }, 'from 0 to 1'],
    [{ transformations: ['swap'], constraints: ['min-s-src=0.5', 'min-s-src=0.6'] }, 'is given twice'],
    [{ search: 'greedy' }, 'needs --transformation'],
  ])('%o is refused', (blocks, message) => {
    expect(() => buildAttack(undefined, blocks)).toThrow(message);
  });
});

test('an attack of blocks finds what the recipe of the same blocks finds', async () => {
  const victim = await createVictim('lexicon');
  const texts = [TEXT, 'A warm and very, very funny film.', 'An awful, cold plot.'].map((text) => ({ text }));
  const run = async (recipe: AttackRecipe): Promise<unknown[]> => {
    const found: unknown[] = [];
    const options = { recipe, victim, goal: { name: 'untargeted' }, queryBudget: 30, seed: 12345 } as const;
    for await (const { advSrc, queries, result } of attackInputs(texts, options)) found.push([advSrc, queries, result]);
    return found;
  };
  for (const name of ['deepwordbug', 'textbugger', 'pruthi', 'input-reduction']) {
    const recipe = attackRecipe(name);
    expect(await run(buildAttack(undefined, blocksOf(recipe)).recipe)).toEqual(await run(recipe));
  }
});
