import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, describe, expect, it } from 'vitest';

import { readLines } from '../../src/read/lines.js';
import { openSource } from '../../src/read/source-file.js';
import type { SourceFile } from '../../src/read/source-file.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function split(content: string | Buffer, size = 7, maxLineBytes?: number): Promise<string[]> {
  const options = maxLineBytes === undefined ? { file: 'f' } : { file: 'f', maxLineBytes };
  const lines: string[] = [];
  for await (const batch of readLines(inChunks(Buffer.from(content), size), options)) {
    for (const { text, line } of batch) {
      lines.push(text);
      expect(line).toBe(lines.length);
    }
  }
  return lines;
}

async function linesOf(source: SourceFile): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of source.lines()) lines.push(...batch.map(({ text }) => text));
  return lines;
}

describe('readLines', () => {
  it('B18: splits at line feeds alone', async () => {
    expect(await split('hot\rtea\nmilk\u2028\u0085\u000c.\n')).toEqual(['hot\rtea', 'milk\u2028\u0085\u000c.']);
  });

  it('B19: takes the carriage return of a line end away, on any chunk border', async () => {
    for (let size = 1; size < 8; size += 1) expect(await split('1\r\n0\r\n\r\nx\r', size)).toEqual(['1', '0', '', 'x']);
  });

  it('B28: keeps blank lines, and counts a last line without a line end', async () => {
    expect(await split('x\ny')).toEqual(['x', 'y']);
    expect(await split('x\ny\n')).toEqual(['x', 'y']);
    expect(await split('x\n\ny\n\n')).toEqual(['x', '', 'y', '']);
    expect(await split('')).toEqual([]);
    expect(await split('\n')).toEqual(['']);
  });

  it('takes a byte order mark away at the start alone', async () => {
    expect(await split('\uFEFFa\n\uFEFFb', 2)).toEqual(['a', '\uFEFFb']);
    expect(await split('\uFEFF')).toEqual([]);
  });

  it('B27: keeps characters whole across chunk borders', async () => {
    const text = `${'x'.repeat(30)}é🍵寿\n`.repeat(3);
    for (let size = 1; size < 40; size += 1) expect((await split(text, size)).join('\n')).toBe(text.trimEnd());
  });

  it('B26: names file, line and byte of what is no UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('tea\n'),
      Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
      Buffer.from('x\n'),
    ]);
    for (const size of [1, 5, 100]) {
      await expect(split(bytes, size)).rejects.toThrow(/^f:2: byte 4 of the line \(0xE9, byte 8 of the file\)/u);
    }
    const long = Buffer.concat([Buffer.from('寿'.repeat(1000)), Buffer.from([0xff]), Buffer.from('é'.repeat(1000))]);
    await expect(split(long, 64)).rejects.toThrow(/byte 3001 of the line/u);
  });

  it('says so when the bytes are UTF-16', async () => {
    await expect(split(Buffer.from('\uFEFFtea\n', 'utf16le'), 100)).rejects.toThrow(/^f: this is UTF-16: /u);
  });

  it('B69: refuses a line that is too long, with its number', async () => {
    await expect(split(`a\n${'b'.repeat(50)}`, 7, 40)).rejects.toThrow(/^f:2: the line is longer than 40 bytes/u);
  });
});

describe('openSource', () => {
  it('B40: reads all members of a gzip file, and zero bytes behind them', async () => {
    const members = Buffer.concat([gzipSync('a\nb\n'), gzipSync('c\n'), Buffer.alloc(512)]);
    expect(await linesOf(openSource(file('members.gz', members)))).toEqual(['a', 'b', 'c']);
  });

  it('B40: refuses a gzip file that is cut off, by name', async () => {
    const whole = gzipSync(Buffer.from('tea\n'.repeat(5000).concat(String(Math.PI))));
    const path = file('cut.gz', whole.subarray(0, whole.length - 9));
    await expect(linesOf(openSource(path))).rejects.toThrow(/cut\.gz: damaged or cut off gzip data/u);
    await expect(linesOf(openSource(file('plain.gz', 'tea\n')))).rejects.toThrow(/plain\.gz: not gzip data/u);
  });

  it('B27: reads a character over the border of 64 KiB, plain and compressed', async () => {
    const text = ['é', '寿', '🍵'].map((character) => `${'x'.repeat(65_535)}${character}\n`).join('');
    for (const path of [file('border.txt', text), file('border.gz', gzipSync(text))]) {
      expect(`${(await linesOf(openSource(path))).join('\n')}\n`).toBe(text);
    }
  });

  it('reads Latin-1 and UTF-16 by name', async () => {
    const latin = file('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
    expect(await linesOf(openSource(latin, { encoding: 'latin-1' }))).toEqual(['café']);
    const utf16 = file('utf16.txt', Buffer.from('\uFEFFcafé 🍵\n', 'utf16le'));
    expect(await linesOf(openSource(utf16, { encoding: 'utf-16le' }))).toEqual(['café 🍵']);
    await expect(linesOf(openSource(latin, { encoding: 'klingon' }))).rejects.toThrow(/there is no such encoding/u);
  });

  it('shows the head without losing it', async () => {
    const source = openSource(file('head.txt', '\uFEFFone\ntwo\n'));
    expect(await source.head()).toBe('one\ntwo\n');
    expect(await source.head()).toBe('one\ntwo\n');
    expect(await linesOf(source)).toEqual(['one', 'two']);
  });

  it('names a file that is not there, and a directory', async () => {
    await expect(linesOf(openSource(join(folder, 'none')))).rejects.toThrow(/none: no such file/u);
    await expect(linesOf(openSource(folder))).rejects.toThrow(/a directory, not a file/u);
  });

  it('reads standard input as -', async () => {
    const source = openSource('-', { stdin: inChunks(gzipSync('a\nb'), 3) });
    expect(source.name).toBe('<stdin>');
    expect(await linesOf(source)).toEqual(['a', 'b']);
  });

  it('agrees with wc on the number of lines', async () => {
    const path = file('wc.txt', 'a\r\nb\rc\n\u2028\n');
    const count = Number(execFileSync('wc', ['-l', path], { encoding: 'utf8' }).split(' ')[0]);
    expect(await linesOf(openSource(path))).toHaveLength(count);
  });
});
