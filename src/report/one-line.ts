import { spelledOut } from '../visible.js';

/** A text as it stands in a cell of a table or a comment: on one line, with everything invisible written out. */
export function oneLine(text: string): string {
  // Most cells are numbers and plain names.
  return /^[\u0020-\u007E]*$/u.test(text) ? text : spelledOut(text).replaceAll('\t', String.raw`\t`);
}
