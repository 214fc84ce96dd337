// Packs what users install on this platform: the main package and the package with the addon, as `napi` makes them for a release.
//
//   node scripts/pack.mjs FOLDER
//
// Writes two tarballs into FOLDER and prints their paths. The build must be there (`npm run build`).
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const [folder = '.'] = process.argv.slice(2);
const out = resolve(folder);
const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const napi = (args) =>
  execFileSync(join(root, 'node_modules/.bin/napi'), [...args, '--cwd', stage], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

mkdirSync(out, { recursive: true });
const stage = mkdtempSync(join(tmpdir(), 'teapot-pack-'));
try {
  // The files of the package, in a folder of their own: napi writes into package.json.
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root));
  for (const { path } of files) {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    copyFileSync(join(root, path), join(stage, path));
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const platform = addonPlatform();
  const addon = `${manifest.napi.binaryName}.${platform}.node`;
  // A release has all targets; here there is the one that was built.
  manifest.napi.targets = manifest.napi.targets.filter((target) => nodePlatform(target) === platform);
  // What only a checkout needs.
  delete manifest.scripts;
  delete manifest.devDependencies;
  delete manifest.allowScripts;
  delete manifest.overrides;
  if (manifest.napi.targets.length === 0) throw new Error(`package.json names no target for ${platform}`);
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  napi(['create-npm-dirs']);
  mkdirSync(join(stage, 'artifacts'));
  copyFileSync(join(root, 'crates/teapot-napi', addon), join(stage, 'artifacts', addon));
  napi(['artifacts']);
  rmSync(join(stage, addon), { force: true });
  cpSync(join(root, 'LICENSE'), join(stage, 'npm', platform, 'LICENSE'));
  napi(['pre-publish', '--tag-style', 'npm', '--skip-optional-publish', '--no-gh-release']);
  for (const directory of [join(stage, 'npm', platform), stage]) {
    const [{ filename }] = JSON.parse(
      npm(['pack', '--json', '--ignore-scripts', '--pack-destination', out], directory),
    );
    console.log(join(out, filename.replace('@', '').replace('/', '-')));
  }
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** This platform's name in the file of the addon: `linux-x64-gnu`. */
function addonPlatform() {
  const { platform, arch } = process;
  if (platform === 'linux') {
    const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
    return `linux-${arch}-${isGlibc ? 'gnu' : 'musl'}`;
  }
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/** The same name for a Rust target: `linux-x64-gnu` for `x86_64-unknown-linux-gnu`. */
function nodePlatform(target) {
  const [cpu, , system, library] = target.split('-');
  const arch = { x86_64: 'x64', aarch64: 'arm64' }[cpu];
  if (system === 'darwin') return `darwin-${arch}`;
  return system === 'windows' ? `win32-${arch}-${library}` : `linux-${arch}-${library}`;
}
