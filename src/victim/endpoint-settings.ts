import { ERROR_CODES, UsageError } from '../errors.js';
import { describe } from '../score/pairs.js';
import type { EndpointLimits, SamplingOptions } from './victim.js';

/** Limits and sampling of an endpoint, checked, defaults filled in. */
export interface EndpointSettings {
  readonly retries: number;
  readonly maxWaitMs: number;
  readonly firstWaitMs: number;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly requestsPerMinute: number | undefined;
  readonly api: 'chat' | 'completions';
  readonly system: string | undefined;
  readonly sampling: SamplingOptions;
}

/**
 * Checks what the user set; the defaults are those of {@link EndpointLimits} and {@link SamplingOptions}.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the option, what was found and what is expected.
 */
export function endpointSettings(limits: EndpointLimits = {}, sampling: SamplingOptions = {}): EndpointSettings {
  const { api = 'chat', system } = sampling;
  if (api !== 'chat' && api !== 'completions') throw invalid('api', api, '"chat" or "completions"');
  if (api === 'completions' && system !== undefined) {
    throw invalid('system', system, 'none: the completions interface has no system message');
  }
  if (typeof sampling.temperature === 'number') checkRange('temperature', sampling.temperature, 0, 2);
  if (sampling.topP !== undefined) checkRange('topP', sampling.topP, 0, 1);
  if (sampling.maxTokens !== undefined) checkCount('maxTokens', sampling.maxTokens, 1);
  if (typeof sampling.seed === 'number' && !Number.isSafeInteger(sampling.seed)) {
    throw invalid('seed', sampling.seed, 'a whole number');
  }
  const { requestsPerMinute } = limits;
  if (requestsPerMinute !== undefined && !(requestsPerMinute > 0 && Number.isFinite(requestsPerMinute))) {
    throw invalid('requestsPerMinute', requestsPerMinute, 'a number above 0');
  }
  return {
    retries: checkCount('retries', limits.retries ?? 5, 0),
    maxWaitMs: checkRange('maxWaitMs', limits.maxWaitMs ?? 60_000, 0, LONGEST_MS),
    firstWaitMs: checkRange('firstWaitMs', limits.firstWaitMs ?? 500, 0, LONGEST_MS),
    timeoutMs: checkRange('timeoutMs', checkCount('timeoutMs', limits.timeoutMs ?? 60_000, 1), 1, LONGEST_MS),
    concurrency: checkCount('concurrency', limits.concurrency ?? 4, 1),
    requestsPerMinute,
    api,
    system,
    sampling,
  };
}

/** The longest time of a timer in Node.js (24.8 days); a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

function checkCount(name: string, value: number, minimum: number): number {
  if (!Number.isSafeInteger(value) || value < minimum) throw invalid(name, value, `a whole number from ${minimum}`);
  return value;
}

function checkRange(name: string, value: number, minimum: number, maximum: number): number {
  if (!(value >= minimum && value <= maximum)) throw invalid(name, value, `a number from ${minimum} to ${maximum}`);
  return value;
}

function invalid(name: string, value: unknown, expected: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, `${name} is ${describe(value)}, expected ${expected}`);
}
