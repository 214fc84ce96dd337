/** Markup that is safe to write: made by {@link markup} or {@link trusted} only. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** What may stand in a template: text is escaped, markup and lists of it are not, nothing stands for null. */
export type Insertion = string | number | Markup | null | undefined | readonly Insertion[];

/**
 * Writes HTML: every inserted text is escaped, wherever it stands (in text or in a quoted attribute).
 *
 * Formatters take a template called `html` for markup that they may break into lines; here every space counts.
 *
 * @example markup`<p title="${'"'}">${'<b>'}</p>`.source; // '<p title="&quot;">&lt;b&gt;</p>'
 */
export function markup(parts: TemplateStringsArray, ...insertions: readonly Insertion[]): Markup {
  let source = parts[0] ?? '';
  for (const [index, insertion] of insertions.entries()) source += written(insertion) + (parts[index + 1] ?? '');
  return new Markup(source);
}

/** Declares a source as markup: only for what teapot made itself, never for data. */
export function trusted(source: string): Markup {
  return new Markup(source);
}

/**
 * Escapes a text for HTML: in elements, and in attributes between quotes.
 *
 * NUL, which HTML has no way to write, becomes U+FFFD.
 */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\u0000', '\uFFFD');
}

function written(insertion: Insertion): string {
  if (insertion === null || insertion === undefined) return '';
  if (insertion instanceof Markup) return insertion.source;
  if (typeof insertion === 'string') return escapeHtml(insertion);
  if (typeof insertion === 'number') return String(insertion);
  return insertion.map(written).join('');
}
