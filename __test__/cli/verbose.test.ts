import { expect, test } from 'vitest';

import { diffLine } from '../../src/cli/diff-line.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
folder.write({
  'reviews.csv':
    'src,ref\nthe food was great and the staff friendly,positive\nan awful \u202Eevening with terrible noise,negative\n',
});

test('--verbose shows each result as it comes, as a difference; the summary stays the same', async () => {
  const args = ['attack', '--data', 'reviews.csv', '--columns', 'src=src,ref=ref'];
  const plain = await runCli(args, { cwd: folder.path });
  const verbose = await runCli([...args, '--verbose'], { cwd: folder.path });
  expect(verbose.stdout).toBe(plain.stdout);
  expect(verbose.stderr).toMatch(/^1 successful · \d+ queries · positive -> negative\n {2}the food was .*\[-.+-\]/mu);
  expect(verbose.stderr).toMatch(/^2 (?:failed|successful) · \d+ queries · negative -> /mu);
  expect(verbose.stderr).toContain('<U+202E>');
  expect(verbose.stderr).not.toContain('\u202E');
});

test('a difference in one line writes out what a terminal would obey, and ends where it is told to', () => {
  const pieces = [
    { kind: 'equal', original: 'the ', edited: 'the ' },
    { kind: 'substitute', original: 't\u0007ea', edited: 't\u001B[31mee' },
    { kind: 'equal', original: ' is hot', edited: ' is hot' },
  ];
  expect(diffLine(pieces, false)).toBe(String.raw`the [-t\x07ea-]{+t\x1b[31mee+} is hot`);
  expect(diffLine(pieces, true)).toBe(
    `the \u001B[31m[-t${String.raw`\x07`}ea-]\u001B[39m\u001B[32m{+t${String.raw`\x1b`}[31mee+}\u001B[39m is hot`,
  );
  expect(diffLine(pieces, false, 4)).toBe('the …');
});
