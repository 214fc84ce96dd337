import { styleOfPair, unmarkWhole } from './markers.js';

/** Between the output before and after the attack. */
export const ARROW = ' --> ';

/** What the model said, as a text log prints it. */
export interface Output {
  readonly label: string;
  /** In percent, as printed; undefined for outputs that are texts. */
  readonly confidence: number | undefined;
}

/** Both outputs of a success. */
export interface OutputPair {
  readonly original: Output;
  readonly perturbed: Output;
  /** False when the outputs are texts that hold an arrow: where the first one ends is a guess. */
  readonly isCertain: boolean;
}

/** Both texts of a success, still with markers. */
export interface TextPair {
  readonly original: string;
  readonly perturbed: string;
  /** False when the texts hold blank lines and nothing tells where the first one ends. */
  readonly isCertain: boolean;
}

/** Cuts the line above the texts apart: `[[Good (97%)]] --> [[Bad (55%)]]`, without markers in colours, or two texts. */
export function cutOutputs(heading: string): OutputPair {
  const labelled = /^(\[\[.* \(\d+%\)\]\]|.* \(\d+%\)) --> (\[\[.* \(\d+%\)\]\]|.* \(\d+%\))$/su.exec(heading);
  if (labelled?.[1] !== undefined && labelled[2] !== undefined) {
    return { original: readOutput(labelled[1]), perturbed: readOutput(labelled[2]), isCertain: true };
  }
  const parts = heading.split(ARROW);
  const middle = parts.length >> 1;
  return {
    original: readOutput(parts.slice(0, middle).join(ARROW)),
    perturbed: readOutput(parts.slice(middle).join(ARROW)),
    isCertain: parts.length === 2,
  };
}

/** Reads `[[Positive (97%)]]`, `1 (88%)` or an output that is a text. */
export function readOutput(text: string): Output {
  const label = /^(.*) \((\d+)%\)$/su.exec(unmarkWhole(text, 'file'));
  if (label?.[1] === undefined) return { label: text, confidence: undefined };
  return { label: label[1], confidence: Number(label[2]) };
}

/**
 * Cuts the two texts of a success apart: a blank line stands between them, and the texts may hold blank lines too.
 *
 * @returns undefined when there is no blank line. Certain when one cut alone gives texts of as many lines whose unmarked
 *   words are the same.
 */
export function cutTexts(texts: string): TextPair | undefined {
  const cuts: number[] = [];
  for (let at = texts.indexOf('\n\n'); at !== -1; at = texts.indexOf('\n\n', at + 1)) cuts.push(at);
  if (cuts.length === 0) return undefined;
  const split = (at: number): readonly [string, string] => [texts.slice(0, at), texts.slice(at + 2)];
  const asLong = cuts.filter((at) => lineFeeds(texts, 0, at) === lineFeeds(texts, at + 2, texts.length));
  const fitting = (asLong.length > 0 ? asLong : cuts).filter((at) => {
    const style = styleOfPair(...split(at));
    return style === 'file' || style === 'html';
  });
  const candidates = [fitting, asLong, cuts].find((some) => some.length > 0) ?? cuts;
  const best = candidates[candidates.length >> 1] ?? 0;
  const [original, perturbed] = split(best);
  return { original, perturbed, isCertain: cuts.length === 1 || candidates === fitting || asLong.length === 1 };
}

function lineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
