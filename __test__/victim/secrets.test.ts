import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeBaseUrl, shownAddress } from '../../src/victim/base-url.js';
import { cachedVictim, newCounters } from '../../src/victim/cached-victim.js';
import { createVictim } from '../../src/victim/create-victim.js';
import { recordAnswers } from '../../src/victim/record-answers.js';
import { ResponseCache } from '../../src/victim/response-cache.js';
import { secretFrom } from '../../src/victim/secret.js';
import { useTempFolder } from '../score/temp-folder.js';
import { ChaosServer } from './chaos-server.js';
import type { Behaviour } from './chaos-server.js';

const folder = useTempFolder();
const KEY = 'sk-"very\\secret-0123456789';

let server: ChaosServer;
beforeEach(async () => {
  server = await ChaosServer.start();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await server.stop();
});

/** Everything that the folder holds, as one text. */
function everything(path: string): string {
  return readdirSync(path)
    .map((name) => readFileSync(join(path, name), 'latin1'))
    .join('\n');
}

/** A piece of the key that no spelling of it (escaped, cut) lacks. */
const CORE = 'very';

describe('the key of an endpoint', () => {
  it('is sent in a header, and is in no file, log, error, cache, answer or signature', async () => {
    const said: string[] = [];
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...words) => void said.push(inspect(words)));
    }
    vi.stubEnv('OPENAI_LOG', 'debug');
    vi.stubEnv('MY_KEY', `${KEY}\n`);
    // An endpoint that shows the key wherever it can.
    const echo: Behaviour[] = [
      { kind: 'status', status: 401, body: { error: { message: `bad key ${KEY}` } }, headers: { 'x-key': KEY } },
      { kind: 'status', status: 400, body: KEY },
      { kind: 'status', status: 400, body: `${'long '.repeat(12)}${KEY}` },
      { kind: 'status', status: 400, body: { error: { message: `${'long '.repeat(12)}${KEY}` } } },
      {
        kind: 'body',
        body: `{"error": "${[...KEY].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
      },
      { kind: 'body', body: { error: `bad key ${KEY}` } },
      { kind: 'body', body: { key: KEY } },
      { kind: 'body', body: { choices: [{ key: KEY }] } },
      { kind: 'body', body: `key ${KEY} is no JSON` },
      { kind: 'cut' },
      { kind: 'hang' },
      { kind: 'answer', text: `your key is ${KEY}` },
    ];
    const files = folder.path('run');
    mkdirSync(files);
    const cache = await ResponseCache.open(join(files, 'cache'));
    const inner = await createVictim('openai:tiny', {
      baseUrl: server.origin,
      apiKeyVariable: 'MY_KEY',
      limits: { retries: 1, firstWaitMs: 1, timeoutMs: 800 },
    });
    const recording = await recordAnswers(cachedVictim(inner, cache, newCounters()), join(files, 'answers.jsonl'));
    const errors: string[] = [];
    const outputs: string[] = [];
    for (const [index, behaviour] of echo.entries()) {
      server.behave = () => behaviour;
      await recording.victim.answer([`input ${index}`]).then(
        (answers) => outputs.push(inspect(answers)),
        (error: unknown) => errors.push(inspect(error, { depth: 20, showHidden: true })),
      );
    }
    await recording.commit();
    expect(errors).toHaveLength(11);
    expect(outputs).toEqual([expect.stringContaining('your key is [key]')]);
    expect(errors.join('\n')).toContain('bad key [key]');
    for (const request of server.requests) expect(request.authorization).toBe(`Bearer ${KEY}`);
    for (const text of [...errors, ...outputs, said.join('\n'), inner.signature, inspect(inner, { depth: 20 })]) {
      expect(text).not.toContain(CORE);
    }
    // While the log of the database is still there, and after.
    expect(everything(files)).not.toContain(CORE);
    cache.close();
    expect(everything(files)).not.toContain(CORE);
    expect(said).toEqual([]);
  });

  it('must be there when it is named or OpenAI is asked, and its value is never shown', async () => {
    await expect(createVictim('openai:m', { env: {} })).rejects.toThrow(
      'The environment variable OPENAI_API_KEY is not set: it must hold the key of the endpoint (export OPENAI_API_KEY=…)',
    );
    const named = { apiKeyVariable: 'MY_KEY', baseUrl: server.origin };
    await expect(createVictim('openai:m', { ...named, env: {} })).rejects.toThrow('MY_KEY is not set');
    const failure: unknown = await createVictim('openai:m', { ...named, env: { MY_KEY: `${KEY} x` } }).catch(
      (error: unknown) => error,
    );
    expect(String(failure)).toContain('MY_KEY holds no key');
    expect(inspect(failure)).not.toContain(CORE);
  });

  it('may be a word that is no secret, and then damages no answer', async () => {
    server.behave = () => ({ kind: 'answer', text: 'none of it is EMPTY' });
    const victim = await createVictim('openai:m', { baseUrl: server.origin, env: { OPENAI_API_KEY: 'EMPTY' } });
    expect(await victim.answer(['a'])).toMatchObject([{ output: 'none of it is EMPTY' }]);
    expect(server.requests[0]?.authorization).toBe('Bearer EMPTY');
  });
});

describe('B61 and the chaos server, through the durable cache', () => {
  it('loses nothing and counts nothing twice', async () => {
    const path = folder.path('cache');
    const chaos: Behaviour['kind'][] = ['cut', 'truncated', 'cut-body'];
    let number = 0;
    server.behave = (_request, index) => {
      const kind = chaos[index % 4];
      if (kind === 'cut' || kind === 'truncated' || kind === 'cut-body') return { kind };
      number += 1;
      return { kind: 'answer', text: `answer ${number}` };
    };
    const inputs = Array.from({ length: 12 }, (_, index) => `input ${index % 8}`);
    const run = async (): Promise<readonly [string[], ReturnType<typeof newCounters>]> => {
      const cache = await ResponseCache.open(path);
      const counters = newCounters();
      const inner = await createVictim('openai:tiny', {
        baseUrl: server.origin,
        env: {},
        limits: { retries: 50, firstWaitMs: 1, maxWaitMs: 5 },
      });
      const answers = await cachedVictim(inner, cache, counters).answer(inputs);
      cache.close();
      return [answers.map(({ output }) => output), counters];
    };
    const [first, counted] = await run();
    expect(counted).toMatchObject({ calls: 8, cached: 4 });
    expect(new Set(first).size).toBe(8);
    const asked = server.requests.length;
    const [second, again] = await run();
    expect(second).toEqual(first);
    expect(again).toMatchObject({ calls: 0, cached: 12 });
    expect(server.requests).toHaveLength(asked);
  });

  it('goes on after a dead endpoint with what was answered', async () => {
    const cache = await ResponseCache.open(folder.path('cache'));
    const limits = { retries: 1, firstWaitMs: 1, concurrency: 1 };
    const inner = await createVictim('openai:tiny', { baseUrl: server.origin, env: {}, limits });
    server.behave = (_request, index) => (index < 3 ? { kind: 'answer' } : { kind: 'status', status: 500 });
    const inputs = ['a', 'b', 'c', 'd', 'e'];
    await expect(cachedVictim(inner, cache, newCounters()).answer(inputs)).rejects.toThrow('given up after 2 requests');
    server.behave = () => ({ kind: 'answer' });
    const counters = newCounters();
    await cachedVictim(inner, cache, counters).answer(inputs);
    expect(counters).toMatchObject({ calls: 2, cached: 3 });
    cache.close();
  });
});

describe('F78: a key is hidden', () => {
  const shown = (key: string, text: string): string => secretFrom({ OPENAI_API_KEY: key }, undefined, true).hide(text);

  it('in base64 at any place, percent-encoded, in hexadecimal digits and escaped', () => {
    const key = 'sk-a+b/"c\\0123';
    const forms = [
      Buffer.from(`user:${key}`).toString('base64'),
      Buffer.from(`u:${key}@h`).toString('base64'),
      Buffer.from(key).toString('base64url'),
      Buffer.from(key).toString('hex').toUpperCase(),
      encodeURIComponent(key),
      [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      JSON.stringify(key),
    ];
    for (const form of forms) expect(shown(key, `said ${form} here`)).toMatch(/^said \S*\[key\]\S* here$/u);
  });

  it('when it is short, where it stands alone', () => {
    expect(shown('k7', 'bad key "k7", token=k7. ask7 k70')).toBe('bad key "[key]", token=[key]. ask7 k70');
  });

  it('in an address that is none, and in the path of one', () => {
    const secret = 'Zm9vYmFyMTIzNDU2Nzg5MDEy';
    for (const address of [`htp://h/${secret}`, `http://h:x/${secret}`, `h/v1?key=${secret}`, `user:${secret}@h`]) {
      expect(() => composeBaseUrl(address, '--base-url')).toThrow(/^(?!.*Zm9vYmFy).*--base-url/su);
    }
    expect(shownAddress(`http://h:1/proxy/${secret}/v1`)).toBe('http://h:1/proxy/[…]/v1');
    expect(shownAddress('https://api.openai.com/v1/chat/completions')).toBe(
      'https://api.openai.com/v1/chat/completions',
    );
  });
});
