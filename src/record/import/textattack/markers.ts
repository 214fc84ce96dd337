/** How TextAttack marks changed words: `[[word]]`, `<font color = red>word</font>`, or not at all. */
export type MarkerStyle = 'file' | 'html' | 'plain';

/** A changed word: original and perturbed; null where a word was inserted or deleted. */
export type ChangedWord = readonly [original: string | null, perturbed: string | null];

/** Two texts of a pair without the tool's markers. */
export interface UnmarkedPair {
  readonly original: string;
  readonly perturbed: string;
  /** The marked words, in order. */
  readonly changed: readonly ChangedWord[];
  /** Whether the words outside of markers are the same in both texts, as they are when the markers were read right. */
  readonly isConsistent: boolean;
}

/** What a marker looks like. TextAttack's words hold no white space, brackets or angle brackets. */
const MARKERS: Readonly<Record<Exclude<MarkerStyle, 'plain'>, RegExp>> = {
  file: /\[\[([^[\]\s]+)\]\]/gu,
  html: /<font color = \w+>([^<>\s]+)<\/font>/gu,
};

/** A word as TextAttack has it: letters, digits and `'-_*@`, which don't stand at its ends. */
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_'*@-]*[\p{L}\p{N}])?/gu;

/** A table larger than this takes too long for a pair whose markers are unclear anyway. */
const MAX_TABLE = 4_000_000;

interface Token {
  readonly word: string;
  /** What stands between the token before it and this one. */
  readonly before: string;
  /** Where the marker starts and ends; undefined for a word outside of markers. */
  readonly span: readonly [start: number, end: number] | undefined;
  /** A marker's look that belongs to the text itself. */
  isOwn: boolean;
}

/**
 * Takes the markers of changed words away by pairing both texts.
 *
 * A text may itself hold what looks like a marker. TextAttack marks, in both texts, every word that has no equal partner
 * in the other one; so the words outside of markers are the same in both texts, in the same order, and cut them into
 * gaps. What looks like a marker belongs to the text itself if the same word stands at the same place of the same gap in
 * both texts (TextAttack would have found them equal), or if its word is needed as the partner of an unmarked one.
 *
 * @param style What the markers look like; `plain` returns the texts as they are.
 */
export function unmarkPair(original: string, perturbed: string, style: MarkerStyle): UnmarkedPair {
  if (style === 'plain') return { original, perturbed, changed: [], isConsistent: true };
  if (original === perturbed) return { original, perturbed, changed: [], isConsistent: true };
  const left = tokenize(original, style);
  const right = tokenize(perturbed, style);
  // Without any marker there is nothing to take away: TextAttack marks no Chinese and Korean texts.
  let isConsistent = (!hasMarkers(left) && !hasMarkers(right)) || sameWords(left, right);
  if (!isConsistent) isConsistent = pairUnmarked(left, right);
  const changed = isConsistent || left.length * right.length <= MAX_TABLE ? pairGaps(left, right) : [];
  return { original: without(original, left), perturbed: without(perturbed, right), changed, isConsistent };
}

/**
 * Which style a pair speaks for.
 *
 * @returns A style whose markers explain all differences of the pair, `plain` when none does, undefined when the texts are
 *   equal or TextAttack may have left the markers out (it does for Chinese and Korean).
 */
export function styleOfPair(original: string, perturbed: string): MarkerStyle | undefined {
  if (original === perturbed) return undefined;
  for (const style of ['file', 'html'] as const) {
    const left = tokenize(original, style);
    const right = tokenize(perturbed, style);
    if ((hasMarkers(left) || hasMarkers(right)) && sameWords(left, right)) return style;
  }
  return /[\p{Script=Han}\p{Script=Hangul}]/u.test(original) ? undefined : 'plain';
}

/** Takes a marker away whose place is known, such as that of a label: `[[Positive (97%)]]`. */
export function unmarkWhole(text: string, style: MarkerStyle): string {
  if (style === 'file' && text.startsWith('[[') && text.endsWith(']]')) return text.slice(2, -2);
  if (style === 'html') return /^<font color = \w+>(.*)<\/font>$/su.exec(text)?.[1] ?? text;
  return text;
}

function tokenize(text: string, style: Exclude<MarkerStyle, 'plain'>): Token[] {
  const tokens: Token[] = [];
  let before = '';
  const pushWords = (between: string): void => {
    let end = 0;
    for (const match of between.matchAll(WORD)) {
      tokens.push({ word: match[0], before: before + between.slice(end, match.index), span: undefined, isOwn: false });
      before = '';
      end = match.index + match[0].length;
    }
    before += between.slice(end);
  };
  let position = 0;
  for (const match of text.matchAll(MARKERS[style])) {
    pushWords(text.slice(position, match.index));
    position = match.index + match[0].length;
    tokens.push({ word: match[1] ?? '', before, span: [match.index, position], isOwn: false });
    before = '';
  }
  pushWords(text.slice(position));
  return tokens;
}

function hasMarkers(tokens: readonly Token[]): boolean {
  return tokens.some((token) => token.span !== undefined);
}

function isMarker(token: Token): boolean {
  return token.span !== undefined && !token.isOwn;
}

function sameWords(left: readonly Token[], right: readonly Token[]): boolean {
  const leftWords = left.filter((token) => token.span === undefined);
  const rightWords = right.filter((token) => token.span === undefined);
  return (
    leftWords.length === rightWords.length && leftWords.every((token, index) => token.word === rightWords[index]?.word)
  );
}

/** The cost of a word outside of markers that has no partner: never worth it while a marker can be taken as text. */
const UNPAIRED = 1000;

/**
 * Finds the fewest markers that must belong to the texts so that the words outside of markers pair up, and notes them.
 *
 * @returns Whether all words outside of markers have a partner then.
 */
function pairUnmarked(left: readonly Token[], right: readonly Token[]): boolean {
  if (left.length * right.length > MAX_TABLE) return false;
  const width = right.length + 1;
  // costs[i · width + j]: of the tokens from i on and from j on.
  const costs = new Uint32Array((left.length + 1) * width);
  const skip = (token: Token): number => (token.span === undefined ? UNPAIRED : 0);
  const pair = (a: Token, b: Token): number | undefined => {
    if (a.word !== b.word || (a.span !== undefined && b.span !== undefined)) return undefined;
    return a.span === undefined && b.span === undefined ? 0 : 1;
  };
  const cost = (i: number, j: number): number => costs[i * width + j] ?? 0;
  for (let i = left.length; i >= 0; i -= 1) {
    for (let j = right.length; j >= 0; j -= 1) {
      const a = left[i];
      const b = right[j];
      let best = a === undefined && b === undefined ? 0 : Number.MAX_SAFE_INTEGER;
      if (a !== undefined) best = Math.min(best, cost(i + 1, j) + skip(a));
      if (b !== undefined) best = Math.min(best, cost(i, j + 1) + skip(b));
      const paired = a !== undefined && b !== undefined ? pair(a, b) : undefined;
      if (paired !== undefined) best = Math.min(best, cost(i + 1, j + 1) + paired);
      costs[i * width + j] = best;
    }
  }
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const a = left[i];
    const b = right[j];
    const paired = a !== undefined && b !== undefined ? pair(a, b) : undefined;
    if (a !== undefined && b !== undefined && paired !== undefined && cost(i, j) === cost(i + 1, j + 1) + paired) {
      if (paired === 1) (a.span === undefined ? b : a).isOwn = true;
      i += 1;
      j += 1;
    } else if (a !== undefined && cost(i, j) === cost(i + 1, j) + skip(a)) i += 1;
    else j += 1;
  }
  return cost(0, 0) < UNPAIRED;
}

/** In a gap of differing lengths, so many equal markers in a row are rather words that the tool failed to pair. */
const MAX_OWN_IN_GAP = 2;

/** Pairs the markers of each gap, notes those that belong to the text, and lists the others as changed words. */
function pairGaps(left: readonly Token[], right: readonly Token[]): ChangedWord[] {
  const changed: ChangedWord[] = [];
  const rightGaps = gaps(right);
  const followers = new Map(
    [left, right].flatMap((tokens) => tokens.map((token, index) => [token, tokens[index + 1]?.before] as const)),
  );
  for (const [index, leftGap] of gaps(left).entries()) {
    const rightGap = rightGaps[index] ?? [];
    if (leftGap.length === rightGap.length) {
      for (const [place, token] of leftGap.entries()) {
        const partner = rightGap[place];
        if (partner?.word === token.word) token.isOwn = partner.isOwn = true;
      }
    } else {
      const common = commonTokens(leftGap, rightGap);
      // The text on one side of them must be the same too: a word may be deleted here and inserted there.
      const own = common.filter(([a, b]) => a.before === b.before || followers.get(a) === followers.get(b));
      if (common.length <= MAX_OWN_IN_GAP) for (const [a, b] of own) a.isOwn = b.isOwn = true;
    }
    const leftWords = leftGap.filter(isMarker).map((token) => token.word);
    const rightWords = rightGap.filter(isMarker).map((token) => token.word);
    for (let place = 0; place < Math.max(leftWords.length, rightWords.length); place += 1) {
      changed.push([leftWords[place] ?? null, rightWords[place] ?? null]);
    }
  }
  return changed;
}

/** The markers between the words outside of markers: one more gap than such words. */
function gaps(tokens: readonly Token[]): Token[][] {
  const all: Token[][] = [[]];
  for (const token of tokens) {
    if (isMarker(token)) all.at(-1)?.push(token);
    else all.push([]);
  }
  return all;
}

/** A longest common subsequence by word; gaps are short, and long ones are left alone. */
function commonTokens(left: readonly Token[], right: readonly Token[]): (readonly [Token, Token])[] {
  if (left.length * right.length > MAX_TABLE) return [];
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row === undefined) continue;
      row[j] = left[i]?.word === right[j]?.word ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common: (readonly [Token, Token])[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    const a = left[i];
    const b = right[j];
    if (a === undefined || b === undefined) break;
    if (a.word === b.word) {
      common.push([a, b]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return common;
}

/** The text with the words of its markers alone; what belongs to the text stays. */
function without(text: string, tokens: readonly Token[]): string {
  let unmarked = '';
  let position = 0;
  for (const token of tokens) {
    if (token.span === undefined || token.isOwn) continue;
    unmarked += text.slice(position, token.span[0]) + token.word;
    position = token.span[1];
  }
  return unmarked + text.slice(position);
}
