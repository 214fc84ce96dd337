import { stripEndOf } from '../../../read/whitespace.js';
import { readPrinted, type Printed } from '../../printed.js';
import { decodePythonBytes, PythonLiteralError } from '../common/python-bytes.js';

/**
 * One piece of a line of PromptBench's archive of adversarial prompts. A line normally holds one piece; where a line end
 * is missing it holds several.
 */
export type ArchivePiece =
  | { readonly type: 'heading'; readonly level: 1 | 2; readonly name: string }
  | { readonly type: 'clean'; readonly accuracy: Printed; readonly prompt: string }
  | { readonly type: 'translation'; readonly language: string; readonly accuracy: Printed; readonly prompt: string }
  | { readonly type: 'original'; readonly prompt: string }
  | { readonly type: 'attacked'; readonly prompt: string }
  | { readonly type: 'scores'; readonly original: Printed; readonly attacked: Printed; readonly dropped: Printed }
  | { readonly type: 'blank' }
  | { readonly type: 'bad'; readonly reason: string; readonly text: string }
  | { readonly type: 'other'; readonly text: string };

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const HEADING = /^(##?) (.*)$/su;
const CLEAN = new RegExp(`^Acc: ${NUMBER}%, prompt: ?(.*)$`, 'su');
const TRANSLATION = new RegExp(`^Language: (.*?), acc: ${NUMBER}%, prompt: ?(.*)$`, 'su');
const SCORES = new RegExp(`^Original acc: ${NUMBER}%, attacked acc: ${NUMBER}%, dropped acc: ${NUMBER}%`, 'u');
const ORIGINAL = 'Original prompt: ';
const ATTACKED = 'Attacked prompt: ';
/** What stands between the pieces of a triple that was collapsed on one line. */
const INNER_ATTACKED = ` ${ATTACKED}`;

/**
 * Cuts one line of an archive file into its pieces.
 *
 * Text is taken as it stands: an `Original prompt:` line is cut only where a whole bytes literal and a score line follow
 * up to the end of the line, so that a prompt which merely quotes those words stays whole.
 *
 * @param line one line without its line end.
 * @returns at least one piece; more than one where the file has lost a line end.
 */
export function splitArchiveLine(line: string): readonly ArchivePiece[] {
  const heading = HEADING.exec(line);
  if (heading !== null) {
    return [{ type: 'heading', level: heading[1] === '#' ? 1 : 2, name: stripEndOf(heading[2] ?? '', ' \t') }];
  }
  const clean = CLEAN.exec(line);
  if (clean !== null) return [{ type: 'clean', accuracy: readPrinted(clean[1] ?? ''), prompt: clean[2] ?? '' }];
  const translation = TRANSLATION.exec(line);
  if (translation !== null) {
    const [, language = '', accuracy = '', prompt = ''] = translation;
    return [{ type: 'translation', language, accuracy: readPrinted(accuracy), prompt }];
  }
  if (line.startsWith(ORIGINAL)) return splitOriginal(line);
  if (line.startsWith(ATTACKED)) return splitAttacked(line, 0);
  if (line.startsWith('Original acc: ')) return splitScores(line, 0);
  if (/^[ \t]*$/u.test(line)) return [{ type: 'blank' }];
  return [{ type: 'other', text: line }];
}

/** A line that begins with `Original prompt: `: the prompt alone, or a whole triple. */
function splitOriginal(line: string): readonly ArchivePiece[] {
  for (let at = line.indexOf(INNER_ATTACKED); at >= 0; at = line.indexOf(INNER_ATTACKED, at + 1)) {
    const rest = splitAttacked(line, at + 1);
    if (rest.length > 1 && rest.every((piece) => piece.type !== 'bad' && piece.type !== 'other')) {
      return [{ type: 'original', prompt: line.slice(ORIGINAL.length, at) }, ...rest];
    }
  }
  return [{ type: 'original', prompt: line.slice(ORIGINAL.length) }];
}

/** What begins with `Attacked prompt: ` at `start`: a bytes literal, perhaps followed by its score line. */
function splitAttacked(line: string, start: number): readonly ArchivePiece[] {
  try {
    const { text, end } = decodePythonBytes(line, start + ATTACKED.length);
    const rest = line.slice(end);
    if (/^[ \t]*$/u.test(rest)) return [{ type: 'attacked', prompt: text }];
    const next = end + (rest.length - rest.replace(/^[ \t]+/u, '').length);
    return [{ type: 'attacked', prompt: text }, ...splitScores(line, next)];
  } catch (error) {
    if (!(error instanceof PythonLiteralError)) throw error;
    return [{ type: 'bad', reason: `attacked prompt: ${error.message}`, text: line.slice(start) }];
  }
}

/** What should be a score line at `start`, perhaps glued to the next prompt. */
function splitScores(line: string, start: number): readonly ArchivePiece[] {
  const text = line.slice(start);
  const scores = SCORES.exec(text);
  if (scores === null)
    return [{ type: 'bad', reason: 'expected "Original acc: N%, attacked acc: N%, dropped acc: N%"', text }];
  const [whole, original = '', attacked = '', dropped = ''] = scores;
  const piece: ArchivePiece = {
    type: 'scores',
    original: readPrinted(original),
    attacked: readPrinted(attacked),
    dropped: readPrinted(dropped),
  };
  const rest = text.slice(whole.length).replace(/^[ \t]+/u, '');
  return rest === '' ? [piece] : [piece, ...splitArchiveLine(rest)];
}
