import { csvRecord } from '../report/delimited.js';
import { markup, trusted } from '../report/html/markup.js';
import type { SheetItem } from './draw-sample.js';
import type { RatingScale } from './sample-key.js';

/** The question of a sheet where none is given. */
export const DEFAULT_QUESTION = 'How much of the meaning of the first text does the second one keep?';

/** The sheet as CSV: raters fill in the column `rating`. */
export function sheetCsv(items: readonly SheetItem[]): string {
  const head = csvRecord(['item', 'original', 'perturbed', 'rating', 'comment']);
  return head + items.map(({ item, original, perturbed }) => csvRecord([item, original, perturbed, '', ''])).join('');
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 1rem 1rem 5rem; }
.scale { columns: 2; font-size: .9rem; padding: 0; list-style: none; }
article { border-top: 1px solid #8886; padding: 1rem 0; }
article p { margin: .3rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
article p span { display: inline-block; min-width: 1.6rem; opacity: .65; }
fieldset { border: 0; padding: .4rem 0; margin: 0; display: flex; flex-wrap: wrap; gap: .4rem 1rem; }
legend { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
textarea, input[type=text] { font: inherit; width: 100%; box-sizing: border-box; }
footer { position: fixed; inset: auto 0 0; background: Canvas; border-top: 1px solid #8886; padding: .6rem 1rem; text-align: center; }
button { font: inherit; padding: .3rem 1rem; }
@media print { footer { display: none; } }
`;

/** Keeps what was entered in this browser, and saves it as CSV. */
const SCRIPT = `
const form = document.querySelector('form');
const status = document.querySelector('output');
const store = 'teapot-ratings-' + document.body.dataset.sheet;
const entries = () => [...document.querySelectorAll('article')].map((article) => ({
  item: article.dataset.item,
  rating: article.querySelector('input:checked')?.value ?? '',
  comment: article.querySelector('textarea').value,
}));
const show = () => {
  const all = entries();
  status.textContent = all.filter(({ rating }) => rating !== '').length + ' of ' + all.length + ' rated';
};
const keep = () => {
  show();
  try { localStorage.setItem(store, JSON.stringify({ rater: form.rater.value, entries: entries() })); } catch {}
};
try {
  const kept = JSON.parse(localStorage.getItem(store) ?? '{}');
  form.rater.value = kept.rater ?? '';
  for (const { item, rating, comment } of kept.entries ?? []) {
    const article = document.querySelector('article[data-item="' + item + '"]');
    if (article === null) continue;
    article.querySelector('textarea').value = comment;
    const choice = article.querySelector('input[value="' + rating + '"]');
    if (choice !== null) choice.checked = true;
  }
} catch {}
form.addEventListener('input', keep);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const cell = (text) => /[",\\n\\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  const rater = form.rater.value.trim();
  const lines = [['item', 'rater', 'rating', 'comment'], ...entries().map((e) => [e.item, rater, e.rating, e.comment])];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([lines.map((line) => line.map(cell).join(',') + '\\n').join('')], { type: 'text/csv' }));
  link.download = 'ratings-' + rater.replaceAll(/[^\\w-]+/g, '_') + '.csv';
  link.click();
});
show();
`;

/**
 * The sheet as a page that works from disk without a network: it keeps what was entered in the browser and saves it as CSV.
 *
 * @param sheet tells sheets apart in the browser's store.
 * @param hash Base64 of SHA-256 of a text, for the policy that lets nothing but the page's own script and style run.
 */
export function sheetPage(
  items: readonly SheetItem[],
  scale: RatingScale,
  question: string,
  sheet: string,
  hash: (text: string) => string,
): string {
  const values = Array.from({ length: scale.high - scale.low + 1 }, (_, index) => scale.low + index);
  const policy = `default-src 'none'; script-src 'sha256-${hash(SCRIPT)}'; style-src 'sha256-${hash(STYLE)}'; base-uri 'none'; form-action 'none'`;
  const label = (value: number): string => scale.words[String(value)] ?? '';
  const isWords = values.every((value) => label(value) !== '') && values.length === 2;
  const choices = (item: string) =>
    values.map(
      (value) =>
        markup`<label><input type="radio" name="${item}" value="${value}" /> ${isWords ? label(value) : value}</label> `,
    );
  const page = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Ratings</title>
        ${trusted(`<style>${STYLE}</style>`)}
      </head>
      <body data-sheet="${sheet}">
        <h1>${question}</h1>
        <p>Read both texts of each pair and choose. Judge the meaning alone: neither spelling nor style counts.</p>
        <ul class="scale">
          ${values.map((value) => markup`<li><b>${value}</b> ${label(value)}</li>`)}
        </ul>
        <form>
          <p><label>Your name or number <input type="text" name="rater" required autocomplete="off" /></label></p>
          ${items.map(
            ({ item, original, perturbed }) =>
              markup`<article data-item="${item}">
                <p dir="auto"><span>1</span>${original}</p>
                <p dir="auto"><span>2</span>${perturbed}</p>
                <fieldset><legend>${item}: ${question}</legend>${choices(item)}</fieldset>
                <details><summary>Comment</summary><textarea rows="2" aria-label="Comment on ${item}"></textarea></details>
              </article>`,
          )}
          <footer><output></output> <button>Save as CSV</button></footer>
        </form>
        ${trusted(`<script>${SCRIPT}</script>`)}
      </body>
    </html>`;
  return `${page.source}\n`;
}
