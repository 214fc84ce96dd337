// Builds what the checkout lacks: npm runs this as `prepare` after `npm ci` and `npm install`. A part that is current is left
// alone, so that a second call costs nothing, and a running `teapot` keeps its files.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const stampFile = new URL('target/prepared.json', root);

/** A part of the build: what it is made from, a file that it leaves, and the script that makes it. */
const parts = [
  {
    name: 'native',
    sources: ['Cargo.toml', 'Cargo.lock', 'crates'],
    skipped: /(?:^|\/)(?:target|fuzz|tests|benches|examples)\/|\.node$|\/binding\.d?\.?cts$|\/binding\.cjs$/u,
    isBuilt: () => readdirSync(new URL('crates/teapot-napi/', root)).some((name) => name.endsWith('.node')),
    script: 'build:native',
    tool: {
      command: 'cargo',
      missing:
        'teapot is built from source here, and cargo was not found: install Rust 1.95 or newer (https://rustup.rs) and run the ' +
        'command again. The published package needs no toolchain: npm install teapot-nlp',
    },
  },
  {
    name: 'typescript',
    sources: [
      'src',
      'scripts/bundle-report.mjs',
      'scripts/bundle-cli.mjs',
      'scripts/clean.mjs',
      'scripts/commonjs-types.mjs',
      'tsconfig.json',
      'package.json',
      'package-lock.json',
    ],
    skipped: /$^/u,
    isBuilt: () => existsSync(new URL('dist/cli/main.js', root)) && existsSync(new URL('dist/index.js', root)),
    script: 'build:ts',
  },
];

/** `npm exec` prepares a linked checkout again, without showing any output: an existing build is then never touched. */
const isExec = process.env['npm_command'] === 'exec';
const stamps = readStamps();
for (const part of parts) {
  const isBuilt = part.isBuilt();
  if (isBuilt && isExec) continue;
  const key = keyOf(part);
  if (isBuilt && stamps[part.name] === key) continue;
  if (part.tool !== undefined && spawnSync(part.tool.command, ['--version'], { stdio: 'ignore' }).error !== undefined) {
    console.error(`teapot: error: ${part.tool.missing}`);
    process.exit(1);
  }
  const { status } = spawnSync('npm', ['run', '--silent', part.script], {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  stamps[part.name] = keyOf(part);
  mkdirSync(new URL('target/', root), { recursive: true });
  writeFileSync(stampFile, `${JSON.stringify(stamps)}\n`);
}

/** A digest of the names and bytes of a part's sources. */
function keyOf({ sources, skipped }) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(filesBelow).toSorted()) {
    if (skipped.test(path)) continue;
    hash
      .update(`${path}\0`)
      .update(readFileSync(new URL(path, root)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  const entries = readdirSync(new URL('./', root), { withFileTypes: true });
  const top = entries.find(({ name }) => name === path.split('/')[0]);
  if (top === undefined) return [];
  if (!top.isDirectory() || path.includes('/')) return [path];
  return readdirSync(new URL(`${path}/`, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(fileURLToPath(root).length)}/${entry.name}`);
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}
