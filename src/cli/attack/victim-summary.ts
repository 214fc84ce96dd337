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

/** What the summary of a run says of requests, and of answers that are none; nothing where there were none. */
export function victimLines({ nonAnswers }: Counted, requests: RequestCounts | undefined): [string, string][] {
  const lines: [string, string][] = [];
  if (requests !== undefined && requests.requests > 0) {
    lines.push([
      'Requests / retries / too many requests',
      `${requests.requests} / ${requests.retries} / ${requests.rateLimited}`,
    ]);
  }
  const kinds = describeNonAnswers(nonAnswers);
  if (kinds !== '') lines.push(['Answers that are none', kinds]);
  return lines;
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
  return (Object.keys(WORDS) as NonAnswer[])
    .flatMap((state) => (nonAnswers[state] > 0 ? [`${nonAnswers[state]} ${WORDS[state]}`] : []))
    .join(', ');
}
