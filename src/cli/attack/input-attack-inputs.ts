import type { AttackedInput } from '../../attack/goal.js';
import { openParallelCorpus } from '../../read/parallel-corpus.js';
import type { SegmentSource } from '../../read/segment-source.js';
import { openTable } from '../../read/table.js';
import { parseColumns } from '../../read/table-columns.js';
import { interruptSignal } from '../interrupt.js';
import { invalid, readNumber } from '../values.js';

/** The arguments that say what is attacked. */
export interface InputArguments {
  readonly data?: string | undefined;
  readonly columns?: string | undefined;
  readonly src?: string | undefined;
  readonly ref?: string | undefined;
  readonly first?: string | undefined;
}

/** Reads the inputs of `--data` or `--src` and `--ref`, the first `--first` of them. */
export async function readInputs(argv: InputArguments): Promise<AttackedInput[]> {
  const most =
    argv.first === undefined
      ? Number.POSITIVE_INFINITY
      : readNumber('--first', argv.first, { integer: true, minimum: 1 });
  const inputs: AttackedInput[] = [];
  for await (const batch of openInputs(argv).batches(4096, { signal: interruptSignal })) {
    for (const [index, text] of (batch.src ?? []).entries()) {
      if (inputs.length >= most) return inputs;
      inputs.push({ text, ref: batch.refs?.[index] });
    }
  }
  return inputs;
}

function openInputs(argv: InputArguments): SegmentSource {
  if (argv.data !== undefined) {
    if (argv.src !== undefined || argv.ref !== undefined)
      throw invalid('--data takes the place of --src and --ref: give one of them');
    return openTable(argv.data, parseColumns(argv.columns ?? 'src=src,ref=ref'));
  }
  if (argv.src === undefined) throw invalid('nothing to attack: give --data FILE --columns src=…,ref=… or --src FILE');
  return openParallelCorpus({ src: argv.src, attacks: [], refs: argv.ref === undefined ? [] : [argv.ref] });
}

/** More different references than that are no labels. */
export const MOST_LABELS = 100;

/** The labels of the inputs, for a victim that must know them; nothing when the references are no labels. */
export function labelsOf(inputs: readonly AttackedInput[]): { readonly labels?: readonly string[] } {
  const labels = [...new Set(inputs.flatMap(({ ref }) => (typeof ref === 'string' ? [ref] : [])))];
  return labels.length > 0 && labels.length <= MOST_LABELS ? { labels } : {};
}
