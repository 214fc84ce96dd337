import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.js';
import { ResponseCache } from '../../src/victim/response-cache.js';
import { useTempFolder } from '../score/temp-folder.js';

const folder = useTempFolder();

describe('the cache of answers', () => {
  it('gives back what was put, over closing, and keeps the first answer', async () => {
    const path = folder.path('cache');
    const cache = await ResponseCache.open(path);
    const answer = {
      output: 'ü\ud800\u0000',
      scores: { __proto__x: 0.5 },
      usage: { promptTokens: 1, completionTokens: 2 },
    };
    expect(cache.get('k')).toBeUndefined();
    expect(cache.put('k', answer)).toEqual(answer);
    expect(cache.put('k', { output: 'later' })).toEqual(answer);
    cache.close();
    cache.close();
    const again = await ResponseCache.open(path);
    expect(again.get('k')).toEqual(answer);
    expect(again.size).toBe(1);
    again.close();
    expect(() => again.get('k')).toThrow('was closed');
  });

  it('refuses what is no cache, and damages nothing', async () => {
    const text = folder.write('notes.txt', 'These are notes. '.repeat(100));
    await expect(ResponseCache.open(text)).rejects.toMatchObject({ code: ERROR_CODES.FORMAT });
    expect(readFileSync(text, 'utf8')).toBe('These are notes. '.repeat(100));

    const foreign = folder.path('foreign.db');
    const database = new Libsql(foreign);
    database.exec('CREATE TABLE shopping (item TEXT)');
    database.close();
    await expect(ResponseCache.open(foreign)).rejects.toThrow('a database of another program');

    const later = folder.path('later.db');
    (await ResponseCache.open(later)).close();
    const changed = new Libsql(later);
    changed.pragma('user_version = 99');
    changed.close();
    await expect(ResponseCache.open(later)).rejects.toThrow('a cache of version 99, expected 1');

    await expect(ResponseCache.open(folder.path('no/such/cache'))).rejects.toMatchObject({ code: ERROR_CODES.READ });
    mkdirSync(folder.path('directory'));
    await expect(ResponseCache.open(folder.path('directory'))).rejects.toMatchObject({ code: ERROR_CODES.READ });
  });
});

describe('two processes that are killed', () => {
  it('lose no answer that was used, and leave a file without damage', { timeout: 60_000 }, async () => {
    const module = resolve(import.meta.dirname, '../../dist/victim/response-cache.js');
    const path = folder.path('cache');
    const writer = `
      const { ResponseCache } = await import(${JSON.stringify(module)});
      const cache = await ResponseCache.open(${JSON.stringify(path)});
      for (let i = 0; ; i += 1) {
        cache.put(process.argv[1] + i, { output: 'answer ' + i });
        cache.put('both' + i, { output: process.argv[1] });
        process.stdout.write(i + '\\n');
        if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      }`;
    const last: Record<string, number> = {};
    const start = (name: string): ChildProcess => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer, '--', name], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        last[name] = Number(lines.at(-1) ?? last[name] ?? -1);
      });
      return child;
    };
    for (let round = 0; round < 2; round += 1) {
      const names = [`a${round}-`, `b${round}-`];
      const children = names.map(start);
      const ends = children.map((child) => new Promise((done) => child.once('close', done)));
      while (names.some((name) => (last[name] ?? 0) < 200)) await new Promise((done) => setTimeout(done, 10));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    }
    const cache = await ResponseCache.open(path);
    for (const [name, count] of Object.entries(last)) {
      for (let i = 0; i <= count; i += 1) expect(cache.get(`${name}${i}`)).toEqual({ output: `answer ${i}` });
    }
    const { size } = cache;
    cache.close();
    // All is in the one file.
    copyFileSync(path, folder.path('copy'));
    const database = new Libsql(folder.path('copy'));
    expect(database.prepare('SELECT count(*) AS size FROM answers').get()).toMatchObject({ size });
    expect(database.pragma('integrity_check')).toMatchObject([{ integrity_check: 'ok' }]);
    database.close();
  });
});
