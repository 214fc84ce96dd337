import { ERROR_CODES, UsageError } from '../errors.js';
import { callNative, runNative } from '../native.js';
import type { ScoreKind, TextColumn } from '../native.js';
import { textsOf } from '../read/column-frames.js';
import type { Frame, FrameColumn } from '../read/column-frames.js';
import { stripEnd } from '../read/whitespace.js';
import { scoreTexts } from './score-corpus.js';
import type { CorpusScorers, ScoredSegments } from './score-corpus.js';
import type { RunOptions } from './scorer.js';

/** The columns of texts that a frame may have. References are `ref`, `ref.2`, `ref.3`, … */
export const TEXT_COLUMNS = ['src', 'adv_src', 'out', 'adv_out'] as const;

/** How a frame is scored. */
export interface ScoreColumnsOptions extends RunOptions {
  /** Segments before the frame. */
  readonly firstSegment: number;
  /** Leave whitespace at the end of a text where it is. */
  readonly keepTrailingWhitespace?: boolean | undefined;
}

/**
 * Scores the texts of a frame: s_src(x, x′) of `src` and `adv_src`, s(y(x), y*) and s(y(x′), y*) of `out`, `adv_out` and
 * `ref`, or s(y(x′), y(x)) without references. With metrics of the native core no text becomes a string.
 *
 * @returns Scores and blank sides, as for files with these texts. A frame without rows gives arrays of length 0.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` for a column that is missing or no column of texts, and what the scorers throw.
 */
export async function scoreColumns(
  frame: Frame,
  scorers: CorpusScorers,
  options: ScoreColumnsOptions,
): Promise<ScoredSegments> {
  const { sSrc, sTgt, references } = scorers;
  const { firstSegment, keepTrailingWhitespace = false } = options;
  const [src, advSrc] = sSrc === undefined ? [] : [textColumn(frame, 'src'), textColumn(frame, 'adv_src')];
  const [out, advOut] = sTgt === undefined ? [] : [textColumn(frame, 'out'), textColumn(frame, 'adv_out')];
  const refs = sTgt === undefined ? [] : referenceNames(frame).map((name) => textColumn(frame, name));
  const isNative = [sSrc, sTgt].every((scorer) => scorer === undefined || scorer.native !== undefined);
  if (!isNative) {
    const texts = (column: Texts): readonly string[] =>
      keepTrailingWhitespace ? textsOf(column) : textsOf(column).map(stripEnd);
    const ofRefs = refs.map(texts);
    const [first] = ofRefs;
    const perRow = ofRefs.length > 1 ? first?.map((_, row) => ofRefs.map((of) => of[row] ?? '')) : first;
    return scoreTexts(
      {
        firstSegment,
        count: frame.rows,
        ...(src && { src: texts(src) }),
        ...(out && { out: texts(out) }),
        ...(perRow && { refs: perRow }),
        attacks: [{ ...(advSrc && { advSrc: texts(advSrc) }), ...(advOut && { advOut: texts(advOut) }) }],
      },
      scorers,
      options,
    );
  }
  if (refs.length > 0 && frame.rows > 0) references?.add([refs.map(() => '')]);
  const block = await runNative(
    (binding, cancellation) =>
      binding.scoreColumns(
        {
          ...(src && { src: plain(src) }),
          ...(advSrc && { advSrc: plain(advSrc) }),
          ...(out && { out: plain(out) }),
          ...(advOut && { advOut: plain(advOut) }),
          refs: refs.map(plain),
          ...(sSrc?.native && { sSrc: sSrc.native }),
          ...(sTgt?.native && { sTgt: sTgt.native }),
          keepTrailingWhitespace,
        },
        cancellation,
      ),
    options,
  );
  const take = (kind: ScoreKind): Float64Array => {
    const scores = new Float64Array(block.segments);
    callNative(() => block.take(kind, 0, 0, scores));
    return scores;
  };
  const scores = {
    count: frame.rows,
    ...(sSrc && { sSrc: take('sSrc') }),
    ...(sTgt && refs.length > 0 && { base: take('base') }),
    ...(sTgt && { attacked: take('attacked') }),
  };
  return { firstSegment, count: frame.rows, attacks: [scores], blankSides: block.blankSides };
}

/** The names of the columns of references: `ref`, `ref.2`, `ref.3`, … */
export function referenceNames({ columns }: Frame): readonly string[] {
  const names: string[] = [];
  for (let name = 'ref'; columns.has(name); name = `ref.${names.length + 1}`) names.push(name);
  return names;
}

type Texts = FrameColumn & { readonly type: 'utf8' };

function plain({ values, offsets }: Texts): TextColumn {
  return { values, offsets };
}

function textColumn({ columns }: Frame, name: string): Texts {
  const column = columns.get(name);
  if (column?.type === 'utf8') return column;
  const found = column === undefined ? `there are ${[...columns.keys()].join(', ') || 'none'}` : `it is ${column.type}`;
  throw new UsageError(ERROR_CODES.FORMAT, `the column ${name}: expected texts, ${found}.`);
}
