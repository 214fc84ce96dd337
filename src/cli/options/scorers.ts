import type { OptionTable } from '../command.js';

const GROUP = 'Metrics (see "teapot list scorers"):';

/** The modules of the user that register scorers. */
export const SCORER_MODULES = {
  customScoresSource: {
    type: 'file',
    list: true,
    metavar: 'MODULE',
    help: 'An ES module that registers metrics; repeat it for several',
    group: GROUP,
  },
} as const satisfies OptionTable;

/** What the scorers of both sides take beside their parameters. */
const SCORER_SETTINGS = {
  value: {
    type: 'text',
    setsScorer: true,
    metavar: 'NUMBER',
    help: 'The score that the metric "constant" gives',
    group: GROUP,
  },
  ...SCORER_MODULES,
  meteorJar: { type: 'file', setsScorer: true, help: 'The METEOR 1.5 jar, for the metric "meteor"', group: GROUP },
  javaCommand: {
    type: 'text',
    setsScorer: true,
    metavar: 'COMMAND',
    preset: 'java -Xmx2G -jar',
    help: 'How METEOR is started',
    group: GROUP,
  },
} as const satisfies OptionTable;

/** The metric of the source side. */
export const SOURCE_SCORER = {
  sSrc: {
    type: 'text',
    metavar: 'METRIC',
    preset: 'chrf',
    help: 'Metric of the source side: KEY or KEY:param=value,…',
    group: GROUP,
  },
  srcLang: {
    type: 'text',
    metavar: 'LANG',
    help: 'Language of the sources, for METEOR and the tokenizer of BLEU',
    group: GROUP,
  },
  ...SCORER_SETTINGS,
} as const satisfies OptionTable;

/** The metric of the target side. */
export const TARGET_SCORER = {
  sTgt: { type: 'text', metavar: 'METRIC', preset: 'chrf', help: 'Metric of the target side', group: GROUP },
  tgtLang: {
    type: 'text',
    metavar: 'LANG',
    help: 'Language of the outputs, for METEOR and the tokenizer of BLEU',
    group: GROUP,
  },
  ...SCORER_SETTINGS,
} as const satisfies OptionTable;

/** The metrics of both sides. */
export const SCORERS = { ...SOURCE_SCORER, ...TARGET_SCORER } as const satisfies OptionTable;
