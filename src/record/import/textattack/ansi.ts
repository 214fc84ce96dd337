/** Control sequences of terminals, such as colours: `ESC [ 92 m`. */
// eslint-disable-next-line no-control-regex -- the escape character is what is looked for
const ANSI = /\u001B\[[\d;:]*[A-Za-z]/gu;

/** Takes terminal colours away. A lone escape character stays: it belongs to the text. */
export function stripAnsi(text: string): string {
  return text.includes('\u001B') ? text.replaceAll(ANSI, '') : text;
}
