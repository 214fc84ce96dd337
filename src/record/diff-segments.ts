import { strip } from '../read/whitespace.js';
import type { EditKind, TextEdit } from './text-edits.js';

/** A piece of both texts: equal, or changed by one edit. */
export interface DiffSegment {
  /** `equal`, the kind of the edit, or `space` for whitespace that came or went with a word. */
  readonly kind: EditKind | 'equal' | 'space';
  readonly original: string;
  readonly edited: string;
}

/**
 * Cuts two texts into pieces that are equal and pieces that an edit changed, in order: the pieces joined give both texts
 * back.
 *
 * @param edits the edits between the texts, as `findEdits` gives them.
 */
export function diffSegments(original: string, edited: string, edits: readonly TextEdit[]): DiffSegment[] {
  const left = [...original];
  const right = [...edited];
  const segments: DiffSegment[] = [];
  let leftEnd = 0;
  let rightEnd = 0;
  for (const edit of edits) {
    segments.push(...between(left.slice(leftEnd, edit.originalPosition), right.slice(rightEnd, edit.editedPosition)));
    segments.push({ kind: edit.kind, original: edit.original, edited: edit.edited });
    leftEnd = edit.originalPosition + [...edit.original].length;
    rightEnd = edit.editedPosition + [...edit.edited].length;
  }
  segments.push(...between(left.slice(leftEnd), right.slice(rightEnd)));
  return segments.filter((segment) => segment.original !== '' || segment.edited !== '');
}

/** What lies between two edits is equal, but for the whitespace beside a word that is new or gone. */
function between(left: readonly string[], right: readonly string[]): DiffSegment[] {
  const [original, edited] = [left.join(''), right.join('')];
  if (original === edited) return [{ kind: 'equal', original, edited }];
  const [first, second] = [withEnds(original), withEnds(edited)];
  return [segment(first.before, second.before), segment(first.core, second.core), segment(first.behind, second.behind)];
}

function segment(original: string, edited: string): DiffSegment {
  return { kind: original === edited ? 'equal' : 'space', original, edited };
}

/** A text, and the whitespace at its ends. */
function withEnds(text: string): { readonly before: string; readonly core: string; readonly behind: string } {
  const core = strip(text);
  const start = text.indexOf(core);
  return { before: text.slice(0, start), core, behind: text.slice(start + core.length) };
}
