/**
 * The known name that is spelled most like a wrong one, for "did you mean".
 *
 * Edits are insertions, deletions, substitutions and swaps of neighbours; a name further away than a third of the
 * longer spelling is no suggestion.
 *
 * @param name What the user wrote.
 * @param known The names that exist.
 * @returns The nearest of them, the first one of equals; undefined when none is near or `known` is empty.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance([...name.toLowerCase()], [...candidate.toLowerCase()]);
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (distance <= limit && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The end of an error message: ` Did you mean "chrf"?`, or nothing when no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const suggestion = nearest(name, known);
  return suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
}

/** Optimal string alignment distance. In TypeScript, since a wrong flag must be reported without the addon. */
function editDistance(left: readonly string[], right: readonly string[]): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      let cost = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
