import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { makePredictor } from '../../src/attack/resource/masked-language-model.js';
import { fitTokens, sessionRunner } from '../../src/onnx-model.js';
import type { Session, Tensor, Tokenizer } from '../../src/onnx-model.js';
import { makeEncoder, openSentenceEncoder, pool } from '../../src/sentence-encoder.js';
import { tagWords } from '../../src/attack/resource/tagger.js';
import { nativeWords } from '../../src/attack/candidate-source.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const at = (name: string): string => `${folder.path}/${name}`;

const PIECES = ['[CLS]', '[SEP]', '[MASK]', '[UNK]', 'a', 'warm', 'cool', 'film', 'tea', '##pot', 'hot', ',', '7'];

/** Cuts at spaces and commas; "teapot" is two pieces. */
const tokenizer: Tokenizer = {
  encode(text, options) {
    const cut = text.toLowerCase().match(/\[mask\]|[^\s,]+|,/gu) ?? [];
    const pieces = cut.flatMap((word) =>
      word === 'teapot' ? ['tea', '##pot'] : [word === '[mask]' ? '[MASK]' : word],
    );
    const tokens = options?.add_special_tokens === false ? pieces : ['[CLS]', ...pieces, '[SEP]'];
    return { tokens, ids: tokens.map((token) => (PIECES.includes(token) ? PIECES.indexOf(token) : 3)) };
  },
  token_to_id: (token) => (PIECES.includes(token) ? PIECES.indexOf(token) : undefined),
};

describe('a sentence encoder', () => {
  test('takes the mean over the tokens, with length 1', () => {
    const hidden: Tensor = { data: Float32Array.of(1, 0, 3, 0, 2, 8), dims: [1, 3, 2] };
    expect([...pool(hidden, false)]).toEqual([0.6, 0.8].map(Math.fround));
    expect([...pool(hidden, true)]).toEqual([1, 0]);
    expect([...pool({ data: Float32Array.of(0, -7), dims: [1, 2] }, false)]).toEqual([0, -1]);
    expect([...pool({ data: Float32Array.of(0, 0), dims: [1, 2] }, false)]).toEqual([0, 0]);
  });

  test('encodes texts one by one, the vector of the whole text first, and cuts what is too long', async () => {
    const asked: (readonly number[])[] = [];
    const model = {
      tokenizer,
      mostTokens: 4,
      outputNames: ['last_hidden_state', 'sentence_embedding'],
      run: async (ids: readonly number[]) => {
        asked.push(ids);
        return { sentence_embedding: { data: Float32Array.of(ids.length, 0), dims: [1, 2] } };
      },
    };
    const vectors = await makeEncoder(model, false, 'here')(['a film', 'a warm film, a hot tea'], {});
    expect(vectors.map((vector) => Array.from(vector))).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(asked.map((ids) => ids.map((id) => PIECES[id]))).toEqual([
      ['[CLS]', 'a', 'film', '[SEP]'],
      ['[CLS]', 'a', 'warm', '[SEP]'],
    ]);
    expect(fitTokens([1, 2, 3], 3)).toEqual([1, 2, 3]);
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(makeEncoder(model, false, 'here')(['a'], { signal: aborted })).rejects.toThrow('enough');
  });

  test('a model of another kind is refused', () => {
    const model = { tokenizer, mostTokens: 9, outputNames: ['logits'], run: async () => ({}) };
    expect(() => makeEncoder(model, false, 'here')).toThrow(
      'the option `encoder` here: the model gives logits, expected one of sentence_embedding',
    );
  });
});

describe('a masked language model', () => {
  const logitsOf = (ids: readonly number[], likes: readonly string[]): Tensor => {
    const data = new Float32Array(ids.length * PIECES.length);
    for (let place = 0; place < ids.length; place += 1) {
      for (const [rank, piece] of likes.entries()) data[place * PIECES.length + PIECES.indexOf(piece)] = 10 - rank;
    }
    return { data, dims: [1, ids.length, PIECES.length] };
  };
  const asked: string[] = [];
  const model = {
    tokenizer,
    mostTokens: 9,
    outputNames: ['logits'],
    settings: { model: { vocab: Object.fromEntries(PIECES.map((piece, id) => [piece, id])) } },
    run: async (ids: readonly number[]) => {
      asked.push(ids.map((id) => PIECES[id]).join(' '));
      return { logits: logitsOf(ids, ['##pot', '7', ',', 'hot', '[SEP]', 'cool', 'warm']) };
    },
  };
  const predict = makePredictor(model, 'here');
  const words = nativeWords();

  test('predicts whole words but the word itself, the likeliest first, with the word masked', async () => {
    asked.length = 0;
    const text = 'A hot film, teapot';
    expect(await predict(text, words(text), 2, {})).toEqual([
      ['hot', 'cool'],
      ['cool', 'warm'],
      ['hot', 'cool'],
      ['hot', 'cool'],
    ]);
    expect(asked).toEqual([
      '[CLS] [MASK] hot film , tea ##pot [SEP]',
      '[CLS] a [MASK] film , tea ##pot [SEP]',
      '[CLS] a hot [MASK] , tea ##pot [SEP]',
      '[CLS] a hot film , [MASK] [SEP]',
    ]);
  });

  test('or in the text as it stands: asked once, and once more for a word of several pieces', async () => {
    asked.length = 0;
    const text = 'A hot film, teapot';
    const found = await predict(text, words(text), 1, { isMasked: false });
    expect(found).toEqual([['hot'], ['cool'], ['hot'], ['hot']]);
    expect(asked).toEqual(['[CLS] a hot film , tea ##pot [SEP]', '[CLS] a hot film , [MASK] [SEP]']);
  });

  test('has nothing for a word that the model does not see any more, nor for no words', async () => {
    const text = 'a a a a a a a film';
    const found = await predict(text, words(text), 1, {});
    expect(found.map((one) => one.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 0]);
    expect(await predict('', [], 1, { isMasked: false })).toEqual([]);
  });

  test('a model of another kind is refused', () => {
    expect(() => makePredictor({ ...model, outputNames: ['last_hidden_state'] }, 'here')).toThrow(
      'the option `maskedLm` here: has [MASK] and the outputs last_hidden_state; expected a mask and logits',
    );
    const unmasked = { ...model, tokenizer: { ...tokenizer, token_to_id: () => undefined } };
    expect(() => makePredictor(unmasked, 'here')).toThrow('has no [MASK]');
  });
});

describe('a session', () => {
  class FakeTensor {
    readonly values: readonly number[];
    readonly dims: readonly number[];
    constructor(_: string, data: BigInt64Array, dims: readonly number[]) {
      this.values = [...data].map(Number);
      this.dims = dims;
    }
  }
  const session = (inputNames: readonly string[], run: Session['run']): Session => ({
    inputNames,
    outputNames: [],
    run,
  });

  test('gets the inputs that it has', async () => {
    const run = sessionRunner(
      session(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'], async (feeds) => feeds as never),
      FakeTensor,
      'm.onnx',
    );
    expect(await run([5, 6])).toEqual({
      input_ids: { values: [5, 6], dims: [1, 2] },
      attention_mask: { values: [1, 1], dims: [1, 2] },
      token_type_ids: { values: [0, 0], dims: [1, 2] },
      position_ids: { values: [0, 1], dims: [1, 2] },
    });
  });

  test('that wants pictures, or fails, is an error that names the file', async () => {
    expect(() =>
      sessionRunner(
        session(['pixel_values'], async () => ({})),
        FakeTensor,
        'm.onnx',
      ),
    ).toThrow('m.onnx: has the inputs pixel_values, expected input_ids');
    const run = sessionRunner(
      session(['input_ids'], () => Promise.reject(new Error('out of memory'))),
      FakeTensor,
      'm.onnx',
    );
    await expect(run([1])).rejects.toThrow('m.onnx: the model failed: out of memory');
  });
});

test('a tagger that cuts words otherwise', () => {
  const text = "🍵 don't say well-known tea";
  const tokens = ['🍵', 'do', "n't", 'say', 'well', '-', 'known', 'tea'];
  const parts = ['SYM', 'AUX', 'PART', 'VERB', 'ADV', 'PUNCT', 'VERB', 'NOUN'];
  expect(tagWords(text, nativeWords()(text), tokens, parts)).toEqual(['AUX+PART', 'VERB', 'ADV+PUNCT+VERB', 'NOUN']);
  expect(tagWords('tea', [{ start: 0, end: 3 }], [], [])).toEqual(['']);
});

describe('files and packages that are missing', () => {
  folder.write({
    'empty/readme.txt': '',
    'lonely/model.onnx': 'x',
    'whole/model.onnx': 'x',
    'whole/tokenizer.json': '{}',
    'odd/model.onnx': 'x',
    'odd/tokenizer.json': '[',
  });

  test.each([
    ['nowhere', 'no such file or folder'],
    ['empty', 'found none of model.onnx, onnx/model.onnx'],
    ['lonely', 'found no tokenizer.json beside'],
    ['odd', "tokenizer.json: can't be read as JSON"],
    // The packages are not among those of this project.
    [
      'whole',
      'needs the package onnxruntime-node, which is not installed: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node @huggingface/tokenizers',
    ],
  ])('%s', async (name, message) => {
    await expect(openSentenceEncoder(at(name))).rejects.toThrow(message);
  });
});

/*
 * With real models, when `node scripts/attack-models.mjs` has set them up, or TEAPOT_TEST_MODELS names a folder made like that.
 */
const own = fileURLToPath(new URL('../../.teapot-resources/attack-models', import.meta.url));
const models = process.env['TEAPOT_TEST_MODELS'] ?? (existsSync(join(own, 'ready.txt')) ? own : undefined);

describe.skipIf(models === undefined)(
  'with real models (skipped until "node scripts/attack-models.mjs" has run)',
  () => {
    const dir = models ?? '';
    const text = ['it is a terrible film with an awful plot', 'a charming and wonderful story', 'the acting is great'];
    folder.write({ 'reviews.txt': `${text.join('\n')}\n` });

    test.each([
      [
        'textfooler',
        ['--neighbours', 'tokens.npy', '--min-cosine', '0.4', '--encoder', 'encoder', '--min-encoder-cosine', '0.6'],
      ],
      ['textbugger', ['--neighbours', 'tokens.npy', '--encoder', 'encoder', '--min-encoder-cosine', '0.6']],
      ['bae', ['--masked-lm', 'masked-lm', '--encoder', 'encoder', '--min-encoder-cosine', '0.6']],
      ['bertattack', ['--masked-lm', 'masked-lm', '--encoder', 'encoder/model.onnx', '--min-encoder-cosine', '0.6']],
      ['pwws', ['--neighbours', 'wordnet']],
    ])(
      '%s changes an answer, with all of its constraints, the same each time',
      async (attack, options) => {
        expect(existsSync(join(dir, 'encoder/model.onnx'))).toBe(true);
        const run = async (workDir: string, ...more: string[]) => {
          const args = [
            'attack',
            '--src',
            at('reviews.txt'),
            '--attack',
            attack,
            ...options,
            '--work-dir',
            at(workDir),
            ...more,
          ];
          return runCli(args, { cwd: dir });
        };
        const first = await run(`${attack}-1`);
        expect(first).toMatchObject({ code: 0, stderr: '' });
        expect(Number(/errors:\t(\d+)/u.exec(first.stdout)?.[1])).toBeGreaterThan(0);
        expect(await run(`${attack}-2`, '--parallel', '3')).toEqual(first);
        const records = (name: string): string => readFileSync(at(`${name}/records.jsonl`), 'utf8');
        expect(records(`${attack}-2`)).toBe(records(`${attack}-1`));
      },
      120_000,
    );
  },
);
