import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';

import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import { GroupSummariser } from '../measure/group-summariser.js';
import { measure } from '../measure/measure.js';
import { partialDocument, partialResult, partialSettings } from '../measure/partial.js';
import { textRules } from '../measure/signature.js';
import { STDOUT, writeStandardOutput } from '../output-file.js';
import { columnOfTexts, encodeFrame, END_OF_FRAMES, readFrames, textsOf } from '../read/column-frames.js';
import type { Frame, FrameColumn } from '../read/column-frames.js';
import { ReferenceCounts } from '../score/reference-counts.js';
import { scoreColumns } from '../score/score-columns.js';
import type { CorpusScorers } from '../score/score-corpus.js';
import { version } from '../version.js';
import type { WorkerArguments } from './commands/worker.js';
import { interruptSignal } from './interrupt.js';
import { createNote } from './notes.js';
import type { Note } from './notes.js';
import { openScorers } from './scorers.js';
import { invalid, readShard } from './values.js';

/** Rows of one part stand before those of the next one, however many it has: groups come in the order of their first row. */
const ROWS_OF_A_PART = 2 ** 32;

/** What a part says of its input where nobody names it. */
const NO_HASH = '0'.repeat(64);

/**
 * Scores the frames of columns that another program sends, or sums up scores that it kept. Each frame of texts is answered by
 * one frame of scores in the same order, then comes the end mark; of scores the one answer is a partial result, as text.
 *
 * @throws {UsageError} when the frames are no frames, end without their end mark, or lack a column.
 */
export async function runWorker(argv: WorkerArguments): Promise<void> {
  const note = createNote(argv);
  const scorers = await openScorers(
    argv,
    {
      sSrc: argv.sides === 'target' ? undefined : 'chrf',
      sTgt: argv.sides === 'source' ? undefined : 'chrf',
    },
    note,
  );
  try {
    const frames = readFrames(bytesOf(argv.frames), argv.frames === STDOUT ? '<stdin>' : argv.frames);
    await (argv.job === 'scores' ? answerScores(frames, scorers, argv) : sumUp(frames, scorers, argv, note));
  } finally {
    await Promise.all([scorers.sSrc?.close?.(), scorers.sTgt?.close?.()]);
  }
}

async function answerScores(
  frames: AsyncIterable<Frame>,
  scorers: CorpusScorers,
  { successThreshold, keepTrailingWhitespace }: WorkerArguments,
): Promise<void> {
  let firstSegment = 0;
  for await (const frame of frames) {
    const options = { firstSegment, keepTrailingWhitespace, signal: interruptSignal };
    const { attacks, blankSides } = await scoreColumns(frame, scorers, options);
    const scores = attacks[0] ?? { count: frame.rows };
    const { dTgt, margin, undefinedReasons } = measure(scores, successThreshold);
    const withReferences = scores.base !== undefined;
    const columns = new Map<string, FrameColumn>();
    const add = (name: string, values: Float64Array | undefined): void => {
      if (values !== undefined) columns.set(name, { type: 'float64', values });
    };
    add('s_src', scores.sSrc);
    add('s_tgt_base', scores.base);
    add('s_tgt_attacked', withReferences ? scores.attacked : undefined);
    add('d_tgt', dTgt);
    add('s_tgt', withReferences ? undefined : scores.attacked);
    add('margin', margin);
    columns.set('blank_sides', { type: 'uint8', values: blankSides ?? new Uint8Array(frame.rows) });
    if (undefinedReasons.size > 0) {
      const reasons = Array.from({ length: frame.rows }, (_, row) => undefinedReasons.get(row) ?? '');
      columns.set('reason', columnOfTexts(reasons));
    }
    await writeStandardOutput(encodeFrame({ rows: frame.rows, columns }));
    firstSegment += frame.rows;
  }
  await writeStandardOutput(END_OF_FRAMES);
}

async function sumUp(
  frames: AsyncIterable<Frame>,
  scorers: CorpusScorers,
  argv: WorkerArguments,
  note: Note,
): Promise<void> {
  const { inputName = '<stdin>', inputHash = NO_HASH, percentile = 'teapot' } = argv;
  const shard = readShard(argv.shard ?? '1/1', '--shard');
  if (!/^[\da-f]{64}$/u.test(inputHash)) {
    throw invalid(`--input-hash: expected 64 hexadecimal digits in lower case, found "${inputHash}".`);
  }
  const by = argv.by === undefined || argv.by === '' ? [] : argv.by.split(',');
  const options = {
    version: version(),
    sSrc: scorers.sSrc,
    sTgt: scorers.sTgt,
    successThreshold: argv.successThreshold,
    percentileMethod: percentile,
    sweep: argv.thresholdSweep,
  };
  const summariser = new GroupSummariser(options, by);
  const references = new ReferenceCounts();
  let rows = 0;
  for await (const frame of frames) {
    const first = shard.index * ROWS_OF_A_PART + rows;
    const base = scoresOf(frame, 's_tgt_base');
    if (base !== undefined && frame.rows > 0) references.add([Array.from({ length: argv.references }, () => '')]);
    summariser.add({
      count: frame.rows,
      ...(scorers.sSrc && { sSrc: requiredScores(frame, 's_src') }),
      ...(base && { base }),
      ...(scorers.sTgt && { attacked: requiredScores(frame, base === undefined ? 's_tgt' : 's_tgt_attacked') }),
      blankSides: blankSidesOf(frame),
      groups: by.map((name) => groupsOf(frame, name)),
      order: by.length === 0 ? undefined : Array.from({ length: frame.rows }, (_, row) => first + row),
    });
    rows += frame.rows;
  }
  if (argv.inputRows !== undefined && rows > argv.inputRows) {
    throw new UsageError(
      ERROR_CODES.LENGTH_MISMATCH,
      `${inputName}: ${rows} rows in this part alone, and ${argv.inputRows} in all (--input-rows).`,
    );
  }
  if (rows === 0) note('Note: this part has no row.');
  const inputs = [
    {
      role: 'data',
      name: inputName,
      lines: argv.inputRows ?? rows,
      sha256: inputHash,
      loneCarriageReturns: 0,
      tokenizedLines: 0,
    } as const,
  ];
  const settings = partialSettings(options, by, textRules(argv));
  const partial = partialResult(settings, shard, { summariser, inputs, references });
  await writeStandardOutput(`${JSON.stringify(partialDocument(partial))}\n`);
}

function scoresOf({ columns }: Frame, name: string): Float64Array | undefined {
  const column = columns.get(name);
  if (column === undefined) return undefined;
  if (column.type !== 'float64') throw wrongColumn(name, 'float64', column.type);
  return column.values;
}

function requiredScores(frame: Frame, name: string): Float64Array {
  const scores = scoresOf(frame, name);
  if (scores === undefined) throw wrongColumn(name, 'float64', 'none');
  const wrong = scores.findIndex((score) => !(score >= 0 && score <= 1));
  if (wrong < 0) return scores;
  throw new UsageError(
    ERROR_CODES.FORMAT,
    `the column ${name}, row ${wrong + 1} of its frame: ${scores[wrong]}, expected a score from 0 to 1.`,
  );
}

function blankSidesOf({ columns, rows }: Frame): Uint8Array {
  const column = columns.get('blank_sides');
  if (column === undefined) return new Uint8Array(rows);
  if (column.type !== 'uint8') throw wrongColumn('blank_sides', 'uint8', column.type);
  return column.values;
}

/** An empty text is no value, as in tables. */
function groupsOf({ columns }: Frame, name: string): readonly (string | null)[] {
  const column = columns.get(name);
  if (column?.type !== 'utf8') throw wrongColumn(name, 'texts', column?.type ?? 'none');
  return textsOf(column).map((text) => (text === '' ? null : text));
}

function wrongColumn(name: string, expected: string, found: string): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, `the column ${name}: expected ${expected}, found ${found}.`);
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const stream = path === STDOUT ? process.stdin : createReadStream(path);
  try {
    yield* addAbortSignal(interruptSignal, stream) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    interruptSignal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const ErrorType = path === STDOUT ? TeapotError : UsageError;
    throw new ErrorType(ERROR_CODES.READ, `${path} can't be read: ${reason}`, { cause });
  }
}
