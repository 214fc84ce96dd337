import type { Summary } from './summary.js';

/**
 * Everything that can change the numbers of a summary in one line, as sacreBLEU has it: metrics with their parameters,
 * criterion, threshold, statistics, version.
 *
 * @param summary The summary without its signature.
 * @param textRules What was done to the texts on reading, for example `strip:end`; left out for texts from memory.
 * @returns For example `s_src:[chrF|nrefs:1|…]|s_tgt:[…]|criterion:relative_decrease|threshold:1|percentile:teapot|version:0.1.0`.
 */
export function signatureOf(summary: Omit<Summary, 'signature'>, textRules: readonly string[]): string {
  const parts: string[] = [];
  if (summary.sSrcMetric !== null) parts.push(`s_src:[${summary.sSrcMetric.signature}]`);
  if (summary.sTgtMetric !== null) parts.push(`s_tgt:[${summary.sTgtMetric.signature}]`);
  if (summary.criterion !== null) parts.push(`criterion:${summary.criterion}`);
  if (summary.success !== null) parts.push(`threshold:${summary.successThreshold}`);
  parts.push(...textRules, `percentile:${summary.percentileMethod}`);
  if (summary.intervals !== null) {
    const { method, confidence, resamples, seed } = summary.intervals;
    parts.push(`confidence:${confidence}`);
    parts.push(...(method === 'normal' ? ['interval:normal'] : [`resamples:${resamples}`, `seed:${seed}`]));
  }
  parts.push(`version:${summary.version}`);
  return parts.join('|');
}

/** What is done to texts on reading, for signatures. */
export function textRules(read: {
  readonly encoding?: string | undefined;
  readonly keepTrailingWhitespace?: boolean | undefined;
}): readonly string[] {
  const rules = [`strip:${read.keepTrailingWhitespace === true ? 'no' : 'end'}`];
  if (read.encoding !== undefined && read.encoding !== 'utf-8') rules.push(`encoding:${read.encoding}`);
  return rules;
}
