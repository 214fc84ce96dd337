import { commandName, flagName, GENERAL_OPTIONS } from './command.js';
import type { Command, OptionDefinition, OptionTable } from './command.js';

/** The shells that {@link completionScript} writes for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What can stand at a place of the command line. */
interface Completed {
  readonly name: string;
  readonly describe: string;
  readonly flags: readonly Flag[];
  /** Words of the first positional argument, where they are known. */
  readonly words: readonly string[];
}

interface Flag {
  /** With its dashes. */
  readonly flag: string;
  readonly help: string;
  /** Whether a value follows: one of these words, or a file where there are none. */
  readonly value: readonly string[] | undefined;
}

/**
 * A script that completes commands, flags and the words of choices in a shell.
 *
 * @param commands All commands; the first one is that which runs when none is named.
 */
export function completionScript(shell: (typeof SHELLS)[number], commands: readonly Command[]): string {
  const all = commands.map(completed);
  if (shell === 'bash') return bash(all);
  return shell === 'zsh' ? zsh(all) : fish(all);
}

function completed(command: Command): Completed {
  const options = Object.entries({ ...command.options, ...GENERAL_OPTIONS } as OptionTable);
  const named = options.filter(([, { positional }]) => positional !== true);
  const words = options.flatMap(([, option]) =>
    option.positional === true && option.type === 'choice' ? option.choices : [],
  );
  return {
    name: commandName(command),
    describe: command.describe,
    flags: [
      ...named.map(([name, option]) => ({ flag: `--${flagName(name)}`, help: option.help, value: valueOf(option) })),
      { flag: '--help', help: 'Help of the command', value: undefined },
    ],
    words,
  };
}

function valueOf(option: OptionDefinition): readonly string[] | undefined {
  if (option.type === 'flag') return undefined;
  return option.type === 'choice' ? option.choices : [];
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, flags, words }) => {
    const values = flags.flatMap(({ flag, value = [] }) =>
      value.length === 0
        ? []
        : [`      ${flag}) COMPREPLY=($(compgen -W "${value.join(' ')}" -- "$cur")); return ;;\n`],
    );
    const choose = values.length === 0 ? '' : `    case "$prev" in\n${values.join('')}    esac\n`;
    return `  ${name})\n${choose}    flags="${flags.map(({ flag }) => flag).join(' ')}"; words="${words.join(' ')}" ;;\n`;
  });
  const names = commands.map(({ name }) => name).join(' ');
  return `# bash completion of teapot: eval "$(teapot completion bash)"
_teapot() {
  local cur prev command flags words word
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  command=${commands[0]?.name ?? ''}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${names} " in *" $word "*) command=$word; break ;; esac
  done
  case "$command" in
${cases.join('')}  esac
  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur")); return; fi
  if [[ $COMP_CWORD -eq 1 ]]; then words="${names}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur"))
}
complete -o filenames -F _teapot teapot
`;
}

function zsh(commands: readonly Completed[]): string {
  const quoted = (text: string): string => text.replaceAll("'", `'\\''`).replaceAll(/[[\]:]/gu, String.raw`\$&`);
  const cases = commands.map(({ name, flags, words }) => {
    const specs = flags.map(({ flag, help, value }) => {
      const argument = value === undefined ? '' : `:value:${value.length === 0 ? '_files' : `(${value.join(' ')})`}`;
      return `'*${flag}[${quoted(help)}]${argument}'`;
    });
    const first = words.length === 0 ? `'*:file:_files'` : `'1:word:(${words.join(' ')})' '*:file:_files'`;
    return `    ${name}) _arguments ${[...specs, first].join(' ')} ;;\n`;
  });
  const described = commands.map(({ name, describe }) => `'${name}:${quoted(describe)}'`).join(' ');
  return `#compdef teapot
# zsh completion of teapot: eval "$(teapot completion zsh)"
_teapot() {
  local -a commands
  commands=(${described})
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files
    return
  fi
  local command=${commands[0]?.name ?? ''}
  if (( \${commands[(I)$words[2]:*]} )); then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${cases.join('')}  esac
}
compdef _teapot teapot
`;
}

function fish(commands: readonly Completed[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
  const lines = commands.flatMap(({ name, describe, flags, words }, index) => {
    // Without a command the first one runs.
    const seen = `__fish_seen_subcommand_from ${name}`;
    const here = index === 0 ? `'__fish_use_subcommand; or ${seen}'` : `'${seen}'`;
    return [
      `complete -c teapot -n __fish_use_subcommand -a ${name} -d ${quoted(describe)}`,
      ...(words.length === 0 ? [] : [`complete -c teapot -n '${seen}' -a ${quoted(words.join(' '))}`]),
      ...flags.map(({ flag, help, value }) => {
        const argument = value === undefined ? '' : value.length === 0 ? ' -rF' : ` -xa ${quoted(value.join(' '))}`;
        return `complete -c teapot -n ${here} -l ${flag.slice(2)} -d ${quoted(help)}${argument}`;
      }),
    ];
  });
  return `# fish completion of teapot: teapot completion fish | source\n${lines.join('\n')}\n`;
}
