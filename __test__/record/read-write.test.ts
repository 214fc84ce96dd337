import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  lstatSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { afterAll, describe, expect, it } from 'vitest';

import { openSource } from '../../src/read/source-file.js';
import { readRecords } from '../../src/record/read.js';
import type { ReadRecordsOptions } from '../../src/record/read.js';
import { makeRecord } from '../../src/record/schema.js';
import type { AttackRecord } from '../../src/record/schema.js';
import { writeRecords } from '../../src/record/write.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-records-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function read(path: string, options?: ReadRecordsOptions): Promise<AttackRecord[]> {
  const records: AttackRecord[] = [];
  for await (const record of readRecords(openSource(path), options)) records.push(record);
  return records;
}

const GOOD = '{"schema":"teapot.record/1","id":"a","unit":"input"}';

describe('readRecords', () => {
  it('keeps unknown fields through a read and a write', async () => {
    const line =
      '{"schema":"teapot.record/1.2","id":"a","unit":"input","future":{"x":[1,null]},"__proto__":{"y":1},"constructor":2}';
    const copy = join(folder, 'copy.jsonl');
    await writeRecords(copy, await read(file('unknown.jsonl', `\uFEFF${line}\r\n\r\n`)));
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toMatchObject({
      schema: 'teapot.record/1.2',
      future: { x: [1, null] },
      constructor: 2,
    });
    expect(readFileSync(copy, 'utf8')).toContain('"__proto__":{"y":1}');
    expect(readFileSync(copy, 'utf8')).toBe(`${JSON.stringify((await read(copy))[0])}\n`);
  });

  it('stops at a bad line with file, line and path', async () => {
    const path = file('bad.jsonl', `${GOOD}\n\n{"schema":"teapot.record/1","id":7,"unit":"input"}\n${GOOD}\n`);
    await expect(read(path)).rejects.toThrow(/bad\.jsonl:3: \$\.id: /u);
  });

  it('skips or collects bad lines when asked', async () => {
    const path = file('mixed.jsonl', `${GOOD}\n{"a":\n${GOOD}\n[1]\n`);
    const seen: string[] = [];
    expect(await read(path, { onError: 'skip', onBadLine: (error) => seen.push(error.message) })).toHaveLength(2);
    expect(seen.map((message) => message.slice(folder.length))).toEqual([
      expect.stringMatching(/^\/mixed\.jsonl:2: \$: not JSON/u),
      expect.stringMatching(/^\/mixed\.jsonl:4: \$: /u),
    ]);
    await expect(read(path, { onError: 'collect' })).rejects.toThrow(/2 lines can't be read:\n.*:2: .*\n.*:4: /u);
  });

  it('refuses a newer major version by name', async () => {
    const path = file('newer.jsonl', '{"schema":"teapot.record/2","id":"a","unit":"input"}\n');
    await expect(read(path)).rejects.toThrow(/newer\.jsonl:1: \$\.schema: schema "teapot\.record\/2" is newer/u);
  });

  it('answers hostile lines with one error', async () => {
    const deep = '['.repeat(100_000);
    await expect(read(file('deep.jsonl', deep))).rejects.toThrow(
      /deep\.jsonl:1: \$: nested more than 1000 levels deep/u,
    );
    await expect(read(file('html.jsonl', '<!doctype html>\n'))).rejects.toThrow(/html\.jsonl:1: \$: not JSON/u);
    const long = file(
      'long.jsonl',
      `{"schema":"teapot.record/1","id":"a","unit":"input","src":"${'x'.repeat(10_000_000)}"}\n`,
    );
    expect((await read(long))[0]?.src).toHaveLength(10_000_000);
    const odd = file(
      'odd.jsonl',
      `{"schema":"teapot.record/1","id":"a","unit":"input","src":"${'[{'.repeat(2000)}"}\n`,
    );
    expect((await read(odd))[0]?.src).toHaveLength(4000);
  });

  it('has no records in an empty file', async () => {
    expect(await read(file('empty.jsonl', ''))).toEqual([]);
  });
});

describe('writeRecords', () => {
  const record = makeRecord({ id: '1', unit: 'input', src: 'line\nend \u2028 "quoted" \\', adv_src: '\ud800' });

  it('writes what it reads again, also compressed', async () => {
    const path = join(folder, 'out.jsonl.gz');
    expect(await writeRecords(path, [record, record])).toBe(2);
    expect(gunzipSync(readFileSync(path)).toString()).toBe(`${JSON.stringify(record)}\n`.repeat(2));
    expect(await read(path)).toEqual([record, record]);
  });

  it('writes and reads zstd', async () => {
    const path = join(folder, 'out.jsonl.zst');
    const many = Array.from({ length: 5000 }, (_, index) =>
      makeRecord({ id: String(index), unit: 'input', src: 'tea '.repeat(50) }),
    );
    await writeRecords(path, many);
    const bytes = readFileSync(path);
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
    expect(bytes.length).toBeLessThan(100_000);
    expect(await read(path)).toEqual(many);
    const twice = file('twice.jsonl.zst', Buffer.concat([bytes, bytes]));
    expect(await read(twice)).toHaveLength(10_000);
    await expect(read(file('cut.jsonl.zst', bytes.subarray(0, -5)))).rejects.toThrow(
      /cut\.jsonl\.zst: zstd data that is cut off/u,
    );
    await expect(read(file('plain.jsonl.zst', '{}'))).rejects.toThrow(/not zstd data/u);
    const broken = Buffer.from(bytes);
    broken.fill(0xff, 100, 200);
    await expect(read(file('broken.jsonl.zst', broken))).rejects.toThrow(/damaged zstd data/u);
  });

  it('keeps the old file and leaves no other when the work fails', async () => {
    const path = file('kept.jsonl', 'old');
    async function* failing(): AsyncGenerator<AttackRecord> {
      yield record;
      await Promise.resolve();
      throw new RangeError('the reader failed');
    }
    const before = readdirSync(folder);
    await expect(writeRecords(path, failing())).rejects.toThrow(new RangeError('the reader failed'));
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(before);
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    async function* endless(): AsyncGenerator<AttackRecord> {
      for (let count = 0; ; count += 1) {
        if (count === 1000) controller.abort();
        yield record;
        await Promise.resolve();
      }
    }
    const path = join(folder, 'aborted.jsonl');
    await expect(writeRecords(path, endless(), { signal: controller.signal })).rejects.toThrow(/abort/u);
    expect(existsSync(path)).toBe(false);
  });

  it('follows a link and writes to a device', async () => {
    const target = file('target.jsonl', 'old');
    const link = join(folder, 'link.jsonl');
    symlinkSync(target, link);
    await writeRecords(link, [record]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(await read(target)).toEqual([record]);
    expect(await writeRecords('/dev/null', [record])).toBe(1);
  });

  it('names the file that cannot be written', async () => {
    await expect(writeRecords(join(folder, 'no', 'where.jsonl'), [record])).rejects.toThrow(
      /where\.jsonl can't be written: no such file/u,
    );
  });
});
