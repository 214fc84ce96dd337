import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { drawFigure, FIGURE_TITLES } from '../figures/draw.js';
import { PAGE_PALETTE } from '../figures/palette.js';
import { formatFixed } from '../../number-format.js';
import { cellText as plainText, type Grid } from '../grid.js';
import { diffPieces, STACKED } from './diff-pieces.js';
import { markup, trusted, type Insertion, type Markup } from './markup.js';
import { encodeRecords } from './record-table.js';
import type {
  FigureBlock,
  ImportanceItem,
  ReadingItem,
  RecordTable,
  ReportBlock,
  ReportData,
  ReportSection,
  RuleFindings,
} from './report-data.js';
import { shortLabel, visiblePieces } from './visible-text.js';

/**
 * Writes a report as one HTML page that needs nothing else: no network, no other file. Without JavaScript everything but
 * the table of records is there.
 *
 * Texts of records are data: they are escaped wherever they stand, and a content-security policy allows the page's own
 * script and style only.
 *
 * @returns The page in pieces, to be written one after the other.
 */
export async function* reportPage(data: ReportData): AsyncGenerator<string, void, undefined> {
  const style = vendored('page.css');
  const script = data.records === null ? undefined : vendored('page.js');
  const sections = data.sections.filter(({ blocks }) => blocks.length > 0);
  const links = sections
    .map(({ id, title }) => [id, title] as const)
    .concat(data.records === null ? [] : [['records', 'Records']])
    .concat([['method', 'Method']]);
  yield head(data.title, style, script).source;
  yield markup`<header class="top"><p class="brand">teapot report</p><h1>${shown(shortLabel(data.title, 160))}</h1>
${data.story.map((sentence, index) => markup`<p class="${index === 0 ? 'lead' : 'story'}">${shown(sentence)}</p>`)}
${keyNumbers(data)}<nav aria-label="Parts of the report"><ul>${links.map(
    ([id, title]) => markup`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav></header><main>
`.source;
  for (const section of sections) yield (await sectionMarkup(section, data.records)).source;
  if (data.records !== null) yield recordsMarkup(data.records).source;
  yield method(data).source;
  yield '</main>\n';
  if (data.records !== null && script !== undefined) {
    yield '<script type="application/octet-stream" id="record-data">';
    yield await encodeRecords(data.records);
    yield '</script>\n';
    yield `<script>${script}</script>\n`;
  }
  yield '</body></html>\n';
}

/** Tables of so few columns and letters a row stand side by side. */
const NARROW_COLUMNS = 5;
const NARROW_LETTERS = 60;

function isNarrow({ columns, rows }: Grid): boolean {
  const letters = (row: Grid['rows'][number]): number => row.reduce((sum, cell) => sum + plainText(cell).length, 0);
  return columns.length <= NARROW_COLUMNS && rows.every((row) => letters(row) <= NARROW_LETTERS);
}

function head(title: string, style: string, script: string | undefined): Markup {
  // `img-src data:` is for nothing: there is no image. What is not listed is forbidden.
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style)}'`,
    script === undefined ? "script-src 'none'" : `script-src 'sha256-${sha256(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark"><title>${shortLabel(title, 120)}</title><style>${trusted(style)}</style></head><body>
`;
}

function keyNumbers({ keyNumbers: numbers }: ReportData): Insertion {
  if (numbers.length === 0) return null;
  return markup`<dl class="numbers">${numbers.map(
    ({ name, label, value, text, detail }) =>
      markup`<div><dt>${label}</dt><dd><data id="number-${name}" value="${value === null ? '' : String(value)}">${text}</data>
<span class="detail">${detail}</span></dd></div>`,
  )}</dl>`;
}

async function sectionMarkup(section: ReportSection, records: RecordTable | null): Promise<Markup> {
  const blocks: Markup[] = [];
  for (const block of section.blocks) blocks.push(await blockMarkup(block, records));
  return markup`<section id="${section.id}" aria-labelledby="${section.id}-title"><h2 id="${section.id}-title">${section.title}</h2>
${section.intro === undefined ? null : markup`<p class="intro">${shown(section.intro)}</p>`}
<div class="blocks">${blocks}</div></section>
`;
}

async function blockMarkup(block: ReportBlock, records: RecordTable | null): Promise<Markup> {
  switch (block.kind) {
    case 'figure':
      return figure(block);
    case 'grid':
      return block.folded === undefined
        ? markup`<div class="${isNarrow(block.grid) ? 'half' : 'wide'}">${gridTable(block.grid)}</div>`
        : markup`<details class="wide"><summary>${block.folded}</summary>${gridTable(block.grid)}</details>`;
    case 'text':
      return markup`<p class="wide">${shown(block.text)}</p>`;
    case 'reading':
      return markup`<ol class="wide reading">${block.items.map((item) => readingItem(item, block.kinds, records))}</ol>`;
    case 'findings':
      return markup`<div class="wide findings">${block.rules.map(ruleFindings)}</div>`;
    case 'words':
      return markup`<div class="wide">${await Promise.all(block.items.map(importanceItem))}</div>`;
  }
}

async function figure({
  data,
  title = FIGURE_TITLES[data.kind],
  caption,
  table,
  narrow,
  tall,
}: FigureBlock): Promise<Markup> {
  const svg = await drawFigure(data, {
    palette: PAGE_PALETTE,
    width: narrow === true ? 520 : 760,
    fontSize: 12,
    label: `${title}. ${caption}`,
  });
  const numbers =
    table === undefined
      ? null
      : markup`<details><summary>The numbers of this figure</summary>${gridTable(table)}</details>`;
  return markup`<figure class="${narrow === true ? 'half' : 'wide'}${tall === true ? ' tall' : ''}"><figcaption><strong>${title}.</strong> ${shown(
    caption,
  )}</figcaption><div class="drawing" tabindex="0" role="group" aria-label="${title}">${trusted(svg)}</div>${numbers}</figure>`;
}

/** A table of finished text. */
export function gridTable({ title, columns, rows }: Grid): Markup {
  const side = (index: number): string => (columns[index]?.align === 'right' ? 'right' : 'left');
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${title ?? columns.map(({ name }) => name).join(', ')}"><table>${
    title === undefined ? null : markup`<caption>${shown(title)}</caption>`
  }<thead><tr>${columns.map(({ name }, index) => markup`<th scope="col" class="${side(index)}">${shown(name)}</th>`)}</tr></thead><tbody>${rows.map(
    (row) =>
      markup`<tr>${row.map((cell, index) =>
        index === 0 && side(0) === 'left'
          ? markup`<th scope="row">${cellText(plainText(cell))}</th>`
          : markup`<td class="${side(index)}">${cellText(plainText(cell))}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

/** Cells with words of any length: what is beyond a few hundred letters is not for a table. */
function cellText(cell: string): Insertion {
  return shown(cell.length > 400 ? `${cell.slice(0, 400)}…` : cell);
}

function readingItem(
  { why, sentences, row }: ReadingItem,
  kinds: readonly string[],
  records: RecordTable | null,
): Markup {
  const place = records === null ? -1 : records.rows.indexOf(row);
  const name = markup`<bdi>${shown(shortLabel(row.id, 60))}</bdi>`;
  return markup`<li><h3><span class="why">${why}</span> ${
    place < 0 ? name : markup`<a href="#?record=${place + 1}">${name}</a>`
  } <span class="tag">${[row.attack, row.model, row.dataset]
    .filter((value) => value !== null)
    .map((value) => shortLabel(value, 40))
    .join(' · ')}</span></h3>
${diffMarkup(row, kinds)}${outputs(row)}
<p class="because">${sentences.map((sentence) => markup`${shown(sentence)} `)}</p></li>`;
}

function outputs({
  out,
  advOut,
  ref,
}: {
  readonly out: string | null;
  readonly advOut: string | null;
  readonly ref: string | null;
}): Insertion {
  const lines = (
    [
      ['output before', out],
      ['output under attack', advOut],
      ['reference', ref],
    ] as const
  ).filter(([, text]) => text !== null);
  if (lines.length === 0) return null;
  return markup`<dl class="outputs">${lines.map(([name, text]) => markup`<div><dt>${name}</dt><dd dir="auto">${longText(text ?? '')}</dd></div>`)}</dl>`;
}

/** A text of a record, cut where it would push everything else from the page. */
function longText(text: string): Insertion {
  const limit = 1200;
  if (text.length <= limit) return text === '' ? markup`<span class="empty">(empty)</span>` : shown(text);
  return markup`${shown(text.slice(0, limit))}<span class="empty">… ${text.length - limit} more</span>`;
}

function diffMarkup(
  {
    src,
    advSrc,
    diff,
  }: { readonly src: string | null; readonly advSrc: string | null; readonly diff: readonly number[] },
  kinds: readonly string[],
): Insertion {
  if (diff.length === 0) {
    const text = advSrc ?? src;
    return text === null ? null : markup`<p class="diff" dir="auto">${longText(text)}</p>`;
  }
  let length = 0;
  const shownPieces: Insertion[] = [];
  for (const { kind, original, edited } of diffPieces(src ?? '', advSrc ?? '', diff, kinds)) {
    if (length > 1600) {
      shownPieces.push(markup`<span class="empty">… and more</span>`);
      break;
    }
    length += Math.max(original.length, edited.length);
    if (kind === 'equal' || kind === 'space') shownPieces.push(longText(edited === '' ? ' ' : edited));
    else {
      const stacked = original !== '' && edited !== '' && original.length <= STACKED && edited.length <= STACKED;
      shownPieces.push(
        markup`<span class="edit${stacked ? ' stacked' : ''}" title="${kind.replaceAll('_', ' ')}">${
          original === '' ? null : markup`<del>${longText(original)}</del>`
        }${edited === '' ? null : markup`<ins>${longText(edited)}</ins>`}</span>`,
      );
    }
  }
  return markup`<p class="diff" dir="auto">${shownPieces}</p>`;
}

function ruleFindings({ rule, severity, description, count, examples }: RuleFindings): Markup {
  return markup`<details><summary><span class="severity ${severity}">${severity}</span> <strong>${rule.replaceAll('_', ' ')}</strong>
<span class="count">${count}</span> <span class="meaning">${description}</span></summary><ul>${examples.map(
    ({ record, place, message, row }) =>
      markup`<li>${
        row === null
          ? markup`<bdi>${shown(shortLabel(record, 60))}</bdi>`
          : markup`<a href="#?record=${row + 1}"><bdi>${shown(shortLabel(record, 60))}</bdi></a>`
      } <span class="place">${place}</span> ${cellText(message)}</li>`,
  )}${count > examples.length ? markup`<li class="empty">and ${count - examples.length} more</li>` : null}</ul></details>`;
}

async function importanceItem({ title, text, words, figure: block }: ImportanceItem): Promise<Markup> {
  const points = [...text];
  const strongest = Math.max(1e-12, ...words.map(({ importance }) => Math.abs(importance ?? 0)));
  const parts: Insertion[] = [];
  let at = 0;
  for (const { word, start, end, importance } of words) {
    parts.push(shown(points.slice(at, start).join('')));
    const value = importance ?? 0;
    const step = importance === null ? 0 : Math.ceil((Math.abs(value) / strongest) * 4);
    const title_ = importance === null ? 'not known' : formatFixed(value, 4);
    parts.push(
      markup`<span class="word ${step === 0 ? '' : `${value > 0 ? 'supports' : 'opposes'}-${step}`}" title="${title_}">${shown(word)}</span>`,
    );
    at = end;
  }
  parts.push(shown(points.slice(at).join('')));
  return markup`<h3>${shown(title)}</h3><p class="words" dir="auto">${parts}</p>${await figure(block)}`;
}

/** The part that the script fills; without it, a sentence says so. */
function recordsMarkup({ rows, total }: RecordTable): Markup {
  const sampled =
    rows.length < total
      ? markup`<p class="intro">The page has a sample of ${rows.length} of the ${total} records, drawn from each attack, model and result in
proportion. Every number and chart above counts all ${total}.</p>`
      : null;
  return markup`<section id="records" aria-labelledby="records-title"><h2 id="records-title">Records</h2>${sampled}
<noscript><p class="intro">Searching, filtering and sorting the ${rows.length} records needs JavaScript. Everything else on this page does not.</p></noscript>
<p class="print-only intro">${rows.length} records can be searched in the page itself; they are not printed.</p>
<div id="record-app" hidden></div></section>
`;
}

function method({ signatures, version, records }: ReportData): Markup {
  if (signatures.length === 0) {
    return markup`<section id="method" aria-labelledby="method-title"><h2 id="method-title">Method</h2>
<ul class="signatures"><li><code>teapot ${version}</code></li></ul></section>
`;
  }
  return markup`<section id="method" aria-labelledby="method-title"><h2 id="method-title">Method</h2>
<p class="intro">s_src is the similarity of the attacked text to the original one. d_tgt is the relative decrease of the score of the output, 0 where the
attack helped. An attack is successful when it destroys more than it changes: s_src + d_tgt above the threshold; without references, when s_src is above the
similarity of both outputs times the threshold (Michel et al. 2019). PDR is 1 − Σ attacked ÷ Σ original (Zhu et al. 2023).${
    records === null ? null : ' Texts are shown as data: hidden characters by their code points.'
  }</p>
<ul class="signatures">${signatures.map((line) => markup`<li><code>${shown(line)}</code></li>`)}<li><code>teapot ${version}</code></li></ul></section>
`;
}

/** A text with hidden characters shown by name. */
function shown(text: string): Insertion {
  return visiblePieces(text).map(({ text: piece, name }) =>
    name === undefined ? piece : markup`<span class="hidden-character" title="${name}">${piece}</span>`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

const require = createRequire(import.meta.url);

/** A file that `scripts/bundle-report.mjs` made. */
function vendored(name: string): string {
  return readFileSync(require.resolve(`#shared/vendor/${name}`), 'utf8').trim();
}
