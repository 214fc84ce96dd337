import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';

/** Which column of a table is what: a name, or `#3` for the third. Undefined parts are not in the table. */
export interface TableColumns {
  readonly id?: string | undefined;
  readonly src?: string | undefined;
  readonly advSrc?: string | undefined;
  readonly out?: string | undefined;
  readonly advOut?: string | undefined;
  /** One column a reference. */
  readonly refs: readonly string[];
  /** The columns by whose values segments are grouped. */
  readonly groups?: readonly string[] | undefined;
}

const PARTS = ['id', 'src', 'adv_src', 'out', 'adv_out', 'ref'];

/**
 * Reads `src=original_text,adv_src=perturbed_text,…`; `ref` may be named several times.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an unknown or repeated part or an empty name.
 */
export function parseColumns(text: string | undefined): TableColumns {
  if (text === undefined) {
    throw invalid('the option `data` needs the option `columns`, for example src=original,adv_src=perturbed.');
  }
  const columns = parseColumnList(text, PARTS);
  const one = (name: string): string | undefined => columns.get(name)?.[0];
  return {
    id: one('id'),
    src: one('src'),
    advSrc: one('adv_src'),
    out: one('out'),
    advOut: one('adv_out'),
    refs: columns.get('ref') ?? [],
  };
}

/**
 * Reads a list of `PART=COLUMN`; only `ref` may be named several times.
 *
 * A name may hold commas and equals signs: a new part begins only at a comma before a word and an equals sign.
 *
 * @param parts The parts that exist.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an unknown or repeated part or an empty name.
 */
export function parseColumnList(text: string, parts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>();
  for (const part of text.split(/,(?=\w+=)/)) {
    const equals = part.indexOf('=');
    const [name, column] = [part.slice(0, Math.max(0, equals)).trim(), part.slice(equals + 1).trim()];
    if (!parts.includes(name) || column === '') {
      throw invalid(
        `the option \`columns\` "${text}": found "${part}", expected PART=COLUMN.${didYouMean(name, parts)} The parts are ${parts.join(', ')}.`,
      );
    }
    const known = columns.get(name) ?? [];
    if (known.length > 0 && name !== 'ref') throw invalid(`the option \`columns\` "${text}": ${name} is given twice.`);
    columns.set(name, [...known, column]);
  }
  return columns;
}

function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
