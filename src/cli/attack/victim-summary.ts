import type { NonAnswer, VictimCounters } from '../../victim/cached-victim.js';
import type { RequestCounts } from '../../victim/victim.js';

/** The states of answers that are none, in words. */
const WORDS: Readonly<Record<NonAnswer, string>> = {
  refused: 'refused',
  filtered: 'filtered',
  length: 'cut by length',
  tool_call: 'tool calls',
  unreadable: 'unreadable',
  error: 'failed',
};

type Counted = Pick<VictimCounters, 'nonAnswers'>;

/** The states of answers that are none. */
export const NON_ANSWERS = Object.keys(WORDS) as readonly NonAnswer[];

/** What the summary of a run says of requests, and of answers that are none; null where there were none. */
export function victimLines(
  { nonAnswers }: Counted,
  requests: RequestCounts | undefined,
): { readonly requests: string | null; readonly nonAnswers: string | null } {
  const kinds = describeNonAnswers(nonAnswers);
  return {
    requests:
      requests === undefined || requests.requests === 0
        ? null
        : `${requests.requests} / ${requests.retries} / ${requests.rateLimited}`,
    nonAnswers: kinds === '' ? null : kinds,
  };
}

/** The same for JSON. */
export function victimFields({ nonAnswers }: Counted, requests: RequestCounts | undefined): object {
  return {
    non_answers: nonAnswers,
    requests: requests?.requests ?? 0,
    retries: requests?.retries ?? 0,
    rate_limited: requests?.rateLimited ?? 0,
  };
}

/** Why a run is in vain whose every answer is none. */
export function nothingAnswered({ nonAnswers }: Counted): string {
  return `the victim answered nothing: ${describeNonAnswers(nonAnswers)}`;
}

function describeNonAnswers(nonAnswers: Counted['nonAnswers']): string {
  return NON_ANSWERS.flatMap((state) => (nonAnswers[state] > 0 ? [`${nonAnswers[state]} ${WORDS[state]}`] : [])).join(
    ', ',
  );
}
