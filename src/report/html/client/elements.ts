import { diffPieces, STACKED } from '../diff-pieces.js';
import type { RecordRow } from '../report-data.js';
import { visiblePieces } from '../visible-text.js';

type Child = Node | string | null | undefined | false;

/**
 * Makes an element. Texts become text nodes: nothing in the script writes markup.
 *
 * @param attributes `class`, `title`, …; a function under `onclick` and the like is a listener; null leaves one out.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number | boolean | null | ((event: Event) => void)>> = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(attribute.slice(2), value);
    else if (value === true) made.setAttribute(attribute, '');
    else if (value !== null && value !== false) made.setAttribute(attribute, String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) made.append(child);
  return made;
}

/** A text with hidden characters shown by name. */
export function shown(text: string, limit = Number.POSITIVE_INFINITY): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const { text: piece, name } of visiblePieces(text.length > limit ? text.slice(0, limit) : text)) {
    fragment.append(name === undefined ? piece : element('span', { class: 'hidden-character', title: name }, piece));
  }
  if (text.length > limit) fragment.append(element('span', { class: 'empty' }, '…'));
  return fragment;
}

/** How much of an equal text stands before the first edit, where the start is left out. */
const LEAD = 24;

/**
 * The aligned texts of a record: what an edit took stands above what it brought.
 *
 * @param limit UTF-16 units that are shown.
 * @param isShort leave out the start, so that the first edit is among what is shown.
 */
export function diff(row: RecordRow, kinds: readonly string[], limit: number, isShort = false): DocumentFragment {
  const fragment = document.createDocumentFragment();
  if (row.diff.length === 0) {
    fragment.append(shown(row.advSrc ?? row.src ?? '', limit));
    return fragment;
  }
  let length = 0;
  const pieces = diffPieces(row.src ?? '', row.advSrc ?? '', row.diff, kinds);
  const [first] = pieces;
  if (isShort && first?.kind === 'equal' && pieces.length > 1 && first.edited.length > LEAD * 2) {
    const rest = first.edited.slice(-LEAD);
    // A word that is cut is left out whole.
    const start = rest.slice(rest.indexOf(' ') + 1);
    pieces[0] = { ...first, edited: `… ${start}` };
  }
  for (const { kind, original, edited } of pieces) {
    const rest = limit - length;
    if (rest <= 0) {
      fragment.append(element('span', { class: 'empty' }, '…'));
      break;
    }
    length += Math.max(original.length, edited.length);
    if (kind === 'equal' || kind === 'space') fragment.append(shown(edited === '' ? ' ' : edited, rest));
    else {
      const stacked = original !== '' && edited !== '' && original.length <= STACKED && edited.length <= STACKED;
      fragment.append(
        element(
          'span',
          { class: stacked ? 'edit stacked' : 'edit', title: kind.replaceAll('_', ' ') },
          original !== '' && element('del', {}, shown(original, rest)),
          edited !== '' && element('ins', {}, shown(edited, rest)),
        ),
      );
    }
  }
  return fragment;
}
