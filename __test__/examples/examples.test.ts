import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitCommand } from '../../src/score/command-words.js';

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'dist/cli/main.js');
const FOLDERS = ['translation', 'classification', 'custom-scorers', 'matrix'];

/** The commands of a README's bash blocks, each on one line. */
function commandsOf(readme: string): readonly string[] {
  return [...readme.matchAll(/^```bash\n(.*?)\n```$/gms)].map(([, block = '']) => block.replaceAll(/\s*\\\n\s*/g, ' '));
}

/** Runs a command of a README as a reader would, and gives what it prints. */
function run(command: string): string {
  const [npx, teapot, ...args] = splitCommand(command, 'README');
  expect([npx, teapot]).toEqual(['npx', 'teapot']);
  return execFileSync(process.execPath, [MAIN, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

if (!existsSync(MAIN)) throw new Error('the command line is not built: npm run build:ts');

describe.each(FOLDERS)('examples/%s', (folder) => {
  const path = (name: string): string => join(ROOT, 'examples', folder, name);

  it('prints what expected.txt says, command by command', () => {
    const commands = commandsOf(readFileSync(path('README.md'), 'utf8'));
    expect(commands.length).toBeGreaterThan(1);
    const transcript = commands.map((command) => `$ ${command}\n${run(command)}`).join('\n');
    // To write the file anew: TEAPOT_UPDATE_EXAMPLES=1 npx vitest run __test__/examples
    if (process.env['TEAPOT_UPDATE_EXAMPLES'] === '1') writeFileSync(path('expected.txt'), transcript);
    expect(transcript).toBe(readFileSync(path('expected.txt'), 'utf8'));
  });
});

describe('the data of the examples', () => {
  const lines = (name: string): readonly string[] =>
    readFileSync(join(ROOT, 'examples', name), 'utf8')
      .split('\n')
      .slice(0, -1);

  it('is aligned, and every attack changes every line', () => {
    const translation = ['src.fr', 'base.en', 'ref.en'].concat(
      ['charswap', 'homoglyph'].flatMap((attack) => [`adv.${attack}.fr`, `adv.${attack}.en`]),
    );
    expect(new Set(translation.map((name) => lines(`translation/${name}`).length))).toEqual(new Set([60]));
    const classification = ['src.txt', 'adv-src.txt', 'ref.txt', 'out.txt', 'adv-out.txt'];
    expect(new Set(classification.map((name) => lines(`classification/${name}`).length))).toEqual(new Set([40]));
    const src = lines('translation/src.fr');
    for (const attack of ['charswap', 'homoglyph']) {
      const same = lines(`translation/adv.${attack}.fr`).filter((line, index) => line === src[index]);
      expect(same).toEqual([]);
    }
  });
});

it('the dry run of examples/prompt-attack costs what the README says', () => {
  const command = 'npx teapot attack --config examples/prompt-attack/attack.yaml --dry-run';
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(
    `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`text\n${run(command)}\`\`\`\n`,
  );
});
