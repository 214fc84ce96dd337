import type { OptionTable } from './command.js';

/** The flag that names modules of scorers: it must be known before the other arguments can be. */
const FLAG = '--custom-scores-source';

/** The paths that `--custom-scores-source` names, found before parsing: their scorers bring flags of their own. */
export function customSources(args: readonly string[]): readonly string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.slice(0, end).flatMap((arg, index) => {
    if (arg.startsWith(`${FLAG}=`)) return [arg.slice(FLAG.length + 1)];
    const next = args[index + 1];
    return arg === FLAG && next !== undefined && !next.startsWith('-') ? [next] : [];
  });
}

/**
 * Loads the modules of scorers that the arguments name.
 *
 * @param args Without the interpreter and the script.
 * @param taken The flags that mean something else, without dashes.
 * @returns The options of their scorers; empty when no module is named (and nothing is loaded).
 * @throws {UsageError} when a module can't be loaded or is no module of scorers.
 */
export async function loadCustomFlags(args: readonly string[], taken: ReadonlySet<string>): Promise<OptionTable> {
  const sources = customSources(args);
  if (sources.length === 0) return {};
  const { registerScorerModules } = await import('../score/custom-scorers.js');
  const { scorerFlags } = await import('../score/registry.js');
  const { describeRange } = await import('../score/parameters.js');
  const { createNote } = await import('./notes.js');
  const quiet = args.includes('--quiet') || args.includes('-q');
  const registered = await registerScorerModules(sources, createNote({ quiet }), taken);
  const flags = scorerFlags(taken).filter(({ scorers }) => scorers.some((scorer) => registered.includes(scorer)));
  return Object.fromEntries(
    flags.map(({ flag, parameter, scorers }) => [
      flag,
      {
        type: 'text',
        setsScorer: true,
        help: `${parameter.help}: ${describeRange(parameter)}; for ${scorers.map(({ key }) => key).join(', ')}`,
        ...(parameter.default !== undefined && { preset: String(parameter.default) }),
        group: 'Metrics of your modules:',
      },
    ]),
  );
}
