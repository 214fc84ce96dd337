import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';
import type { CliResult } from '../helpers/cli.js';

const folder = temporaryFolder();
folder.write({ 'two.txt': 'A lovely film.\n' });
const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> =>
  runCli(args, { cwd: folder.path, env: { TEAPOT_MODELS: join(folder.path, 'models'), ...env } });

test('lists models with size, licence, use and whether they are there', async () => {
  const list = JSON.parse((await run(['models', '--format', 'json'])).stdout) as { name: string; set_up: boolean }[];
  expect(list.map(({ name, set_up: isSetUp }) => [name, isSetUp])).toEqual([
    ['minilm', false],
    ['tiny-mlm', false],
    ['smollm', false],
  ]);
  folder.write({ 'models/minilm/ready.json': '{"wheels": "", "files": {}}' });
  const { stdout } = await run(['models']);
  expect(stdout).toMatch(/^minilm: .*\n {4}set up, 115 MB, Apache-2\.0 and MIT\n {4}--encoder minilm\n/mu);
  expect(stdout).toMatch(/^smollm: .*\n {4}not set up, /mu);
});

test('a model that is not set up is named with the command that does it', async () => {
  const attack = await run(['attack', '--src', 'two.txt', '--attack', 'bae', '--masked-lm', 'tiny-mlm']);
  expect(attack).toMatchObject({ code: 2, stdout: '' });
  expect(attack.stderr).toContain('--masked-lm tiny-mlm: is not set up: run "teapot models --setup tiny-mlm"');
  const served = await run(['models', '--serve', 'smollm']);
  expect(served).toMatchObject({ code: 2, stdout: '' });
  expect(served.stderr).toContain('run "teapot models --setup smollm" first');
});

test('a set-up that fails leaves nothing, and says what is missing', async () => {
  const { code, stderr } = await run(['models', '--setup', 'tiny-mlm'], { PYTHON: join(folder.path, 'no-python') });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^teapot: error: python \(.*no-python\) can't be started: there is no such program\. Python 3/mu,
  );
  const list = JSON.parse((await run(['models', '--format', 'json'])).stdout) as { set_up: boolean }[];
  expect(list[1]).toMatchObject({ set_up: false });
});

test('every wheel is pinned with its hashes', () => {
  const pins = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../models/wheels.json'), 'utf8')) as object;
  for (const pin of Object.values(pins)) {
    expect(pin).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/u),
      licence: expect.stringMatching(/^(?:Apache-2\.0|MIT)$/u),
    });
    const { hashes } = pin as { readonly hashes: readonly string[] };
    expect(hashes.length).toBeGreaterThan(0);
    for (const hash of hashes) expect(hash).toMatch(/^sha256:[\da-f]{64}$/u);
  }
});
