import { ERROR_CODES, UsageError } from '../../../errors.js';
import { openSource } from '../../../read/source-file.js';
import type { SourceOptions } from '../../../read/source-file.js';
import { checkRecord } from '../../schema.js';
import type { AttackRecord } from '../../schema.js';
import { nameGroupingKeys } from '../grouping-keys.js';
import type { FileImportOptions } from '../import-files.js';
import type { ImportOptions } from '../importer.js';
import { pairRecords } from './pair-records.js';
import { pairRuns } from './pair-runs.js';
import type { EvaluatedRun } from './run.js';
import type { RunImporter } from './run-importer.js';

/** An attacked run, and the name of its attack where the user gives one. */
export interface AttackedFile {
  readonly path: string;
  readonly attack?: string | undefined;
}

/** What pairing gave, a line an attacked run. */
export interface PairedFile {
  readonly file: string;
  readonly attack: string | null;
  readonly records: number;
  readonly by: string;
  /** Items of either run without a partner. */
  readonly unpaired: { readonly clean: number; readonly attacked: number };
}

/**
 * Pairs a clean run of an evaluation with attacked runs of the same items: one record a pair.
 *
 * @param importer The format of all files.
 * One file may hold several prompts side by side: named as both, its first prompt is the clean one of each model.
 *
 * @param clean The run without an attack; `-` is standard input.
 * @param onPaired Called after each attacked file.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when a file holds no items, or runs that don't belong together.
 */
export async function* importPairs(
  importer: RunImporter,
  clean: string,
  attacked: readonly AttackedFile[],
  options: FileImportOptions,
  onPaired: (paired: PairedFile) => void,
): AsyncGenerator<AttackRecord, void, undefined> {
  const runOptions: ImportOptions = { ...options, onError: options.onError === 'skip' ? 'skip' : 'stop' };
  const cleanRuns = await readRuns(importer, clean, options, runOptions);
  for (const { path, attack } of attacked) {
    const isSame = path === clean;
    for (const run of isSame ? otherPrompts(cleanRuns) : await readRuns(importer, path, options, runOptions)) {
      const partner = isSame ? firstOf(run, cleanRuns) : partnerOf(run, cleanRuns);
      const pairs = pairRuns(partner, run, runOptions);
      const name = attack ?? options.defaults?.attack ?? (isSame ? run.label : undefined) ?? differenceOf(partner, run);
      let records = 0;
      for (const record of pairRecords(
        { clean: partner, attacked: run, attack: name },
        pairs,
        runOptions,
        options.text,
      )) {
        // The option names the attack; a name per file goes before it.
        nameGroupingKeys(record, { ...options.defaults, attack: record.attack }, run.file);
        const checked = checkRecord(record);
        if ('problem' in checked) throw new UsageError(ERROR_CODES.INTERNAL, `${run.file}: ${checked.problem.message}`);
        records += 1;
        yield record;
      }
      onPaired({ file: run.file, attack: name, records, by: pairs.by, unpaired: pairs.unpaired });
    }
  }
}

async function readRuns(
  importer: RunImporter,
  path: string,
  sourceOptions: SourceOptions,
  options: ImportOptions,
): Promise<readonly EvaluatedRun[]> {
  const source = openSource(path, sourceOptions);
  const runs = await importer.readRuns(source, options);
  if (runs.some(({ items }) => items.length > 0)) return runs;
  throw new UsageError(ERROR_CODES.EMPTY_INPUT, `${source.name} (${importer.name}): no items of a run`);
}

/**
 * The runs of a file but the first one of each model.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when there is no other.
 */
function otherPrompts(runs: readonly EvaluatedRun[]): readonly EvaluatedRun[] {
  const others = runs.filter((run) => firstOf(run, runs) !== run);
  if (others.length > 0) return others;
  throw new UsageError(
    ERROR_CODES.FORMAT,
    `${runs[0]?.file}: named as clean and as attacked run, but it holds one prompt: there is nothing to pair`,
  );
}

function firstOf({ model }: EvaluatedRun, runs: readonly EvaluatedRun[]): EvaluatedRun {
  const first = runs.find((run) => run.model === model);
  if (first === undefined) throw new UsageError(ERROR_CODES.INTERNAL, 'a run is not among those of its file');
  return first;
}

/** The clean run of the same model, where a file holds several; else the only one. */
function partnerOf(run: EvaluatedRun, cleanRuns: readonly EvaluatedRun[]): EvaluatedRun {
  const [first, ...more] = cleanRuns.filter(({ model }) => model === null || run.model === null || model === run.model);
  const partner = first ?? cleanRuns[0];
  if (partner !== undefined && more.length === 0) return partner;
  const names = cleanRuns.map(({ model, template }) => JSON.stringify(template ?? model)).join(', ');
  throw new UsageError(
    ERROR_CODES.FORMAT,
    `${cleanRuns[0]?.file}: several runs could be the clean one of ${run.file}: ${names}: keep one of them in the file`,
  );
}

/** What the name of the attacked task has and the clean one hasn't: `reviews_charswap` against `reviews_clean`. */
function differenceOf(clean: EvaluatedRun, attacked: EvaluatedRun): string | null {
  const [before, under] = [clean.dataset, attacked.dataset].map((name) => (name ?? '').split(/[_-]+/u));
  const own = (under ?? []).filter((part) => !(before ?? []).includes(part));
  return own.length > 0 ? own.join('_') : null;
}
