import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { openSource } from '../../src/read/source-file.js';

async function read(bytes: Uint8Array, encoding?: string): Promise<string> {
  async function* stdin(): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    for (let start = 0; start < bytes.length; start += 3) yield bytes.subarray(start, start + 3);
  }
  const texts: string[] = [];
  for await (const lines of openSource('-', { stdin: stdin(), encoding }).lines()) {
    texts.push(...lines.map(({ text }) => text));
  }
  return texts.join('|');
}

describe('bytes that are not what they seem', () => {
  it('F70: gzip data after zero padding is an error, padding at the end is none', async () => {
    const [a, b] = [gzipSync('a\n'), gzipSync('b\n')];
    expect(await read(Buffer.concat([a, b]))).toBe('a|b');
    expect(await read(Buffer.concat([a, Buffer.alloc(700)]))).toBe('a');
    await expect(read(Buffer.concat([a, Buffer.alloc(700), b]))).rejects.toThrow(/zero bytes and then more data/u);
  });

  it('F69: the byte order mark of UTF-16 decides, little endian is the default', async () => {
    const little = Buffer.from('\uFEFFtea\né\n', 'utf16le');
    expect(await read(little, 'utf-16')).toBe('tea|é');
    expect(await read(Buffer.from(little).swap16(), 'utf-16')).toBe('tea|é');
    expect(await read(Buffer.from('tea\n', 'utf16le'), 'utf-16')).toBe('tea');
    expect(await read(Buffer.from('tea\n', 'utf16le').swap16(), 'utf-16be')).toBe('tea');
  });

  it('F69: UTF-16 is noticed with and without a mark', async () => {
    for (const text of ['\uFEFFtea\n', 'tea and milk\n']) {
      const bytes = Buffer.from(text, 'utf16le');
      await expect(read(bytes)).rejects.toThrow(/this is UTF-16/u);
      await expect(read(Buffer.from(bytes).swap16())).rejects.toThrow(/this is UTF-16/u);
    }
  });
});
