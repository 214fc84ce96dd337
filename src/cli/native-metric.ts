import type { MetricOptions } from '../native.js';
import { NativeScorer } from '../score/native-scorer.js';
import { createScorer } from '../score/registry.js';
import { invalid } from './values.js';

/**
 * The metric of the native core that `--s-src` names: constraints are checked where the candidates are made.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for a metric that lives elsewhere, `ERR_TEAPOT_UNKNOWN_SCORER` for none.
 */
export async function nativeMetric(spec: string): Promise<MetricOptions> {
  const scorer = await createScorer(spec, { side: 'source' });
  if (scorer instanceof NativeScorer) return scorer.native;
  await scorer.close?.();
  throw invalid(
    `--s-src is ${spec}, expected a metric of the native core (chrf, bleu, ter, edit, …): it checks --min-s-src`,
  );
}
