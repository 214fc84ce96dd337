/** A piece of two aligned texts. */
export interface DiffPiece {
  /** `equal`, `space`, or the name of a kind of edit. */
  readonly kind: string;
  readonly original: string;
  readonly edited: string;
}

/** Places in the list of kinds that stand for no edit. */
export const EQUAL = -1;
export const SPACE = -2;

/**
 * Cuts two texts into the pieces of a record's `diff`: see `RecordRow.diff`.
 *
 * @param kinds names of the kinds of edits.
 */
export function diffPieces(
  original: string,
  edited: string,
  diff: readonly number[],
  kinds: readonly string[],
): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let left = 0;
  let right = 0;
  for (let index = 0; index + 2 < diff.length; index += 3) {
    const kind = diff[index] ?? EQUAL;
    const leftEnd = left + (diff[index + 1] ?? 0);
    const rightEnd = right + (diff[index + 2] ?? 0);
    pieces.push({
      kind: kind === EQUAL ? 'equal' : kind === SPACE ? 'space' : (kinds[kind] ?? 'edit'),
      original: original.slice(left, leftEnd),
      edited: edited.slice(right, rightEnd),
    });
    left = leftEnd;
    right = rightEnd;
  }
  return pieces;
}

/** A piece whose halves stand one above the other is at most this long; longer ones follow each other. */
export const STACKED = 48;
