// Writes schema/*.json from the definitions in src/: `npm run build:schema`.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const bundle = new URL('dist/document-schemas.mjs', root);
await build({
  entryPoints: [fileURLToPath(new URL('src/cli/document-schemas.ts', root))],
  outfile: fileURLToPath(bundle),
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
});
const { documentJsonSchemas } = await import(bundle.href);
rmSync(bundle);

const folder = new URL('schema/', root);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) rmSync(new URL(name, folder));
for (const [name, schema] of Object.entries(documentJsonSchemas())) {
  writeFileSync(new URL(name, folder), `${JSON.stringify(schema, undefined, 2)}\n`);
}
