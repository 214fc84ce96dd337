// Puts the modules of the command line together into few files: `teapot` starts in half the time when Node has not to find,
// read and compile a hundred and thirty of them. A command, and what only some runs need, stays a file of its own that is
// loaded when it is used. yargs and the small packages below are bundled in; the others stay where npm puts them.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const { dependencies, peerDependencies = {} } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const bundled = new Set(['yargs', 'picocolors', 'p-limit', 'simple-statistics', 'string-width']);

/**
 * string-width builds tables of emoji when it is loaded, a fifth of the whole start, and only pages of help ask for widths:
 * so it is evaluated by its first call.
 */
function loadStringWidthLate(bundler) {
  bundler.onResolve({ filter: /^string-width$/ }, async ({ importer, kind, pluginData, resolveDir }) => {
    if (pluginData === 'direct' || kind !== 'import-statement') return undefined;
    return { path: importer, namespace: 'late-string-width', pluginData: resolveDir };
  });
  bundler.onLoad({ filter: /.*/, namespace: 'late-string-width' }, async ({ pluginData: resolveDir }) => {
    const { path } = await bundler.resolve('string-width', { resolveDir, kind: 'require-call', pluginData: 'direct' });
    return { contents: `export default (...given) => require(${JSON.stringify(path)}).default(...given);`, resolveDir };
  });
}

/**
 * Modules that exist once, for the command line and the library: the classes of errors (a module of the user that throws one has
 * it from the library), and the client of endpoints with the package that is bundled into it. `#shared` is declared in
 * package.json.
 */
const shared = ['errors', 'victim/victim-error', 'victim/openai-client'];

function shareModules(bundler) {
  bundler.onResolve({ filter: /\/(?:errors|victim-error|openai-client)\.js$/ }, ({ path, importer }) => {
    const name = shared.find((module) => `/${module}.js`.endsWith(path.slice(path.lastIndexOf('/'))));
    return importer === '' ? undefined : { path: `#shared/${name}.js`, external: true };
  });
}

// The package `openai` into the module that exports its client: 20 MB of declarations stay out of the installation.
const client = await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: ['dist/victim/openai-client.js'],
  outfile: 'dist/victim/openai-client.js',
  allowOverwrite: true,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'inline',
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(
  new URL('dist/victim/openai-client.d.ts', root),
  '/** The client of the package `openai`, of which nothing but its own methods is used. */\nexport declare const OpenAI: unknown;\n',
);

/** The library's own modules stay files of their own. */
function keepOwnModules(bundler) {
  bundler.onResolve({ filter: /^\.\.?\// }, ({ path, importer, kind }) =>
    kind === 'entry-point' || importer.includes('node_modules') ? undefined : { path, external: true },
  );
}

// Small parts of large packages, put into the modules of the library that use them: an installation is 3 MB smaller.
const inlined = /from '(?:simple-statistics|csv-parse)'/u;
const users = readdirSync(new URL('dist/', root), { recursive: true })
  .map((path) => `dist/${path}`)
  .filter(
    (path) =>
      path.endsWith('.js') && !path.startsWith('dist/cli') && inlined.test(readFileSync(new URL(path, root), 'utf8')),
  );
const modules = await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: users,
  outdir: 'dist',
  outbase: 'dist',
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'inline',
  metafile: true,
  logLevel: 'warning',
  plugins: [{ name: 'own-modules', setup: keepOwnModules }],
});

// What tsc wrote of the command line is not needed: nothing else may import it.
rmSync(new URL('dist/cli', root), { recursive: true });
const commands = await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: [{ in: 'src/cli/main.ts', out: 'cli/main' }],
  outdir: 'dist',
  // In dist itself, as deep as the modules that tsc writes: native.ts and version.ts find their files from there.
  chunkNames: 'cli-[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)].flatMap((name) =>
    bundled.has(name) ? [] : [name, `${name}/*`],
  ),
  // The CommonJS packages among the bundled ones ask for Node's own modules.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
  legalComments: 'inline',
  metafile: true,
  logLevel: 'warning',
  plugins: [
    { name: 'late-string-width', setup: loadStringWidthLate },
    { name: 'shared-modules', setup: shareModules },
  ],
});

/** The packages whose code is in the bundle: folder and name of each; there may be two versions of one. */
function bundledPackages() {
  const folders = new Map();
  for (const input of [client, modules, commands].flatMap(({ metafile }) => Object.keys(metafile.inputs))) {
    const path = resolve(fileURLToPath(root), input.replace(/^[\w-]+:/, ''));
    const [folder, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    if (folder !== undefined) folders.set(folder, name);
  }
  return [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

// Their licences ask for the text to go along with the code.
const licences = bundledPackages().map(([folder, name]) => {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  if (files.length === 0) throw new Error(`${name} is bundled, but has no file with its licence`);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
});
const head =
  'The files of the command line and the client of endpoints hold code of the packages below, under these licences.\n';
writeFileSync(new URL('dist/THIRD-PARTY-LICENSES.txt', root), [head, ...licences].join(`\n${'-'.repeat(80)}\n\n`));

// The man page says what the option tables say.
const page = execFileSync(process.execPath, [
  fileURLToPath(new URL('dist/cli/main.js', root)),
  'help',
  '--format',
  'man',
]);
writeFileSync(new URL('dist/teapot.1', root), page);
