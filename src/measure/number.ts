import { ERROR_CODES, TeapotError } from '../errors.js';

/** Keeps NaN out of the criteria: it would compare false and count as "not successful" without a word. */
export function requireNumber(value: number, name: string): void {
  if (Number.isNaN(value)) throw new TeapotError(ERROR_CODES.INVALID_OPTION, `${name} is not a number (NaN).`);
}
