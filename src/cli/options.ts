import type { Argv } from 'yargs';

/** Examples of `teapot --help`: they work when pasted at the root of the package. */
export const SCORE_EXAMPLES: readonly (readonly [command: string, describe: string])[] = [
  [
    '$0 --src examples/translation/src.fr --adv-src examples/translation/adv.charswap.fr --out examples/translation/base.en --adv-out examples/translation/adv.charswap.en --ref examples/translation/ref.en',
    'Both sides of an attack on a translator',
  ],
  ['$0 --src examples/translation/src.fr --adv-src examples/translation/adv.charswap.fr', 'The source side alone'],
  [
    '$0 --src examples/translation/src.fr --adv-src examples/translation/adv.charswap.fr --adv-src examples/translation/adv.homoglyph.fr --name charswap --name homoglyph',
    'Two attacks side by side, with paired tests',
  ],
  ['$0 list scorers', 'What --s-src and --s-tgt may be'],
];

/** The options of several inputs and of reading them. */
export function inputOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('src', file('The original inputs, one segment a line'))
    .option('adv-src', { ...file('The attacked inputs; repeat it for several attacks'), array: true })
    .option('out', file('The outputs for the original inputs'))
    .option('adv-out', {
      ...file('The outputs for the attacked inputs; as often as --adv-src'),
      array: true,
    })
    .option('name', { ...value('The name of an attack, in the order of --adv-src; for several attacks'), array: true })
    .option('ref', {
      ...file('The reference outputs; repeat it for several references'),
      array: true,
    })
    .option('data', file('A table (.csv .tsv .jsonl .parquet) instead of the files above'))
    .option('columns', {
      ...value(
        'Which column of --data is what: src=…,adv_src=…,out=…,adv_out=…,ref=…,id=… (a name, or #3 for the third)',
      ),
    })
    .option('encoding', {
      ...value('How the files are encoded (utf-8)'),
      choices: ['utf-8', 'latin-1', 'utf-16'] as const,
    })
    .option('threads', value('Threads of the native core (one a core)'))
    .option('keep-trailing-whitespace', { type: 'boolean', describe: "Don't strip whitespace at line ends" })
    .group(
      [
        'src',
        'adv-src',
        'out',
        'adv-out',
        'ref',
        'name',
        'data',
        'columns',
        'encoding',
        'keep-trailing-whitespace',
        'threads',
      ],
      'Input (- is stdin; .gz and .zst are unpacked):',
    );
}

/** The options that choose the metrics. */
export function metricOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('s-src', value('Metric of the source side: KEY or KEY:param=value,… (chrf)'))
    .option('s-tgt', value('Metric of the target side (chrf)'))
    .option('value', value('The score that the metric "constant" gives'))
    .option('custom-scores-source', {
      ...value('An ES module that registers metrics; repeat it for several'),
      array: true,
    })
    .option('meteor-jar', value('The METEOR 1.5 jar, for the metric "meteor"'))
    .option('java-command', value('How METEOR is started (java -Xmx2G -jar)'))
    .option('src-lang', value('Language of the sources, for METEOR'))
    .option('tgt-lang', value('Language of the outputs, for METEOR'))
    .group(
      ['s-src', 's-tgt', 'value', 'custom-scores-source', 'meteor-jar', 'java-command', 'src-lang', 'tgt-lang'],
      'Metrics (see "teapot list scorers"):',
    );
}

/** The options of the criterion and of the statistics. */
export function statisticsOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('success-threshold', value('An attack succeeds when s_src + d_tgt is above it (1)'))
    .option('percentile', {
      ...value('How the 5 % and 95 % are taken: teapot (the default) is sorted[int(N·p)], linear interpolates'),
      choices: ['teapot', 'linear'] as const,
    })
    .option('confidence', value('Add bootstrap intervals of this confidence, for example 0.95'))
    .option('seed', value('Seed of the intervals (12345)'))
    .option('threshold-sweep', value('Success rate over thresholds START:STOP:STEP, for example 0:2:0.05'))
    .option('fail-if', {
      ...value("Exit with code 3 when it holds: 'success_rate>0.3'; repeat it for several"),
      array: true,
    })
    .group(
      ['success-threshold', 'percentile', 'confidence', 'seed', 'threshold-sweep', 'fail-if'],
      'Criterion and statistics:',
    );
}

/** The options of what is printed and written. */
export function outputOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('format', {
      ...value('Format of the results'),
      choices: ['text', 'terse', 'json', 'csv', 'markdown', 'latex'] as const,
    })
    .option('terse', { type: 'boolean', describe: 'One number a line (as --format terse)' })
    .option('output', { ...file('Write the results there; the extension says the format'), alias: 'o' })
    .option('per-line', file('Write the numbers of every line there (.tsv .csv .jsonl .parquet)'))
    .option('scale', value('Scores are multiplied by it when they are printed (100)'))
    .group(['format', 'terse', 'output', 'per-line', 'scale'], 'Output:');
}

/** The options of files of records, which may stand in the place of parallel files. */
export function recordInputOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('by', value('Records: group by these keys (attack)'))
    .option('on-error', {
      ...value('Records: at a bad line stop (the default), skip it, or collect all'),
      choices: ['stop', 'skip', 'collect'] as const,
    })
    .group(['by', 'on-error'], 'Attack records:');
}

/** All options of `teapot score`. */
export function scoreOptions(yargs: Argv) {
  return outputOptions(statisticsOptions(metricOptions(recordInputOptions(inputOptions(yargs)))));
}

/** The options of `teapot score RECORDS…`; without a command's name there are no files of records. */
export function scoreCommandOptions(yargs: Argv): Argv<ScoreArguments> {
  return scoreOptions(yargs).positional('records', {
    type: 'string',
    array: true,
    describe: 'Files of attack records (see "teapot import") instead of --src …',
  });
}

/** The arguments of `teapot score`, as they were parsed; values are still text. */
export type ScoreArguments = (ReturnType<typeof scoreOptions> extends Argv<infer A> ? A : never) & {
  readonly records?: readonly string[] | undefined;
};

/** An option with a value: text, since numbers are read (and refused) with the flag's name at hand. */
function value(describe: string) {
  return { type: 'string', requiresArg: true, describe } as const;
}

function file(describe: string) {
  return value(describe);
}

/** The arguments that every command has. */
export interface GeneralArguments {
  readonly quiet?: boolean | undefined;
  readonly 'no-color'?: boolean | undefined;
}
