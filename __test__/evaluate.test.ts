import { describe, expect, it } from 'vitest';
import { relativeDecrease } from '../src/measure/relative-decrease.js';
import { evaluate } from '../src/evaluate.js';
import { BLEU, bleu, ChrF, chrf, ExactMatch, exactMatch, METEOR, scoreBatch } from '../src/metrics.js';
import type { Scorer } from '../src/score/scorer.js';

const corpus = {
  src: ['hot green tea', 'cold milk', 'toast'],
  advSrc: ['hot gren tea', 'cold milk', 'tosat'],
  out: ['thé vert', 'lait froid', ''],
  advOut: ['thé gris', 'lait froid', 'pain'],
  ref: ['thé vert chaud', 'lait froid', 'pain grillé'],
};

describe('evaluate', () => {
  it('measures both sides', async () => {
    const { summary, sSrc, base, attacked, dTgt, margin, undefinedReasons } = await evaluate(corpus);
    expect(summary).toMatchObject({
      mode: 'both',
      criterion: 'relative_decrease',
      n: 3,
      blank: { source: 0, target: 1 },
    });
    expect(sSrc?.[1]).toBe(1);
    expect(base?.[0]).toBe(chrf('thé vert', 'thé vert chaud'));
    expect(attacked?.[0]).toBe(chrf('thé gris', 'thé vert chaud'));
    expect(dTgt?.[0]).toBe(relativeDecrease(base?.[0] ?? 0, attacked?.[0] ?? 0));
    expect(dTgt?.[0]).toBeGreaterThan(0);
    expect([...(dTgt ?? [])].slice(1)).toEqual([0, 0]);
    expect(margin?.map((value, index) => value - ((sSrc?.[index] ?? 0) + (dTgt?.[index] ?? 0) - 1))).toEqual(
      new Float64Array(3),
    );
    expect([...undefinedReasons]).toEqual([[2, 'base score is 0']]);
    expect(summary.undefinedCounts).toEqual([{ reason: 'base score is 0', count: 1 }]);
  });

  it('measures one side, and without references', async () => {
    const { src, advSrc, out, advOut } = corpus;
    expect((await evaluate({ src, advSrc })).summary).toMatchObject({ mode: 'source', criterion: null, success: null });
    const target = await evaluate({ out, advOut }, { sTgt: 'zero_one' });
    expect(target.summary).toMatchObject({ mode: 'target', criterion: 'reference_less', sTgt: { mean: 1 / 3 } });
    const both = await evaluate({ src, advSrc, out, advOut }, { threshold: 0.5, sweep: [0, 1] });
    expect(both.summary.success?.rate).toBe(1);
    expect(both.summary.thresholdSweep?.successRates[0]).toBe(1);
  });

  it('takes a scorer of the caller, and several references', async () => {
    const ones = {
      key: 'one',
      name: 'One',
      signature: 'one',
      score: async (hyps: readonly string[]) => new Float64Array(hyps.length).fill(1),
    };
    const { summary } = await evaluate({ ...corpus, ref: [['a', 'b'], ['c'], 'd'] }, { sTgt: ones, sSrc: ones });
    expect(summary).toMatchObject({ base: { mean: 1, std: 0 }, sSrcMetric: { key: 'one' } });
    expect(summary.signature).toBe(
      's_src:[one]|s_tgt:[one]|criterion:relative_decrease|threshold:1|percentile:teapot|version:0.1.0',
    );
  });

  // B11: mjpost/sacrebleu#256 and others: zip cut the corpus to its first sentence.
  it('refuses shapes that do not fit, naming all lengths', async () => {
    await expect(evaluate({ ...corpus, ref: ['a'] })).rejects.toThrow(
      'src has 3, advSrc has 3, out has 3, advOut has 3, ref has 1',
    );
    await expect(evaluate({ src: [], advSrc: [] })).rejects.toThrow('No samples');
    await expect(evaluate({ src: corpus.src })).rejects.toThrow('src and advSrc belong together');
    await expect(evaluate({ out: corpus.out, advOut: corpus.advOut, src: undefined })).resolves.toBeDefined();
    await expect(evaluate({ ref: corpus.ref })).rejects.toThrow('ref says nothing');
    await expect(evaluate({})).rejects.toThrow('give src and advSrc');
    const bare = 'tea' as unknown as string[];
    await expect(evaluate({ src: bare, advSrc: bare })).rejects.toThrow('src must be an array');
    await expect(evaluate(corpus, { threshold: Number.NaN })).rejects.toThrow('NaN');
  });

  it('stops when the signal says so', async () => {
    const reason = new Error('enough');
    await expect(evaluate(corpus, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('tells progress', async () => {
    const seen: [number, number | undefined][] = [];
    await evaluate(corpus, { onProgress: (done, total) => seen.push([done, total]) });
    expect(seen.at(-1)?.[0]).toBe(3);
  });
});

describe('metric classes', () => {
  it('score and compare as in teapot-nlp', async () => {
    expect(await new ChrF().score(['te', 'tea'], ['tea', 'tea'])).toEqual(
      Float64Array.of(chrf('te', 'tea'), chrf('tea', 'tea')),
    );
    expect([
      ...(await new ExactMatch().rdScore(['yes', 'no', 'x'], ['yes', 'yes', 'y'], ['yes', 'yes', 'yes'])),
    ]).toEqual([0, 1, 0]);
    expect((await new BLEU().score(['we drink tea'], ['we drink coffee']))[0]).toBe(
      bleu('we drink tea', 'we drink coffee'),
    );
    expect(await new ChrF().score([], [])).toEqual(new Float64Array());
  });

  // B15: comet-ml/opik PR#7230: options were kept and never used.
  it('use their options', async () => {
    const one = async (metric: ChrF | BLEU, hyp: string, ref: string) => (await metric.score([hyp], [ref]))[0];
    expect(await one(new ChrF({ charOrder: 1 }), 'the cat', 'the dog')).toBeCloseTo(0.5, 12);
    expect(await one(new ChrF({ beta: 1 }), 'tea', 'green tea')).toBe(chrf('tea', 'green tea', { beta: 1 }));
    expect(await one(new ChrF({ whitespace: true }), 'ab cd', 'abcd')).toBeCloseTo(0.394_417_475_728_155_3, 12);
    expect(await one(new ChrF({ epsSmoothing: true }), 'tea', 'tea')).toBeCloseTo(0.5, 12);
    expect(await one(new BLEU({ smoothing: 'none' }), 'we drink tea', 'we drink coffee')).toBe(0);
    expect(await one(new BLEU({ tokenizer: 'zh', smoothing: 'exp' }), '我爱红茶', '我爱绿茶')).toBeCloseTo(
      0.353_553_390_593,
      9,
    );
    expect(() => new ChrF({ beta: -1 })).toThrow('beta');
    await expect(new METEOR({ jar: 'none.jar', language: 'en' }).score(['a'], ['b'])).rejects.toThrow('none.jar');
  });

  it('refuse shapes that do not fit', async () => {
    await expect(new ChrF().score(['a', 'b'], ['a'])).rejects.toThrow('2 hypotheses but 1 references');
    await expect(new ChrF().score(['a'], 'a' as unknown as string[])).rejects.toThrow('one string');
  });
});

describe('single calls', () => {
  it('agree with sacrebleu', () => {
    expect(chrf('te', 'tea')).toBeCloseTo(7 / 11, 12);
    expect(bleu('we drink tea', 'we drink coffee')).toBeCloseTo(0.149_380_158_218_572_12, 12);
    expect(bleu('we drink tea', 'we drink coffee', { smoothing: 'add-k' })).toBeCloseTo(0.686_589, 5);
    expect(bleu('we drink tea', ['we drink coffee', 'we drink tea'])).toBe(1);
    expect(exactMatch('Yes', 'yes')).toBe(0);
    expect(exactMatch('Yes', 'yes', { lowercase: true })).toBe(1);
    expect(() => bleu('a', 'b', { smoothing: 'none', smoothValue: 1 })).toThrow('does nothing');
    expect(() => chrf('a', 1 as unknown as string)).toThrow('expected a string');
  });

  it('score batches by any scorer', async () => {
    expect(await scoreBatch('edit:unit=word', ['a b'], ['a c'])).toEqual(Float64Array.of(0.5));
    await expect(scoreBatch('edti', ['a'], ['a'])).rejects.toThrow('Did you mean "edit"?');
  });
});

describe('options of a program', () => {
  const corpus = { src: ['tea'], advSrc: ['te'], out: ['1'], advOut: ['0'], ref: ['1'] };

  it.each([
    [{ charOrder: -1 }, 'chrf: charOrder is number -1, expected an integer from 0 to 100'],
    [{ charOrder: 1.5 }, 'chrf: charOrder is number 1.5, expected an integer'],
    [{ char_order: 3 }, 'chrf: there is no option "char_order". Did you mean "charOrder"?'],
    [{ beta: '2' }, 'chrf: beta is the text "2", expected a number above 0'],
    [{ lowercase: 'no' }, 'chrf: lowercase is the text "no", expected true or false'],
  ])('F13: chrf refuses %j', (options, message) => {
    expect(() => chrf('a', 'b', options as object)).toThrow(message);
    expect(() => new ChrF(options as object)).toThrow(message);
    // A call that was fine before doesn't hide one that isn't.
    expect(chrf('a', 'b', { beta: 2, lowercase: true })).toBe(0);
    expect(() => chrf('a', 'b', options as object)).toThrow(message);
  });

  it.each([
    [{ tokenize: 'zh' }, 'bleu: there is no option "tokenize". Did you mean "tokenizer"?'],
    [{ tokenizer: 'zz' }, 'bleu: tokenizer is the text "zz", expected one of 13a'],
    [{ smoothing: 'exp', smoothValue: 1 }, 'does nothing with smooth'],
  ])('F13: bleu refuses %j', (options, message) => {
    expect(() => bleu('a', 'b', options as object)).toThrow(message);
    expect(() => new BLEU(options as object)).toThrow(message);
  });

  it.each([
    [{ sweep: [2, 1, 0] }, 'evaluate: sweep is an array of 3, expected rising numbers'],
    [{ threshold: Infinity }, 'evaluate: threshold is number Infinity, expected a number'],
    [{ threshold: '1' }, 'evaluate: threshold is the text "1", expected a number'],
    [{ percentile: 'linaer' }, 'evaluate: percentile is the text "linaer", expected one of teapot, linear'],
    [{ confidence: 95 }, 'evaluate: confidence is number 95, expected a number above 0 and below 1'],
    [{ seed: 0.5 }, 'evaluate: seed is number 0.5, expected an integer'],
    [{ sSrc: 5 }, 'evaluate: sSrc is number 5, expected the key of a scorer, or a scorer'],
    [{ treshold: 1 }, 'Did you mean "threshold"?'],
  ])('F13: evaluate refuses %j', async (options, message) => {
    await expect(evaluate(corpus, options as object)).rejects.toThrow(message);
  });

  it('F13: refuses a scorer that gives five scores for one pair', async () => {
    const five: Scorer = { key: 'five', name: 'Five', signature: '', score: async () => new Float64Array(5) };
    await expect(evaluate(corpus, { sTgt: five })).rejects.toThrow('Five gave 5 scores for 1 pairs');
    await expect(scoreBatch(five, ['a'], ['b'])).rejects.toMatchObject({ code: 'ERR_TEAPOT_SCORER' });
    const wild: Scorer = { ...five, score: async () => Float64Array.of(7) };
    await expect(evaluate(corpus, { sTgt: wild })).rejects.toThrow('Five gave 7 for pair 1');
  });
});
