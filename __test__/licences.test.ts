import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const DIST = resolve(import.meta.dirname, '../dist');

it('F80: the licence of every package in the bundle is shipped', () => {
  const text = readFileSync(resolve(DIST, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  // The bundler writes the path of every module before its code.
  const modules = files.flatMap(
    (name) => readFileSync(resolve(DIST, name), 'utf8').match(/^(?:\/\/ |\s+")node_modules\/\S+/gmu) ?? [],
  );
  const packages = new Set(modules.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(path)?.[1] ?? ''));
  expect(packages.size).toBeGreaterThan(5);
  for (const name of packages) expect(text).toContain(`\n${name} `);
  expect(text).toMatch(/permission notice|Permission to use/u);
});
