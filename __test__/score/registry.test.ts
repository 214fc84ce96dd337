import { afterEach, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.js';
import { createScorer, listScorers, refuseUnusedFlags, registerScorer, scorerFlags } from '../../src/score/registry.js';
import type { ScorerDefinition } from '../../src/score/definition.js';
import { version } from '../../src/version.js';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0)) one();
});

function define(key: string, more: Partial<ScorerDefinition> = {}): ScorerDefinition {
  return {
    key,
    name: key,
    description: 'a test',
    parameters: [],
    origin: 'test.mjs',
    create: () => ({
      key,
      name: key,
      signature: key,
      score: (hypotheses) => Promise.resolve(new Float64Array(hypotheses.length)),
    }),
    ...more,
  };
}

describe('keys and headings', () => {
  it.each([
    ['chrf', 'ChrF'],
    ['chrf++', 'ChrF++'],
    ['bleu', 'BLEU'],
    ['zero_one', 'accuracy'],
    ['exact_match', 'accuracy'],
    ['f1', 'F-1'],
    ['squad_f1', 'SQuAD F1'],
    ['squad_em', 'SQuAD EM'],
    ['ter', 'TER'],
    ['edit', 'edit similarity'],
    ['constant', 'F-1'],
  ])('%s is %s', async (key, name) => {
    expect((await createScorer(key)).name).toBe(name);
  });

  it('lists every scorer of the documentation', () => {
    const keys = listScorers().flatMap((one) => [one.key].concat(one.aliases ?? []));
    expect(keys.join(' ')).toBe(
      'chrf chrf++ bleu zero_one exact_match f1 squad_f1 squad_em ter edit meteor encoder bertscore constant',
    );
    for (const { description, parameters } of listScorers()) {
      expect(description).not.toBe('');
      for (const parameter of parameters) expect(parameter.help).not.toBe('');
    }
  });
});

describe('signatures hold everything that can change a score', () => {
  it.each([
    ['chrf', 'chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no'],
    ['chrf++', 'chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no'],
    [
      'chrf:beta=1.5,lowercase=yes,whitespace=yes,eps=yes,char_order=4',
      'chrF1.5|nrefs:1|case:lc|eff:no|nc:4|nw:0|space:yes',
    ],
    ['bleu', 'BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:floor[0.01]'],
    ['bleu:smooth=add-k', 'BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:add-k[1.00]'],
    ['bleu:value=0.001', 'BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:floor[0.001]'],
    [
      'bleu:smooth=exp,tokenize=intl,order=2,effective_order=no,lowercase=yes',
      'BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|order:2',
    ],
    ['zero_one', 'exact_match|nrefs:1|case:mixed|strip:yes'],
    ['exact_match:strip=no,lowercase=yes', 'exact_match|nrefs:1|case:lc|strip:no'],
    ['f1', 'f1|nrefs:1|tok:space|clip:no'],
    ['squad_f1:version=1', 'squad_f1|nrefs:1|squad:1'],
    ['ter', 'TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no'],
    [
      'ter:normalized=yes,no_punct=yes,asian_support=yes,case_sensitive=yes',
      'TER|nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes',
    ],
    ['edit:distance=osa,unit=word', 'edit|nrefs:1|distance:osa|unit:word'],
    ['exec:python3 a.py', 'exec:python3 a.py|nrefs:1'],
  ])('%s', async (spec, signature) => {
    expect((await createScorer(spec)).signature).toBe(`${signature}|version:${version()}`);
  });

  it('holds the number of references', async () => {
    expect((await createScorer('chrf', { referenceCount: 3 })).signature).toContain('|nrefs:3|');
  });
});

describe('what is wrong is said', () => {
  it.each([
    ['chfr', 'There is no scorer "chfr". Did you mean "chrf"? Known: chrf, chrf++, bleu, zero_one, exact_match, f1'],
    ['accuracy', 'There is no scorer "accuracy". Known: chrf'],
    ['CHRF', 'Did you mean "chrf"?'],
    ['exec', 'A program is named exec:PROGRAM ARGUMENTS'],
  ])('%s is unknown', async (key, message) => {
    await expect(createScorer(key)).rejects.toMatchObject({ name: 'UsageError', code: ERROR_CODES.UNKNOWN_SCORER });
    await expect(createScorer(key)).rejects.toThrow(message);
  });

  it.each([
    ['chrf:char_ordr=5', 'scorer chrf has no parameter "char_ordr". Did you mean "char_order"?'],
    ['bleu:tokenize=13b', 'bleu:tokenize: found "13b". Did you mean "13a"?'],
    ['exact_match:lower=yes', 'scorer zero_one has no parameter "lower"'],
    ['f1:x=1', 'scorer f1 takes no parameters'],
    ['chrf:char_order=0', 'char_order and word_order are both 0'],
    ['constant:value=2', 'constant:value: found "2", expected a number from 0 to 1'],
    ['squad_f1:version=3', 'found "3". Expected one of: 1, 2'],
    ['exec:', 'exec:: found no program'],
  ])('%s is invalid', async (spec, message) => {
    await expect(createScorer(spec)).rejects.toMatchObject({ name: 'UsageError', code: ERROR_CODES.INVALID_OPTION });
    await expect(createScorer(spec)).rejects.toThrow(message);
  });

  it.each([
    ['bleu:smooth=none,value=0.1', 'bleu: value does nothing with smooth=none'],
    ['bleu:smooth=exp,value=0.1', 'bleu: value does nothing with smooth=exp'],
    ['ter:asian_support=yes', 'asian_support=yes does nothing without normalized=yes'],
  ])('B75 (TextAttack#728): %s does nothing and is refused', async (spec, message) => {
    await expect(createScorer(spec)).rejects.toThrow(message);
  });

  it('B75 (TextAttack#728): a flag of a scorer that is not used is refused, naming both', () => {
    const specs = { 's-src': 'chrf', 's-tgt': 'bleu:smooth=exp' };
    expect(() => refuseUnusedFlags({ 'meteor-jar': 'x.jar' }, specs)).toThrow(
      '--meteor-jar does nothing here: it belongs to the scorer meteor, but --s-src is chrf and --s-tgt is bleu:smooth=exp',
    );
    expect(() => refuseUnusedFlags({ value: '0.3' }, specs)).toThrow('--value does nothing here');
    expect(() => refuseUnusedFlags({ 'meteor-jar': 'x.jar' }, { ...specs, 's-tgt': 'meteor' })).not.toThrow();
    expect(() => refuseUnusedFlags({ 'meteor-jar': undefined }, specs)).not.toThrow();
    expect(() => refuseUnusedFlags({ value: '0.3' }, { 's-src': 'exec:cat' })).toThrow('--value');
  });
});

describe('registering', () => {
  it('adds a scorer, and can be undone', async () => {
    const { replaced, undo: back } = registerScorer(define('mine'));
    expect(replaced).toBeUndefined();
    expect((await createScorer('mine')).key).toBe('mine');
    back();
    await expect(createScorer('mine')).rejects.toThrow('There is no scorer "mine"');
  });

  it('may replace a built-in scorer, also one that has the key as alias, and tells which', async () => {
    const first = registerScorer(define('chrf'));
    undo.unshift(first.undo);
    expect(first.replaced?.origin).toBe('built-in');
    expect((await createScorer('chrf')).signature).toBe('chrf');
    const second = registerScorer(define('exact_match'));
    undo.unshift(second.undo);
    expect(second.replaced?.key).toBe('zero_one');
    expect((await createScorer('exact_match')).name).toBe('exact_match');
    expect((await createScorer('zero_one')).name).toBe('accuracy');
  });

  it.each(['exec', 'Chrf', '', 'a b', '1x', 'a:b', '__proto__'])('refuses the key %j', (key) => {
    expect(() => registerScorer(define(key))).toThrow(`"${key}" can't be the key of a scorer`);
  });

  it('offers the flags of all scorers; a reserved name is no flag', () => {
    undo.push(
      registerScorer(
        define('mine', {
          parameters: [
            { name: 'min_length', type: 'integer', default: 4, flag: 'min-length', help: 'x' },
            { name: 'scale', type: 'number', flag: 'scale', help: 'x' },
          ],
        }),
      ).undo,
    );
    const flags = scorerFlags(new Set(['scale'])).map(({ flag, scorers }) => [flag, scorers.map((one) => one.key)]);
    expect(flags).toEqual([
      ['meteor-jar', ['meteor']],
      ['java-command', ['meteor']],
      ['value', ['constant']],
      ['min-length', ['mine']],
    ]);
  });
});

describe('constant', () => {
  it('gives the same score to every pair: 0.5, or --value', async () => {
    expect([...(await (await createScorer('constant')).score(['a', 'b'], ['x', 'y']))]).toEqual([0.5, 0.5]);
    const scorer = await createScorer('constant', { flags: { value: '0.3' } });
    expect([...(await scorer.score(['a'], ['x']))]).toEqual([0.3]);
    expect(scorer.signature).toBe('constant|value:0.3');
    await expect(createScorer('constant', { flags: { value: '-1' } })).rejects.toThrow('--value: found "-1"');
  });
});
