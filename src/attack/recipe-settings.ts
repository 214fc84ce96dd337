import { transformationsOf } from './blocks/transformations.js';
import { SETTINGS } from './recipe.js';
import type { AttackRecipe, SettingName, Settings } from './recipe.js';

/** A setting of an attack here and in the published versions; null where a version has no such setting. */
export interface SettingRow {
  readonly setting: SettingName;
  /** Here, when inputs are attacked. */
  readonly inputs: string | number | null;
  /** Here, when prompts are attacked. */
  readonly prompts: string | number | null;
  readonly textattack: string | number | null;
  /** Also OpenCompass's, which runs PromptBench's attacks. */
  readonly promptbench: string | number | null;
}

/** The recipe as it attacks prompts: with PromptBench's settings. */
export function onPrompts(recipe: AttackRecipe): AttackRecipe {
  return { ...recipe, ...recipe.onPrompts };
}

/** The settings of a recipe beside the published ones; settings that none has are left out. */
export function settingRows(recipe: AttackRecipe): readonly SettingRow[] {
  const [inputs, prompts] = [settingsOf(recipe), settingsOf(onPrompts(recipe))];
  const { textattack = {}, promptbench = {} } = recipe.published ?? {};
  return SETTINGS.map((setting) => ({
    setting,
    inputs: inputs[setting] ?? null,
    prompts: prompts[setting] ?? null,
    textattack: textattack[setting] ?? null,
    promptbench: promptbench[setting] ?? null,
  })).filter((row) => [row.inputs, row.prompts, row.textattack, row.promptbench].some((value) => value !== null));
}

/** The settings of all attacks as a Markdown table: one row a setting. A dash: no such setting; empty: no such version. */
export function settingsTable(recipes: readonly AttackRecipe[]): string {
  const lines = [
    '| attack | setting | here, inputs | here, prompts | TextAttack 0.3.11 | PromptBench 0.0.4, OpenCompass |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  for (const recipe of recipes) {
    const prompts = recipe.goal === undefined;
    for (const [index, row] of settingRows(recipe).entries()) {
      const { textattack, promptbench } = recipe.published ?? {};
      const cells = [
        index === 0 ? `\`${recipe.name}\`` : '',
        row.setting,
        row.inputs ?? '–',
        prompts ? (row.prompts ?? '–') : 'no such attack',
        textattack === undefined ? '' : (row.textattack ?? '–'),
        promptbench === undefined ? '' : (row.promptbench ?? '–'),
      ];
      lines.push(`| ${cells.join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** What a recipe sets, read from its own data. */
function settingsOf(recipe: AttackRecipe): Settings {
  const { constraints = {}, neighbours, modelConstraints = [] } = recipe;
  const settings: Partial<Record<SettingName, string | number>> = {
    candidates: transformationsOf(recipe).join(', '),
    search: recipe.search.name,
  };
  const set = (name: SettingName, value: string | number | undefined): void => {
    if (value !== undefined) settings[name] = value;
  };
  if (recipe.keepsStopWords === true) settings['stop words'] = 'NLTK';
  set('least word length', constraints.minWordLength);
  set('most words changed', constraints.maxWordsChanged);
  set('most of the words changed', share(constraints.maxShareChanged, constraints.roundsShareUp === true));
  set('most edits of characters', constraints.maxEditDistance);
  set('candidates of a word', neighbours?.count);
  if (neighbours !== undefined && neighbours.minCosine > -1) {
    settings['least cosine of neighbours'] = neighbours.minCosine;
  }
  if (modelConstraints.includes('sentence-encoder')) {
    settings['sentence encoder'] = `cosine ${(recipe.minEncoderCosine ?? 0.8).toFixed(4).replace(/0+$/u, '')}`;
  }
  if (modelConstraints.includes('part-of-speech')) {
    settings['part of speech'] = recipe.mayExchangeVerbAndNoun === true ? 'same, or verb and noun' : 'same';
  }
  if (modelConstraints.includes('language-model')) settings['language model'] = 'not offered';
  return settings;
}

/** A share of the words as the tables write it. */
export function share(fraction: number | undefined, isRoundedUp: boolean): string | undefined {
  return fraction === undefined ? undefined : `${fraction * 100} %${isRoundedUp ? ', rounded up' : ''}`;
}
