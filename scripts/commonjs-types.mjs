// Declarations for CommonJS TypeScript (`"module": "node16"` without `"type": "module"`), which refuses those of an ES module. The
// code itself is loaded with require() as it is: Node does that from 20.19 on. They are the same files again, in a folder that is
// marked as CommonJS.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = new URL('../dist/', import.meta.url);
const target = new URL('cjs/', dist);
rmSync(target, { recursive: true, force: true });
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.d.ts')) continue;
  const path = `${entry.parentPath}/${entry.name}`
    .slice(fileURLToPath(dist).length)
    .replaceAll('\\', '/')
    .replace(/^\//u, '');
  if (path.startsWith('cli/') || path.startsWith('cjs/')) continue;
  const copy = new URL(path, target);
  mkdirSync(dirname(fileURLToPath(copy)), { recursive: true });
  cpSync(new URL(path, dist), copy);
  // The one declaration outside of dist: a folder further up.
  const text = readFileSync(copy, 'utf8');
  if (text.includes('../crates/')) writeFileSync(copy, text.replaceAll("'../crates/", "'../../crates/"));
}
writeFileSync(new URL('package.json', target), '{ "type": "commonjs" }\n');
