import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.js';
import type { Reference } from '../../src/score/scorer.js';
import { NativeScorer } from '../../src/score/native-scorer.js';
import { createScorer } from '../../src/score/registry.js';
import { unspacedScriptNote } from '../../src/score/unspaced-script.js';

async function one(spec: string, hypothesis: string, reference: Reference): Promise<number | undefined> {
  return (await (await createScorer(spec)).score([hypothesis], [reference]))[0];
}

describe('values of public reports', () => {
  it('B01 (sacrebleu#144): chrF of short strings, effective order and epsilon smoothing', async () => {
    expect(await one('chrf', 'te', 'tea')).toBe(63.636363636363626 / 100);
    expect(await one('chrf', 'tea', 'tea')).toBe(1);
    expect(await one('chrf:eps=yes', 'te', 'tea')).toBeCloseTo(0.2116402116402116, 12);
    expect(await one('chrf:eps=yes', 'tea', 'tea')).toBeCloseTo(0.5, 12);
  });

  it.each(['floor', 'add-k', 'exp', 'none'])(
    'B02 (sacrebleu#141): BLEU without a match is 0, smooth=%s',
    async (smooth) => {
      expect(await one(`bleu:smooth=${smooth}`, 'mint', 'tea')).toBe(0);
    },
  );

  it('B03 (sacrebleu#98, #64): BLEU is floor 0.01 whatever the entry point', async () => {
    const pair = ['we drink tea', 'we drink coffee'] as const;
    expect(await one('bleu', ...pair)).toBeCloseTo(0.14938015821857212, 15);
    expect(await one('bleu:value=0.1', ...pair)).toBeCloseTo(0.3218298, 7);
    expect(await one('bleu:smooth=exp', ...pair)).toBeCloseTo(0.5503212, 7);
    expect(await one('bleu:smooth=add-k', ...pair)).toBeCloseTo(0.686589, 7);
    expect(await one('bleu:smooth=none', ...pair)).toBe(0);
  });

  it('B05 (promptfoo PR#9717): the brevity penalty punishes short outputs', async () => {
    expect(await one('bleu:smooth=exp', 'we drink hot green tea', 'we drink hot green tea every day')).toBeCloseTo(
      67.03200460356396 / 100,
      14,
    );
  });

  it('B06 (torchmetrics#1776, sacrebleu#138): 13a and intl at the end and with entities', async () => {
    expect(await one('bleu:smooth=exp', 'Room 12.', 'Room 12 .')).toBe(1);
    expect(await one('bleu:smooth=exp,tokenize=intl', 'Room 12.', 'Room 12 .')).toBeCloseTo(
      30.326532985631665 / 100,
      14,
    );
    expect(await one('bleu:smooth=exp', 'tea &amp; milk', 'tea & milk')).toBe(1);
    expect(await one('bleu:smooth=exp,tokenize=intl', 'tea &amp; milk', 'tea & milk')).toBeCloseTo(
      23.643540225079384 / 100,
      14,
    );
  });

  it('B09 (UltraRAG#509, helm PR#4315): SQuAD does not erase the answer A', async () => {
    const pairs = [
      ['A', 'A'],
      ['B', 'A'],
      ['tea', 'The'],
    ] as const;
    const table = await Promise.all(
      ['squad_em:version=1', 'squad_f1:version=1', 'squad_em', 'squad_f1'].map(async (spec) =>
        Promise.all(pairs.map(async ([hypothesis, reference]) => one(spec, hypothesis, reference))),
      ),
    );
    expect(table).toEqual([
      [1, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
    ]);
  });

  it('B13 (teapot-nlp, promptfoo PR#10256): F1 with repeated words and blank sides', async () => {
    const pairs = [
      ['tea tea tea', 'tea', 1, 0.5],
      ['tea milk milk', 'tea tea milk', 1, 2 / 3],
      ['the cat sat on the mat', 'the cat sat on the mat', 1, 1],
      ['', 'tea', 0, 0],
      ['tea', '', 0, 0],
      ['', '', 1, 1],
    ] as const;
    for (const [hypothesis, reference, f1, squad] of pairs) {
      expect(await one('f1', hypothesis, reference)).toBe(f1);
      expect(await one('squad_f1', hypothesis, reference)).toBeCloseTo(squad, 15);
    }
  });

  it('B15 (opik PR#7230): every chrF parameter reaches the core', async () => {
    expect(await one('chrf', 'ab cd', 'abcd')).toBe(1);
    expect(await one('chrf:whitespace=yes', 'ab cd', 'abcd')).toBeCloseTo(0.3944174757281553, 14);
    expect(await one('chrf:char_order=1', 'the cat', 'the dog')).toBeCloseTo(0.5, 14);
    expect(await one('chrf', 'the cat', 'the dog')).toBeCloseTo(0.1916666666666666, 14);
    expect(await one('chrf:beta=1', 'tea', 'green tea')).toBeCloseTo(0.432348367029549, 14);
    expect(await one('chrf:beta=3', 'tea', 'green tea')).toBeCloseTo(0.29732620320855613, 14);
    expect(await one('chrf:lowercase=yes', 'TEA', 'tea')).toBe(1);
    expect(await one('zero_one:lowercase=yes', 'TEA', 'tea')).toBe(1);
    expect(await one('zero_one:strip=no', 'tea ', 'tea')).toBe(0);
    expect(await one('bleu:order=1,smooth=none', 'tea milk', 'tea')).toBeCloseTo(0.5, 14);
  });

  it('B22 (std#6013, jellyfish#55): the unit is the code point', async () => {
    expect(await one('chrf', 'tea🍵', 'tea')).toBe(0.8984375);
    expect(await one('chrf', '🍵', '🍷')).toBe(0);
    expect(await one('edit', 'tea🍵', 'tea')).toBe(0.75);
    expect(await one('edit', '🍵', '🍷')).toBe(0);
  });

  it('B23 (RapidFuzz#319): no Unicode normalisation', async () => {
    expect(await one('chrf', 'cafe\u0301', 'caf\u00E9')).toBeCloseTo(0.4488925199709513, 14);
    expect(await one('zero_one', 'cafe\u0301', 'caf\u00E9')).toBe(0);
  });

  it('B48 (sacrebleu#275, ragas PR#2951): identical texts have exactly 1', async () => {
    expect(await one('bleu', 'we drink tea', 'we drink tea')).toBe(1);
    expect(await one('chrf', 'we drink tea', 'we drink tea')).toBe(1);
  });
});

describe('B08 (sacrebleu#165, fairseq#4689): the language chooses the tokenizer of BLEU', () => {
  const pair = [['我爱红茶'], ['我爱绿茶']] as const;

  async function bleu(
    spec: string,
    language?: string,
  ): Promise<{ score: number | undefined; notes: string[]; tok: string }> {
    const notes: string[] = [];
    const scorer = await createScorer(spec, { language, onNote: (note) => notes.push(note) });
    const [score] = await scorer.score(pair[0], pair[1]);
    return { score, notes, tok: /tok:(\w+)/.exec(scorer.signature)?.[1] ?? '' };
  }

  it('zh by --tgt-lang zh, and a note says it', async () => {
    const { score, notes, tok } = await bleu('bleu:smooth=exp', 'zh');
    expect(score).toBeCloseTo(0.3535533905932737, 14);
    expect(tok).toBe('zh');
    expect(notes).toEqual([
      'Note: BLEU uses the tokenizer zh, since the language is zh; bleu:tokenize=… overrides it.',
    ]);
  });

  it('char for Japanese, 13a for French', async () => {
    expect((await bleu('bleu', 'ja')).tok).toBe('char');
    expect((await bleu('bleu', 'fr')).tok).toBe('13a');
  });

  it('not when the user named one; then a warning says that sentences are one word', async () => {
    const { score, notes, tok } = await bleu('bleu:smooth=exp,tokenize=13a', 'zh');
    expect({ score, tok }).toEqual({ score: 0, tok: '13a' });
    expect(notes.join()).toContain('no spaces between words');
  });

  it('a warning when no language was named', async () => {
    const { score, notes } = await bleu('bleu');
    expect(score).toBe(0);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('Warning: BLEU splits words by the tokenizer 13a');
  });

  it('no warning for a name among spaced words, nor for other metrics', () => {
    const spaced = Array.from({ length: 50 }, () => 'we drink tea');
    expect(unspacedScriptNote({ kind: 'bleu' }, [...spaced, '红茶'])).toBeUndefined();
    expect(unspacedScriptNote({ kind: 'chrf' }, ['红茶'])).toBeUndefined();
    expect(unspacedScriptNote({ kind: 'bleu', tokenizer: 'zh' }, ['红茶'])).toBeUndefined();
    // F43: texts that were split into words already are no whole sentences of one word.
    expect(unspacedScriptNote({ kind: 'bleu' }, ['紅茶 を 一杯 ください', '雨 が 降り ます'])).toBeUndefined();
    expect(unspacedScriptNote({ kind: 'bleu', tokenizer: 'none' }, ['紅茶です'])).toContain('tokenizer none');
  });
});

describe('B11 (sacrebleu#256, #259, #275): the shape of the references', () => {
  const hyps = ['we drink green tea', 'they eat dry toast'];

  it('one list a segment is taken 1:1, and never cut to the shorter side', async () => {
    const scorer = await createScorer('bleu:smooth=exp');
    const [right, left] = await scorer.score(hyps, [['we drink green tea'], ['they burn wet toast']]);
    expect(right).toBe(1);
    expect(left).toBeLessThan(0.5);
  });

  it.each([
    [hyps, ['a'], ERROR_CODES.LENGTH_MISMATCH, '2 hypotheses but 1 references'],
    [hyps, [['a', 'b']], ERROR_CODES.LENGTH_MISMATCH, '2 hypotheses but 1 references'],
    [['t', 'e', 'a'], 'tea', ERROR_CODES.INVALID_OPTION, 'references: found one string'],
    ['tea', ['t', 'e', 'a'], ERROR_CODES.INVALID_OPTION, 'hypotheses: found one string'],
    [['a'], undefined, ERROR_CODES.INVALID_OPTION, 'references: found nothing'],
    [['a', 3], ['a', 'b'], ERROR_CODES.INVALID_OPTION, 'hypothesis 2: found number 3'],
    [['a', 'b'], ['a', null], ERROR_CODES.INVALID_OPTION, 'reference 2: found null'],
    [['a'], [[]], ERROR_CODES.INVALID_OPTION, 'references[0] is an empty array'],
    [['a'], [['a', {}]], ERROR_CODES.INVALID_OPTION, 'reference 1: found an object'],
    [['a\uD83C'], ['a'], ERROR_CODES.FORMAT, 'hypothesis 1 holds half of a surrogate pair'],
    [['a'], [['b', '\uDF75']], ERROR_CODES.FORMAT, 'reference 1 holds half'],
  ])('%j against %j is refused', async (hypotheses, references, code, message) => {
    const score = (await createScorer('chrf')).score as (...args: unknown[]) => Promise<Float64Array>;
    const scorer = await createScorer('chrf');
    const failing = score.call(scorer, hypotheses, references);
    await expect(failing).rejects.toMatchObject({ name: 'UsageError', code });
    await expect(failing).rejects.toThrow(message);
  });
});

describe('batches', () => {
  it('names the metric of the core for the streaming engine', async () => {
    const scorer = await createScorer('chrf:beta=3');
    expect(scorer).toBeInstanceOf(NativeScorer);
    expect(scorer.native).toMatchObject({ kind: 'chrf', charOrder: 6, wordOrder: 0, beta: 3 });
    expect((await createScorer('constant')).native).toBeUndefined();
  });

  it('are told of and can be stopped between', async () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => `segment ${index}`);
    const scorer = await createScorer('chrf');
    const told: unknown[] = [];
    await scorer.score(texts, texts, { onProgress: (done, total) => told.push([done, total]) });
    expect(told).toEqual([
      [4096, 10_000],
      [8192, 10_000],
      [10_000, 10_000],
    ]);
    const controller = new AbortController();
    const stopped = scorer.score(texts, texts, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(await scorer.score([], [])).toHaveLength(0);
  });

  it('mix segments with one and with several references', async () => {
    const scorer = await createScorer('chrf');
    const scores = await scorer.score(['tea', 'tea', 'x'], ['tea', ['coffee', 'tea', 'mint'], ['y']]);
    expect([...scores]).toEqual([1, 1, 0]);
  });
});
