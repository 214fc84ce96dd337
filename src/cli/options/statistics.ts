import { parseGate } from '../gate.js';
import type { OptionTable } from '../command.js';
import { readSweep } from '../values.js';

const GROUP = 'Criterion and statistics:';

/** When an attack counts as successful. */
export const SUCCESS_THRESHOLD = {
  successThreshold: {
    type: 'number',
    default: 1,
    help: 'An attack succeeds when s_src + d_tgt is above it',
    group: GROUP,
  },
} as const satisfies OptionTable;

/** What a summary has beside means and rates. */
export const DISTRIBUTION = {
  percentile: {
    type: 'choice',
    choices: ['teapot', 'linear'],
    help: 'How the 5 % and 95 % are taken: teapot (the default) is sorted[int(N·p)], linear interpolates',
    group: GROUP,
  },
  thresholdSweep: {
    type: 'text',
    metavar: 'START:STOP:STEP',
    read: readSweep,
    help: 'Success rate over these thresholds, for example 0:2:0.05',
    group: GROUP,
  },
} as const satisfies OptionTable;

/** The seed of everything that is drawn for statistics. */
export const SEED = {
  seed: {
    type: 'integer',
    minimum: 0,
    maximum: 2 ** 32 - 1,
    preset: '12345',
    help: 'Seed of the intervals',
    group: GROUP,
  },
} as const satisfies OptionTable;

/** Bootstrap intervals of commands that always give them. */
export const INTERVALS = {
  confidence: {
    type: 'number',
    above: 0,
    below: 1,
    default: 0.95,
    help: 'Confidence of the bootstrap intervals',
    group: GROUP,
  },
  seed: { ...SEED.seed, default: 12_345 },
} as const satisfies OptionTable;

/** Conditions that decide the exit code. */
export const FAIL_IF = {
  failIf: {
    type: 'text',
    list: true,
    metavar: 'CONDITION',
    read: parseGate,
    help: "Exit with code 3 when it holds: 'success_rate>0.3'; repeat it for several",
    group: GROUP,
  },
} as const satisfies OptionTable;

/** The share that the trimmed mean cuts. */
export const TRIM = {
  trim: {
    type: 'number',
    minimum: 0,
    below: 0.5,
    default: 0.1,
    help: 'The share that the trimmed mean cuts at each end',
    group: GROUP,
  },
} as const satisfies OptionTable;
