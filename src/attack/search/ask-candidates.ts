import type { Asking, Verdict } from '../asking.js';
import type { CandidateSource } from '../candidates.js';

/** The most code units of texts that are made before the victim sees them. */
const CHUNK_UNITS = 4_000_000;

/** The most texts that are made before the victim sees them. */
const CHUNK_TEXTS = 1024;

/** How many texts of about this length are made at a time: never more than one beyond what the budget pays for. */
export function chunkSize(length: number, asking: Asking): number {
  const most = Math.max(1, Math.min(CHUNK_TEXTS, Math.floor(CHUNK_UNITS / (length + 1))));
  return Math.min(most, asking.budget.left + 1);
}

/**
 * Proposes candidates and asks about them in the order of their texts. Texts are made as they are asked, so that a budget bounds the
 * work and the memory.
 *
 * @param see Called with each verdict, its text and the number of the candidate.
 * @returns False when the budget ended before all were asked.
 */
export async function askCandidates(
  source: CandidateSource,
  asking: Asking,
  { draw, word, length }: { readonly draw: number; readonly word?: number; readonly length: number },
  see: (verdict: Verdict, text: string, candidate: number) => void,
): Promise<boolean> {
  const count = source.propose(draw, word);
  for (let start = 0; start < count;) {
    const end = Math.min(count, start + chunkSize(length, asking));
    let texts = source.texts(start, end);
    let allowed: readonly boolean[] | undefined;
    if (source.allows !== undefined) {
      const words = texts.map((_, index) => source.wordOf(start + index));
      allowed = await source.allows(texts, words);
    }
    const candidates: number[] = [];
    for (let index = start; index < end; index += 1) if (allowed?.[index - start] !== false) candidates.push(index);
    if (allowed !== undefined) texts = texts.filter((_, index) => allowed[index]);
    const verdicts = await asking.ask(texts);
    for (const [index, verdict] of verdicts.entries()) see(verdict, texts[index] ?? '', candidates[index] ?? 0);
    if (verdicts.length < texts.length) return false;
    start = end;
  }
  return true;
}

/** A candidate and what the victim says to it. */
export interface AskedCandidate {
  readonly candidate: number;
  readonly text: string;
  readonly verdict: Verdict;
}

/** The best candidate, the first of equals in the order of the texts; and whether all were asked. */
export async function bestCandidate(
  source: CandidateSource,
  asking: Asking,
  request: { readonly draw: number; readonly word?: number; readonly length: number },
): Promise<{ readonly best: AskedCandidate | undefined; readonly complete: boolean }> {
  let best: AskedCandidate | undefined;
  const complete = await askCandidates(source, asking, request, (verdict, text, candidate) => {
    if (best === undefined || isBetter(verdict, best.verdict)) best = { candidate, text, verdict };
  });
  return { best, complete };
}

/** Whether a verdict serves the goal better: one that reaches it goes before all that don't. */
export function isBetter(verdict: Verdict, than: Verdict): boolean {
  return verdict.reached === than.reached ? verdict.score > than.score : verdict.reached;
}
