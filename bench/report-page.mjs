// Measures `teapot report` on many records, and the page in Chromium: how long it is made, how large it is, when it paints, and
// how long a filter, a search and a sort take. `node bench/report-page.mjs [records]`, default 50,000.
import { spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

import { generator, sentence, swapCharacters } from './data.mjs';

const ROOT = join(import.meta.dirname, '..');
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.error(`no Chromium at ${executablePath}: apt-get install chromium, or set CHROMIUM`);
  process.exit(1);
}
const count = Number(process.argv[2] ?? 50_000);
const folder = join(ROOT, '.bench');
mkdirSync(folder, { recursive: true });
const records = join(folder, `records-${count}.jsonl`);
const page = join(folder, `records-${count}.html`);

await makeRecords(records, count);
const started = performance.now();
const made = spawnSync(
  '/usr/bin/time',
  ['-f', '%M', process.execPath, join(ROOT, 'dist/cli/main.js'), 'report', records, '-o', page, '--quiet'],
  { encoding: 'utf8' },
);
if (made.status !== 0) throw new Error(made.stderr);
row('records', count.toLocaleString('en-US'));
row(
  'made in',
  `${((performance.now() - started) / 1000).toFixed(1)} s, ${Math.round(Number(made.stderr.trim()) / 1024)} MB`,
);
row('size of the page', `${(statSync(page).size / 1e6).toFixed(1)} MB`);

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const view = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await view.goto(pathToFileURL(page).href);
await view.locator('#record-app[data-ready]').waitFor({ timeout: 60_000 });
const paints = await view.evaluate(() =>
  performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime]),
);
for (const [name, time] of paints) row(name, `${Math.round(time)} ms`);
row('records ready', `${Math.round(await view.evaluate(() => performance.now()))} ms`);
for (const [name, action] of [
  [
    'filter by attack',
    "const box = document.querySelector('#filter-attack'); box.selectedIndex = 1; box.dispatchEvent(new Event('change'))",
  ],
  ['no filter again', "document.querySelector('#record-app .buttons button').click()"],
  [
    'first search',
    "const box = document.querySelector('#filter-q'); box.value = 'morning tea'; box.dispatchEvent(new Event('input'))",
  ],
  [
    'next search',
    "const box = document.querySelector('#filter-q'); box.value = 'morning garden'; box.dispatchEvent(new Event('input'))",
  ],
  ['no search again', "document.querySelector('#record-app .buttons button').click()"],
  ['first sort by margin', "document.querySelector('[data-key=margin] button').click()"],
  ['sort the other way', "document.querySelector('[data-key=margin] button').click()"],
  ['first sort by record', "document.querySelector('[data-key=id] button').click()"],
  ['scroll to the middle', "const table = document.querySelector('.table'); table.scrollTop = table.scrollHeight / 2"],
]) {
  // Until the next frame has been laid out.
  const time = await view.evaluate(
    `new Promise((done) => { const start = performance.now(); { ${action} } document.body.offsetHeight; requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))); })`,
  );
  row(name, `${Math.round(time)} ms`);
}
await browser.close();

function row(name, value) {
  console.log(`${name.padEnd(24)} ${value}`);
}

/** Records of three attacks on two models, with outputs of about 110 characters; the same bytes on every run. */
async function makeRecords(path, total) {
  const random = generator(7);
  const file = createWriteStream(path);
  for (let index = 0; index < total; index += 1) {
    const src = sentence(random, 60 + Math.floor(random() * 100));
    const out = sentence(random, 60 + Math.floor(random() * 100));
    const line = JSON.stringify({
      schema: 'teapot.record/1',
      id: `talk-${index}`,
      unit: 'input',
      attack: ['swap', 'drop', 'replace'][index % 3],
      model: ['small', 'large'][index % 2],
      dataset: 'talks',
      src,
      adv_src: swapCharacters(random, src),
      out,
      adv_out: swapCharacters(random, out),
      ref: out,
      result: ['successful', 'failed', 'skipped'][Math.floor(random() * 3)],
      queries: Math.floor(random() * 200),
      provenance: { tool: 'bench', version: '1', file: 'bench.csv', line: index + 2 },
    });
    if (!file.write(`${line}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
