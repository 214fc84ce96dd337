/**
 * The letter of the option that an output chooses (OpenCompass's `first_option_postprocess`).
 *
 * Tried in this order, the first hit counts: the whole output is the letter; "answer is (B)", "answer: B"; "option B"; the output begins
 * with "B." or "(B)"; "(B)" anywhere; a capital letter with a mark or the end behind it. In `A good …` the A is an article.
 *
 * Difference from OpenCompass: no last resort that takes any letter of any word.
 *
 * @param letters The options, for example A B C D; case counts only where a letter stands alone.
 * @returns The option as it was given, or null.
 */
export function firstOption(output: string, letters: readonly string[]): string | null {
  const text = output.replaceAll(/[*`"“”]/gu, '').trim();
  const options = letters.map((letter) => letter.replace(/[.)]$/u, ''));
  const any = options.map((option) => option.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)).join('|');
  const patterns = [
    new RegExp(String.raw`^\(?(${any})[.)]?$`, 'iu'),
    new RegExp(
      String.raw`(?:answer|choice)(?:\s+is|\s*[:=])\s*(?::\s*)?(?:option\s+)?\(?(${any})(?![\p{L}\p{N}'’]|\s+\p{Ll})`,
      'iu',
    ),
    new RegExp(String.raw`\boption\s+\(?(${any})(?![\p{L}\p{N}'’])`, 'iu'),
    new RegExp(String.raw`^\(?(${any})[.):,]`, 'u'),
    new RegExp(String.raw`\((${any})\)`, 'u'),
    new RegExp(String.raw`(?<![\p{L}\p{N}'’])(${any})(?=\s*(?:[.,;:!?)]|$))`, 'mu'),
  ];
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    const index = found === undefined ? -1 : options.findIndex((one) => one.toLowerCase() === found.toLowerCase());
    if (index >= 0) return letters[index] ?? null;
  }
  return null;
}
