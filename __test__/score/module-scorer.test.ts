import { afterEach, describe, expect, it } from 'vitest';
import { ERROR_CODES, TeapotError } from '../../src/errors.js';
import { registerScorerModules } from '../../src/score/custom-scorers.js';
import { loadScorerModule } from '../../src/score/module-scorer.js';
import { createScorer, listScorers, registerScorer, scorerFlags } from '../../src/score/registry.js';
import { version } from '../../src/version.js';
import { useTempFolder } from './temp-folder.js';

const folder = useTempFolder();
/** Undoes every registration of a test: back to what was known when the file was loaded. */
const before = listScorers();
const { undo: forget } = registerScorer({
  ...(before[0] as (typeof before)[number]),
});
afterEach(() => forget());

let count = 0;
/** Writes a module under a name of its own (Node.js loads a path once) and registers it. */
function write(text: string): string {
  count += 1;
  return folder.write(`scorers-${count}.mjs`, text);
}

async function register(text: string, reserved?: ReadonlySet<string>): Promise<{ path: string; notes: string[] }> {
  const notes: string[] = [];
  const path = write(text);
  await registerScorerModules([path], (note) => notes.push(note), reserved);
  return { path, notes };
}

async function failure(members: string, pairs = 3, options = {}): Promise<TeapotError> {
  await register(`export default { key: 'mine', ${members} };`);
  const texts = Array.from({ length: pairs }, (_, index) => `text ${index}`);
  const error: unknown = await (async () => (await createScorer('mine')).score(texts, texts, options))().catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TeapotError);
  return error as TeapotError;
}

describe('a module that works', () => {
  it.each([
    ['one default export', `export default { key: 'mine', scoreSentence: (hyp, ref) => (hyp === ref ? 1 : 0.5) };`],
    ['an array', `export default [{ key: 'mine', scoreSentence: (hyp, ref) => (hyp === ref ? 1 : 0.5) }];`],
    [
      'a named export beside helpers',
      `export const half = 0.5; export const list = [1]; export const mine = { key: 'mine', scoreSentence: (hyp, ref) => (hyp === ref ? 1 : half) };`,
    ],
    [
      'the same scorer exported twice',
      `export const mine = { key: 'mine', scoreSentence: (hyp, ref) => (hyp === ref ? 1 : 0.5) }; export default mine;`,
    ],
    [
      'an async function',
      `export default { key: 'mine', scoreSentence: async (hyp, ref) => (hyp === ref ? 1 : 0.5) };`,
    ],
    [
      'a batch',
      `export default { key: 'mine', scoreBatch: (hyps, refs) => hyps.map((h, i) => (h === refs[i] ? 1 : 0.5)) };`,
    ],
    [
      'an async batch in a Float64Array',
      `export default { key: 'mine', async scoreBatch(hyps, refs) { return Float64Array.from(hyps, (h, i) => (h === refs[i] ? 1 : 0.5)); } };`,
    ],
    [
      'a class made by create',
      `class Mine { #half = 0.5; scoreSentence(hyp, ref) { return hyp === ref ? 1 : this.#half; } } export default { key: 'mine', create: async () => new Mine() };`,
    ],
  ])('%s', async (_, text) => {
    await register(text);
    const scorer = await createScorer('mine');
    expect([...(await scorer.score(['a', 'b', ''], ['a', 'x', '']))]).toEqual([1, 0.5, 1]);
    expect(await scorer.score([], [])).toHaveLength(0);
    await scorer.close?.();
  });

  it('has a name, a description, and a signature with its options', async () => {
    const { path } = await register(`export default {
      key: 'mine', name: 'My score', description: 'what it does',
      options: { min_length: { default: 4, help: 'letters' }, strict: { type: 'boolean' } },
      create: ({ min_length, strict }) => ({ scoreSentence: () => (strict ? 0 : 1 / min_length) }),
    };`);
    const scorer = await createScorer('mine:strict=no');
    expect([scorer.name, scorer.key]).toEqual(['My score', 'mine']);
    expect(scorer.signature).toBe(
      `mine|nrefs:1|module:scorers-${count}.mjs|min_length:4|strict:no|version:${version()}`,
    );
    expect([...(await scorer.score(['a'], ['a']))]).toEqual([0.25]);
    expect(listScorers().find((one) => one.key === 'mine')).toMatchObject({
      description: 'what it does',
      origin: path,
    });
  });

  it('has options of its own: as parameters, as flags, with types, ranges and defaults', async () => {
    await register(
      `export default {
      key: 'mine',
      options: {
        share: { type: 'number', minimum: 0, maximum: 1, default: 0.5, help: 'x' },
        mode: { type: 'choice', choices: ['a', 'b'], default: 'a' },
        scale: { type: 'number', default: 1 },
        value: { type: 'number', default: 1 },
      },
      create: ({ share, mode, scale, value }) => ({ scoreSentence: () => (mode === 'a' ? share * scale * value : 0) }),
    };`,
      new Set(['scale', 'value', 's-src']),
    );
    expect([...(await (await createScorer('mine:share=0.25')).score(['a'], ['a']))]).toEqual([0.25]);
    const byFlag = await createScorer('mine', { flags: { share: '0.75', value: '0.5', scale: '100' } });
    expect([...(await byFlag.score(['a'], ['a']))]).toEqual([0.375]); // --scale is the command line's own
    expect([...(await (await createScorer('mine:mode=b')).score(['a'], ['a']))]).toEqual([0]);
    await expect(createScorer('mine:share=2')).rejects.toThrow('mine:share: found "2", expected a number from 0 to 1');
    await expect(createScorer('mine:shar=1')).rejects.toThrow('Did you mean "share"?');
    await expect(createScorer('mine', { flags: { share: 'x' } })).rejects.toThrow('--share: found "x"');
    const flags = scorerFlags().filter(({ scorers }) => scorers.some(({ key }) => key === 'mine'));
    expect(flags.map(({ flag }) => flag)).toEqual(['value', 'share', 'mode']);
  });

  it('is given the language, and is closed', async () => {
    await register(`export default { key: 'mine', create: (options, { language }) => ({
      scoreSentence: () => (language === 'fr' ? 1 : 0), close() { globalThis.closedScorer = language; } }) };`);
    const scorer = await createScorer('mine', { language: 'fr' });
    expect([...(await scorer.score(['a'], ['a']))]).toEqual([1]);
    await scorer.close?.();
    expect(Reflect.get(globalThis, 'closedScorer')).toBe('fr');
  });

  it('is asked once a reference: the best answer counts', async () => {
    await register(`export default { key: 'mine', scoreSentence: (hyp, ref) => (hyp === ref ? 0.75 : 0.25) };`);
    const scorer = await createScorer('mine');
    expect([...(await scorer.score(['a', 'b'], [['x', 'a', 'y'], 'x']))]).toEqual([0.75, 0.25]);
  });

  it('is given batches of at most 2,048 pairs, with progress, and can be stopped between', async () => {
    await register(
      `export default { key: 'mine', scoreBatch: (hyps) => { (globalThis.sizes ??= []).push(hyps.length); return hyps.map(() => 1.0000000000000002); } };`,
    );
    const scorer = await createScorer('mine');
    const texts = Array.from({ length: 5000 }, () => 'x');
    const told: number[] = [];
    const scores = await scorer.score(texts, texts, { onProgress: (done) => told.push(done) });
    expect(scores.every((score) => score === 1)).toBe(true);
    expect(Reflect.get(globalThis, 'sizes')).toEqual([2048, 2048, 904]);
    expect(told).toEqual([2048, 4096, 5000]);
    const controller = new AbortController();
    await expect(
      scorer.score(texts, texts, {
        signal: controller.signal,
        onProgress: () => controller.abort(new Error('enough')),
      }),
    ).rejects.toThrow('enough');
  });

  it.each(['scoreSentence', 'scoreBatch'])('can be stopped while %s never answers', async (member) => {
    await register(`export default { key: 'mine', ${member}: () => new Promise(() => {}) };`);
    const controller = new AbortController();
    const scoring = (await createScorer('mine')).score(['a'], ['a'], { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(scoring).rejects.toThrow('enough');
  });

  it('may replace a built-in scorer, which a note says', async () => {
    const { path, notes } = await register(
      `export default { key: 'chrf', name: 'my chrF', scoreSentence: () => 0.5 };`,
    );
    expect(notes).toEqual([`Note: the scorer "chrf" of ${path} replaces the one of that key (built-in).`]);
    const scorer = await createScorer('chrf');
    expect([scorer.name, scorer.native]).toEqual(['my chrF', undefined]);
    const second = await register(`export default { key: 'chrf', scoreSentence: () => 0.5 };`);
    expect(second.notes[0]).toContain(`replaces the one of that key (${path})`);
    expect((await register(`export default { key: 'other', scoreSentence: () => 0.5 };`)).notes).toEqual([]);
  });
});

describe('answers that are no scores', () => {
  it.each([
    ['NaN', `scoreSentence: (hyp) => (hyp === 'text 1' ? NaN : 1)`, 'line 2: found NaN, expected a number from 0 to 1'],
    ['undefined', `scoreSentence: (hyp) => (hyp === 'text 1' ? undefined : 1)`, 'line 2: found nothing (undefined)'],
    ['a text', `scoreSentence: () => '0.5'`, 'line 1: found the text "0.5", expected a number'],
    ['null', `scoreSentence: () => null`, 'line 1: found null'],
    ['a bigint', `scoreSentence: () => 1n`, 'line 1: found bigint 1'],
    ['a percentage', `scoreSentence: () => 56.5`, 'line 1: found 56.5, expected a number from 0 to 1 (a score from 0'],
    ['a negative number', `scoreSentence: () => -0.01`, 'line 1: found -0.01'],
    ['infinity', `scoreSentence: async () => Infinity`, 'line 1: found Infinity'],
    [
      'too few',
      `scoreBatch: (hyps) => hyps.slice(1).map(() => 1)`,
      'scoreBatch returned 2 scores for the 3 pairs of lines 1 to 3',
    ],
    ['too many', `scoreBatch: (hyps) => [...hyps, 1].map(() => 1)`, 'scoreBatch returned 4 scores for the 3 pairs'],
    ['no array', `scoreBatch: async () => ({ 0: 1 })`, 'scoreBatch returned an object for lines 1 to 3'],
    ['one number', `scoreBatch: () => 1`, 'scoreBatch returned number 1 for lines 1 to 3'],
    ['an array with a hole', `scoreBatch: () => [1, , 1]`, 'line 2: found nothing (undefined)'],
    ['a DataView', `scoreBatch: () => new DataView(new ArrayBuffer(24))`, 'scoreBatch returned 0 scores'],
  ])('%s', async (_, members, message) => {
    const error = await failure(members);
    expect(error.code).toBe(ERROR_CODES.SCORER);
    expect(error.message).toContain(`Scorer mine of `);
    expect(error.message).toContain(`scorers-${count}.mjs: `);
    expect(error.message).toContain(message);
  });

  it('are found at their line of the file', async () => {
    const error = await failure(`scoreBatch: (hyps) => hyps.map((h) => (h === 'text 4000' ? 2 : 1))`, 4500, {
      firstLine: 1001,
    });
    expect(error.message).toContain('line 5001: found 2');
  });
});

describe('a module that fails', () => {
  it('throws: line, message and cause are kept', async () => {
    const error = await failure(
      `scoreSentence(hyp) { if (hyp === 'text 2') throw new TypeError('no model'); return 1; }`,
    );
    expect(error.message).toContain('line 3: scoreSentence failed: no model');
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it('rejects', async () => {
    const error = await failure(`scoreBatch: async () => { throw 'a text'; }`);
    expect(error.message).toContain('scoreBatch failed at lines 1 to 3: a text');
    expect(error.cause).toBe('a text');
  });

  it.each([
    [`create() { throw new Error('no key'); }`, 'create failed: no key'],
    [`create() {}`, 'create returned nothing (undefined), expected an object with scoreSentence or scoreBatch'],
    [`create: async () => ({ score() {} })`, 'create returned an object, expected'],
  ])('in %s', async (members, message) => {
    expect((await failure(members)).message).toContain(message);
  });

  it.each([
    ['', 'exports no scorer; expected `export default'],
    ['export const helper = 1;', 'exports no scorer'],
    ['export default 3;', 'scorer 1: found number 3, expected { key, name'],
    ['export default () => {};', 'scorer 1: found a function'],
    ['export default {};', 'scorer 1: key is nothing (undefined)'],
    [`export default { key: 'My Key', scoreSentence() {} };`, 'scorer 1: key is the text "My Key"'],
    [`export default { key: 'exec', scoreSentence() {} };`, 'key is the text "exec"'],
    [`export default { key: 'mine' };`, 'scorer "mine" has none of create, scoreSentence and scoreBatch'],
    [
      `export default { key: 'mine', scoreSentence: 1 };`,
      'scorer "mine": scoreSentence is number 1, expected a function',
    ],
    [`export default { key: 'mine', name: 3, scoreSentence() {} };`, 'scorer "mine": name is number 3'],
    [`export default { key: 'mine', name: 'a\\nb', scoreSentence() {} };`, 'expected a text of one line'],
    [`export default { key: 'mine', options: [], scoreSentence() {} };`, 'options are an array of 0'],
    [`export default { key: 'mine', options: { 'a b': {} }, scoreSentence() {} };`, 'option "a b": expected a name'],
    [`export default { key: 'mine', options: { a: 1 }, scoreSentence() {} };`, 'option "a": found number 1'],
    [`export default { key: 'mine', options: { a: { type: 'int' } }, scoreSentence() {} };`, 'type is the text "int"'],
    [
      `export default { key: 'mine', options: { a: { type: 'choice' } }, scoreSentence() {} };`,
      'a choice needs choices',
    ],
    [
      `const a = () => ({ key: 'mine', scoreSentence() {} }); export default [a(), a()];`,
      'defines the key "mine" twice',
    ],
  ])('%s', async (text, message) => {
    const path = write(text);
    const loading = loadScorerModule(path);
    await expect(loading).rejects.toMatchObject({ name: 'UsageError', code: ERROR_CODES.FORMAT });
    await expect(loading).rejects.toThrow(`${path}: `);
    await expect(loading).rejects.toThrow(message);
  });

  it('has a default that is out of its own range', async () => {
    await expect(
      register(
        `export default { key: 'mine', options: { a: { type: 'integer', default: 1.5 } }, scoreSentence() {} };`,
      ),
    ).rejects.toThrow(/scorers-\d+\.mjs: default of mine:a: found "1.5", expected an integer/);
  });

  it.each([
    ['is not there', () => folder.path('none.mjs'), 'none.mjs'],
    ['has a syntax error', () => write('export default {'), "can't be loaded as a module of scorers: "],
    ['throws when it is loaded', () => write(`throw new Error('no model here');`), 'no model here'],
    ['imports what is not there', () => write(`import 'no-such-package-of-teapot';`), 'no-such-package-of-teapot'],
  ])('%s', async (_, path, message) => {
    const loading = loadScorerModule(path());
    await expect(loading).rejects.toMatchObject({ name: 'UsageError', code: ERROR_CODES.READ });
    await expect(loading).rejects.toThrow(message);
  });
});
