import { NativeScorer } from '../native-scorer.js';
import type { NativeScorerOptions } from '../native-scorer.js';
import { booleanOf, formatParameter } from '../parameters.js';
import type { ParameterDefinition, ParameterValues } from '../parameters.js';
import type { ScorerDefinition } from '../definition.js';

/** What a definition's `create` is told of the run. */
export type CreateContext = Parameters<ScorerDefinition['create']>[1];

/** The parameter `lowercase`, which several metrics have. */
export const LOWERCASE: ParameterDefinition = {
  name: 'lowercase',
  type: 'boolean',
  default: false,
  help: 'compare lowercased texts',
};

/** A native scorer; its signature's parts are put around the number of references and the version as sacreBLEU does. */
export function createNative(
  context: CreateContext,
  options: Omit<NativeScorerOptions, 'signature' | 'onNote'> & { readonly signature: readonly string[] },
): NativeScorer {
  const [metric = '', ...rest] = options.signature;
  const signature = [metric, `nrefs:${context.referenceCount ?? 1}`, ...rest, `version:${context.version}`].join('|');
  return new NativeScorer({ ...options, signature, onNote: context.onNote });
}

/** `case:lc` or `case:mixed`, by the parameter `lowercase`. */
export function caseOf(values: ParameterValues): string {
  return `case:${booleanOf(values, 'lowercase') ? 'lc' : 'mixed'}`;
}

/** The value of a boolean parameter as signatures write it. */
export function yesNo(values: ParameterValues, name: string): string {
  return formatParameter(booleanOf(values, name));
}
