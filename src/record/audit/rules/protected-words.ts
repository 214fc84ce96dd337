import type { ScoredRecord } from '../../score-records.js';
import { findingAt, quote, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const LABEL_DAMAGED: AuditRule = {
  id: 'label_damaged',
  severity: 'error',
  description:
    'A label that the original prompt asks for is changed or gone: the model can no longer answer as it should',
};

const PLACEHOLDER_DAMAGED: AuditRule = {
  id: 'placeholder_damaged',
  severity: 'error',
  description: 'A placeholder such as {content} is changed or gone: the input never reaches the model',
};

/** A word or two in quotes, as prompts name their labels; an apostrophe inside a word opens nothing. */
const QUOTED =
  /(?<![\p{L}\p{N}])(?:'([^'\n]{1,40})'|"([^"\n]{1,40})"|‘([^’\n]{1,40})’|“([^”\n]{1,40})”)(?![\p{L}\p{N}])/gu;

const PLACEHOLDER = /\{[^{}\n]{0,60}\}/gu;

/**
 * Looks whether the words that a prompt depends on survived the attack: quoted labels, labels that the user names, and
 * placeholders in braces. Case counts, since answers are compared with it.
 *
 * @param labels words that count as labels wherever they stand in an original text.
 */
export function protectedWordCheck(labels: readonly string[]): AuditCheck {
  return {
    rules: [LABEL_DAMAGED, PLACEHOLDER_DAMAGED],
    *add({ record, measured }: ScoredRecord): Generator<Finding> {
      const { src, adv_src: advSrc } = record;
      // The semantic attack writes new prompts: it owes the old ones no word, but their labels and placeholders.
      if (measured === null || src === null || advSrc === null) return;
      const isPrompt = record.unit === 'prompt';
      if (!isPrompt || record.attack !== 'semantic') {
        const damaged = [...new Set([...(isPrompt ? quotedIn(src) : []), ...labels])].filter(
          (label) => occurs(src, label) > occurs(advSrc, label),
        );
        if (damaged.length > 0) {
          yield findingAt(
            LABEL_DAMAGED,
            record,
            `${damaged.map(quote).join(', ')} of the original is not in ${quote(advSrc)}`,
          );
        }
      }
      if (!isPrompt) return;
      const lost = [...counts(src.match(PLACEHOLDER) ?? [])].filter(
        ([placeholder, count]) => (counts(advSrc.match(PLACEHOLDER) ?? []).get(placeholder) ?? 0) < count,
      );
      if (lost.length > 0) {
        const names = lost.map(([placeholder]) => quote(placeholder)).join(', ');
        yield findingAt(PLACEHOLDER_DAMAGED, record, `${names} of the original is not in ${quote(advSrc)}`);
      }
    },
  };
}

/** The quoted words of a prompt. */
export function quotedIn(text: string): string[] {
  return [...text.matchAll(QUOTED)].flatMap((match) => match.slice(1).filter((group) => group !== undefined));
}

/** How often a word occurs that no letter or digit touches. */
function occurs(text: string, word: string): number {
  if (word === '') return 0;
  let count = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) count += 1;
  }
  return count;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function counts(items: readonly string[]): Map<string, number> {
  const map = new Map<string, number>();
  for (const item of items) map.set(item, (map.get(item) ?? 0) + 1);
  return map;
}
