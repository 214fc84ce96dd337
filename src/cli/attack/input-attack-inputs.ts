import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';

import type { AttackedInput } from '../../attack/goal.js';
import { ERROR_CODES, TeapotError } from '../../errors.js';
import { openParallelCorpus } from '../../read/parallel-corpus.js';
import type { SegmentSource } from '../../read/segment-source.js';
import { openTable } from '../../read/table.js';
import { parseColumns } from '../../read/table-columns.js';
import type { TableColumns } from '../../read/table-columns.js';
import { defaultAttacked, joinInput } from '../../attack/input-columns.js';
import { interruptSignal } from '../interrupt.js';
import { invalid } from '../values.js';

/** The arguments that say what is attacked. */
export interface InputArguments {
  readonly data?: string | undefined;
  readonly columns?: string | undefined;
  readonly src?: string | undefined;
  readonly ref?: string | undefined;
  readonly first?: number | undefined;
  readonly attackColumns?: string | undefined;
}

/** What is attacked: known as a whole, and read again one by one. */
export interface Inputs {
  readonly count: number;
  /** A hash of all of them, in order. */
  readonly signature: string;
  readonly hasReferences: boolean;
  /** The different references in order of appearance; undefined when they are too many to be labels, or none. */
  readonly labels: readonly string[] | undefined;
  /**
   * Reads them from the first one on.
   *
   * @throws {TeapotError} `ERR_TEAPOT_READ` at the end when they are not the same any more.
   */
  read(): AsyncIterable<AttackedInput>;
}

/** Inputs read at a time. */
const BATCH = 4096;

/** More different references than that are no labels. */
const MOST_LABELS = 100;

/**
 * Looks through the inputs of `--data` or `--src` and `--ref`, the first `--first` of them.
 *
 * Files are read twice, so that memory does not grow with their length: once here and once for the attack. What can be read
 * once only (standard input, a pipe) is held in memory.
 */
export async function surveyInputs(argv: InputArguments): Promise<Inputs> {
  const { first: most = Number.POSITIVE_INFINITY } = argv;
  const held: AttackedInput[] | undefined = (await canReadTwice(argv)) ? undefined : [];
  const hash = newHash();
  const labels = new Set<string>();
  let count = 0;
  let hasReferences = false;
  for await (const input of firstInputs(argv, most)) {
    held?.push(input);
    hash.add(input);
    count += 1;
    if (input.ref === undefined) continue;
    hasReferences = true;
    for (const label of [input.ref].flat()) if (labels.size <= MOST_LABELS) labels.add(label);
  }
  const signature = hash.digest();
  return {
    count,
    signature,
    hasReferences,
    labels: labels.size > 0 && labels.size <= MOST_LABELS ? [...labels] : undefined,
    async *read() {
      if (held !== undefined) {
        yield* held;
        return;
      }
      const again = newHash();
      for await (const input of firstInputs(argv, most)) {
        again.add(input);
        yield input;
      }
      if (again.digest() !== signature) {
        const files = [argv.data, argv.src, argv.ref].filter((path) => path !== undefined).join(', ');
        throw new TeapotError(ERROR_CODES.READ, `${files}: changed while it was attacked; run again`);
      }
    },
  };
}

async function* firstInputs(argv: InputArguments, most: number): AsyncGenerator<AttackedInput> {
  let count = 0;
  const names = argv.data === undefined ? [] : (tableColumns(argv).groups ?? []);
  const attacked = attackedColumns(argv.attackColumns, names);
  for await (const batch of openInputs(argv).batches(Math.min(BATCH, most), { signal: interruptSignal })) {
    for (const [index, text] of (batch.src ?? []).entries()) {
      if (count >= most) return;
      count += 1;
      const ref = batch.refs?.[index];
      if (names.length < 2) {
        yield { text, ref };
        continue;
      }
      const texts = names.map((_, column) => batch.groups?.[column]?.[index] ?? '');
      const columns = { names, texts, attacked };
      yield { text: joinInput(columns).text, ref, columns };
    }
    if (count >= most) return;
  }
}

/** The columns of `--data`; `src=premise+hypothesis` names several that are one input: they stand in `groups`. */
function tableColumns({ columns }: InputArguments): TableColumns {
  const parsed = parseColumns(columns ?? 'src=src,ref=ref');
  const parts = parsed.src?.split('+').map((name) => name.trim()) ?? [];
  if (parts.length < 2) return parsed;
  if (parts.includes('') || new Set(parts).size < parts.length) {
    throw invalid(`--columns src=${parsed.src ?? ''}: expected different columns with + between them`);
  }
  return { ...parsed, src: parts[0], groups: parts };
}

/** Which of several columns are attacked. */
function attackedColumns(given: string | undefined, names: readonly string[]): readonly string[] {
  if (given === undefined) return defaultAttacked(names);
  if (names.length < 2) throw invalid('--attack-columns goes with --columns src=NAME+NAME: leave it out');
  if (given === 'all') return names;
  const attacked = given.split('+').map((name) => name.trim());
  const unknown = attacked.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalid(`--attack-columns ${given}: ${unknown} is none of the columns ${names.join(', ')}; or give all`);
  }
  return attacked;
}

function openInputs(argv: InputArguments): SegmentSource {
  if (argv.data !== undefined) {
    if (argv.src !== undefined || argv.ref !== undefined)
      throw invalid('--data takes the place of --src and --ref: give one of them');
    return openTable(argv.data, tableColumns(argv));
  }
  if (argv.src === undefined) throw invalid('nothing to attack: give --data FILE --columns src=…,ref=… or --src FILE');
  return openParallelCorpus({ src: argv.src, attacks: [], refs: argv.ref === undefined ? [] : [argv.ref] });
}

/** Regular files can. A file that is not there is left to the reader, which says so. */
async function canReadTwice({ data, src, ref }: InputArguments): Promise<boolean> {
  const found = await Promise.all(
    [data, src, ref].filter((path) => path !== undefined).map((path) => stat(path).catch(() => undefined)),
  );
  return found.every((file) => file?.isFile() === true);
}

function newHash(): { readonly add: (input: AttackedInput) => void; readonly digest: () => string } {
  const hash = createHash('sha256');
  return {
    add: ({ text, ref = null, columns }) =>
      hash.update(`${JSON.stringify([text, ref, ...(columns === undefined ? [] : [columns.attacked])])}\n`),
    digest: () => hash.digest('hex'),
  };
}
