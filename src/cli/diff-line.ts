import picocolors from 'picocolors';

import { spelledOut } from '../visible.js';

/** A piece of two aligned texts. */
interface Piece {
  readonly kind: string;
  readonly original: string;
  readonly edited: string;
}

/**
 * Two aligned texts in one line: `the [-tea-]{+tee+} is hot`, what went in red and what came in green. Characters that a
 * terminal would obey, or not show, are written out.
 *
 * @param limit UTF-16 units after which the line ends with an ellipsis. Default: none.
 */
export function diffLine(pieces: readonly Piece[], color: boolean, limit = Number.POSITIVE_INFINITY): string {
  const { red, green } = picocolors.createColors(color);
  const parts: string[] = [];
  let length = 0;
  for (const { kind, original, edited } of pieces) {
    const room = limit - length;
    if (room <= 0) {
      parts.push('…');
      break;
    }
    length += Math.max(original.length, edited.length);
    const [gone, come] = [original, edited].map((text) => spelledOut(text.length > room ? text.slice(0, room) : text));
    if (kind === 'equal') parts.push(come ?? '');
    else {
      if (gone !== '') parts.push(red(`[-${gone}-]`));
      if (come !== '') parts.push(green(`{+${come}+}`));
    }
  }
  return parts.join('');
}
