import { callNative } from '../native.js';
import type { PerturbOptions } from '../native.js';
import { readListText } from '../read/list.js';
import type { ValuesOf } from './command.js';
import { nativeMetric } from './native-metric.js';
import type { CONSTRAINTS } from './options/constraints.js';

/** The arguments of {@link CONSTRAINTS} and the metric of `--min-s-src`. */
export type ConstraintArguments = Partial<ValuesOf<typeof CONSTRAINTS>> & { readonly sSrc?: string | undefined };

/**
 * What edits must leave alone and how much of a text they may change, as the options say; what no option names is left out.
 *
 * @throws {TeapotError} What the list of stop words and the metric throw.
 */
export async function readConstraints(argv: ConstraintArguments): Promise<Omit<PerturbOptions, 'attacks'>> {
  const { minSSrc, minWordLength, maxWordsChanged, maxShareChanged, maxEditDistance, stopWords } = argv;
  return {
    ...(minSSrc !== undefined && { minSSrc, sSrc: await nativeMetric(argv.sSrc ?? 'chrf') }),
    ...(minWordLength !== undefined && { minWordLength }),
    ...(maxWordsChanged !== undefined && { maxWordsChanged }),
    ...(maxShareChanged !== undefined && { maxShareChanged, roundsShareUp: false }),
    ...(maxEditDistance !== undefined && { maxEditDistance }),
    ...(stopWords !== undefined && { stopWords: await readStopWords(stopWords) }),
    ...(argv.protect !== undefined && { protect: [...argv.protect] }),
    ...(argv.protectPlaceholders === true && { protectPlaceholders: true }),
    ...(argv.protectQuoted === true && { protectQuoted: true }),
    ...(argv.protectPattern !== undefined && { protectPatterns: [...argv.protectPattern] }),
  };
}

async function readStopWords(name: string): Promise<string[]> {
  if (name === 'none') return [];
  if (name === 'english') return callNative((binding) => binding.englishStopWordList());
  return (await readListText(name, 'stop words')).split('\n');
}
