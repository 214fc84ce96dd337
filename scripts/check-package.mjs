// Checks the list of files that `npm pack` would publish: what users need is there, what they don't is not.
import { readFileSync } from 'node:fs';

const [pack] = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const paths = pack.files.map(({ path }) => path);
const needed = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/cli/main.js',
  'dist/vendor/charts.js',
  'dist/vendor/page.css',
  'dist/vendor/page.js',
  'dist/vendor/LICENSES.txt',
  'dist/THIRD-PARTY-LICENSES.txt',
  'crates/teapot-napi/binding.cjs',
  'crates/teapot-napi/binding.d.cts',
  'examples/translation/src.fr',
  'dist/cjs/index.d.ts',
];
const unwanted = /(^|\/)(target|node_modules|\.ci|__test__)\/|\.node$|\.rs$|(^|\/)fuzz\/(corpus|artifacts)\//;
const missing = needed.filter((path) => !paths.includes(path));
const extra = paths.filter((path) => unwanted.test(path));
for (const path of missing) console.error(`missing from the package: ${path}`);
for (const path of extra) console.error(`should not be in the package: ${path}`);
if (missing.length + extra.length > 0) process.exitCode = 1;
else console.log(`${paths.length} files, ${pack.unpackedSize} bytes unpacked`);
