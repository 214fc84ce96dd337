/** A piece of a text as a page shows it. */
export interface VisiblePiece {
  readonly text: string;
  /** For a character that a reader would not see, or that would change what is around it: what it is. */
  readonly name?: string;
}

/**
 * Characters that are shown by name: controls (with the ones that ANSI sequences start with), everything invisible, and
 * what turns the direction of the text around it.
 */
const HIDDEN = /(?![\n\u0600-\u0605\u06dd\u08e2])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const NAMES: Readonly<Record<string, string>> = {
  '\t': 'tab',
  '\r': 'carriage return',
  '\u001b': 'escape',
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'pop directional formatting',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'pop directional isolate',
  '\ufeff': 'byte order mark',
};

/**
 * Cuts a text into what is shown as it is and single characters that are shown by name.
 *
 * A joiner between two pictures is part of one picture and stays.
 */
export function visiblePieces(text: string): VisiblePiece[] {
  if (!HIDDEN.test(text)) return text === '' ? [] : [{ text }];
  const pieces: VisiblePiece[] = [];
  let plain = '';
  let before = '';
  for (const character of text) {
    if (
      !HIDDEN.test(character) ||
      (isPictureJoiner(character) && /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u.test(before))
    ) {
      plain += character;
      before = character;
      continue;
    }
    if (plain !== '') pieces.push({ text: plain });
    plain = '';
    before = '';
    pieces.push({ text: codePoint(character), name: NAMES[character] ?? 'hidden character' });
  }
  if (plain !== '') pieces.push({ text: plain });
  return pieces;
}

function isPictureJoiner(character: string): boolean {
  return character === '\u200d' || character === '\ufe0f';
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A name as charts and lists show it: on one line, hidden characters by their code points, cut with an ellipsis. */
export function shortLabel(name: string, maximum: number): string {
  // A character shown by name takes up to eight letters: what is beyond can't be shown in any case.
  const start = name.slice(0, maximum * 4).replaceAll(/\s+/gu, ' ');
  const text = visiblePieces(start)
    .map((piece) => (piece.name === undefined ? piece.text : `<${piece.text}>`))
    .join('');
  const characters = [...text];
  const isCut = characters.length > maximum || name.length > maximum * 4;
  return isCut ? `${characters.slice(0, maximum - 1).join('')}…` : text;
}
