import { basename } from 'node:path';
import { createModuleScorer, loadScorerModule } from './module-scorer.js';
import type { ModuleOption, ModuleScorer } from './module-scorer.js';
import { formatParameter, parseParameter } from './parameters.js';
import type { ParameterDefinition, ParameterValue, ParameterValues } from './parameters.js';
import { registerScorer, scorerFlags } from './registry.js';
import type { ScorerDefinition } from './definition.js';

/**
 * Loads modules of scorers and registers what they define (`--custom-scores-source`).
 *
 * @param sources Paths of ES modules.
 * @param onNote Is told, in one sentence, of every key that a module takes over.
 * @param reserved Flags of the command line that mean something else: an option of that name gets no flag and is set by
 *   `key:option=value` alone. A flag of a built-in scorer, such as `--value`, may be shared.
 * @returns The definitions that were registered, in order.
 * @throws {UsageError} when a module can't be loaded or a definition is not complete.
 */
export async function registerScorerModules(
  sources: readonly string[],
  onNote: (note: string) => void = () => {},
  reserved: ReadonlySet<string> = new Set(),
): Promise<readonly ScorerDefinition[]> {
  const registered: ScorerDefinition[] = [];
  const shared = new Set(scorerFlags().map(({ flag }) => flag));
  const isFree = (flag: string): boolean => !reserved.has(flag) || shared.has(flag);
  for (const source of sources) {
    for (const module of await loadScorerModule(source)) {
      const definition = definitionOf(source, module, isFree);
      const { replaced } = registerScorer(definition);
      if (replaced !== undefined) {
        onNote(`Note: the scorer "${definition.key}" of ${source} replaces the one of that key (${replaced.origin}).`);
      }
      registered.push(definition);
    }
  }
  return registered;
}

function definitionOf(source: string, module: ModuleScorer, isFree: (flag: string) => boolean): ScorerDefinition {
  const parameters = Object.entries(module.options ?? {}).map(([name, option]) =>
    parameterOf(source, module, name, option, isFree),
  );
  return {
    key: module.key,
    name: module.name ?? module.key,
    description: module.description ?? `scorer of ${basename(source)}`,
    origin: source,
    takesLanguage: true,
    parameters,
    create: async (values, context) =>
      createModuleScorer(source, module, values, {
        language: context.language,
        signature: [
          module.key,
          `nrefs:${context.referenceCount ?? 1}`,
          `module:${basename(source)}`,
          ...parameters.flatMap(({ name }) => signaturePart(name, values)),
          `version:${context.version}`,
        ].join('|'),
      }),
  };
}

function signaturePart(name: string, values: ParameterValues): readonly string[] {
  const value = values[name];
  return value === undefined ? [] : [`${name}:${formatParameter(value)}`];
}

/** An option as a parameter; its default is checked as if a user had written it. */
function parameterOf(
  source: string,
  module: ModuleScorer,
  name: string,
  option: ModuleOption,
  isFree: (flag: string) => boolean,
): ParameterDefinition {
  const { type = typeOf(option.default), help = `option of the scorer ${module.key}`, ...rest } = option;
  const flag = name.replaceAll('_', '-');
  const parameter: ParameterDefinition = { ...rest, name, type, help, ...(isFree(flag) && { flag }) };
  if (option.default === undefined) return parameter;
  return {
    ...parameter,
    default: parseParameter(parameter, String(option.default), `${source}: default of ${module.key}:${name}`),
  };
}

/** The type that a default shows, for options that don't name one. */
function typeOf(value: ParameterValue | undefined): ParameterDefinition['type'] {
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}
