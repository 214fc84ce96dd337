import { blocksOf } from '../../attack/blocks/attack-blocks.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { settingRows } from '../../attack/recipe-settings.js';
import { ATTACK_RECIPES } from '../../attack/recipes.js';
import { ONNX_INSTALL, ONNX_PACKAGES } from '../../onnx-model.js';
import { areInstalled } from '../../optional-package.js';
import { ENGLISH_INSTALL, ENGLISH_PACKAGE, isEnglishInstalled } from '../../attack/resource/english-words.js';
import { isTaggerInstalled, TAGGER_INSTALL } from '../../attack/resource/tagger.js';
import { WORDNET_PACKAGE, wordNetFolder } from '../../attack/resource/wordnet.js';
import { createVictim, VICTIM_KINDS } from '../../victim/create-victim.js';
import type { VictimKind } from '../../victim/create-victim.js';

/** A resource of an attack and whether it is there. */
interface ResourceState {
  readonly name: string;
  readonly required: boolean;
  /** Null when that depends on a file of the user's; false also when the packages that read such a file are not installed. */
  readonly available: boolean | null;
  readonly help: string;
}

/** Every attack with its source, its differences from it, what it needs and whether that is there. */
export function listAttacks(format: 'text' | 'json'): string {
  if (format === 'json') {
    const rows = ATTACK_RECIPES.map((recipe) => ({
      name: recipe.name,
      source: recipe.source,
      search: recipe.search.name,
      goal: recipe.goal ?? 'untargeted',
      blocks: blocksOf(recipe),
      differences: recipe.differences,
      settings: settingRows(recipe),
      resources: resourcesOf(recipe),
    }));
    return `${JSON.stringify(rows, null, 2)}\n`;
  }
  const blocks = ATTACK_RECIPES.map((recipe) => {
    const needed = resourcesOf(recipe).filter(({ required }) => required);
    const optional = resourcesOf(recipe).filter(({ required }) => !required);
    return [
      `${recipe.name}: ${recipe.source}\n`,
      ...recipe.differences.map((difference) => `    differs: ${difference}\n`),
      ...blockLines(recipe),
      needed.length === 0 ? '    needs: nothing\n' : '',
      ...needed.map((resource) => `    needs: ${resource.help}\n`),
      ...optional.map((resource) => `    may use: ${resource.help}\n`),
    ].join('');
  });
  return ['Attacks for teapot attack --attack NAME\n\n', ...blocks].join('');
}

/** Every kind of victim, and whether it can be made here and now where that needs no name. */
export async function listVictims(format: 'text' | 'json'): Promise<string> {
  const rows = await Promise.all(
    VICTIM_KINDS.map(async (kind) => ({
      kind: kind.kind,
      example: kind.example,
      description: kind.description,
      available: await isReady(kind),
    })),
  );
  if (format === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  const lines = rows.map(({ example, description, available }) => {
    const state = available === null ? '' : available ? ' (ready)' : ' (not ready)';
    return `${example.padEnd(28)} ${description}${state}\n`;
  });
  return ['Victims for teapot attack --model KIND:NAME\n\n', ...lines].join('');
}

/** The parts of an attack as the options of "teapot attack" take them. */
function blockLines(recipe: AttackRecipe): readonly string[] {
  const { transformations, constraints, search } = blocksOf(recipe);
  return [
    `    transformations: ${transformations.join(' ')}\n`,
    ...(constraints.length === 0 ? [] : [`    constraints: ${constraints.join(' ')}\n`]),
    `    search: ${search}\n`,
  ];
}

function resourcesOf(recipe: AttackRecipe): ResourceState[] {
  const states: ResourceState[] = [];
  if (recipe.neighbours !== undefined && !recipe.needs.includes('masked-lm')) {
    const installed = wordNetFolder() !== undefined;
    states.push({
      name: 'neighbours',
      required: recipe.needs.includes('neighbours'),
      available: installed ? true : null,
      help:
        `--neighbours wordnet (${state(installed, `npm install ${WORDNET_PACKAGE}`)}), word vectors or a table of neighbours (a file of yours), ` +
        'or neighbours of a --resources module',
    });
  }
  if (recipe.needs.includes('masked-lm')) {
    states.push({
      name: 'masked-lm',
      required: true,
      available: areInstalled(ONNX_PACKAGES) ? null : false,
      help: `masked language model: --masked-lm DIR (a model of yours; ${packages()}), or predict of a --resources module`,
    });
  }
  if (recipe.needs.includes('tagger')) {
    const available = isTaggerInstalled();
    const help = `parts of speech: wink-nlp (${state(available, TAGGER_INSTALL)}), or tag of a --resources module`;
    states.push({ name: 'tagger', required: true, available, help });
  }
  for (const name of ['inflections', 'entities'] as const) {
    if (!recipe.needs.includes(name)) continue;
    const available = isEnglishInstalled();
    const what = name === 'inflections' ? 'inflected forms' : 'names and places';
    const own = name === 'inflections' ? 'inflect' : 'entities';
    const help = `${what}: ${ENGLISH_PACKAGE} (${state(available, ENGLISH_INSTALL)}), or ${own} of a --resources module`;
    states.push({ name, required: true, available, help });
  }
  for (const name of recipe.modelConstraints ?? []) states.push(constraintState(name));
  return states;
}

function constraintState(name: NonNullable<AttackRecipe['modelConstraints']>[number]): ResourceState {
  const without = 'without it the attack runs unconstrained and says so';
  switch (name) {
    case 'sentence-encoder': {
      const available = areInstalled(ONNX_PACKAGES) ? null : false;
      const help = `sentence encoder: --encoder DIR (a model of yours; ${packages()}), or embed of a --resources module`;
      return { name, required: false, available, help: `${help}; ${without}` };
    }
    case 'part-of-speech': {
      const available = isTaggerInstalled();
      const help = `part of speech: wink-nlp (${state(available, TAGGER_INSTALL)}), or tag of a --resources module`;
      return { name, required: false, available, help: `${help}; ${without}` };
    }
    default:
      return { name, required: false, available: false, help: `language model (not offered); ${without}` };
  }
}

function packages(): string {
  return `packages ${state(areInstalled(ONNX_PACKAGES), ONNX_INSTALL)}`;
}

function state(isInstalled: boolean, install: string): string {
  return isInstalled ? 'installed' : `not installed: ${install}`;
}

/** Null for kinds that need a name: what that names is not known. */
async function isReady(kind: VictimKind): Promise<boolean | null> {
  if (kind.isNameOptional !== true) return null;
  try {
    const victim = await createVictim(kind.kind);
    await victim.close?.();
    return true;
  } catch {
    return false;
  }
}
