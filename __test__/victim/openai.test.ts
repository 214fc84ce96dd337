import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERROR_CODES, TeapotError, UsageError } from '../../src/errors.js';
import { createVictim } from '../../src/victim/create-victim.js';
import { endsRun } from '../../src/victim/victim-error.js';
import type { Answer, EndpointLimits, SamplingOptions, Victim } from '../../src/victim/victim.js';
import { ChaosServer } from './chaos-server.js';
import type { Behaviour } from './chaos-server.js';

let server: ChaosServer;
beforeEach(async () => {
  server = await ChaosServer.start();
});
afterEach(async () => {
  await server.stop();
});

async function victimOf(limits: EndpointLimits = {}, sampling: SamplingOptions = {}): Promise<Victim> {
  const quick = { firstWaitMs: 5, retries: 3, timeoutMs: 2000, ...limits };
  return createVictim('openai:tiny', { baseUrl: server.origin, limits: quick, sampling, env: {} });
}

/** Answers the first requests as listed, and all later ones rightly. */
function first(...behaviours: readonly Behaviour[]): void {
  server.behave = (_request, index) => behaviours[index] ?? { kind: 'answer' };
}

async function failureOf(work: Promise<unknown>): Promise<TeapotError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TeapotError);
  return error as TeapotError;
}

describe('an endpoint that works', () => {
  it('is sent the model, the input and every sampling field, and counts tokens', async () => {
    const victim = await victimOf({}, { system: 'Be short.', maxTokens: 7, topP: 0.5, stop: ['\n'] });
    const answers = await victim.answer(['fine tea']);
    expect(answers).toEqual([{ output: 'label', usage: { promptTokens: 8, completionTokens: 1 } }]);
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect(server.requests[0]?.authorization).toBeUndefined();
    expect(server.requests[0]?.body).toEqual({
      model: 'tiny',
      temperature: 0,
      top_p: 0.5,
      seed: 12_345,
      max_tokens: 7,
      stop: ['\n'],
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'fine tea' },
      ],
    });
  });

  it('may speak the completions interface, and leave out what a model refuses', async () => {
    const sampling = {
      api: 'completions',
      temperature: null,
      seed: null,
      maxTokensField: 'max_completion_tokens',
    } as const;
    const victim = await victimOf({}, sampling);
    expect(await victim.answer(['a'])).toMatchObject([{ output: 'label' }]);
    expect(server.requests[0]?.path).toBe('/v1/completions');
    expect(server.requests[0]?.body).toEqual({ model: 'tiny', max_completion_tokens: 64, prompt: 'a' });
  });

  it('keeps the order of the inputs and the limit of concurrency', async () => {
    server.behave = (request) => ({
      kind: 'answer',
      text: (input) => `<${input}>`,
      delayMs: request.input === 'a' ? 60 : 10,
    });
    const victim = await victimOf({ concurrency: 2 });
    const order: number[] = [];
    const answers = await victim.answer(['a', 'b', 'c', 'd', 'e'], { onAnswer: (index) => order.push(index) });
    expect(answers.map(({ output }) => output)).toEqual(['<a>', '<b>', '<c>', '<d>', '<e>']);
    expect(order.toSorted()).toEqual([0, 1, 2, 3, 4]);
    expect(order[0]).toBe(1);
    expect(server.mostOpen).toBe(2);
  });

  it('may have many requests wait for one signal without a warning', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', listen);
    server.behave = (_request, index) =>
      index < 20 ? { kind: 'status', status: 500 } : { kind: 'answer', delayMs: 20 };
    const victim = await victimOf({ concurrency: 20, firstWaitMs: 50 });
    const { signal } = new AbortController();
    const batch = (name: string): Promise<readonly Answer[]> =>
      victim.answer(
        Array.from({ length: 4 }, (_, index) => `${name} ${index}`),
        { signal },
      );
    await Promise.all(Array.from({ length: 12 }, (_, index) => batch(`batch ${index}`)));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('spaces requests evenly under a limit per minute, over calls of answer', async () => {
    const victim = await victimOf({ concurrency: 4, requestsPerMinute: 600 });
    // The first request also opens a connection, which would be measured.
    await victim.answer(['warm up']);
    await Promise.all([victim.answer(['a', 'b']), victim.answer(['c'])]);
    const times = server.requests.slice(1).map(({ at }) => at);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(150);
  });

  it('takes refusals, missing content and content in parts as answers', async () => {
    const message = (fields: object): Behaviour => ({ kind: 'body', body: { choices: [{ message: fields }] } });
    first(
      message({ content: null, refusal: 'No.' }),
      message({ content: null }),
      message({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] }),
    );
    const victim = await victimOf({ concurrency: 1 });
    expect(await victim.answer(['1', '2', '3'])).toEqual([
      { output: 'No.', state: 'refused' },
      { output: '', state: 'unreadable' },
      { output: 'ab' },
    ]);
  });
});

describe('B61: the signature covers every field that is sent', () => {
  it('differs for every setting that can change an answer, and for no other', async () => {
    const signatures = await Promise.all(
      [
        {},
        { temperature: 0.5 },
        { temperature: null },
        { topP: 0.9 },
        { seed: 1 },
        { seed: null },
        { maxTokens: 16 },
        { maxTokens: 400 },
        { maxTokensField: 'max_completion_tokens' as const },
        { stop: ['x'] },
        { system: 'x' },
        { api: 'completions' as const },
      ].map(async (sampling) => (await victimOf({}, sampling)).signature),
    );
    expect(new Set(signatures).size).toBe(signatures.length);
    expect((await victimOf({ retries: 9, timeoutMs: 1 })).signature).toBe(signatures[0]);
    expect((await createVictim('openai:tiny', { baseUrl: 'http://h:1', env: {} })).signature).not.toBe(signatures[0]);
  });

  it('sends another seed for a repeat', async () => {
    const victim = await victimOf({}, { seed: 7 });
    await victim.answer(['a']);
    await victim.answer(['a'], { repeat: 2 });
    expect(server.requests.map(({ body }) => body['seed'])).toEqual([7, 9]);
  });
});

describe('B62: retries are bounded', () => {
  const busy = (headers: Record<string, string> = {}): Behaviour => ({ kind: 'status', status: 429, headers });

  it('waits as long as Retry-After says, twice, and succeeds', async () => {
    first(busy({ 'retry-after': '0.2' }), busy({ 'retry-after': '0.2' }));
    const victim = await victimOf();
    expect(await victim.answer(['a'])).toMatchObject([{ output: 'label' }]);
    const times = server.requests.map(({ at }) => at);
    expect(times).toHaveLength(3);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(200);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(200);
  });

  it('understands an HTTP date', async () => {
    // A date has whole seconds: between one and two of them from the answer on.
    server.behave = (_request, index) =>
      index === 0 ? busy({ 'retry-after': new Date(Date.now() + 2000).toUTCString() }) : { kind: 'answer' };
    const victim = await victimOf();
    await victim.answer(['a']);
    expect((server.requests[1]?.at ?? 0) - (server.requests[0]?.at ?? 0)).toBeGreaterThanOrEqual(700);
  });

  it('makes one request with retries 0', async () => {
    server.behave = () => busy();
    const error = await failureOf((await victimOf({ retries: 0 })).answer(['a']));
    expect(server.requests).toHaveLength(1);
    expect(error.code).toBe(ERROR_CODES.ENDPOINT);
    expect(error.message).toBe(
      `Victim openai:tiny: ${server.origin}/v1/chat/completions answered with status 429: "no"`,
    );
  });

  it('gives up at once when it is asked to wait for a day', async () => {
    server.behave = () => busy({ 'retry-after': '86400' });
    const error = await failureOf((await victimOf({ maxWaitMs: 1000 })).answer(['a']));
    expect(server.requests).toHaveLength(1);
    expect(error.message).toContain('it asks to wait 86400 s, longer than the longest wait of 1 s');
  });

  it('gives up at once when the quota is used up', async () => {
    server.behave = () => ({
      kind: 'status',
      status: 429,
      body: { error: { message: 'spent', code: 'insufficient_quota' } },
    });
    await failureOf((await victimOf()).answer(['a']));
    expect(server.requests).toHaveLength(1);
  });

  it('lets all requests wait when one was told to', async () => {
    first(busy({ 'retry-after': '0.3' }));
    const victim = await victimOf({ concurrency: 2 });
    await victim.answer(['a', 'b', 'c', 'd']);
    const late = server.requests.filter(({ at }) => at - (server.requests[0]?.at ?? 0) >= 290);
    expect(late.length).toBeGreaterThanOrEqual(3);
  });

  it('stops within a second when it is aborted, in a wait and in a request', async () => {
    for (const behaviour of [
      busy({ 'retry-after': '30' }),
      { kind: 'hang' } as const,
      { kind: 'hang', headers: true } as const,
    ]) {
      server.behave = (request) => (request.input === 'fine' ? { kind: 'answer' } : behaviour);
      const victim = await victimOf({ timeoutMs: 30_000, concurrency: 3 });
      const abort = new AbortController();
      const kept: Answer[] = [];
      const work = victim.answer(['fine', 'b', 'c'], {
        signal: abort.signal,
        onAnswer: (_index, answer) => kept.push(answer),
      });
      setTimeout(() => abort.abort(new Error('enough')), 500);
      // Whoever waits for the server or for its limit of time ends with another error, or never.
      await expect(work).rejects.toThrow('enough');
      expect(kept).toHaveLength(1);
    }
  });
});

describe('an endpoint that goes wrong for a moment', () => {
  it.each<[string, Behaviour]>([
    ['status 500', { kind: 'status', status: 500 }],
    ['status 503 in HTML', { kind: 'status', status: 503, body: '<html>busy</html>' }],
    ['status 408', { kind: 'status', status: 408 }],
    ['429 without Retry-After', { kind: 'status', status: 429 }],
    ['429 with an unreadable Retry-After', { kind: 'status', status: 429, headers: { 'retry-after': 'soon' } }],
    ['a cut connection', { kind: 'cut' }],
    ['a connection cut within the answer', { kind: 'cut-body' }],
    ['truncated JSON', { kind: 'truncated' }],
    ['200 with a passing error', { kind: 'body', body: { error: { code: 502, message: 'bad gateway' } } }],
    ['empty choices', { kind: 'body', body: { choices: [] } }],
    ['another shape', { kind: 'body', body: { ok: true } }],
    ['silence', { kind: 'hang' }],
    ['silence within the answer', { kind: 'hang', headers: true }],
  ])('is asked again: %s', async (_name, behaviour) => {
    first(behaviour, behaviour);
    const victim = await victimOf({ timeoutMs: behaviour.kind === 'hang' ? 600 : 5000 });
    expect(await victim.answer(['a'])).toMatchObject([{ output: 'label' }]);
    expect(server.requests).toHaveLength(3);
  });
});

describe('an endpoint that goes wrong for good', () => {
  it.each<[string, Behaviour, number, string]>([
    ['status 500', { kind: 'status', status: 500 }, 4, 'answered with status 500: "no"; given up after 4 requests'],
    ['status 400', { kind: 'status', status: 400 }, 1, 'answered with status 400: "no"'],
    ['status 401', { kind: 'status', status: 401, body: { error: 'who?' } }, 1, 'answered with status 401: "who?"'],
    ['status 404', { kind: 'status', status: 404 }, 1, 'is the base URL right'],
    ['a cut connection', { kind: 'cut' }, 4, `can't be reached: `],
    ['truncated JSON', { kind: 'truncated' }, 4, 'answered with what is no JSON: "{\\"id\\"'],
    [
      'a page',
      { kind: 'body', body: '<html>welcome</html>' },
      1,
      'answered with what is no JSON: "<html>welcome</html>"',
    ],
    ['silence', { kind: 'hang' }, 4, 'gave no complete answer within 0.1 s'],
    ['empty choices', { kind: 'body', body: { choices: [] } }, 4, 'answered with an empty list of choices'],
    ['no choices', { kind: 'body', body: { id: 1 } }, 4, 'answered without choices ("{\\"id\\":1}")'],
    ['choices of another shape', { kind: 'body', body: { choices: {} } }, 4, 'answered without choices'],
    ['a choice without a message', { kind: 'body', body: { choices: [{}] } }, 4, 'holds no text ("{}")'],
    ['content that is no text', { kind: 'body', body: { choices: [{ message: { content: 5 } }] } }, 4, 'holds no text'],
    ['an array', { kind: 'body', body: [] }, 4, 'answered without choices ("[]")'],
    ['null', { kind: 'body', body: null }, 4, 'answered without choices ("null")'],
    ['B66: 200 with an error', { kind: 'body', body: { error: 'x' } }, 1, 'answered with an error: "x"'],
  ])('is a clear error with the address: %s', async (_name, behaviour, requests, message) => {
    server.behave = () => behaviour;
    const error = await failureOf(
      (await victimOf({ timeoutMs: behaviour.kind === 'hang' ? 100 : 5000 })).answer(['a']),
    );
    expect(error.code).toBe(ERROR_CODES.ENDPOINT);
    expect(error).not.toBeInstanceOf(UsageError);
    expect(error.message).toContain(`${server.origin}/v1/chat/completions `);
    expect(error.message).toContain(message);
    expect(server.requests).toHaveLength(requests);
  });

  it.each<[string, Behaviour, boolean]>([
    ['a refused input', { kind: 'status', status: 400 }, false],
    ['an input that is too long', { kind: 'status', status: 413 }, false],
    ['empty choices', { kind: 'body', body: { choices: [] } }, false],
    ['a refused key', { kind: 'status', status: 401 }, true],
    ['an unknown model', { kind: 'status', status: 404 }, true],
    ['a limit that doesn’t end', { kind: 'status', status: 429 }, true],
    ['a broken server', { kind: 'status', status: 500 }, false],
    ['a cut connection', { kind: 'cut' }, true],
    ['no completion', { kind: 'body', body: { error: 'x' } }, false],
  ])('says whether the next input may fare better: %s', async (_name, behaviour, isEnd) => {
    server.behave = () => behaviour;
    expect(endsRun(await failureOf((await victimOf({ retries: 1 })).answer(['a'])))).toBe(isEnd);
  });

  it('F37: an input that fails for good is an error of its own; the others are answered', async () => {
    server.behave = ({ input }) => (input === 'b' ? { kind: 'status', status: 500 } : { kind: 'answer' });
    const victim = await victimOf({ retries: 1, concurrency: 1 });
    const failures: [number, string][] = [];
    const onFailure = (index: number, error: TeapotError): void => void failures.push([index, error.message]);
    const answers = await victim.answer(['a', 'b', 'c', 'b', 'd', 'b', 'e'], { onFailure });
    expect(answers.map((answer) => answer?.output)).toEqual([
      'label',
      undefined,
      'label',
      undefined,
      'label',
      undefined,
      'label',
    ]);
    expect(failures.map(([index]) => index)).toEqual([1, 3, 5]);
    expect(failures[0]?.[1]).toContain('answered with status 500');
    expect(victim.requests).toEqual({ requests: 10, retries: 3, rateLimited: 0 });
  });

  it('F37: an endpoint at which three inputs in a row fail ends the run', async () => {
    server.behave = (_request, index) => (index === 0 ? { kind: 'answer' } : { kind: 'status', status: 500 });
    const victim = await victimOf({ retries: 0, concurrency: 1 });
    const failed: number[] = [];
    const error = await failureOf(
      victim.answer(['a', 'b', 'c', 'd', 'e'], { onFailure: (index) => failed.push(index) }),
    );
    expect(failed).toEqual([1, 2]);
    expect(endsRun(error)).toBe(true);
    expect(error.message).toContain('; 3 inputs in a row failed');
    expect(server.requests).toHaveLength(4);
  });

  it('F45: says what is no answer, and counts retries and rate limits', async () => {
    const choice = (fields: object, finish: string): Behaviour => ({
      kind: 'body',
      body: { choices: [{ finish_reason: finish, message: fields }] },
    });
    first(
      { kind: 'status', status: 429 },
      choice({ content: 'a cut ans' }, 'length'),
      choice({ content: null }, 'content_filter'),
      choice({ content: null, tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] }, 'tool_calls'),
      { kind: 'status', status: 400, body: { error: { code: 'content_filter', message: 'filtered' } } },
      choice({ content: 'half \ud83d' }, 'stop'),
      choice({ content: 'whole' }, 'stop'),
    );
    const victim = await victimOf({ concurrency: 1 });
    expect(await victim.answer(['1', '2', '3', '4', '5', '6'])).toEqual([
      { output: 'a cut ans', state: 'length' },
      { output: '', state: 'filtered' },
      { output: '', state: 'tool_call' },
      { output: '', state: 'filtered' },
      { output: '', state: 'unreadable' },
      { output: 'whole' },
    ]);
    expect(victim.requests).toEqual({ requests: 7, retries: 1, rateLimited: 1 });
  });

  it('F74: an answer larger than its limit is broken off', async () => {
    server.behave = ({ input }) =>
      input === 'big' ? { kind: 'answer', text: 'x'.repeat(17 * 1024 * 1024) } : { kind: 'answer' };
    const victim = await victimOf({ concurrency: 1, timeoutMs: 60_000 });
    const error = await failureOf(victim.answer(['big']));
    expect(error.message).toContain('answered with more than 16 MiB, and was broken off');
    expect(endsRun(error)).toBe(false);
    expect(await victim.answer(['small'])).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  it('tells long waits, and short ones not', async () => {
    const notes: string[] = [];
    const limits = { firstWaitMs: 1, retries: 2 };
    const victim = await createVictim('openai:tiny', {
      baseUrl: server.origin,
      env: {},
      limits,
      onNote: (note) => notes.push(note),
    });
    first({ kind: 'status', status: 500 }, { kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    const signal = AbortSignal.timeout(200);
    await expect(victim.answer(['a'], { signal })).rejects.toThrow(/timeout/u);
    expect(notes).toEqual([
      `Victim openai:tiny: ${server.origin}/v1/chat/completions answered with status 429: "no"; the next request comes in 30 s.`,
    ]);
  });

  it('begins nothing new, but keeps what was under way', async () => {
    server.behave = (request) =>
      request.input === 'bad' ? { kind: 'status', status: 400 } : { kind: 'answer', delayMs: 100 };
    const kept: number[] = [];
    const inputs = ['slow', 'bad', ...Array.from({ length: 50 }, (_, index) => `later ${index}`)];
    await failureOf((await victimOf({ concurrency: 2 })).answer(inputs, { onAnswer: (index) => kept.push(index) }));
    expect(kept).toEqual([0]);
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  it('is named when nobody listens there', async () => {
    const { origin } = server;
    await server.stop();
    const victim = await createVictim('openai:tiny', {
      baseUrl: origin,
      limits: { retries: 1, firstWaitMs: 1 },
      env: {},
    });
    const error = await failureOf(victim.answer(['a']));
    expect(error.message).toContain(`${origin}/v1/chat/completions can't be reached: connect ECONNREFUSED`);
    server = await ChaosServer.start();
  });
});

describe('B66: one path for every spelling of the base URL', () => {
  it.each([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['//', '/v1/chat/completions'],
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/v1//', '/v1/chat/completions'],
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/api/openai/v1', '/api/openai/v1/chat/completions'],
    ['/api//openai/v1/', '/api/openai/v1/chat/completions'],
    ['/api', '/api/chat/completions'],
    ['/chat/completions', '/chat/completions'],
  ])('%s', async (spelling, path) => {
    const victim = await createVictim('openai:tiny', { baseUrl: `${server.origin}${spelling}`, env: {} });
    await victim.answer(['a']);
    expect(server.requests.map((request) => request.path)).toEqual([path]);
  });

  it.each([
    ['127.0.0.1:80', 'expected an address as http://127.0.0.1:8080/v1'],
    ['ftp://h', 'expected an address'],
    ['http://', 'expected an address'],
    ['http://h/v1?key=hunter2hunter2', 'has a query'],
    ['https://me:hunter2hunter2@h/v1', 'holds a name or password'],
    ['me:hunter2hunter2@h/v1', 'expected an address'],
  ])('refuses %s, without showing a password', async (baseUrl, message) => {
    const error = await failureOf(createVictim('openai:tiny', { baseUrl, env: {} }));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('hunter2');
  });

  it('takes the base URL of the environment, unless another is given', async () => {
    const env = { OPENAI_BASE_URL: server.origin };
    await (await createVictim('openai:tiny', { env })).answer(['a']);
    expect(server.requests).toHaveLength(1);
    await expect(createVictim('openai:tiny', { env: { OPENAI_BASE_URL: 'h' } })).rejects.toThrow('OPENAI_BASE_URL');
  });
});

describe('settings out of range', () => {
  it.each<[EndpointLimits, SamplingOptions, string]>([
    [{ retries: -1 }, {}, 'retries is number -1, expected a whole number from 0'],
    [{ retries: 1.5 }, {}, 'retries'],
    [{ concurrency: 0 }, {}, 'concurrency is number 0, expected a whole number from 1'],
    [{ timeoutMs: 2 ** 31 }, {}, 'timeoutMs'],
    [{ requestsPerMinute: 0 }, {}, 'requestsPerMinute is number 0, expected a number above 0'],
    [{}, { temperature: Number.NaN }, 'temperature'],
    [{}, { maxTokens: 0 }, 'maxTokens'],
    [{}, { seed: 0.5 }, 'seed'],
    [{}, { api: 'completions', system: 'x' }, 'has no system message'],
  ])('%j %j', async (limits, sampling, message) => {
    await expect(victimOf(limits, sampling)).rejects.toThrow(message);
  });
});
