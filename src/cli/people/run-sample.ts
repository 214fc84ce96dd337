import { createHash } from 'node:crypto';

import { drawSample } from '../../people/draw-sample.js';
import type { Rateable } from '../../people/draw-sample.js';
import { DEFAULT_QUESTION, sheetCsv, sheetPage } from '../../people/rating-sheet.js';
import { RATING_SCALES } from '../../people/sample-key.js';
import { groupingValues, NO_VALUE, parseGroupingKeys } from '../../record/grouping.js';
import { recordKind } from '../../record/kind.js';
import { scoreRecords } from '../../record/score-records.js';
import type { AttackRecord } from '../../record/schema.js';
import { chooseFormat } from '../../report/formats.js';
import { renderJson } from '../../report/json.js';
import type { SampleArguments } from '../commands/sample.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { openRecordFiles } from '../record-options.js';
import { BOTH_CHRF, openScorers } from '../scorers.js';
import { printResult } from '../terminal.js';
import { invalid } from '../values.js';

/** The stratum beside the grouping keys. */
const MARGIN = 'margin';

/** Bands of the margin: quartiles of the sampled records. */
const MARGIN_BANDS = 4;

/** An attack that can be rated, and its margin where it is asked for. */
interface Candidate extends Omit<Rateable, 'stratum'> {
  readonly values: readonly (string | null)[];
}

/**
 * Draws attacks for people to rate, and writes the sheet and its key.
 *
 * @throws {UsageError} when an option is wrong, a line is no record, or no record has both texts.
 */
export async function runSample(argv: SampleArguments): Promise<void> {
  const note = createNote(argv);
  const format = chooseFormat({ formats: ['csv', 'html'], output: argv.output, option: '--output' });
  if (argv.output === '-') throw invalid('--output: name a file: the key is written beside it.');
  const keys = parseGroupingKeys(argv.strata, '--strata', [MARGIN]);
  const { candidates, without } = await readCandidates(argv, keys, note);
  if (candidates.length === 0) {
    throw invalid(`${argv.records.join(', ')}: no attack has both an original and a perturbed text that differ.`);
  }
  if (without > 0) note(`${without} records are left out: they lack a text, or the attack changed nothing.`);
  const n = Math.min(argv.n, candidates.length);
  if (n < argv.n)
    note(`There are ${candidates.length} attacks: all of them are in the sheet (${argv.n} were asked for).`);
  const { items, key } = drawSample(withStrata(candidates, keys), {
    n,
    repeats: Math.min(argv.repeats ?? Math.round(n / 10), n),
    controls: argv.controls ?? Math.round(n / 20),
    seed: argv.seed,
    scale: argv.ratingScale,
    strata: keys,
  });
  const keyPath = argv.key ?? `${argv.output.replace(/\.(?:csv|html?)(?:\.gz|\.zst)?$/iu, '')}.key.json`;
  const keyText = renderJson(key);
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
  const sheet =
    format === 'csv'
      ? sheetCsv(items)
      : sheetPage(
          items,
          RATING_SCALES[argv.ratingScale],
          argv.question ?? DEFAULT_QUESTION,
          hash(keyText).slice(0, 12),
          hash,
        );
  if (format === 'csv' && argv.question !== undefined)
    throw invalid('--question stands on an .html sheet: a .csv has none.');
  await printResult(keyText, { output: keyPath, format: 'json' });
  await printResult(sheet, { output: argv.output, format });
  note(`${items.length} items in ${argv.output}; what stands behind them is in ${keyPath}: keep that from the raters.`);
}

async function readCandidates(
  argv: SampleArguments,
  keys: readonly string[],
  note: (message: string) => void,
): Promise<{ readonly candidates: readonly Candidate[]; readonly without: number }> {
  const files = await openRecordFiles(argv, note);
  const grouping = keys.filter((key) => key !== MARGIN);
  const candidates: Candidate[] = [];
  const seen = new Set<string>();
  let without = 0;
  const add = (record: AttackRecord, margin: number | null): void => {
    if (recordKind(record) !== 'attack') return;
    const { src, adv_src: advSrc } = record;
    if (src === null || advSrc === null || src === advSrc) {
      without += 1;
      return;
    }
    const name = JSON.stringify([record.run, record.id]);
    if (seen.has(name)) {
      throw invalid(
        `Two records are called ${record.id}${record.run === null ? '' : ` in the run ${record.run}`}: ratings could not be told apart.`,
      );
    }
    seen.add(name);
    candidates.push({
      id: record.id,
      run: record.run,
      original: src,
      perturbed: advSrc,
      values: groupingValues(record, grouping),
      margin,
    });
  };
  if (!keys.includes(MARGIN)) {
    for await (const record of files.records()) add(record, null);
    return { candidates, without };
  }
  const { sSrc, sTgt } = await openScorers(argv, BOTH_CHRF, note);
  try {
    const scoring = { sSrc, sTgt, successThreshold: argv.successThreshold, signal: interruptSignal };
    for await (const { record, measured } of scoreRecords(files.records(), scoring)) {
      const [source, target] = [measured?.s_src ?? null, measured?.d_tgt ?? null];
      add(record, source === null || target === null ? null : source + target - argv.successThreshold);
    }
  } finally {
    await sSrc.close?.();
    await sTgt.close?.();
  }
  return { candidates, without };
}

/** The stratum of each: the values of its keys; the margin as the quartile it lies in. */
function withStrata(candidates: readonly Candidate[], keys: readonly string[]): Rateable[] {
  const margins = candidates.flatMap(({ margin }) => margin ?? []).toSorted((a, b) => a - b);
  const band = (margin: number | null): string => {
    if (margin === null) return 'undefined';
    const place = margins.findIndex((other) => other >= margin);
    return `band ${1 + Math.floor((place * MARGIN_BANDS) / margins.length)}`;
  };
  return candidates.map(({ values, margin, ...rest }) => {
    let next = 0;
    const parts = keys.map((key) => {
      if (key === MARGIN) return band(margin);
      next += 1;
      return values[next - 1] ?? NO_VALUE;
    });
    return { ...rest, margin, stratum: parts.join(', ') };
  });
}
