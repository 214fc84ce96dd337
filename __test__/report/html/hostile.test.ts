import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { hasBrowser, openPage } from '../../helpers/browser.js';
import { runCli, temporaryFolder } from '../../helpers/cli.js';

const folder = temporaryFolder();

/** A script that would be seen: it asks for a file and changes the title. */
const RUN = "document.title='OWNED';fetch('http://127.0.0.1:9/leak');alert(1)";

const EVENTS = [
  'onerror',
  'onload',
  'onclick',
  'onmouseover',
  'onfocus',
  'ontoggle',
  'onanimationstart',
  'onbeforeprint',
];
const TAGS = [
  'img src=x',
  'svg',
  'body',
  'details open',
  'input autofocus',
  'video src=x',
  'iframe',
  'marquee',
  'math',
  'style',
];

/** At least 200 texts that a page must show and never obey. */
const HOSTILE: readonly string[] = [
  ...TAGS.flatMap((tag) => EVENTS.map((event) => `<${tag} ${event}="${RUN}">`)),
  ...EVENTS.map((event) => `" ${event}="${RUN}" x="`),
  ...EVENTS.map((event) => `' ${event}='${RUN}' x='`),
  ...[
    'script',
    'SCRIPT',
    'ScRiPt',
    'script/x',
    'script\n',
    'script type=module',
    'script src=//127.0.0.1:9/x.js',
  ].flatMap((tag) => [
    `<${tag}>${RUN}</script>`,
    `</script><${tag}>${RUN}</script>`,
    `--></script><${tag}>${RUN}<!--`,
    `]]></script><${tag}>${RUN}`,
  ]),
  ...[
    '</title>',
    '</style>',
    '</textarea>',
    '</svg>',
    '</noscript>',
    '</template>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?xml ?>',
    '<plaintext>',
  ].map((end) => `${end}<script>${RUN}</script>`),
  ...[
    'javascript',
    'JaVaScRiPt',
    'data:text/html',
    'vbscript',
    ' javascript',
    'java\tscript',
    'java\nscript',
    '\u0001javascript',
  ].map((scheme) => `<a href="${scheme}:${RUN}">x</a>`),
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '#{alert(1)}',
  '<%= alert(1) %>',
  '{%raw%}',
  '[[alert(1)]]',
  '`${alert(1)}`',
  '\\x3cscript\\x3e',
  '\\u003cscript\\u003e',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;',
  '&amp;lt;',
  '</style><style>body{display:none}</style>',
  'position:fixed;top:0;left:0;width:9999px',
  '<style>@import "http://127.0.0.1:9/x.css"</style>',
  'url(http://127.0.0.1:9/x.png)',
  'expression(alert(1))',
  '<link rel=stylesheet href=http://127.0.0.1:9/x.css>',
  '<img src=http://127.0.0.1:9/pixel.png>',
  '<base href=http://127.0.0.1:9/>',
  '<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">',
  '<form action=http://127.0.0.1:9/><button>x</button></form>',
  '<object data=http://127.0.0.1:9/></object>',
  '<embed src=http://127.0.0.1:9/>',
  '<iframe srcdoc="<script>parent.document.title=\'OWNED\'</script>"></iframe>',
  '<svg><use href="http://127.0.0.1:9/x.svg#a"/></svg>',
  '<svg><foreignObject><script>alert(1)</script></foreignObject></svg>',
  '<div id="record-app"></div><div id=record-data></div>',
  '<h1 hidden>',
  ...[
    '\u202E',
    '\u202D',
    '\u2066',
    '\u2067',
    '\u2069',
    '\u200B',
    '\u200C',
    '\u200D',
    '\u2060',
    '\uFEFF',
    '\u00AD',
    '\u034F',
    '\u180E',
    '\u2028',
    '\u2029',
    '\u0000',
    '\u0007',
    '\u0008',
    '\u007F',
    '\u0085',
    '\u{E0041}',
    '\uFFFF',
  ].map((character) => `before${character.repeat(3)}after <b>x</b>`),
  '\u001B[31mred\u001B[0m',
  '\u001B]0;title\u0007',
  '\u001B[2J',
  '\u001B]8;;http://127.0.0.1:9\u0007link\u001B]8;;\u0007',
  '\u009B31m',
  'א'.repeat(300),
  'العربية مع English في سطر واحد',
  '漢字'.repeat(500),
  'Z\u0300\u0301\u0302\u0303\u0304'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(100),
  '𝒜'.repeat(500),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '=HYPERLINK("http://127.0.0.1:9")',
  '+cmd|calc',
  '@SUM(1)',
  ' ',
  '',
  '\t',
  '\n\n\n',
  '\r\n',
  'w'.repeat(100_000),
  `<${'a'.repeat(100_000)}>`,
  'word '.repeat(20_000),
  '\u202E'.repeat(10_000),
  '\n'.repeat(5000),
];

test('there are at least 200 hostile texts', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(200);
});

/** Records with a hostile text in every field that may hold one. */
function records(): string {
  const lines = HOSTILE.map((text, index) =>
    JSON.stringify({
      schema: 'teapot.record/1',
      id: `${index} ${text}`,
      run: index % 3 === 0 ? text : 'run',
      unit: index % 5 === 0 ? 'prompt' : 'input',
      attack: index % 4 === 0 ? text : 'attack',
      model: text,
      dataset: text,
      source_model: text,
      src: `${text} the tea is hot`,
      adv_src: `the tea ${text} is not`,
      ...(index % 5 === 0
        ? { original_score: 0.8, attacked_score: (index % 7) / 10, metric: text, scale: 1 }
        : { out: text, adv_out: `${text}!`, ref: index % 2 === 0 ? text : [text, 'the other one'] }),
      result: ['successful', 'failed', 'skipped', 'error'][index % 4],
      queries: index,
      provenance: { tool: text, version: text, file: text, line: index + 1, settings: { [text]: text } },
      extra: { [text]: text },
    }),
  );
  return `${lines.join('\n')}\n`;
}

describe.runIf(hasBrowser)('hostile texts in every field', { timeout: 180_000 }, () => {
  test('run no script, ask for nothing, and leave the page as it is', async () => {
    const input = join(folder.path, 'hostile.jsonl');
    const output = join(folder.path, 'hostile.html');
    writeFileSync(input, records());
    const { code, stderr } = await runCli(['report', input, input, '--title', HOSTILE[0] ?? '', '-o', output]);
    expect(stderr).not.toMatch(/internal/iu);
    expect(stderr).not.toContain('error:');
    expect(code).toBe(0);

    const { page, complaints } = await openPage(output);
    const count = await page.locator('#record-app .count').innerText();
    expect(count).toMatch(/^\d+ of \d+ records$/u);
    expect(Number.parseInt(count, 10)).toBeGreaterThanOrEqual(HOSTILE.length);
    expect(await page.title()).not.toBe('OWNED');
    // Nothing of the texts became an element.
    const found = (await page.evaluate(`({
      scripts: document.scripts.length,
      styles: document.querySelectorAll('style').length,
      foreign: [...document.querySelectorAll('*')].map(({ localName }) => localName).filter((name) =>
        ['img', 'iframe', 'object', 'embed', 'video', 'base', 'link', 'marquee', 'math', 'foreignobject', 'use', 'textarea', 'b', 'plaintext'].includes(name)),
      events: [...document.querySelectorAll('*')].flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith('on')),
      inlineStyles: document.querySelectorAll('main [style]:not([data-index]):not(.rows):not(.table)').length,
      apps: document.querySelectorAll('#record-app').length,
      addresses: [...document.querySelectorAll('a')].map((a) => a.getAttribute('href')).filter((href) => !href.startsWith('#')),
    })`)) as Record<string, unknown>;
    expect(found).toEqual({ scripts: 1, styles: 1, foreign: [], events: [], inlineStyles: 0, apps: 1, addresses: [] });

    for (const width of [400, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
      expect(overflow, `at ${width}`).toBeLessThanOrEqual(0);
    }
    // A word of 100 kB or a thousand line ends makes no part of the page endlessly high.
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(60_000);

    // The script meets every text: in lists, in the table, in the panel.
    for (const name of ['attack', 'model', 'dataset', 'edit', 'rule']) {
      const options = await page.locator(`#filter-${name} option`).count();
      await page.selectOption(`#filter-${name}`, { index: options - 1 });
      await page.selectOption(`#filter-${name}`, { index: 0 });
    }
    await page.locator('.table').focus();
    await page.keyboard.press('Enter');
    for (let index = 0; index < HOSTILE.length; index += 1)
      await page.evaluate("[...document.querySelectorAll('.panel button')][1].click()");
    await page.fill('#filter-q', '<script>');
    expect(Number.parseInt(await page.locator('#record-app .count').innerText(), 10)).toBeGreaterThan(5);
    const again = await openPage(output, {
      fragment: `#?q=${encodeURIComponent(`"><img src=x onerror=${RUN}>`)}&sort=-__proto__&record=abc`,
    });
    expect([...complaints, ...again.complaints]).toEqual([]);
    expect(await page.title()).not.toBe('OWNED');
  });

  test('figures of them are valid XML without anything but shapes and texts', async () => {
    const input = join(folder.path, 'hostile.jsonl');
    for (const figure of ['scatter', 'threshold', 'pdr-heatmap', 'edits', 'histogram', 'robustness', 'queries']) {
      const output = join(folder.path, `${figure}.svg`);
      const { code, stderr } = await runCli(['report', input, '--figure', figure, '-o', output]);
      expect(stderr).not.toContain('error:');
      expect(code).toBe(0);
      const { page, complaints } = await openPage(output);
      const names = (await page.evaluate(
        "[...new Set([...document.querySelectorAll('*')].map(({ localName }) => localName))].toSorted()",
      )) as string[];
      expect(
        names.filter(
          (name) => !['circle', 'g', 'line', 'path', 'rect', 'svg', 'text', 'title', 'tspan'].includes(name),
        ),
      ).toEqual([]);
      expect(await page.evaluate("document.querySelector('parsererror') === null")).toBe(true);
      expect(complaints).toEqual([]);
    }
  });
});
