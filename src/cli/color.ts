import type { GeneralArguments } from './command.js';

/**
 * Whether text for a stream may have ANSI colours: it is a terminal that knows them, and nobody said no
 * (`--no-color`, or a variable NO_COLOR that is not empty: https://no-color.org).
 *
 * @param stream Default stdout.
 */
export function wantsColor(argv: GeneralArguments, stream: { readonly isTTY?: boolean } = process.stdout): boolean {
  const { NO_COLOR: noColor = '', TERM: terminal = '' } = process.env;
  return stream.isTTY === true && argv.noColor !== true && noColor === '' && terminal !== 'dumb';
}
