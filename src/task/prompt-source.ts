import { didYouMean } from '../nearest.js';
import { parsePythonLiteral } from '../record/import/common/python-literal.js';
import { parseJson } from '../read/json.js';

/** A list of texts in a source file, and what the file calls it. */
interface NamedList {
  readonly name: string;
  readonly prompts: readonly string[];
}

/** The name of OpenCompass's configuration for the prompts of an attack. */
const OPENCOMPASS_NAME = 'original_prompt_list';

/**
 * The prompts that a Python file lists: OpenCompass's `original_prompt_list = […]`, PromptBench's `Prompt([…])`, a dict of lists
 * by data set as PromptBench's own prompt files have it, or the one list of texts that is assigned. Nothing is run: f-strings and anything
 * that is not written out are not read.
 *
 * @param source The text of the file.
 * @param dataset Whose prompts are taken of a dict of lists.
 * @returns The prompts, or what is wrong, for a message after the name of the file.
 */
export function promptsOfPython(source: string, dataset: string): readonly string[] | string {
  const lists = listsOf(source);
  const named = lists.filter(({ name }) => name === OPENCOMPASS_NAME || name === 'Prompt');
  return chosen(named.length > 0 ? named : lists, dataset);
}

/**
 * The prompts of a JSON document: an array of texts, or an object with one under `original_prompt_list`, `prompts` or the name of the
 * data set.
 *
 * @returns As {@link promptsOfPython}.
 */
export function promptsOfJson(source: string, dataset: string): readonly string[] | string {
  const parsed = parseJson(source);
  if (!('value' in parsed)) return 'is no JSON document (a file of one object a line is named .jsonl)';
  const { value } = parsed;
  if (isTexts(value)) return value;
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const lists = entries.flatMap(([name, list]) => (isTexts(list) ? [{ name, prompts: list }] : []));
  const named = lists.filter(({ name }) => name === OPENCOMPASS_NAME || name === 'prompts');
  return chosen(named.length > 0 ? named : lists, dataset);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function chosen(lists: readonly NamedList[], dataset: string): readonly string[] | string {
  const [first, ...others] = lists;
  if (first === undefined) {
    return 'holds no list of prompts: expected original_prompt_list = ["…", "…"], Prompt(["…"]), or one list of texts';
  }
  if (others.length === 0) return first.prompts;
  const own = lists.filter(({ name }) => name === dataset);
  const names = lists.map(({ name }) => name);
  if (own.length > 0) return own.flatMap(({ prompts }) => prompts);
  return `holds several lists of prompts (${names.join(', ')}) and none for the data set ${dataset}.${didYouMean(dataset, names)} Keep one`;
}

const WORD = /\w+/uy;
/** What stands between a name and the texts of its list. */
const ASSIGNED = /\s*=\s*\[/uy;
const OF_KEY = /\s*:\s*\[/uy;
const CALLED = /\s*\(\s*(?:\w+\s*=\s*)?\[/uy;

/** Every list of texts of a Python file that has a name: `name = […]`, `'name': […]`, `Prompt([…])`; comments and texts hold none. */
function listsOf(source: string): readonly NamedList[] {
  const lists: NamedList[] = [];
  let position = 0;
  while (position < source.length) {
    if (source[position] === '#') {
      position = endOfLine(source, position);
      continue;
    }
    const key = stringAt(source, position);
    const word = key === undefined ? matchAt(WORD, source, position) : undefined;
    const end = key?.end ?? position + (word?.length ?? 1);
    const between = key !== undefined ? OF_KEY : word === 'Prompt' ? CALLED : ASSIGNED;
    const opening = key === undefined && word === undefined ? undefined : matchAt(between, source, end);
    const found = opening === undefined ? undefined : textsAt(source, end + opening.length);
    if (found !== undefined) lists.push({ name: key?.text ?? word ?? '', prompts: found.prompts });
    position = found?.end ?? end;
  }
  return lists;
}

function matchAt(pattern: RegExp, source: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(source)?.[0];
}

/** The texts of a list after its bracket; undefined when something else stands in it, or it is empty. */
function textsAt(
  source: string,
  start: number,
): { readonly prompts: readonly string[]; readonly end: number } | undefined {
  const prompts: string[] = [];
  let position = blankEnd(source, start);
  while (source[position] !== ']') {
    let text: string | undefined;
    const isWrapped = source[position] === '(';
    if (isWrapped) position = blankEnd(source, position + 1);
    // Texts side by side are one text.
    for (let part = stringAt(source, position); part !== undefined; part = stringAt(source, position)) {
      text = (text ?? '') + part.text;
      position = blankEnd(source, part.end);
    }
    if (text === undefined) return undefined;
    prompts.push(text);
    if (isWrapped) {
      if (source[position] !== ')') return undefined;
      position = blankEnd(source, position + 1);
    }
    if (source[position] === ',') position = blankEnd(source, position + 1);
    else if (source[position] !== ']') return undefined;
  }
  return prompts.length === 0 ? undefined : { prompts, end: position + 1 };
}

const OPENING = /(?<prefix>[rRuU]?)(?<quote>"""|'''|"|')/uy;

/** The text of Python that begins at a position; undefined for anything else, also for f-strings and bytes. */
function stringAt(source: string, position: number): { readonly text: string; readonly end: number } | undefined {
  OPENING.lastIndex = position;
  const opening = OPENING.exec(source)?.groups;
  const { prefix, quote } = opening ?? {};
  if (prefix === undefined || quote === undefined) return undefined;
  const start = position + prefix.length + quote.length;
  let end = start;
  while (!source.startsWith(quote, end)) {
    if (end >= source.length || (quote.length === 1 && source[end] === '\n')) return undefined;
    end += source[end] === '\\' ? 2 : 1;
  }
  const body = source.slice(start, end);
  const after = end + quote.length;
  if (prefix.toLowerCase() === 'r') return { text: body, end: after };
  // One line, in the quotes that the reader of literals knows.
  const [mark = '"'] = quote;
  const line = body.replaceAll(/\\[\s\S]|\r?\n|["']/gu, (part) => {
    if (part.startsWith('\\')) return part === '\\\r' ? '' : part;
    return part === mark ? `\\${part}` : part.endsWith('\n') ? '\\n' : part;
  });
  try {
    const { value } = parsePythonLiteral(`${mark}${line}${mark}`);
    return value.type === 'string' ? { text: value.value, end: after } : undefined;
  } catch {
    return undefined;
  }
}

/** The position after blanks and comments. */
function blankEnd(source: string, start: number): number {
  let position = start;
  for (;;) {
    const character = source[position];
    if (character === '#') position = endOfLine(source, position);
    else if (character !== undefined && ' \t\r\n\\'.includes(character)) position += 1;
    else return position;
  }
}

function endOfLine(source: string, position: number): number {
  const end = source.indexOf('\n', position);
  return end === -1 ? source.length : end;
}
