// Installs the tarballs of `scripts/pack.mjs` in an empty folder, without a Rust toolchain on the PATH, and uses them as a user does:
// the README's example, a call of the library as an ES module, as CommonJS, and both in TypeScript.
//
//   node scripts/try-package.mjs FOLDER
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The most that an installation may take, in bytes. */
const MOST_BYTES = 25e6;

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = resolve(process.argv[2] ?? '.');
const tarballs = readdirSync(folder)
  .filter((name) => name.endsWith('.tgz'))
  .map((name) => join(folder, name));
if (tarballs.length !== 2) throw new Error(`${folder}: expected two tarballs, found ${tarballs.length}`);

const home = mkdtempSync(join(tmpdir(), 'teapot-user-'));
const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
const run = (command, ...args) =>
  execFileSync(command, args, {
    cwd: home,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
try {
  if (run('sh', '-c', 'command -v cargo || true') !== '') throw new Error('cargo is on the PATH of the try');
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n');
  const started = performance.now();
  run('npm', 'install', '--no-audit', '--no-fund', '--no-save', ...tarballs);
  const installed = performance.now();
  const size = Number(run('du', '-sb', 'node_modules').split('\t')[0]);
  const data = 'node_modules/teapot-nlp/examples/translation';
  const number = run(
    'npx',
    'teapot',
    '--src',
    `${data}/src.fr`,
    '--adv-src',
    `${data}/adv.charswap.fr`,
    '--out',
    `${data}/base.en`,
    '--adv-out',
    `${data}/adv.charswap.en`,
    '--ref',
    `${data}/ref.en`,
    '--terse',
  ).trim();
  const scored = performance.now();

  writeFileSync(join(home, 'module.mjs'), "import { chrf } from 'teapot-nlp';\nconsole.log(chrf('a cat', 'a cat'));\n");
  writeFileSync(
    join(home, 'metric.mjs'),
    "import { chrf } from 'teapot-nlp/metrics';\nconsole.log(chrf('a cat', 'a cat'));\n",
  );
  writeFileSync(
    join(home, 'common.cjs'),
    "const { chrf } = require('teapot-nlp');\nconsole.log(chrf('a cat', 'a cat'));\n",
  );
  for (const file of ['module.mjs', 'metric.mjs', 'common.cjs']) {
    const printed = run('node', '--no-warnings', file).trim();
    if (printed !== '1') throw new Error(`${file} printed ${printed}, expected 1`);
  }
  const typed = `${readFileSync(join(home, 'module.mjs'), 'utf8')}export const score: number = chrf('a', 'b');\n`;
  for (const [name, type] of [
    ['typed.mts', 'module'],
    ['typed.cts', 'commonjs'],
  ]) {
    writeFileSync(join(home, name), typed);
    writeFileSync(
      join(home, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'node16',
          moduleResolution: 'node16',
          target: 'es2022',
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          types: ['node'],
          typeRoots: [join(root, 'node_modules/@types')],
        },
        files: [name],
      }),
    );
    try {
      execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', home], {
        cwd: home,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    } catch (error) {
      throw new Error(`TypeScript as ${type}:\n${error.stdout}`, { cause: error });
    }
  }
  const seconds = (ms) => (ms / 1000).toFixed(1);
  console.log(
    `installed ${(size / 1e6).toFixed(1)} MB in ${seconds(installed - started)} s, first numbers (${number.replaceAll('\n', ' ')}) after ${seconds(scored - started)} s`,
  );
  if (size > MOST_BYTES) throw new Error(`the installation takes ${size} bytes, more than ${MOST_BYTES}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
