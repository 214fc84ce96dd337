import type { PromptOutcome, RankedPrompt } from '../../attack/attack-prompts.js';
import { formatFixed } from '../../number-format.js';

/**
 * The log of a prompt attack as OpenCompass writes it: the ranking, then a block for each of the first k prompts.
 *
 * Prompts stand there as they are, line ends included; attacked ones as Python's `repr` of their UTF-8 bytes. Scores are
 * percentages with two decimals, ties to the even digit, as Python's `format` rounds.
 *
 * Source: `opencompass/tasks/openicl_attack.py` of open-compass/opencompass.
 */
export function attackLog(ranking: readonly RankedPrompt[], outcomes: readonly PromptOutcome[]): string {
  return [...ranking.map(rankedLine), ...outcomes.map(block)].join('');
}

function rankedLine({ prompt, score }: RankedPrompt): string {
  return `Prompt: ${prompt}, acc: ${percent(score)}%\n`;
}

function block({ original, attackedPrompt, attackedScore }: PromptOutcome): string {
  const { prompt, score } = original;
  if (attackedPrompt === null || attackedScore === null) {
    // The log knows one reason only; a prompt that was not asked for lack of budget has no block.
    if (score > 0) return '';
    return `Init acc is 0, skip this prompt\nOriginal prompt: ${prompt}\nOriginal acc: ${percent(score)}% \n\n`;
  }
  const dropped = score - attackedScore;
  return (
    `Original prompt: ${prompt}\nAttacked prompt: ${pythonBytes(attackedPrompt)}\n` +
    `Original acc: ${percent(score)}%, attacked acc: ${percent(attackedScore)}%, dropped acc: ${percent(dropped)}%\n\n`
  );
}

function percent(fraction: number): string {
  return formatFixed(fraction * 100, 2, true);
}

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x09, String.raw`\t`],
  [0x0a, String.raw`\n`],
  [0x0d, String.raw`\r`],
  [0x5c, String.raw`\\`],
]);

/**
 * Python's `repr(text.encode('utf-8'))`: `b'…'`, or `b"…"` for a text with `'` and without `"`; what is no printable ASCII is `\xNN`.
 */
export function pythonBytes(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let literal = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const escape = ESCAPES.get(byte);
    if (escape !== undefined) literal += escape;
    else if (byte === quote.charCodeAt(0)) literal += `\\${quote}`;
    else if (byte >= 0x20 && byte < 0x7f) literal += String.fromCharCode(byte);
    else literal += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `b${quote}${literal}${quote}`;
}
