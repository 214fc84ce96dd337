import { describe, expect, it } from 'vitest';

import { unmarkPair } from '../../../src/record/import/textattack/markers.js';
import type { MarkerStyle } from '../../../src/record/import/textattack/markers.js';
import { seeded } from '../../helpers/seeded.js';
import type { Seeded } from '../../helpers/seeded.js';

/** A piece of text: a word as TextAttack sees it, or what stands between two. */
interface Piece {
  readonly text: string;
  readonly isWord: boolean;
}

const WORDS = ['tea', 'hot', 'is', 'good', "n't", 'laser-beam', 'café', '3', 'a'];
const BETWEEN = [' ', ' ', ' ', ', ', ' [', '] ', ' [[', ']] ', ' [[[', ']]] ', '\n', ' "', ' </b> ', '. '];

function randomText(random: Seeded): Piece[] {
  const pieces: Piece[] = [];
  const count = 1 + random.below(8);
  for (let index = 0; index < count; index += 1) {
    pieces.push({ text: random.pick(BETWEEN), isWord: false }, { text: random.pick(WORDS), isWord: true });
  }
  // Sometimes a word of the text itself stands in what looks like a marker.
  if (random.below(3) === 0)
    pieces.push(
      { text: ' [[', isWord: false },
      { text: random.pick(WORDS), isWord: true },
      { text: ']]', isWord: false },
    );
  return pieces;
}

/** Replaces, deletes and inserts words; marks both texts as TextAttack does. */
function attack(pieces: readonly Piece[], random: Seeded, mark: (word: string) => string) {
  const original: string[] = [];
  const perturbed: string[] = [];
  const marked = { original: [] as string[], perturbed: [] as string[] };
  for (const { text, isWord } of pieces) {
    const kind = isWord ? random.below(8) : 7;
    const other = random.pick(['t3a', 'h0t', 'not', 'good', 'x']);
    if (kind === 0 && other !== text) {
      original.push(text);
      perturbed.push(other);
      marked.original.push(mark(text));
      marked.perturbed.push(mark(other));
    } else if (kind === 1) {
      original.push(text);
      marked.original.push(mark(text));
    } else if (kind === 2) {
      original.push(text);
      perturbed.push(`${other} ${text}`);
      marked.original.push(text);
      marked.perturbed.push(`${mark(other)} ${text}`);
    } else {
      original.push(text);
      perturbed.push(text);
      marked.original.push(text);
      marked.perturbed.push(text);
    }
  }
  return {
    original: original.join(''),
    perturbed: perturbed.join(''),
    markedOriginal: marked.original.join(''),
    markedPerturbed: marked.perturbed.join(''),
  };
}

describe('unmarkPair', () => {
  it.each([
    ['file', (word: string) => `[[${word}]]`],
    ['html', (word: string) => `<font color = red>${word}</font>`],
  ] as const)('gives the texts of a simulated attack back (%s)', (style: MarkerStyle, mark) => {
    const random = seeded(5);
    let wrong = 0;
    const rounds = 5000;
    for (let round = 0; round < rounds; round += 1) {
      const attacked = attack(randomText(random), random, mark);
      const unmarked = unmarkPair(attacked.markedOriginal, attacked.markedPerturbed, style);
      if (unmarked.original !== attacked.original || unmarked.perturbed !== attacked.perturbed) wrong += 1;
    }
    // A word that is deleted beside brackets of the text and inserted again can't be told from one of the text.
    expect(wrong / rounds).toBeLessThan(0.01);
  });
});
