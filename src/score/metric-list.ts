import { ERROR_CODES, UsageError } from '../errors.js';

/** How a part begins that names a program: its commas are its own. */
const PROGRAM = /^\s*exec:/u;

/**
 * Splits a list of metrics at its commas: `chrf,bleu:tokenize=none,smooth=exp,ter` holds three. A part with `=` and without `:` is a
 * parameter of the metric before it; a program (`exec:…`) is the rest of the list, since its command may hold commas.
 *
 * @returns The metrics in order, each as it was written.
 */
export function splitMetrics(text: string): string[] {
  const metrics: string[] = [];
  const parts = text.split(',');
  for (const [index, part] of parts.entries()) {
    const last = metrics.length - 1;
    if (PROGRAM.test(part)) return [...metrics, parts.slice(index).join(',')];
    if (last >= 0 && part.includes('=') && !/^[^=]*:/u.test(part)) metrics[last] += `,${part}`;
    else metrics.push(part);
  }
  return metrics;
}

/**
 * Reads the list of metrics of a flag: {@link splitMetrics}, where no metric is empty and none is there twice.
 *
 * @param flag The flag, for messages: `--s-tgt`.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the metric.
 */
export function readMetrics(text: string, flag: string): string[] {
  const metrics = splitMetrics(text);
  const wrong = metrics.find((metric, index) => metric === '' || metrics.indexOf(metric) < index);
  if (wrong === undefined) return metrics;
  const problem =
    wrong === '' ? 'a metric is empty: expected a list such as chrf,bleu,ter' : `"${wrong}" is given twice`;
  throw new UsageError(ERROR_CODES.INVALID_OPTION, `${flag} "${text}": ${problem}.`);
}

/** The names of the metrics of one side in results: their keys, or what the user wrote where two have one key. */
export function metricLabels(specs: readonly string[], keys: readonly string[]): readonly string[] {
  return keys.map((key, index) => (keys.filter((other) => other === key).length > 1 ? (specs[index] ?? key) : key));
}
