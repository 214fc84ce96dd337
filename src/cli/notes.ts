import { printMessage } from './terminal.js';

/** Says something on stderr that is not a result: a note or a warning, one line. */
export type Note = (message: string) => void;

/**
 * Makes the writer of notes of one run.
 *
 * @param argv The parsed arguments; `--quiet` silences notes. Errors are not notes: they are always printed.
 */
export function createNote(argv: { readonly quiet?: boolean | undefined }): Note {
  return argv.quiet === true ? () => {} : printMessage;
}
