const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
] as const;

/** Whether a word in small letters can be part of a number in English words. */
export function isNumberWord(word: string): boolean {
  return word === 'hundred' || SCALES.some(([, name]) => name === word) || smallOf(word) !== undefined;
}

/**
 * The number that English words say.
 *
 * @param words In small letters, hyphens taken apart, without "and".
 * @returns Undefined for words that are no number.
 * @example numberOf(['two', 'hundred', 'thirty', 'one']); // 231
 */
export function numberOf(words: readonly string[]): number | undefined {
  let [total, part] = [0, 0];
  for (const word of words) {
    const scale = SCALES.find(([, name]) => name === word)?.[0];
    const small = smallOf(word);
    if (word === 'hundred') part = Math.max(1, part) * 100;
    else if (scale !== undefined) [total, part] = [total + Math.max(1, part) * scale, 0];
    else if (small === undefined) return undefined;
    else part += small;
  }
  return words.length === 0 ? undefined : total + part;
}

/**
 * A number in English words, with hyphens and "and", as num2words writes it.
 *
 * @param value A whole number from 0 to 10¹².
 * @example numberWords(231); // 'two hundred and thirty-one'
 */
export function numberWords(value: number): string {
  for (const [scale, name] of SCALES) {
    if (value < scale) continue;
    const rest = value % scale;
    const joint = rest === 0 ? '' : rest < 100 ? ' and ' : ', ';
    return `${numberWords(Math.floor(value / scale))} ${name}${joint}${rest === 0 ? '' : numberWords(rest)}`;
  }
  if (value >= 100) {
    const rest = value % 100;
    return `${ONES[Math.floor(value / 100)] ?? ''} hundred${rest === 0 ? '' : ` and ${numberWords(rest)}`}`;
  }
  if (value < 20) return ONES[value] ?? '';
  const ones = value % 10;
  return `${TENS[Math.floor(value / 10)] ?? ''}${ones === 0 ? '' : `-${ONES[ones] ?? ''}`}`;
}

function smallOf(word: string): number | undefined {
  if (word.includes('-')) {
    const parts = word.split('-').map(smallOf);
    return parts.reduce<number | undefined>(
      (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
      0,
    );
  }
  const one = ONES.indexOf(word);
  if (one >= 0) return one;
  const ten = word === '' ? -1 : TENS.indexOf(word);
  return ten >= 2 ? ten * 10 : undefined;
}
