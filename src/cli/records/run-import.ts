import { existsSync } from 'node:fs';

import { ERROR_CODES, UsageError } from '../../errors.js';
import { openSource, STDIN } from '../../read/source-file.js';
import type { SourceOptions } from '../../read/source-file.js';
import { AUTO, detectImporter, FileImport, importerNamed } from '../../record/import/import-files.js';
import type { ImportReport } from '../../record/import/import-files.js';
import { importPairs } from '../../record/import/runs/import-pairs.js';
import type { AttackedFile, PairedFile } from '../../record/import/runs/import-pairs.js';
import { isRunImporter } from '../../record/import/runs/run-importer.js';
import type { RunImporter } from '../../record/import/runs/run-importer.js';
import { importParallel } from '../../record/import/parallel/import-parallel.js';
import type { ParallelPaths } from '../../record/import/parallel/import-parallel.js';
import type { ImportOptions } from '../../record/import/importer.js';
import type { AttackRecord } from '../../record/schema.js';
import { writeRecords } from '../../record/write.js';
import type { ImportArguments } from '../commands/import.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { Note } from '../notes.js';
import { invalid } from '../values.js';
import { WarningLog } from './warning-log.js';

/**
 * Imports the files, writes the records, and says on stderr what was read.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when an option doesn't belong to the format; what the importers throw.
 */
export async function runImport(argv: ImportArguments): Promise<void> {
  checkFiles(argv);
  const note = createNote(argv);
  const warnings = new WarningLog(note, argv.warnings);
  const options: ImportOptions & { readonly encoding?: string | undefined } = {
    encoding: argv.encoding,
    columns: argv.columns,
    markers: argv.markers,
    signal: interruptSignal,
    defaults: defaultsOf(argv),
    text: argv.text,
    metric: argv.metric,
    filter: argv.filter,
    pairBy: argv.pairBy,
    onWarning: (warning) => warnings.add(warning),
  };
  const output = argv.output ?? '-';
  if (argv.format === 'parallel') {
    const isEscaped = argv.lineBreaks === 'escape';
    const parallel = importParallel(parallelPaths(argv), { ...options, isEscaped });
    const records = await writeRecords(output, some(parallel), { signal: interruptSignal });
    note(`${records} records from parallel files`);
  } else if (argv.clean !== undefined) {
    const importer = await runImporter(argv.format, argv.clean, options);
    const attacked = (argv.attacked ?? []).map(attackedFile);
    const onPaired = (one: PairedFile): void => notePaired(one, note);
    const records = importPairs(importer, argv.clean, attacked, { ...options, onError: argv.onError }, onPaired);
    await writeRecords(output, records, { signal: interruptSignal });
  } else {
    const files = new FileImport(argv.format, argv.files ?? [], { ...options, onError: argv.onError });
    await writeRecords(output, files.records(), { signal: interruptSignal });
    noteReport(files.report, note);
  }
  await warnings.end();
}

/** Records of which there is at least one: an import of nothing is a mistake. */
async function* some(records: AsyncIterable<AttackRecord>): AsyncGenerator<AttackRecord> {
  let count = 0;
  for await (const record of records) {
    count += 1;
    yield record;
  }
  if (count === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, 'the parallel files are empty: no records');
}

/** The format of two runs; `auto` looks at the clean one. */
async function runImporter(format: string, clean: string, options: SourceOptions): Promise<RunImporter> {
  if (format === AUTO && clean === STDIN) throw invalid('--clean - is standard input: name the format instead of auto');
  const importer = format === AUTO ? await detectImporter(openSource(clean, options)) : importerNamed(format);
  if (isRunImporter(importer)) return importer;
  throw invalid(`${clean}: ${importer.name} has no runs that can be paired`);
}

/** Reads `NAME=FILE`; the name of a file that is there may itself hold an equals sign. */
function attackedFile(written: string): AttackedFile {
  const [, attack, path] = /^([\w.+-]+)=(.+)$/su.exec(written) ?? [];
  if (attack === undefined || path === undefined || existsSync(written)) return { path: written };
  return { attack, path };
}

function notePaired({ file, attack, records, by, unpaired }: PairedFile, note: Note): void {
  const left = unpaired.clean + unpaired.attacked;
  const rest = left === 0 ? '' : `; without a partner: ${unpaired.clean} clean and ${unpaired.attacked} attacked items`;
  note(`${file}${attack === null ? '' : ` (${attack})`}: ${records} records, paired by ${by}${rest}`);
}

/** garak evaluates every pair of probe and detector: a long run has hundreds. */
const SHOWN_SUMMARIES = 20;

/** Files in the wrong place, or none. */
function checkFiles({ format, files = [], clean, attacked = [] }: ImportArguments): void {
  if (clean !== undefined) {
    if (files.length > 0) throw invalid('files stand beside --clean and --attacked: a run is named by one of these');
    if ([clean, ...attacked].filter((file) => file === '-').length > 1)
      throw invalid('- (standard input) is given twice');
    return;
  }
  if (format !== 'parallel' && files.length === 0) throw invalid(`${format}: no files (- is standard input)`);
  if (files.filter((file) => file === '-').length > 1) throw invalid('- (standard input) is given twice');
}

function parallelPaths(argv: ImportArguments): ParallelPaths {
  return { src: argv.src, advSrc: argv.advSrc, out: argv.out, advOut: argv.advOut, refs: argv.ref };
}

function defaultsOf(argv: ImportArguments): Partial<AttackRecord> {
  return {
    ...(argv.run !== undefined && { run: argv.run }),
    ...(argv.attack !== undefined && { attack: argv.attack }),
    ...(argv.model !== undefined && { model: argv.model }),
    ...(argv.dataset !== undefined && { dataset: argv.dataset }),
    ...(argv.promptType !== undefined && { prompt_type: argv.promptType }),
  };
}

/** One line a file, and one for each summary of the tool's own. */
function noteReport({ files, summaries }: ImportReport, note: Note): void {
  for (const { file, format, records, results, warnings, badRows } of files) {
    const parts = Object.entries(results).flatMap(([result, count]) =>
      count === 0 ? [] : [`${count} ${result === 'none' ? 'without a result' : result}`],
    );
    const detail = parts.length > 0 ? `: ${parts.join(', ')}` : '';
    const lost = badRows === 0 ? '' : `; ${badRows} rows left out`;
    note(`${file} (${format}): ${records} records${detail}${lost}${warnings > 0 ? `; ${warnings} warnings` : ''}`);
  }
  for (const { file, values } of summaries.slice(0, SHOWN_SUMMARIES)) {
    const list = Object.entries(values).map(([name, value]) => `${name} ${value ?? 'undefined'}`);
    note(`${file}: the tool's own summary: ${list.join(', ')}`);
  }
  const more = summaries.length - SHOWN_SUMMARIES;
  if (more > 0) note(`… and ${more} more summaries; they stand in extra.tool_summary of the records`);
}
