import type { Argv } from 'yargs';

/** The options of `teapot perturb`. */
export function perturbOptions(yargs: Argv) {
  return yargs
    .positional('input', { type: 'string', describe: 'A text, one segment a line (.gz and .zst are unpacked); stdin' })
    .option('attack', {
      ...value('NAME or NAME:param=value,… (charswap); of several, one is drawn for each edit'),
      array: true,
    })
    .option('list', { type: 'boolean', describe: 'List the attacks with their parameters' })
    .option('rate', value('Share of the words (or what the attack counts) that is edited (0.1; viper 0.3)'))
    .option('max-edits', value('Most edits a line'))
    .option('variants', { ...value('Perturbed lines for each line (1)'), alias: 'n' })
    .option('seed', value('Seed of all draws (12345)'))
    .option('suffix', { ...value('A text for the attack "append"; repeat it for several'), array: true })
    .option('replacements', value('A table for the attack "replace": word, TAB, replacement, TAB, …'))
    .option('vocabulary', value('Known words, one a line: "charswap" makes none of them'))
    .group(
      ['attack', 'list', 'rate', 'max-edits', 'variants', 'seed', 'suffix', 'replacements', 'vocabulary'],
      'Attack:',
    )
    .option('min-s-src', value('Smallest score of a line against its original, 0 to 1'))
    .option('s-src', value('The metric of --min-s-src (chrf)'))
    .option('protect', {
      ...value('A word or phrase to be left alone, in any case; repeat it for several'),
      array: true,
    })
    .option('protect-placeholders', { type: 'boolean', describe: 'Leave {placeholders} alone' })
    .option('protect-quoted', { type: 'boolean', describe: 'Leave quoted text alone' })
    .option('protect-pattern', {
      ...value('Leave matches of a regular expression alone; repeat it for several'),
      array: true,
    })
    .option('stop-words', value("Words to be left alone: english, none, or a file; else the attack's own"))
    .option('min-word-length', value('Leave shorter words alone'))
    .option('max-words-changed', value('Most words changed a line, by alignment'))
    .option('max-share-changed', value('Most words changed, as a share of the words'))
    .option('max-edit-distance', value('Largest Levenshtein distance from the original, in characters'))
    .group(
      [
        'min-s-src',
        's-src',
        'protect',
        'protect-placeholders',
        'protect-quoted',
        'protect-pattern',
        'stop-words',
        'min-word-length',
        'max-words-changed',
        'max-share-changed',
        'max-edit-distance',
      ],
      'Constraints:',
    )
    .option('output', { ...value('Write the text there (.gz and .zst are packed); stdout'), alias: 'o' })
    .option('edits', value('Write the edits of each line there, as JSON lines'))
    .option('format', { ...value('Format of --list'), choices: ['text', 'json'] as const })
    .option('encoding', {
      ...value('How the input is encoded (utf-8); the output is UTF-8'),
      choices: ['utf-8', 'latin-1', 'utf-16'] as const,
    })
    .option('threads', value('Threads of the native core (one a core)'))
    .group(['output', 'edits', 'format', 'encoding', 'threads'], 'Input and output:')
    .example('$0 perturb --attack charswap --rate 0.1 --seed 7 < src.txt > adv.txt', 'A tenth of the words')
    .example('$0 perturb prompts.txt --attack typo --protect good --protect bad --protect-placeholders', 'Prompts');
}

/** The arguments of `teapot perturb`, as they were parsed; values are still text. */
export type PerturbArguments = ReturnType<typeof perturbOptions> extends Argv<infer A> ? A : never;

function value(describe: string) {
  return { type: 'string', requiresArg: true, describe } as const;
}
