import type { MetricOptions } from '../native.js';
import { splitWords } from '../read/whitespace.js';

/** Two neighbours of a script that writes no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{2}/u;

/** Languages whose BLEU is published with the tokenizer `zh`. */
const CHINESE = new Set(['zh', 'zho', 'chi', 'cmn', 'yue', 'zh-cn', 'zh-tw', 'zh-hk', 'zh_cn', 'zh_tw', 'zh_hk']);

/** Other languages without spaces between words: there is no tokenizer for them but `char`. */
const OTHER_UNSPACED = new Set(['ja', 'jpn', 'th', 'tha', 'lo', 'lao', 'km', 'khm', 'my', 'mya']);

/**
 * The tokenizer that the language of the texts asks for, as sacreBLEU's `-l` does.
 *
 * @param language An ISO 639 code, for example `zh`; undefined when the user gave none.
 * @returns `zh` for Chinese, `char` for Japanese, Thai, Lao, Khmer and Burmese, otherwise undefined (13a).
 */
export function tokenizerOfLanguage(language: string | undefined): 'zh' | 'char' | undefined {
  const code = language?.toLowerCase();
  if (code === undefined) return undefined;
  if (CHINESE.has(code)) return 'zh';
  return OTHER_UNSPACED.has(code) ? 'char' : undefined;
}

/**
 * Warns when BLEU with a tokenizer for spaced text meets text without spaces: whole sentences are then one token, and the
 * scores are 0 or 1.
 *
 * @param metric Only `bleu` is looked at.
 * @param texts A sample of the texts, some hundred lines.
 * @returns One sentence when more than a tenth of the texts are one word with two neighbouring characters of such a script:
 *   texts that were split into words already are fine.
 */
export function unspacedScriptNote(metric: MetricOptions, texts: readonly string[]): string | undefined {
  if (metric.kind !== 'bleu' || metric.tokenizer === 'zh' || metric.tokenizer === 'char') return undefined;
  const found = texts.filter((text) => UNSPACED.test(text) && splitWords(text).length === 1).length;
  if (found === 0 || found * 10 <= texts.length) return undefined;
  const tokenizer = metric.tokenizer ?? '13a';
  return `Warning: BLEU splits words by the tokenizer ${tokenizer}, but the texts have no spaces between words, so sentences are taken as one word. For Chinese use bleu:tokenize=zh, otherwise bleu:tokenize=char or chrf.`;
}
