import { describe, expect, test } from 'vitest';

import {
  columnOfTexts,
  encodeFrame,
  END_OF_FRAMES,
  readFrames,
  textsOf,
  type Frame,
  type FrameColumn,
} from '../../src/read/column-frames.js';

const TEXTS = ['', 'tea', 'héllo', '世界\u2028', 'a\0b', '\r\n', '😀'];
const FRAME: Frame = {
  rows: TEXTS.length,
  columns: new Map<string, FrameColumn>([
    ['src', columnOfTexts(TEXTS)],
    ['s_src', { type: 'float64', values: Float64Array.from(TEXTS, (_, row) => row / 7) }],
    ['blank_sides', { type: 'uint8', values: Uint8Array.from(TEXTS, (_, row) => row % 4) }],
  ]),
};
const EMPTY: Frame = { rows: 0, columns: new Map([['src', columnOfTexts([])]]) };

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(bytes: Uint8Array, size = bytes.length): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(cut(bytes, size), 'x')) frames.push(frame);
  return frames;
}

const STREAM = Buffer.concat([encodeFrame(FRAME), encodeFrame(EMPTY), encodeFrame(FRAME), END_OF_FRAMES]);

describe('frames of columns', () => {
  test.each([1, 3, 7, 64, 100_000])('come back as they were, whatever the chunks (%i bytes)', async (size) => {
    const frames = await readAll(STREAM, size);
    expect(frames.map(({ rows }) => rows)).toEqual([TEXTS.length, 0, TEXTS.length]);
    for (const { columns } of [frames[0] ?? EMPTY, frames[2] ?? EMPTY]) {
      const src = columns.get('src');
      expect(src?.type === 'utf8' && textsOf(src)).toEqual(TEXTS);
      expect([...(columns.get('s_src')?.values ?? [])]).toEqual([...(FRAME.columns.get('s_src')?.values ?? [])]);
      expect([...(columns.get('blank_sides')?.values ?? [])]).toEqual([0, 1, 2, 3, 0, 1, 2]);
    }
  });

  test('a stream that is cut anywhere is an error, never fewer rows', async () => {
    for (let length = 0; length < STREAM.length; length += 1) {
      await expect(readAll(STREAM.subarray(0, length))).rejects.toThrow(
        'the stream ends too early: rows may be missing',
      );
    }
  });

  test('bytes after the end mark are an error', async () => {
    await expect(readAll(Buffer.concat([STREAM, STREAM]))).rejects.toThrow('bytes follow the end mark');
  });

  test.each([
    ['text', Buffer.from('GET / HTTP/1.1\r\n'), 'these are no frames'],
    ['no JSON', withHeader('{'), 'the header is no JSON'],
    ['no rows', withHeader('{"columns":[]}'), 'the header lacks rows or columns'],
    ['a type', withHeader('{"rows":1,"columns":[{"name":"a","type":"int3","bytes":1}]}'), 'type "int3", expected utf8'],
    ['a length', withHeader('{"rows":2,"columns":[{"name":"a","type":"float64","bytes":8}]}'), 'not those of 2 rows'],
    [
      'offsets',
      Buffer.concat([
        withHeader('{"rows":1,"columns":[{"name":"a","type":"utf8","offsets":8,"bytes":2}]}'),
        Buffer.from(Int32Array.of(0, 3).buffer),
        Buffer.from('ab'),
      ]),
      "its offsets don't fit its bytes",
    ],
  ])('%s is no frame', async (_, bytes, message) => {
    await expect(readAll(bytes)).rejects.toThrow(message);
  });
});

function withHeader(header: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, Buffer.from(header)]);
}
