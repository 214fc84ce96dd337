/** A stretch of a prompt that an attack may not touch. */
export interface ProtectedSpan {
  /** Index of its first code point. */
  readonly start: number;
  /** Index after its last code point. */
  readonly end: number;
  readonly text: string;
}

/**
 * Finds what an attack may not touch: words and phrases in any case, as whole words, and `{placeholders}`.
 *
 * @param phrases Labels and fixed words.
 * @returns Spans in order, without overlaps; of two that begin at one place, the longer one.
 */
export function protectedSpans(prompt: string, phrases: readonly string[]): readonly ProtectedSpan[] {
  const alternatives = phrases
    .filter((phrase) => phrase !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((phrase) => phrase.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`));
  const words =
    alternatives.length === 0
      ? ''
      : `(?<![\\p{L}\\p{M}\\p{N}_])(?:${alternatives.join('|')})(?![\\p{L}\\p{M}\\p{N}_])|`;
  const spans: ProtectedSpan[] = [];
  for (const match of prompt.matchAll(new RegExp(String.raw`${words}\{[^{}\n]*\}`, 'giu'))) {
    const start = codePoints(prompt.slice(0, match.index));
    spans.push({ start, end: start + codePoints(match[0]), text: match[0] });
  }
  return spans;
}

/**
 * Which protected stretches an attacked prompt has lost: those of the original must be there, byte for byte and in the same order.
 *
 * @returns The texts that are missing; empty when all survived.
 */
export function damagedSpans(original: string, attacked: string, phrases: readonly string[]): readonly string[] {
  const survivors = protectedSpans(attacked, phrases).map(({ text }) => text);
  const lost: string[] = [];
  let position = 0;
  for (const { text } of protectedSpans(original, phrases)) {
    const found = survivors.indexOf(text, position);
    if (found < 0) lost.push(text);
    else position = found + 1;
  }
  return lost;
}

/**
 * Which protected stretches another wording of a prompt has lost: each text of the original must be there as often, in any order.
 *
 * @returns The texts that are missing; empty when all are there.
 */
export function lostSpans(original: string, wording: string, phrases: readonly string[]): readonly string[] {
  const left = protectedSpans(wording, phrases).map(({ text }) => text);
  return protectedSpans(original, phrases).flatMap(({ text }) => {
    const found = left.indexOf(text);
    if (found < 0) return [text];
    left.splice(found, 1);
    return [];
  });
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
