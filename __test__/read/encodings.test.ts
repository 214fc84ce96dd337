import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';

import { readList, readListText } from '../../src/read/list.js';
import { openSource } from '../../src/read/source-file.js';
import { transcode } from '../../src/read/transcode.js';
import { importParallel } from '../../src/record/import/parallel/import-parallel.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-encodings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, contents: string | Uint8Array): string => {
  writeFileSync(join(folder, name), contents);
  return join(folder, name);
};

/** Decodes bytes that come in portions of one size. */
async function decoded(bytes: Uint8Array, encoding: string, size: number): Promise<string> {
  async function* portions(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const parts: Uint8Array[] = [];
  for await (const part of transcode(portions(), encoding, 'x.txt')) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

const GBK = Buffer.from([0xb2, 0xe8, 0x0a, 0xba, 0xc3, 0xb2, 0xe8, 0x0a, 0x61]);
const TEXT = 'thé 茶\n\n🫖 ok\r\n\ufeffend';

describe('transcode', () => {
  it('decodes whatever the size of the portions', async () => {
    const little = Buffer.from(TEXT, 'utf16le');
    for (const size of [1, 2, 3, 5, 100]) {
      expect(await decoded(GBK, 'gbk', size)).toBe('茶\n好茶\na');
      expect(await decoded(little, 'utf-16le', size)).toBe(TEXT);
      expect(await decoded(Buffer.from(little).swap16(), 'utf-16be', size)).toBe(TEXT);
      expect(await decoded(Buffer.from([0xff, 0xfe, ...little]), 'utf-16le', size)).toBe(TEXT);
      expect(await decoded(Buffer.from([0xff, 0xfe, ...little]), 'utf-16', size)).toBe(TEXT);
      expect(await decoded(Buffer.from([0xff, 0xfe, ...little]).swap16(), 'UTF-16', size)).toBe(TEXT);
    }
    expect(await decoded(Buffer.alloc(0), 'gbk', 1)).toBe('');
  });

  it.each([
    ['gbk', [0x61, 0x0a, 0x62, 0xb2, 0x0a], /^x\.txt:2: byte 3 of the line \(0x0A\) is not valid gbk: /u],
    [
      'shift_jis',
      [0x61, 0x0a, 0x0a, 0x82, 0x20, 0x0a],
      /^x\.txt:3: byte 2 of the line \(0x20\) is not valid shift_jis: /u,
    ],
    ['big5', [0x61, 0x81], /^x\.txt:1: byte 2 of the line \(0x81\) is not valid big5: /u],
    [
      'utf-16le',
      [0x61, 0, 0x0a, 0, 0x00, 0xd8, 0x0a, 0],
      /^x\.txt:2: byte \d of the line \(0x\w+\) is not valid utf-16le: /u,
    ],
    ['utf-16le', [0x61, 0, 0x0a], /^x\.txt:1: byte 3 of the line \(0x0A\) is not valid utf-16le: /u],
  ])('F33: bytes that are no %s are an error with file, line, byte and hint', async (encoding, bytes, message) => {
    for (const size of [1, 3, 100]) {
      await expect(decoded(Buffer.from(bytes), encoding, size)).rejects.toMatchObject({
        name: 'UsageError',
        code: 'ERR_TEAPOT_FORMAT',
        message: expect.stringMatching(message),
      });
    }
  });

  it('F34: a line without end stops the reading while it is unpacked', async () => {
    const path = file('long.gz', gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x61)));
    for (const encoding of ['gbk', 'utf-8', 'latin-1']) {
      const reading = async (): Promise<void> => {
        for await (const _lines of openSource(path, { encoding }).lines());
      };
      await expect(reading()).rejects.toMatchObject({
        message: expect.stringContaining('long.gz:1: the line is longer than 67108864 bytes'),
      });
    }
  });
});

describe('readList', () => {
  it('gives lines and text', async () => {
    const path = file('words.txt', '\ufeffone\r\ntwo\n\nthree');
    expect(await readListText(path, 'words')).toBe('one\ntwo\n\nthree\n');
  });

  it('F64: a list that unpacks to more lines or characters than its limit is an error, early', async () => {
    const many = file('many.gz', gzipSync(Buffer.alloc(50_000_000, '\n')));
    await expect(readListText(many, 'stop words')).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/a list of stop words has at most 10,000,000 lines/u),
    });
    const reading = async (): Promise<number> => {
      let read = 0;
      for await (const lines of readList(file('wide.txt', 'aaaa\n'.repeat(30)), 'words', { mostUnits: 100 }))
        read += lines.length;
      return read;
    };
    await expect(reading()).rejects.toMatchObject({ message: expect.stringContaining('100 characters') });
  });

  it('F64: files of unequal length are reported without reading the long one to its end', async () => {
    const src = file('short.txt', 'a\n');
    const advSrc = file('endless.gz', gzipSync(Buffer.alloc(30_000_000, '\n')));
    const reading = async (): Promise<void> => {
      for await (const _record of importParallel({ src, advSrc }, {}));
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'ERR_TEAPOT_LENGTH_MISMATCH',
      message: expect.stringMatching(/short\.txt has 1 lines, \S*endless\.gz has at least \d{6,7} lines/u),
    });
  });
});
