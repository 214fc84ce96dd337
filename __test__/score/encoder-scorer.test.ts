import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

import { packageFolder } from '../../src/optional-package.js';
import { bertscoreF1 } from '../../src/score/encoder-scorer.js';
import { createScorer } from '../../src/score/registry.js';

const unit = (...numbers: readonly number[]): Float32Array => {
  const norm = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / norm);
};
const [START, END, EAST, NORTH, WEST] = [unit(0, 0, 1), unit(0, 0, -1), unit(1, 0, 0), unit(0, 1, 0), unit(-1, 0, 0)];

describe('bertscoreF1', () => {
  const text = (...tokens: readonly Float32Array[]): readonly Float32Array[] => [START, ...tokens, END];

  it('matches each token with the nearest one of the other text', () => {
    // Precision 1 (both tokens are there), recall 2/3 (NORTH is matched by nothing better than a right angle).
    expect(bertscoreF1(text(EAST, EAST), text(EAST, EAST, NORTH))).toBeCloseTo((2 * 1 * (2 / 3)) / (1 + 2 / 3), 6);
    expect(bertscoreF1(text(unit(1, 1, 0)), text(EAST))).toBeCloseTo(Math.SQRT1_2, 6);
  });

  it('an empty text scores 0, a text with itself 1, and nothing is below 0', () => {
    const east = text(EAST);
    expect([bertscoreF1(text(), east), bertscoreF1(east, text()), bertscoreF1(text(), text())]).toEqual([0, 0, 0]);
    expect(bertscoreF1(east, east)).toBe(1);
    expect(bertscoreF1(text(EAST), text(EAST))).toBeCloseTo(1, 6);
    expect(bertscoreF1(text(EAST), text(WEST))).toBe(0);
  });

  it('tokens that begin and end a text have no weight, and may be matched', () => {
    expect(bertscoreF1(text(START), text(EAST))).toBe(0);
    expect(bertscoreF1([START, unit(0, 0, 1), END], text(EAST))).toBeCloseTo(0, 6);
  });
});

it('a model that is not there is named, with what to do', async () => {
  await expect(createScorer('encoder:model=nowhere')).rejects.toThrow('encoder:model nowhere: no such file or folder');
  await expect(createScorer('bertscore:size=3')).rejects.toThrow('has no parameter "size"');
});

const models =
  process.env['TEAPOT_TEST_MODELS'] ?? resolve(import.meta.dirname, '../../.teapot-resources/attack-models');
const folder = resolve(models, 'encoder');
describe.skipIf(!existsSync(folder) || packageFolder('onnxruntime-node') === undefined)(
  'with a real model (skipped until "node scripts/attack-models.mjs" has run and onnxruntime-node is installed)',
  () => {
    const hypotheses = ['A lovely film.', 'A lovely film.', 'A lovely film.', ''];
    const references = ['A lovely film.', 'A wonderful movie.', ['Stock prices fell.', 'A lovely film.'], 'x'];

    it.each(['encoder', 'bertscore'])('%s: near texts score high, the best reference counts', async (key) => {
      const scorer = await createScorer(`${key}:model=${folder}`);
      const scores = await scorer.score(hypotheses, references);
      expect(scores[0]).toBe(1);
      expect(scores[1]).toBeGreaterThan(0.6);
      expect(scores[1]).toBeLessThan(1);
      expect(scores[2]).toBe(1);
      expect(scorer.signature).toMatch(new RegExp(`^${key}\\|nrefs:1\\|model:[\\da-f]{16}\\|version:`, 'u'));
      // One by one and in another order, the same bits.
      const alone = await createScorer(`${key}:model=${folder}`);
      expect([...(await alone.score([...hypotheses].toReversed(), references.toReversed()))].toReversed()).toEqual([
        ...scores,
      ]);
    });
  },
);
