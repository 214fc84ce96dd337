import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';

/** A template taken apart: texts and names, in turn. */
export interface Template {
  /** The template as it was written. */
  readonly source: string;
  readonly parts: readonly TemplatePart[];
  /** The names between braces. */
  readonly names: ReadonlySet<string>;
}

/** A literal text, or a name that is filled in. */
export type TemplatePart = { readonly text: string } | { readonly name: string };

const PLACEHOLDER = /\{([\p{L}_][\p{L}\p{N}_. -]*)\}/gu;

/** Takes a template apart; `{name}` is a place to fill, any other brace is a character. */
export function parseTemplate(source: string): Template {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of source.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push({ text: source.slice(end, match.index) });
    parts.push({ name: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < source.length) parts.push({ text: source.slice(end) });
  const names = new Set(parts.flatMap((part) => ('name' in part ? [part.name] : [])));
  return { source, parts, names };
}

/**
 * Fills a template in one pass: braces inside of values are characters, so no text of the data is ever taken for a place to fill.
 *
 * Names without a value stay as they were written.
 */
export function fillTemplate(template: Template, value: (name: string) => string | undefined): string {
  return template.parts.map((part) => ('text' in part ? part.text : (value(part.name) ?? `{${part.name}}`))).join('');
}

/**
 * Refuses a template with a name that nothing fills.
 *
 * @param where What the template is, for the message.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` with the nearest name.
 */
export function checkTemplate(template: Template, known: readonly string[], where: string): void {
  for (const name of template.names) {
    if (known.includes(name)) continue;
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `${where}: {${name}} is no column of the data.${didYouMean(name, known)} Known: ${known.map((one) => `{${one}}`).join(', ')}`,
    );
  }
}
