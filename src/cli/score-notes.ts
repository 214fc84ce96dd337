import type { InputFile } from '../read/segment-source.js';
import { formatPercent } from '../number-format.js';
import type { Result, Summary } from '../measure/summary.js';
import type { Note } from './notes.js';

/** teapot-nlp warns at a hundred lines. */
const TOKENIZED_LINES = 100;

/** Says what looks wrong with the input files. */
export function noteInputs(inputs: readonly InputFile[], note: Note): void {
  for (const input of inputs) {
    const { name, lines, loneCarriageReturns, controlCharacters, tokenizedLines, blankLines = 0 } = input;
    const { missing, repeatedHeaders } = input;
    if (controlCharacters !== undefined) {
      note(
        `Warning: ${name}: control characters (U+0080 to U+009F): ${controlCharacters}. In windows-1252 these bytes are letters and quotes: is that the encoding?`,
      );
    }
    if (repeatedHeaders !== undefined) {
      const shown = repeatedHeaders.slice(0, 20).join(', ') + (repeatedHeaders.length > 20 ? ', …' : '');
      note(
        `Warning: ${name}: rows that repeat the header: ${repeatedHeaders.length}. They are left out: lines ${shown}.`,
      );
    }
    if (missing !== undefined) {
      const more = missing.count > missing.rows.length ? ', …' : '';
      note(
        `Warning: ${name}: rows with a missing text (null): ${missing.count}. They count as empty texts: rows ${missing.rows.join(', ')}${more}.`,
      );
    }
    if (loneCarriageReturns > 0) {
      note(
        `Warning: ${name}: carriage returns inside lines: ${loneCarriageReturns}. They stay in the text, since only a line feed ends a line (teapot-nlp splits there).`,
      );
    }
    if (blankLines > 0) note(`Note: ${name}: blank lines: ${blankLines} of ${lines}.`);
    if (tokenizedLines >= TOKENIZED_LINES) {
      note(
        `Warning: ${name}: lines that end in " .": ${tokenizedLines}. The text looks tokenized; its scores can't be compared with those of plain text, so detokenize it first.`,
      );
    }
  }
}

/** Says what the numbers of a result don't show, for each attack of several. */
export function noteResult({ by, groups, totals, all }: Result, note: Note): void {
  if (all === null) {
    for (const { values, summary } of totals ?? groups) {
      noteSummary(summary, (message) => note(message.replace(/^Note: /, `Note: ${values.join(', ')}: `)));
    }
    if (by.every((key) => key === 'attack')) return;
    const signatures = new Set((totals ?? groups).map(({ summary }) => summary.signature));
    for (const signature of signatures) note(`Signature: ${signature}`);
    return;
  }
  noteSummary(all.summary, note);
  // Text of a plain summary has no place for it but the terminal's.
  if (by.length > 0 || all.claims !== null) note(`Signature: ${all.summary.signature}`);
}

/** Says what the numbers don't show: lines without a defined criterion, blank texts, percentiles that are not exact. */
function noteSummary(summary: Summary, note: Note): void {
  for (const { reason, count } of summary.undefinedCounts) note(`Note: undefined: ${count} (${reason})`);
  const { success } = summary;
  if (success !== null && summary.undefinedCounts.length > 0 && success.rateWhereDefined !== success.rate) {
    const defined = summary.n - summary.undefinedCounts.reduce((sum, { count }) => sum + count, 0);
    const rate = success.rateWhereDefined === null ? 'n/a' : formatPercent(success.rateWhereDefined);
    note(`Note: success percentage over lines with a defined criterion (${defined}): ${rate}`);
  }
  const { corpusLevel } = summary;
  const corpus = [corpusLevel?.sSrcSignature ?? [], corpusLevel?.sTgtSignature ?? []].flat();
  if (corpus.length > 0) note(`Note: corpus level: ${[...new Set(corpus)].join(', ')}`);
  for (const [side, blank] of Object.entries(summary.blank)) {
    if (blank > 0) note(`Note: lines with a blank text on the ${side} side: ${blank} of ${summary.n}`);
  }
  if (summary.intervals !== null && summary.n < 2) note('Note: no intervals: one line has no spread.');
  if (summary.percentileError > 0) {
    note(
      `Note: percentiles of so many lines are rounded, by at most ${summary.percentileError.toExponential(1)} of the range.`,
    );
  }
}
