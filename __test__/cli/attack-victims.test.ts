import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';

/*
 * What a user sees of `teapot attack` when the victim goes wrong: exit code 1, what was found and expected, the victim's last words.
 * The rules themselves are tested in __test__/victim.
 */

const folder = temporaryFolder();
const say = (body: string): string => `
  import { createInterface } from 'node:readline';
  const say = (text) => process.stdout.write(text + '\\n');
  for await (const line of createInterface({ input: process.stdin })) { ${body} }`;

folder.write({
  'in.txt': 'a warm film\na dull film\n',
  'dies.mjs': `console.error('no weights found'); process.exit(3);`,
  'garbage.mjs': say(`say('positive');`),
  'few.mjs': say(`say('"a"'); process.exit(0);`),
  // In one write: of two, the second one may come when the next question is already asked.
  'extra.mjs': say(`process.stdout.write('"a"\\n"b"\\n');`),
  'huge.mjs': say(`process.stdout.write('x'.repeat(3000000));`),
  'early.mjs': `process.stdout.write('hello\\n'); setInterval(() => {}, 1000);`,
  'late.mjs': `${say(`say('"a"');`)} say('"more"');`,
  'last.mjs': `${say(`say('"a"');`)} process.exitCode = 5;`,
  'loud.mjs': say(`process.stderr.write('log '.repeat(50000)); say('"a"');`),
  'open.mjs': `setInterval(() => {}, 1000); export const answer = () => 'a';`,
  'stuck.mjs': `setInterval(() => {}, 1000); export const answer = () => new Promise(() => {});`,
  'wrong.mjs': `export const answer = () => ({ label: 'a' });`,
  'throws.mjs': `export const answer = () => { throw new Error('out of memory'); };`,
});

const attack = (model: string) =>
  runCli(['attack', '--src', 'in.txt', '--query-budget', '5', '--model', model], { cwd: folder.path });

describe('a victim that', () => {
  test.each([
    ['dies at its start', 'dies', 'ended too early (exit code 3)', 'no weights found'],
    [
      'answers no JSON',
      'garbage',
      'answered "positive", expected one line of JSON, for example {"output": "label"}',
      'none of the 2 inputs',
    ],
    ['answers too few lines', 'few', 'ended too early (exit code 0)', 'started anew 3 times'],
    ['writes without a line end', 'huge', 'characters without a line end', 'none of the 2 inputs'],
    ['writes before it is asked', 'early', '"hello"', ''],
    ['writes more when it ends', 'late', 'wrote more lines than it was asked for: "\\"more\\""', ''],
    ['fails at its end', 'last', 'failed at its end (exit code 5)', ''],
  ])(
    '%s',
    async (_, name, message, more) => {
      const { code, stderr } = await attack(`command:"${process.execPath}" ${name}.mjs`);
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
      expect(stderr).toContain(more);
      expect(stderr).not.toContain('    at ');
    },
    60_000,
  );

  test('answers more lines than it is asked for is an error of the input at which that shows', async () => {
    const { stderr } = await attack(`command:"${process.execPath}" extra.mjs`);
    expect(stderr).toContain('wrote more lines than it was asked for');
  });

  test.each([
    ['wrong.mjs', 'whose "output" is nothing (undefined)'],
    ['throws.mjs', 'out of memory'],
  ])('is the module %s', async (name, message) => {
    const { code, stderr } = await attack(`module:./${name}`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).toContain('the victim answered none of the 2 inputs');
  });

  test('leaves something open does not hold the process up', async () => {
    const { code, stdout } = await attack('module:./open.mjs');
    expect(code).toBe(0);
    expect(stdout).toContain('Calls of the victim');
  });

  test('never answers is left by Ctrl-C', async () => {
    const args = [MAIN, 'attack', '--src', 'in.txt', '--model', 'module:./stuck.mjs', '--work-dir', 'stuck'];
    const child = spawn(process.execPath, args, { cwd: folder.path, stdio: 'ignore' });
    const ended = new Promise<number | null>((done) => {
      child.on('close', done);
    });
    while (!existsSync(join(folder.path, 'stuck/run.json')) && child.exitCode === null) await wait(20);
    await wait(200);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  }, 30_000);

  test('talks on stderr is no trouble', async () => {
    expect(await attack(`command:"${process.execPath}" loud.mjs`)).toMatchObject({ code: 0 });
  });

  test('is not there is the user’s mistake', async () => {
    for (const model of ['command:no-such-program', 'module:./none.mjs', 'replay:none.jsonl', 'lexicn']) {
      const { code, stdout } = await attack(model);
      expect([model, code, stdout]).toEqual([model, 2, '']);
    }
  }, 60_000);
});
