import { readFileSync } from 'node:fs';

/**
 * The version of this package, as its package.json says.
 *
 * @returns For example `0.1.0`.
 * @throws Error when package.json can't be read: the installation is broken.
 */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json of teapot has no version');
}
