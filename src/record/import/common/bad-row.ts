import { ERROR_CODES, UsageError } from '../../../errors.js';
import type { ImportOptions } from '../importer.js';

/**
 * Deals with a row that can't be read, as the user asked: `stop` (default) throws, `skip` warns and goes on.
 *
 * @param line 1-based.
 * @param message what was found and what was expected; file and line are put in front of an error.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line, unless `options.onError` is `skip`.
 */
export function badRow(options: ImportOptions, file: string, line: number, message: string): void {
  if (options.onError !== 'skip') {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${file}:${line}: ${message} (the option \`onError\` skip reads the rest)`,
    );
  }
  options.onWarning?.({ file, line, code: 'bad-row', message: `${message}; the row was left out` });
}
