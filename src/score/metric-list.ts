/**
 * Splits a list of metrics at its commas: `chrf,bleu:tokenize=none,smooth=exp,ter` holds three. A part with `=` and without `:` is a
 * parameter of the metric before it.
 *
 * @returns The metrics in order, each as it was written.
 */
export function splitMetrics(text: string): string[] {
  const metrics: string[] = [];
  for (const part of text.split(',')) {
    const last = metrics.length - 1;
    if (last >= 0 && part.includes('=') && !/^[^=]*:/u.test(part)) metrics[last] += `,${part}`;
    else metrics.push(part);
  }
  return metrics;
}
