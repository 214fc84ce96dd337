// Makes what a report page needs beside the modules that tsc wrote, in dist/vendor: the charts library as one file that is
// loaded only when a chart is drawn (installed as packages it would be 40 of them, 9 MB), and the page's script and style.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const common = { absWorkingDir: root, bundle: true, minify: true, logLevel: 'warning' };

const charts = await build({
  ...common,
  stdin: {
    contents: `
      export { areaY, axisX, axisY, barX, cell, dot, gridX, gridY, line, plot, rect, rectY, ruleX, ruleY, text } from '@observablehq/plot';
      export { parseHTML } from 'linkedom';`,
    resolveDir: root,
  },
  outfile: 'dist/vendor/charts.js',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  metafile: true,
});
await build({
  ...common,
  entryPoints: { page: 'src/report/html/client/main.ts' },
  outdir: 'dist/vendor',
  format: 'iife',
  platform: 'browser',
  target: ['chrome103', 'firefox113', 'safari16.4'],
  // An inline script must not end its own element.
  supported: { 'inline-script': false },
});
await build({
  ...common,
  entryPoints: { page: 'src/report/html/page.css' },
  outdir: 'dist/vendor',
  target: 'chrome103',
});
writeFileSync(`${root}dist/vendor/LICENSES.txt`, licences(Object.keys(charts.metafile.inputs)));

/** The licences of the packages in the bundle, as their authors ask. */
function licences(inputs) {
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0] ?? []));
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
      const file = readdirSync(`${root}${folder}`).find((entry) => /^licen[cs]e/iu.test(entry));
      const text = file === undefined ? '' : readFileSync(`${root}${folder}/${file}`, 'utf8').trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
