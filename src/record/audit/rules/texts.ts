import { isBlank, strip } from '../../../read/whitespace.js';
import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { findingAt, quote, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const UNCHANGED: AuditRule = {
  id: 'unchanged',
  severity: 'warning',
  description: 'The attacked text equals the original one, but for white space at its ends: a no-op attack',
};

const EMPTY_SIDE: AuditRule = {
  id: 'empty_side',
  severity: 'warning',
  description: 'A text is empty or all white space: metrics disagree about such pairs',
};

const MISSING_TEXT: AuditRule = {
  id: 'missing_text',
  severity: 'warning',
  description: 'An attack without its original or attacked text: nothing can be measured of it',
};

const NORMAL_FORM: AuditRule = {
  id: 'normal_form',
  severity: 'note',
  description: "The texts differ in Unicode's normal form alone (composed or decomposed accents): no reader sees it",
};

/** Whether an attack changed nothing but white space at the ends of a text. */
export function isUnchanged(src: string, advSrc: string): boolean {
  return strip(src) === strip(advSrc);
}

/** Looks at the pair of texts of each attack. */
export function textCheck(): AuditCheck {
  return { rules: [UNCHANGED, EMPTY_SIDE, MISSING_TEXT, NORMAL_FORM], add: checkTexts };
}

function* checkTexts({ record, measured }: ScoredRecord): Generator<Finding> {
  // A tool that skips an input writes the same text twice: that is no attack.
  if (measured === null || record.result === 'skipped') return;
  const { src, adv_src: advSrc } = record;
  // Text logs keep no last attempt of an attack that failed.
  const missing = [
    src === null ? 'original' : '',
    advSrc === null && record.result !== 'failed' ? 'attacked' : '',
  ].filter(Boolean);
  if (missing.length > 0 && hasTexts(record)) {
    yield findingAt(MISSING_TEXT, record, `no ${missing.join(' and no ')} text`);
  }
  for (const [name, text] of namedTexts(record)) {
    if (isBlank(text)) yield findingAt(EMPTY_SIDE, record, `${name} is ${text === '' ? 'empty' : 'all white space'}`);
  }
  if (src === null || advSrc === null) return;
  if (isUnchanged(src, advSrc)) {
    yield findingAt(UNCHANGED, record, `${quote(src)} was not changed`);
  } else if (src.normalize('NFC') === advSrc.normalize('NFC')) {
    yield findingAt(NORMAL_FORM, record, `${quote(src)} and its attacked form are equal after normalisation (NFC)`);
  }
}

/** A record of the target side alone has no source texts, and needs none. */
function hasTexts({
  src,
  adv_src: advSrc,
  out,
  adv_out: advOut,
  unit,
  original_score: original,
}: AttackRecord): boolean {
  return (
    src !== null || advSrc !== null || (unit === 'prompt' && original !== null) || (out === null && advOut === null)
  );
}

function namedTexts({ src, adv_src: advSrc, out, adv_out: advOut, ref }: AttackRecord): [string, string][] {
  const references = Array.isArray(ref) ? ref : [ref];
  const texts: (readonly [string, string | null])[] = [
    ['src', src],
    ['adv_src', advSrc],
    ['out', out],
    ['adv_out', advOut],
    ...references.map((text) => ['ref', text] as const),
  ];
  return texts.flatMap(([name, text]): [string, string][] => (text === null ? [] : [[name, text]]));
}
