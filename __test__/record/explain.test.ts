import { describe, expect, it } from 'vitest';

import { diffSegments } from '../../src/record/diff-segments.js';
import { explainRecord, verdictOf } from '../../src/record/explain.js';
import type { Measured } from '../../src/record/measured.js';
import { ngramOverlaps, type NgramOverlap } from '../../src/record/ngram-overlap.js';
import { makeRecord, type AttackRecord } from '../../src/record/schema.js';
import { findEdits } from '../../src/record/text-edits.js';
import { createScorer } from '../../src/score/registry.js';
import { seeded } from '../helpers/seeded.js';
import { spelledOut } from '../../src/visible.js';

function measured(fields: Partial<Measured>): Measured {
  return {
    s_src: 0.5,
    s_tgt_base: 1,
    s_tgt_attacked: 0.5,
    s_tgt: null,
    d_tgt: 0.5,
    success: false,
    margin: 0,
    pdr: 0.5,
    criterion: 'relative_decrease',
    reasons: {},
    ...fields,
  };
}

/** B74 (promptfoo/promptfoo#8681): the text says what was decided, with the sign that decided. */
describe('verdictOf', () => {
  it.each([
    [0.75, true, 's_src + d_tgt = 0.7500 + 0.5000 = 1.2500 > 1.0000: successful.'],
    [0.5, false, 's_src + d_tgt = 0.5000 + 0.5000 = 1.0000 = 1.0000: not successful.'],
    [0.25, false, 's_src + d_tgt = 0.2500 + 0.5000 = 0.7500 < 1.0000: not successful.'],
    [0.5000001, true, 's_src + d_tgt = 0.5000 + 0.5000 = 1.0000001 > 1.0000000: successful.'],
  ])('s_src %d', (sSrc, success, line) => {
    expect(verdictOf(measured({ s_src: sSrc, success, margin: sSrc - 0.5 }), 1)).toEqual([
      'd_tgt = (1.0000 - 0.5000) / 1.0000 = 0.5000.',
      line,
    ]);
  });

  it('shows another threshold', () => {
    expect(verdictOf(measured({ s_src: 0.8, d_tgt: 1, s_tgt_attacked: 0, margin: 0 }), 1.8).at(-1)).toBe(
      's_src + d_tgt = 0.8000 + 1.0000 = 1.8000 = 1.8000: not successful.',
    );
  });

  it('explains the criterion without references', () => {
    const fields = {
      criterion: 'reference_less' as const,
      s_tgt_base: null,
      s_tgt_attacked: null,
      d_tgt: null,
      s_src: 0.9,
      s_tgt: 0.5,
    };
    expect(verdictOf(measured({ ...fields, success: true, margin: 0.4 }), 1)).toEqual([
      's_src = 0.9000 > 1 * s_tgt = 0.5000: successful (reference-less).',
    ]);
  });

  it('says why nothing could decrease, and why there is no verdict', () => {
    const zero = { s_tgt_base: 0, s_tgt_attacked: 0, d_tgt: 0, margin: -0.5 };
    expect(verdictOf(measured(zero), 1)[0]).toBe('d_tgt = 0: the base score is 0, nothing can decrease.');
    expect(verdictOf(measured({ s_tgt_attacked: 1.5, s_tgt_base: 1, d_tgt: 0 }), 1)[0]).toContain(
      'is above the base score',
    );
    const none = {
      s_src: null,
      success: null,
      margin: null,
      criterion: null,
      d_tgt: null,
      reasons: { success: 'no outputs' },
    };
    expect(verdictOf(measured(none), 1)).toEqual(['No verdict: no outputs.']);
  });
});

/** chrF of counted n-grams: precision and recall averaged over the orders that count, then one F. */
function chrfOf(overlaps: readonly NgramOverlap[], beta: number): number {
  const counted = overlaps.filter((row) => row.counted);
  if (counted.length === 0) return 0;
  const average = (name: 'precision' | 'recall'): number =>
    counted.reduce((sum, row) => sum + (row[name] ?? 0), 0) / counted.length;
  const [precision, recall] = [average('precision'), average('recall')];
  const weight = beta * beta;
  return precision + recall === 0 ? 0 : ((1 + weight) * precision * recall) / (weight * precision + recall);
}

describe('ngramOverlaps', () => {
  it('F06: counts what the metric counts, however its parameters are written', async () => {
    const random = seeded(7);
    const text = () =>
      Array.from({ length: random.below(14) }, () => random.pick(['a', 'B', 'é', '🍵', ' ', '.', ' \u3000'])).join('');
    const specs = [
      ['chrf', 2],
      ['chrf++', 2],
      ['chrf:whitespace=yes,beta=1,char_order=3', 1],
      ['chrf:lowercase=YES', 2],
    ] as const;
    const pairs = Array.from({ length: 300 }, () => [text(), text()] as const);
    for (const [spec, beta] of specs) {
      const scorer = await createScorer(spec);
      const scores = await scorer.score(
        pairs.map(([left]) => left),
        pairs.map(([, right]) => right),
      );
      const own = pairs.map(([left, right]) => chrfOf(ngramOverlaps(left, [right], scorer.native), beta));
      const worst = Math.max(...own.map((score, index) => Math.abs(score - (scores[index] ?? Number.NaN))));
      expect(worst).toBeLessThan(1e-12);
    }
  });

  it('shows the example of short strings (B01)', () => {
    const rows = ngramOverlaps('te', ['tea'], { kind: 'chrf', charOrder: 3 });
    expect(rows.map(({ precision, recall, counted }) => [precision, recall, counted])).toEqual([
      [1, 2 / 3, true],
      [1, 1 / 2, true],
      [null, 0, false],
    ]);
  });

  it('takes the best of several references, and chrF for metrics that count no n-grams', () => {
    const [best] = ngramOverlaps('tea', ['xyz', 'tea'], { kind: 'chrf' });
    expect(best).toMatchObject({ unit: 'char', order: 1, matches: 3, reference: 3 });
    expect(ngramOverlaps('tea', ['tea'], { kind: 'ter' })).toHaveLength(6);
    expect(ngramOverlaps('tea', ['tea'], undefined)).toHaveLength(6);
  });
});

describe('diffSegments', () => {
  it('gives both texts back', async () => {
    const random = seeded(11);
    const text = () =>
      Array.from({ length: random.below(12) }, () =>
        random.pick(['tea', 'te\u0430', 'hot', ' ', '  ', '.', '\u200b']),
      ).join('');
    const pairs = Array.from({ length: 400 }, () => [text(), text()] as const);
    const reports = await findEdits(
      pairs.map(([left]) => left),
      pairs.map(([, right]) => right),
    );
    for (const [index, [left, right]] of pairs.entries()) {
      const segments = diffSegments(left, right, reports[index]?.edits ?? []);
      expect(segments.map(({ original }) => original).join('')).toBe(left);
      expect(segments.map(({ edited }) => edited).join('')).toBe(right);
      expect(segments.filter(({ kind, original, edited }) => kind === 'equal' && original !== edited)).toEqual([]);
      expect(
        segments.filter(({ kind, original, edited }) => kind === 'space' && /\S/u.test(original + edited)),
      ).toEqual([]);
    }
  });

  it('writes out what steers a terminal', () => {
    expect(spelledOut('a\u200bb\u202ec\u001b[31m\n\r\t')).toBe('a<U+200B>b<U+202E>c\\x1b[31m\\n\\r\t');
  });
});

describe('explainRecord', () => {
  const explain = async (fields: Partial<AttackRecord>) => {
    const scorers = { sSrc: await createScorer('chrf'), sTgt: await createScorer('zero_one') };
    const specs = { successThreshold: 1 };
    return explainRecord(makeRecord({ id: 'x', unit: 'input', ...fields }), { ...scorers, ...specs });
  };

  it('gives scores, overlaps, diff and verdict of the same numbers', async () => {
    const explanation = await explain({ src: 'the tea', adv_src: 'the te\u0430', out: '1', adv_out: '0', ref: '1' });
    expect(explanation?.measured.d_tgt).toBe(1);
    expect(explanation?.sSrcFolded).toBe(1);
    expect(explanation?.overlaps.map(({ pair }) => pair)).toEqual([
      'adv_src against src',
      'out against ref',
      'adv_out against ref',
    ]);
    expect(explanation?.diff.map(({ kind }) => kind)).toEqual(['equal', 'homoglyph']);
    expect(explanation?.verdict.at(-1)).toContain('> 1.0000: successful.');
    expect(chrfOf(explanation?.overlaps[0]?.overlaps ?? [], 2)).toBeCloseTo(explanation?.measured.s_src ?? -1, 12);
  });

  it('explains one side alone', async () => {
    const explanation = await explain({ src: 'a', adv_src: 'b' });
    expect(explanation?.verdict).toEqual(['No verdict: no outputs.']);
  });

  it('has nothing to say about a clean prompt', async () => {
    expect(await explain({ src: 'a', extra: { kind: 'clean' } })).toBeNull();
  });
});
