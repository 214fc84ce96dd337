import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { flagName } from '../../src/cli/command.js';
import type { Command, OptionDefinition } from '../../src/cli/command.js';
import { COMMANDS, SCORE } from '../../src/cli/commands.js';
import { temporaryFolder } from '../helpers/cli.js';
import { runInProcess } from '../helpers/in-process.js';
import type { InProcessResult } from '../helpers/in-process.js';
import { BASES, EFFECTS, FIXTURES, IDLE, LIKE_OTHERS, SPELLINGS } from './every-flag-cases.js';
import type { Effect } from './every-flag-cases.js';

// Every option of every command, in each mode for which it is declared, changes the output or the exit code of a run made
// for it; in the other modes it is refused. The cases follow the option tables: an option without a case fails.

vi.setConfig({ testTimeout: 120_000 });
vi.stubEnv('OPENAI_API_KEY', 'none');

const folder = temporaryFolder();
const home = process.cwd();
beforeAll(() => {
  folder.write(FIXTURES);
  process.chdir(folder.path);
});
afterAll(() => process.chdir(home));

const commands = [SCORE, ...COMMANDS].map(({ command }) => command);
const nameOf = (command: Command): string => command.usage.split(' ')[0] ?? '';
const modesOf = (command: Command, option: OptionDefinition): readonly string[] =>
  (option.modes ?? Object.keys(command.modes ?? { all: '' })).filter(
    (mode) => LIKE_OTHERS[nameOf(command)]?.includes(mode) !== true,
  );

describe.each(commands.map((command) => [nameOf(command), command] as const))('teapot %s', (name, command) => {
  const options = Object.entries(command.options);

  it('has a case for each of its options, and for no other', () => {
    expect(Object.keys(EFFECTS[name] ?? {}).toSorted()).toEqual(options.map(([option]) => option).toSorted());
    expect([...Object.keys(BASES[name] ?? {}), ...(LIKE_OTHERS[name] ?? [])].toSorted()).toEqual(
      Object.keys(command.modes ?? { all: '' }).toSorted(),
    );
  });

  it('has options that name modes and options there are', () => {
    for (const [, option] of options) {
      for (const mode of option.modes ?? []) expect(Object.keys(command.modes ?? {})).toContain(mode);
      for (const needed of option.needs ?? []) expect(Object.keys(command.options)).toContain(needed);
    }
  });

  const cases = options.flatMap(([option, definition]) =>
    modesOf(command, definition).map((mode) => [option, mode, caseOf(name, option, mode)] as const),
  );
  const effects = cases.filter(([, , { speed }]) => speed === undefined);
  it.each(effects)('F40: %s changes something (%s)', async (_option, _mode, { before, after, isMessage }) => {
    const [without, withIt] = [await teapot(name, before), await teapot(name, after)];
    for (const { stderr } of [without, withIt]) expect(stderr).not.toMatch(/does nothing|Unknown option|is a bug/u);
    // Two failures differ by their messages.
    const seen = ({ code, stdout, stderr, files }: InProcessResult): object =>
      withIt.code === 0 && isMessage !== true ? { code, stdout, files } : { code, stdout, files, stderr };
    expect(seen(withIt)).not.toEqual(seen(without));
  });

  const speeds = cases.filter(([, , { speed }]) => speed !== undefined);
  it.runIf(speeds.length > 0).each(speeds)('F40: %s changes the speed alone (%s)', async (_option, _mode, effect) => {
    const { before, after, speed = [] } = effect;
    const { code, stdout, files } = await teapot(name, before);
    expect(await teapot(name, after)).toMatchObject({ code, stdout, files });
    expect(await teapot(name, speed)).toMatchObject({ code: 2 });
  });

  const idle = options.flatMap(([option, definition]) => {
    const others = Object.keys(BASES[name] ?? {}).filter((mode) => !modesOf(command, definition).includes(mode));
    return others.map(
      (mode) =>
        [spelled(option, definition), mode, [...(BASES[name]?.[mode] ?? []), ...sample(option, definition)]] as const,
    );
  });
  it.runIf(idle.length > 0).each(idle)('F40: %s is refused (%s)', async (spelling, mode, args) => {
    const { code, stderr } = await teapot(name, args);
    expect(stderr).toContain(`${spelling} does nothing with ${command.modes?.[mode] ?? ''}: it belongs to `);
    expect(code).toBe(2);
  });

  const needing = options.filter(([, { needs }]) => needs !== undefined);
  it.runIf(needing.length > 0).each(needing)('F40: %s is refused without what it needs', async (option, definition) => {
    const base =
      Object.entries(BASES[name] ?? {}).find(([mode]) => modesOf(command, definition).includes(mode))?.[1] ?? [];
    const left = [...(definition.needs ?? []), option].map((one) => `--${flagName(one)}`);
    const without = base.filter((_, index) => !left.some((flag) => flag === base[index] || flag === base[index - 1]));
    const { code, stderr } = await teapot(name, [...without, ...sample(option, definition)]);
    expect(stderr).toContain(`${spelled(option, definition)} does nothing without `);
    expect(code).toBe(2);
  });
});

describe('an option beside another that makes it idle', () => {
  it.each(IDLE)('F40: %s %j', async (name, args, message) => {
    const { code, stderr } = await teapot(name, args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('an earlier name of an option', () => {
  it.each(SPELLINGS)('%j is %j', async (before, today) => {
    const [{ code, stdout, files }, same] = [await runInProcess(today), await runInProcess(before)];
    expect(code).toBe(0);
    expect(same).toMatchObject({ code, stdout, files });
  });

  it('beside the name of today is refused', async () => {
    const { code, stderr } = await teapot('edits', [
      'records.jsonl',
      '--per-line',
      'out/a.jsonl',
      '--per-record',
      'out/b.jsonl',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('--per-line is given in two spellings: leave one out.');
  });
});

async function teapot(name: string, args: readonly string[]): Promise<InProcessResult> {
  return runInProcess([name, ...args]);
}

function caseOf(name: string, option: string, mode: string): Effect {
  const found = EFFECTS[name]?.[option];
  const base = BASES[name]?.[mode] ?? [];
  if (found === undefined) return { before: [], after: [] };
  if (Array.isArray(found)) return { before: base, after: [...base, ...found] };
  const one =
    'before' in found ? (found as Effect) : (found as Readonly<Record<string, Effect | readonly string[]>>)[mode];
  // Two equal runs fail: there is no case for this mode.
  if (one === undefined) return { before: base, after: base };
  return 'before' in one ? (one as Effect) : { before: base, after: [...base, ...(one as readonly string[])] };
}

function spelled(option: string, { positional }: OptionDefinition): string {
  return positional === true ? flagName(option) : `--${flagName(option)}`;
}

/** Values of options that read theirs at once. */
const SAMPLES: Readonly<Record<string, string>> = {
  encoding: 'utf-16',
  customScoresSource: 'ratio.mjs',
  failIf: 'n>1',
  thresholdSweep: '0:1:1',
};

/** The option with a value that it takes, whether or not such a file is there. */
function sample(option: string, definition: OptionDefinition): readonly string[] {
  const flag = definition.positional === true ? [] : [`--${flagName(option)}`];
  switch (definition.type) {
    case 'flag': {
      return flag;
    }
    case 'choice': {
      return [...flag, definition.choices[0] ?? ''];
    }
    case 'number':
    case 'integer': {
      return [...flag, String(definition.maximum ?? (definition.below === undefined ? 1 : definition.below / 2))];
    }
    default: {
      return [...flag, SAMPLES[option] ?? 'x'];
    }
  }
}
