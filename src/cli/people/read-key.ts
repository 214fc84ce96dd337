import { parseSampleKey } from '../../people/sample-key.js';
import type { SampleKey } from '../../people/sample-key.js';
import { openSource, readText } from '../../read/source-file.js';
import { interruptSignal } from '../interrupt.js';

/** The largest key that is read, in bytes: some hundred thousand items. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Reads the key of a sheet.
 *
 * @throws {UsageError} when it can't be read or is no key.
 */
export async function readSampleKey(path: string): Promise<SampleKey> {
  return parseSampleKey(await readText(openSource(path, { signal: interruptSignal }), MOST_BYTES), path);
}
