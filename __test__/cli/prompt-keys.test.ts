import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';
import { ChaosServer } from '../victim/chaos-server.js';
import type { Behaviour } from '../victim/chaos-server.js';

/*
 * The key of an endpoint is in nothing that prompt commands write: no file of the work folder (cache and its log included), no
 * output, no error; also where the endpoint shows the key wherever it can.
 */

// Several processes a test, on a machine that may do other work.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const folder = temporaryFolder();
const cwd = folder.path;
/** With characters that JSON and Python escape. */
const KEY = 'sk-"very\\secret\'0123456789abcdef';
/** What no spelling of the key lacks, cut or escaped; the digest of a cache key can't hold it. */
const PIECES = ['sk-', 'very', 'secret', '0123456789abcdef', Buffer.from(KEY).toString('base64').slice(0, 12)];

let server: ChaosServer;

beforeAll(async () => {
  server = await ChaosServer.start();
  folder.write({
    'reviews.jsonl': '{"text": "fine", "label": "good"}\n{"text": "poor", "label": "bad"}\n',
    'attack.yaml': `
model: openai:tiny
base_url: ${server.origin}
limits: {retries: 1, first_wait_ms: 1}
attack: deepwordbug
query_budget: 4
dataset:
  name: toy
  data: reviews.jsonl
  answer: label
  labels: [good, bad]
prompts: ["What is the mood, 'good' or 'bad'?", "Guess, 'good' or 'bad'."]
`,
  });
});
afterAll(() => server.stop());

/** Every file below the working folder, as one text: hidden ones, the database and its log too. */
function everyFile(): string {
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toContain('answers.sqlite');
  return files.map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'latin1')}`).join('\n');
}

async function expectNoKey(args: readonly string[], expected: { readonly code: number }): Promise<string> {
  const before = server.requests.length;
  const env = { OPENAI_API_KEY: KEY, OPENAI_LOG: 'debug' };
  const { code, stdout, stderr } = await runCli(args, { cwd, env });
  expect({ code, stderr }).toMatchObject(expected);
  for (const { authorization } of server.requests.slice(before)) expect(authorization).toBe(`Bearer ${KEY}`);
  const written = `${stdout}\n${stderr}\n${everyFile()}`;
  for (const piece of PIECES) expect(written).not.toContain(piece);
  return `${stdout}\n${stderr}`;
}

const attack = (run: string, ...more: readonly string[]): string[] =>
  ['attack', '--config', 'attack.yaml', '--work-dir', run].concat(more);

test('a run that ends well, though every answer shows the key', async () => {
  server.behave = ({ input }) => ({
    kind: 'answer',
    text: `${input.includes('mood') && input.includes('fine') ? 'good' : 'bad'}, says ${KEY}, that is bearer ${KEY}`,
  });
  await expectNoKey(attack('run'), { code: 0 });
  const predictions = readFileSync(join(cwd, 'run/predictions.jsonl'), 'utf8');
  expect(predictions).toContain('says [key], that is bearer [key]');
  await expectNoKey(attack('run', '--resume', '--format', 'json'), { code: 0 });
  await expectNoKey(attack('carried', '--transfer', 'run/records.jsonl'), { code: 0 });
  await expectNoKey(['importance', 'Guess the mood', '--config', 'attack.yaml', '--format', 'json'], { code: 0 });
  await expectNoKey(attack('none', '--dry-run'), { code: 0 });
});

const unicode = [...KEY].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
test.each<[string, Behaviour]>([
  ['401', { kind: 'status', status: 401, body: { error: { message: `bad key ${KEY}` } }, headers: { 'x-key': KEY } }],
  ['403-text', { kind: 'status', status: 403, body: `Authorization: Bearer ${KEY}` }],
  ['404', { kind: 'status', status: 404, body: { error: { code: KEY, message: `${'long '.repeat(12)}${KEY}` } } }],
  ['429', { kind: 'status', status: 429, body: { error: KEY }, headers: { 'retry-after': KEY } }],
  ['500', { kind: 'status', status: 500, body: { detail: [{ input: KEY }] } }],
  ['no-JSON', { kind: 'body', body: `{"key": "${KEY}` }],
  ['error-in-200', { kind: 'body', body: `{"error": "${unicode}"}` }],
  ['no-choices', { kind: 'body', body: { headers: { authorization: KEY } } }],
  ['cut', { kind: 'cut' }],
])('a run that fails: %s', async (run, behaviour) => {
  server.behave = () => behaviour;
  const said = await expectNoKey(attack(run), { code: 1 });
  expect(said).toContain('ERR_TEAPOT_ENDPOINT');
});

test('inputs that are refused with the key in the refusal', async () => {
  server.behave = () => ({ kind: 'status', status: 400, body: { error: { message: `no, ${KEY}` } } });
  const said = await expectNoKey(attack('refused'), { code: 1 });
  expect(said).toContain('4 answers of the ranking are none');
  expect(said).toContain('the victim answered nothing: 4 failed');
});

test('a key in the address is refused, and not repeated', async () => {
  const address = server.origin.replace('//', `//user:very-secret@`);
  const said = await expectNoKey(attack('address', '--base-url', address), { code: 2 });
  expect(said).toContain('keys are taken from the environment only');
});
