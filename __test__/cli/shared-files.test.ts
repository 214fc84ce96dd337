import { linkSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const record = JSON.stringify({
  schema: 'teapot.record/1',
  id: '1',
  unit: 'input',
  attack: 'a',
  src: 'tea',
  adv_src: 'tae',
});
folder.write({
  a: 'tea\n',
  b: 'tae\n',
  'r.jsonl': `${record}\n`,
  'd.csv': 'src,adv_src\ntea,tae\n',
  'w.txt': 'good tea\n',
});
linkSync(join(folder.path, 'a'), join(folder.path, 'hard'));
symlinkSync('a', join(folder.path, 'soft'));
const contents = (): unknown =>
  readdirSync(folder.path)
    .toSorted()
    .map((name) => [name, readFileSync(join(folder.path, name), 'utf8')]);

describe('F20: outputs that are inputs or each other are refused before work, and nothing is touched', () => {
  it.each([
    ['--src a --adv-src b -o x.json --per-line x.json', '--per-line x.json', '--output x.json'],
    ['--src a --adv-src b --per-line ./a', '--per-line ./a', '--src a'],
    ['--src a --adv-src b --per-line hard --format json', '--per-line hard', '--src a'],
    ['--src b --adv-src soft -o a --format json', '--output a', '--adv-src soft'],
    ['--data d.csv --per-line d.csv', '--per-line d.csv', '--data d.csv'],
    ['score r.jsonl --per-line r.jsonl', '--per-line r.jsonl', 'records r.jsonl'],
    ['perturb a -o x --per-line x', '--per-line x', '--output x'],
    ['perturb a -o ./soft', '--output ./soft', 'input a'],
    ['perturb b --attack charswap --vocabulary w.txt -o w.txt', '--output w.txt', '--vocabulary w.txt'],
    ['audit r.jsonl --per-line r.jsonl', '--per-line r.jsonl', 'records r.jsonl'],
    ['audit r.jsonl --per-line x.json -o ./x.json', '--per-line x.json', '--output ./x.json'],
    ['import table d.csv -o d.csv', '--output d.csv', 'files d.csv'],
    ['import table d.csv -o x --warnings x', '--warnings x', '--output x'],
    ['export parallel r.jsonl --src q --adv-src ./q', '--adv-src ./q', '--src q'],
    ['export table r.jsonl -o r.jsonl', '--output r.jsonl', 'records r.jsonl'],
    ['edits r.jsonl --per-line r.jsonl', '--per-line r.jsonl', 'records r.jsonl'],
    ['pdr r.jsonl -o r.jsonl --format json', '--output r.jsonl', 'records r.jsonl'],
    ['compare r.jsonl r.jsonl --per-line r.jsonl', '--per-line r.jsonl', 'a r.jsonl'],
    ['explain r.jsonl --line 1 -o r.jsonl --format json', '--output r.jsonl', 'records r.jsonl'],
    ['importance --src a -o hard', '--output hard', '--src a'],
  ])('teapot %s', async (line, first, second) => {
    const before = contents();
    const { code, stderr } = await runCli(line.split(' '), { cwd: folder.path });
    expect(stderr).toMatch(
      /is the same file as .*: what is written needs a file of its own\. \[ERR_TEAPOT_INVALID_OPTION\]\n$/u,
    );
    expect(stderr).toContain(first);
    expect(stderr).toContain(second);
    expect(code).toBe(2);
    expect(contents()).toEqual(before);
  });

  it('standard output that is redirected to an input', () => {
    const { status, stderr } = spawnSync('bash', ['-c', `node ${MAIN} perturb b --attack charswap >> b`], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect([status, stderr]).toMatchObject([2, expect.stringContaining('standard output is the same file as input b')]);
    expect(readFileSync(join(folder.path, 'b'), 'utf8')).toBe('tae\n');
  });

  it('devices and pipes are no files: several outputs may be /dev/null', async () => {
    const { code } = await runCli(['perturb', 'a', '-o', '/dev/null', '--edits', '/dev/null'], { cwd: folder.path });
    expect(code).toBe(0);
  });
});

it('F20: every option that names a file to be written says so', async () => {
  const { COMMANDS, SCORE } = await import('../../src/cli/commands.js');
  const unsaid = [SCORE, ...COMMANDS].flatMap(({ command }) =>
    Object.entries(command.options)
      .filter(([, option]) => option.type === 'file' && /^(?:Write|Where .* go)/u.test(option.help))
      .filter(([, option]) => !('writes' in option))
      .map(([name]) => `${command.usage}: ${name}`),
  );
  expect(unsaid).toEqual([]);
});
