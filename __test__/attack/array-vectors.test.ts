import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { readNumbers } from '../../src/attack/resource/number-array.js';
import { readWordVectors } from '../../src/attack/resource/word-vectors.js';
import { temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const at = (name: string): string => `${folder.path}/${name}`;
const read = (name: string) => readWordVectors(at(name), undefined);

/** An array as NumPy's `save` writes it. */
function npy(
  values: Uint8Array,
  {
    descr = '<f4',
    fortran = 'False',
    shape = '(3, 2)',
    version = 1,
  }: Readonly<Partial<Record<string, string | number>>> = {},
): Buffer {
  const header = `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`;
  const width = version === 1 ? 2 : 4;
  const padded = `${header.padEnd(Math.ceil((header.length + 9 + width) / 64) * 64 - 9 - width)}\n`;
  const length = Buffer.alloc(width);
  length.writeUIntLE(padded.length, 0, width);
  return Buffer.concat([
    Buffer.from('\u0093NUMPY', 'latin1'),
    Buffer.from([Number(version), 0]),
    length,
    Buffer.from(padded),
    values,
  ]);
}

const ROWS = [3, 4, 1, 0, 0, -2];
const f4 = new Uint8Array(Float32Array.from(ROWS).buffer);
const f8 = new Uint8Array(Float64Array.from(ROWS).buffer);
// 3, 4, 1, 0, 0 and -2 in 16 bits: IEEE half, and the upper half of 32 bits.
const f2 = new Uint8Array(Uint16Array.from([0x4200, 0x4400, 0x3c00, 0, 0, 0xc000]).buffer);
const bf2 = new Uint8Array(Uint16Array.from([0x4040, 0x4080, 0x3f80, 0, 0, 0xc000]).buffer);
const WORDS = 'tea\ncup\nmug\n';

/** Unit vectors of the rows; compared number by number, since halves are exact. */
const UNITS = [3 / 5, 4 / 5, 1, 0, 0, -1].map(Math.fround);

describe('.npy', () => {
  test.each([
    ['float32, version 1', npy(f4)],
    ['float32, version 2', npy(f4, { version: 2 })],
    ['float32, version 3', npy(f4, { version: 3 })],
    ['float16', npy(f2, { descr: '<f2' })],
    ['float64', npy(f8, { descr: '<f8' })],
  ])('%s', async (_, bytes) => {
    folder.write({ 'a/words.npy': bytes, 'a/words.txt': WORDS });
    const { names, size, values, rows } = await read('a/words.npy');
    expect({ names, size, values: [...values] }).toEqual({ names: ['tea', 'cup', 'mug'], size: 2, values: UNITS });
    expect(rows.get('cup')).toBe(1);
  });

  test('compressed, and with names of other files', async () => {
    folder.write({
      'b/w.npy.gz': gzipSync(npy(f4)),
      'b/w.vocab.txt': WORDS.replaceAll('\n', '\r\n'),
      'c/w.npy': npy(f4),
      'c/vocab.txt': WORDS,
    });
    expect((await read('b/w.npy.gz')).names).toEqual(['tea', 'cup', 'mug']);
    expect((await read('c/w.npy')).names).toEqual(['tea', 'cup', 'mug']);
  });

  test('rows of pieces, signs, zeros and words that came before are left out', async () => {
    folder.write({
      'd/w.npy': npy(f4),
      'd/w.txt': '##tea\n[CLS]\nmug\n',
      'e/w.npy': npy(f4),
      'e/w.txt': 'tea\ntea\nmug\n',
    });
    expect((await read('d/w.npy')).names).toEqual(['mug']);
    expect((await read('e/w.npy')).names).toEqual(['tea', 'mug']);
    folder.write({ 'f/w.npy': npy(new Uint8Array(24)), 'f/w.txt': WORDS });
    expect((await read('f/w.npy')).names).toEqual([]);
  });

  test.each([
    ['wordpiece', { vocab: { tea: 0, '##cup': 1, mug: 2 } }, ['tea', 'mug']],
    ['byte-level', { vocab: { Ġtea: 0, cup: 1, Ġmug: 2 } }, ['tea', 'mug']],
    [
      'sentence pieces',
      {
        vocab: [
          ['▁tea', -1],
          ['cup', -2],
          ['▁mug', -3],
        ],
      },
      ['tea', 'mug'],
    ],
    ['fewer pieces than rows', { vocab: { tea: 0 } }, ['tea']],
  ])('whole words of tokenizer.json: %s', async (_, model, names) => {
    folder.write({ 'g/w.npy': npy(f4), 'g/tokenizer.json': JSON.stringify({ model }) });
    expect((await read('g/w.npy')).names).toEqual(names);
  });

  test.each([
    ['no NumPy file', Buffer.from('PK\u0003\u0004 is an archive'), 'x.npy: is no .npy file'],
    ['version 4', npy(f4, { version: 4 }), 'has version 4.0 of .npy'],
    [
      'Fortran order',
      npy(f4, { fortran: 'True' }),
      'is in Fortran order, expected C order: save numpy.ascontiguousarray',
    ],
    ['big-endian', npy(f4, { descr: '>f4' }), "holds >f4, expected <f4, <f2 or <f8: save array.astype('<f4')"],
    ['whole numbers', npy(f4, { descr: '<i8' }), 'holds <i8'],
    ['one dimension', npy(f4, { shape: '(6,)' }), 'has the shape (6), expected (number of words, numbers a word)'],
    ['three dimensions', npy(f4, { shape: '(1, 3, 2)' }), 'has the shape (1, 3, 2)'],
    ['cut off', npy(f4.subarray(0, 20)), 'ends within row 1 of 3: found 20 of 24 bytes; the file is cut off'],
    ['cut off in the header', npy(f4).subarray(0, 30), 'ends within the header'],
    [
      'not finite',
      npy(new Uint8Array(Float32Array.of(1, 1, 1, Number.NaN, 1, 1).buffer)),
      'row 2 (cup) holds a number that is not finite',
    ],
  ])('%s is refused', async (_, bytes, message) => {
    folder.write({ 'x.npy': bytes, 'x.txt': WORDS });
    await expect(read('x.npy')).rejects.toThrow(message);
  });

  test('words that are missing or too many are refused', async () => {
    folder.write({
      'h/w.npy': npy(f4),
      'i/w.npy': npy(f4),
      'i/w.txt': `${WORDS}pot\n`,
      'j/w.npy': npy(f4),
      'k/w.npy': npy(f4),
    });
    folder.write({ 'j/tokenizer.json': JSON.stringify({ model: { vocab: { tea: 3 } } }), 'k/tokenizer.json': '{}' });
    await expect(read('h/w.npy')).rejects.toThrow(
      /found no words beside it: expected .*w\.vocab\.txt, or .*tokenizer\.json/u,
    );
    await expect(read('i/w.npy')).rejects.toThrow(/w\.txt: found 4 words, expected 3: as many as .*w\.npy has rows/u);
    await expect(read('j/w.npy')).rejects.toThrow('found "tea" with the number 3, expected less than 3');
    await expect(read('k/w.npy')).rejects.toThrow('has no "model" with a "vocab"');
  });
});

describe('.safetensors', () => {
  const file = (header: object, ...data: Uint8Array[]): Buffer => {
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    return Buffer.concat([length, text, ...data]);
  };
  const tensor = (dtype: string, start: number, bytes: number, shape = [3, 2]) => ({
    dtype,
    shape,
    data_offsets: [start, start + bytes],
  });

  test.each([
    ['F32', f4],
    ['F64', f8],
    ['F16', f2],
    ['BF16', bf2],
  ])('%s, behind another tensor', async (dtype, bytes) => {
    const header = {
      __metadata__: { format: 'pt' },
      'embeddings.position_embeddings.weight': tensor('F32', 0, 24),
      'embeddings.word_embeddings.weight': tensor(dtype, 24, bytes.length),
    };
    folder.write({ 's/model.safetensors': file(header, f4.toReversed(), bytes), 's/vocab.txt': WORDS });
    expect([...(await read('s/model.safetensors')).values]).toEqual(UNITS);
  });

  test('a file without a table of words, or with several, is refused', async () => {
    folder.write({ 't/vocab.txt': WORDS, 't/none.safetensors': file({ bias: tensor('F32', 0, 8, [2]) }) });
    folder.write({ 't/two.safetensors': file({ a: tensor('F32', 0, 24), b: tensor('F32', 24, 24) }, f4, f4) });
    folder.write({
      't/ints.safetensors': file({ a: tensor('I64', 0, 48) }),
      't/odd.safetensors': 'no safetensors at all',
    });
    await expect(read('t/none.safetensors')).rejects.toThrow('holds no table, expected one table');
    await expect(read('t/two.safetensors')).rejects.toThrow(
      'holds a, b, expected one table, or one named word_embeddings.weight',
    );
    await expect(read('t/ints.safetensors')).rejects.toThrow('a holds I64, expected F32, F16, BF16 or F64');
    await expect(read('t/odd.safetensors')).rejects.toThrow('is no safetensors file');
  });
});

describe('word2vec .bin', () => {
  const row = (word: string, start: number): Buffer =>
    Buffer.concat([Buffer.from(`${word} `), f4.subarray(start, start + 8)]);
  const rows = [row('tea', 0), row('cup', 8), row('mug', 16)];

  test.each([
    ['with line ends', rows.flatMap((one) => [one, Buffer.from('\n')])],
    ['without', rows],
  ])('%s', async (_, parts) => {
    folder.write({ 'w2v.bin': Buffer.concat([Buffer.from('3 2\n'), ...parts]) });
    const { names, values } = await read('w2v.bin');
    expect({ names, values: [...values] }).toEqual({ names: ['tea', 'cup', 'mug'], values: UNITS });
  });

  test('another file, or a part of one, is refused', async () => {
    folder.write({
      'odd.bin': 'GGUF and more\n',
      'part.bin': Buffer.concat([Buffer.from('3 2\n'), ...rows.slice(0, 2)]),
    });
    await expect(read('odd.bin')).rejects.toThrow(
      'odd.bin: begins with "GGUF and more", expected the number of words and their size',
    );
    await expect(read('part.bin')).rejects.toThrow('part.bin: ends within row 3 of 3');
  });
});

test('numbers of 16 bits: the smallest, the largest, infinity and what is none', () => {
  const bytes = new Uint8Array(
    Uint16Array.from([0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x8000]).buffer,
  );
  expect([...readNumbers(bytes, 'float16')]).toEqual([
    2 ** -24,
    Math.fround(1023 * 2 ** -24),
    2 ** -14,
    65504,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NaN,
    -0,
  ]);
});
