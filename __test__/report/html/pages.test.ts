import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';

import { hasBrowser, openPage } from '../../helpers/browser.js';
import { runCli, temporaryFolder } from '../../helpers/cli.js';
import { hasShared, shared } from '../../shared.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const EXAMPLE = 'examples/translation';
const FILES = [
  ['--src', `${EXAMPLE}/src.fr`],
  ['--adv-src', `${EXAMPLE}/adv.charswap.fr`],
  ['--out', `${EXAMPLE}/base.en`],
  ['--adv-out', `${EXAMPLE}/adv.charswap.en`],
  ['--ref', `${EXAMPLE}/ref.en`],
].flat();

async function teapot(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args);
  expect(stderr).not.toContain('error:');
  expect(code).toBe(0);
  return stdout;
}

/** Records of several attacks, models and data sets, with results and queries: made here, the same on every run. */
function madeRecords(count: number, change: (index: number) => object = () => ({})): string {
  const words = 'the kettle sings while rain taps at our small kitchen window and nobody hurries'.split(' ');
  const lines = Array.from({ length: count }, (_, index) => {
    const text = words.map((word, place) => ((index + place) % 5 === 0 ? `${word}s` : word)).join(' ');
    const attacked = text.replace(words[index % words.length] ?? '', (word) => `${word.slice(1)}${word[0] ?? ''}`);
    return JSON.stringify({
      schema: 'teapot.record/1',
      id: `r${index}`,
      unit: 'input',
      attack: ['swap', 'drop', 'replace'][index % 3],
      model: ['small', 'large'][index % 2],
      dataset: 'rain',
      src: text,
      adv_src: attacked,
      out: index % 4 === 0 ? 'neutral' : 'calm',
      adv_out: index % 3 === 0 ? 'stormy' : 'calm',
      ref: 'calm',
      result: index % 4 === 0 ? 'skipped' : index % 3 === 0 ? 'successful' : 'failed',
      queries: index % 17,
      ...change(index),
    });
  });
  return `${lines.join('\n')}\n`;
}

beforeAll(async () => {
  writeFileSync(at('records.jsonl'), madeRecords(240));
  writeFileSync(at('before.jsonl'), madeRecords(60));
  writeFileSync(
    at('after.jsonl'),
    madeRecords(60, (index) => (index % 3 === 0 && index > 20 ? { adv_out: 'calm' } : {})),
  );
  if (!hasBrowser) return;
  await runCli(['report', at('records.jsonl'), '-o', at('records.html')]);
  await runCli(['report', ...FILES, '-o', at('files.html')]);
}, 120_000);

async function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth') as Promise<number>;
}

/** The value of a number of the headline, as the page has it for programs. */
async function numberOn(page: Page, name: string): Promise<number> {
  return Number(await page.locator(`#number-${name}`).getAttribute('value'));
}

describe.runIf(hasBrowser)('a report page in Chromium', { timeout: 120_000 }, () => {
  test('of parallel files: every part is there, nothing is requested, numbers are those of the summary', async () => {
    const summary = JSON.parse(await teapot(...FILES, '--format', 'json', '--confidence', '0.95')) as {
      readonly success_rate: number;
      readonly n: number;
      readonly s_src: { readonly mean: number };
      readonly d_tgt: { readonly mean: number };
      readonly undefined: { readonly count: number };
      readonly success_rate_interval: { readonly low: number; readonly high: number };
    };
    const { page, complaints } = await openPage(at('files.html'));
    expect(await numberOn(page, 'success_rate')).toBe(summary.success_rate);
    expect(await numberOn(page, 'records')).toBe(summary.n);
    expect(await numberOn(page, 's_src')).toBe(summary.s_src.mean);
    expect(await numberOn(page, 'd_tgt')).toBe(summary.d_tgt.mean);
    expect(await numberOn(page, 'undefined')).toBe(summary.undefined.count);
    const { low, high } = summary.success_rate_interval;
    const detail = await page.locator('#number-success_rate + .detail').textContent();
    expect(detail).toContain(`${(low * 100).toFixed(1)} % to ${(high * 100).toFixed(1)} %`);
    for (const part of ['summary', 'figures', 'edits', 'read', 'audit', 'records', 'method']) {
      await expect(page.locator(`#${part}`).count()).resolves.toBe(1);
    }
    expect(await page.locator('svg').count()).toBeGreaterThanOrEqual(4);
    expect(complaints).toEqual([]);
  });

  test('of records: numbers and tables are those of score and pdr', async () => {
    const scored = JSON.parse(await teapot('score', at('records.jsonl'), '--by', 'attack', '--format', 'json')) as {
      readonly all: { readonly summary: { readonly success_rate: number; readonly s_src: { readonly mean: number } } };
      readonly groups: readonly {
        readonly group: { readonly attack: string };
        readonly summary: { readonly n: number };
      }[];
    };
    const pdr = JSON.parse(await teapot('pdr', at('records.jsonl'), '--by', 'attack,model', '--format', 'json')) as {
      readonly cells: readonly {
        readonly attack: string;
        readonly model: string;
        readonly mean: number;
        readonly n: number;
      }[];
      readonly all: { readonly mean: number };
    };
    const { page, complaints } = await openPage(at('records.html'));
    expect(await numberOn(page, 'success_rate')).toBe(scored.all.summary.success_rate);
    expect(await numberOn(page, 's_src')).toBe(scored.all.summary.s_src.mean);
    const table = await page.locator('#summary table').first().innerText();
    for (const { group, summary } of scored.groups)
      expect(table).toMatch(new RegExp(`${group.attack}\\s+${summary.n}`, 'u'));
    const titles = await page.locator('#pdr svg').first().locator('title').allTextContents();
    for (const { attack, model, mean, n } of pdr.cells) {
      const title = titles.find((text) => text.startsWith(`${attack}, ${model}: PDR ${mean.toFixed(3)} `));
      expect(title, `${attack}, ${model}`).toContain(`n = ${n}`);
    }
    expect(complaints).toEqual([]);
  });

  test('without JavaScript: summary, tables, figures and records to read are there; the table of records says why not', async () => {
    const { page, complaints } = await openPage(at('records.html'), { javaScript: false });
    expect(await page.locator('h1').innerText()).toContain('3 attacks on small and large');
    expect(await page.locator('#figures svg').count()).toBeGreaterThanOrEqual(3);
    expect(await page.locator('#pdr svg').count()).toBeGreaterThanOrEqual(1);
    expect(await page.locator('#summary table').count()).toBeGreaterThanOrEqual(2);
    expect(await page.locator('#read .reading > li').count()).toBeGreaterThanOrEqual(9);
    expect(await page.locator('#record-app').isVisible()).toBe(false);
    expect(await page.locator('noscript').innerText()).toContain('needs JavaScript');
    expect(complaints).toEqual([]);
  });

  test('filters, sorts, opens, links, goes back and exports', async () => {
    const { page, complaints } = await openPage(at('records.html'));
    const count = page.locator('#record-app .count');
    expect(await count.innerText()).toBe('240 of 240 records');
    await page.selectOption('#filter-attack', 'swap');
    expect(await count.innerText()).toBe('80 of 240 records');
    await page.selectOption('#filter-result', 'failed');
    const failed = await count.innerText();
    expect(failed).toBe('0 of 240 records');
    await page.selectOption('#filter-result', 'successful');
    expect(await count.innerText()).toBe('60 of 240 records');
    await page.fill('#filter-q', 'R3 KETTLE');
    expect(Number.parseInt(await count.innerText(), 10)).toBeGreaterThan(0);
    expect(new URL(page.url()).hash).toBe('#?q=R3+KETTLE&attack=swap&result=successful');
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await count.innerText()).toBe('240 of 240 records');

    await page.getByRole('button', { name: 'margin' }).click();
    const margins = async (): Promise<number[]> =>
      (await page.locator('.rows [data-key="margin"]').allInnerTexts()).map((text) => Number(text.replace('−', '-')));
    const falling = await margins();
    expect(falling).toEqual(falling.toSorted((a, b) => b - a));
    await page.getByRole('button', { name: 'margin' }).click();
    const rising = await margins();
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    expect(rising[0]).toBeLessThan(falling[0] ?? 0);

    await page.locator('.rows [role="row"]').nth(2).click();
    const panel = page.locator('.panel');
    const id = (await panel.locator('h3 bdi').innerText()).trim();
    expect(await panel.locator('dt', { hasText: 'margin' }).count()).toBe(1);
    const link = (await panel.getByRole('link', { name: 'Link to this record' }).getAttribute('href')) ?? '';
    const again = await openPage(at('records.html'), { fragment: link });
    expect(await again.page.locator('.panel h3 bdi').innerText()).toBe(id);
    expect([...complaints, ...again.complaints]).toEqual([]);

    await page.selectOption('#filter-attack', 'drop');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as JSONL' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(80);
    expect(new Set(lines.map(({ attack }) => attack))).toEqual(new Set(['drop']));
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const [head, ...rows] = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toMatch(/^id,run,attack,model,/u);
    expect(rows).toHaveLength(80);
  });

  test('every control works by keyboard', async () => {
    const { page, complaints } = await openPage(at('records.html'));
    await page.locator('#filter-q').focus();
    await page.keyboard.type('r12');
    const found = Number.parseInt(await page.locator('#record-app .count').innerText(), 10);
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(240);
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.getAttribute("role")')) === 'grid') break;
    }
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('grid');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('.table').getAttribute('aria-activedescendant')).toBe(`row-${found - 2}`);
    await page.keyboard.press('Enter');
    expect(await page.locator('.panel').isVisible()).toBe(true);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H3');
    await page.keyboard.press('Escape');
    expect(await page.locator('.panel').isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('grid');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(complaints).toEqual([]);
  });

  test('axe finds nothing serious, in light and dark, wide and narrow', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const [name, scheme, width] of [
      ['records.html', 'light', 1440],
      ['records.html', 'dark', 400],
      ['files.html', 'dark', 1440],
    ] as const) {
      const { page } = await openPage(at(name), { scheme, width, fragment: '#?record=3' });
      // Through the debugger: the page's own policy allows no other script.
      await page.evaluate(axe);
      const { violations } = (await page.evaluate('axe.run()')) as {
        readonly violations: readonly {
          readonly id: string;
          readonly impact: string;
          readonly nodes: readonly { readonly html: string }[];
        }[];
      };
      const serious = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${name} ${scheme} ${width}: ${id}: ${nodes[0]?.html ?? ''}`);
      expect(serious).toEqual([]);
    }
  });

  test('no width makes the page scroll to the side', async () => {
    for (const name of ['records.html', 'files.html']) {
      const { page } = await openPage(at(name));
      for (const width of [320, 400, 800, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflow(page), `${name} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
  });

  test('two runs are compared item by item', async () => {
    await teapot('report', at('before.jsonl'), at('after.jsonl'), '-o', at('both.html'));
    const compared = JSON.parse(await teapot('compare', at('before.jsonl'), at('after.jsonl'), '--format', 'json')) as {
      readonly fixed: number;
      readonly broken: number;
      readonly unchanged: number;
    };
    expect(compared.fixed).toBeGreaterThan(0);
    const { page, complaints } = await openPage(at('both.html'));
    const text = await page.locator('#comparison').innerText();
    expect(text).toContain(`${compared.fixed} are fixed`);
    expect(text).toContain(`${compared.broken} broken`);
    expect(text).toContain(`${compared.unchanged} unchanged`);
    // Two runs of the same items are no duplicates of each other.
    expect(await page.locator('#audit', { hasText: 'duplicate record' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a page with more records than it may hold says so, and counts all of them', async () => {
    await teapot('report', at('records.jsonl'), '--max-records', '60', '-o', at('sample.html'));
    const { page } = await openPage(at('sample.html'));
    expect(await numberOn(page, 'records')).toBe(240);
    const text = await page.locator('#records').innerText();
    const rows = Number(/a sample of (\d+) of the 240 records/u.exec(text)?.[1]);
    expect(rows).toBeLessThanOrEqual(80);
    expect(rows).toBeGreaterThan(40);
    expect(await page.locator('#record-app .count').innerText()).toBe(`${rows} of ${rows} records`);
    // Every record to read is among them.
    const links = await page.locator('#read h3 a').count();
    expect(links).toBe(await page.locator('#read li').count());
  });

  test('documents of other commands make pages as well', async () => {
    await teapot(...FILES, '--threshold-sweep', '0:2:0.1', '--confidence', '0.95', '-o', at('summary.json'));
    await teapot('pdr', at('records.jsonl'), '--by', 'attack,model', '-o', at('pdr.json'));
    await teapot('report', at('summary.json'), at('pdr.json'), '-o', at('documents.html'));
    const summary = JSON.parse(readFileSync(at('summary.json'), 'utf8')) as { readonly success_rate: number };
    const { page, complaints } = await openPage(at('documents.html'));
    expect(await numberOn(page, 'success_rate')).toBe(summary.success_rate);
    expect(await page.locator('#pdr svg').count()).toBe(1);
    expect(await page.locator('#figures svg').count()).toBe(2);
    expect(await page.locator('script').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
  test('every command that prints results makes a page of them', async () => {
    const commands: readonly (readonly [name: string, args: readonly string[], text: string])[] = [
      ['score', ['score', at('records.jsonl'), '--by', 'attack', '--confidence', '0.95'], 'successful'],
      ['files', FILES, 'successful'],
      ['pdr', ['pdr', at('records.jsonl'), '--by', 'attack,model'], 'Performance drop'],
      ['promptbench', ['pdr', at('records.jsonl'), '--table', 'promptbench'], "PromptBench's tables"],
      ['compare', ['compare', at('before.jsonl'), at('after.jsonl')], 'fixed'],
      ['edits', ['edits', at('records.jsonl')], 'Kinds of edits'],
      ['audit', ['audit', at('records.jsonl')], 'Audit'],
      ['explain', ['explain', at('records.jsonl'), '--line', '1'], 's_src'],
      ['importance', ['importance', 'the food was great but the service was awful'], 'Importance of words'],
    ];
    for (const [name, args, text] of commands) {
      const path = at(`${name}-result.html`);
      await teapot(...args, '-o', path);
      const { page, complaints } = await openPage(path, { width: 400 });
      expect(await page.locator('body').innerText()).toContain(text);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
    }
  });
});

describe.runIf(hasBrowser && hasShared)('real logs', { timeout: 120_000 }, () => {
  test.each(logs())('%s', async (name, paths) => {
    const records = at(`${name.replaceAll('/', '-')}.jsonl`);
    const page = records.replace(/jsonl$/u, 'html');
    const imported = await runCli(['import', 'auto', ...paths, '-o', records, '--on-error', 'skip', '-q']);
    expect(imported.stderr).not.toMatch(/internal/iu);
    if (imported.code !== 0 || statSync(records).size === 0) return;
    const made = await runCli(['report', records, '-o', page, '-q']);
    // A log whose every record is something else than an attack has nothing to report.
    if (made.stderr.includes('There is nothing to report')) return;
    expect(made.code).toBe(0);
    const { page: shown, complaints } = await openPage(page, { width: 1440 });
    expect(await overflow(shown)).toBeLessThanOrEqual(0);
    await shown.setViewportSize({ width: 400, height: 900 });
    expect(await overflow(shown)).toBeLessThanOrEqual(0);
    expect(await shown.locator('#number-records').innerText()).not.toBe('');
    expect(complaints).toEqual([]);
  });

  test("PromptBench's archive", async () => {
    const files = readdirSync(shared('data/promptbench/adv_prompts')).filter((file) => file.endsWith('.md'));
    const paths = files.map((file) => shared(`data/promptbench/adv_prompts/${file}`));
    await runCli(['import', 'promptbench', ...paths, '-o', at('archive.jsonl'), '-q']);
    await teapot('report', at('archive.jsonl'), '-o', at('archive.html'));
    const pdr = JSON.parse(await teapot('pdr', at('archive.jsonl'), '--by', 'attack', '--format', 'json')) as {
      readonly all: { readonly n: number; readonly mean: number };
    };
    const { page, complaints } = await openPage(at('archive.html'));
    expect(await numberOn(page, 'pdr')).toBe(pdr.all.mean);
    expect(await page.locator('#pdr svg').count()).toBe(3);
    expect(complaints).toEqual([]);
    // 11,042 rows of which 4,020 are attacks, with their texts.
    expect(statSync(at('archive.html')).size).toBeLessThan(2_000_000);
  });

  test('teapot’s translation and sentiment data', async () => {
    for (const attack of ['charswap', 'knn', 'unconstrained']) {
      const data = shared('data/teapot/MT');
      const files = ['--src', `${data}/src.fr`, '--adv-src', `${data}/adv.${attack}.fr`, '--out', `${data}/base.en`];
      const outputs = ['--adv-out', `${data}/adv.${attack}.en`, '--ref', `${data}/ref.en`];
      await teapot('report', ...files, ...outputs, '-o', at('mt.html'));
      const { page, complaints } = await openPage(at('mt.html'));
      expect(await numberOn(page, 'records')).toBe(1000);
      expect(complaints).toEqual([]);
    }
  });
});

/** The logs of other tools, folder by folder. */
function logs(): [string, string[]][] {
  if (!hasShared) return [];
  const root = shared('data/logs');
  return readdirSync(root).flatMap((tool) =>
    readdirSync(join(root, tool)).flatMap((name): [string, string[]][] => {
      const files = readdirSync(join(root, tool, name))
        .filter((file) => !/^(?:SOURCE|expected\.json|std(?:err|out)\.txt|console\.txt)$/u.test(file))
        .map((file) => join(root, tool, name, file))
        .filter((file) => statSync(file).isFile());
      return files.length === 0 ? [] : [[`${tool}/${name}`, files]];
    }),
  );
}
