import { FileImport } from '../../record/import/import-files.js';
import type { ImportReport } from '../../record/import/import-files.js';
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
    onWarning: (warning) => warnings.add(warning),
  };
  const output = argv.output ?? '-';
  if (argv.format === 'parallel') {
    const isEscaped = argv.lineBreaks === 'escape';
    const records = await writeRecords(output, importParallel(parallelPaths(argv), { ...options, isEscaped }), {
      signal: interruptSignal,
    });
    note(`${records} records from parallel files`);
  } else {
    const files = new FileImport(argv.format, argv.files ?? [], { ...options, onError: argv.onError });
    await writeRecords(output, files.records(), { signal: interruptSignal });
    noteReport(files.report, note);
  }
  await warnings.end();
}

/** garak evaluates every pair of probe and detector: a long run has hundreds. */
const SHOWN_SUMMARIES = 20;

/** Files in the wrong place, or none. */
function checkFiles({ format, files = [] }: ImportArguments): void {
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
  for (const { file, format, records, results, warnings } of files) {
    const parts = Object.entries(results).flatMap(([result, count]) =>
      count === 0 ? [] : [`${count} ${result === 'none' ? 'without a result' : result}`],
    );
    const detail = parts.length > 0 ? `: ${parts.join(', ')}` : '';
    note(`${file} (${format}): ${records} records${detail}${warnings > 0 ? `; ${warnings} warnings` : ''}`);
  }
  for (const { file, values } of summaries.slice(0, SHOWN_SUMMARIES)) {
    const list = Object.entries(values).map(([name, value]) => `${name} ${value ?? 'undefined'}`);
    note(`${file}: the tool's own summary: ${list.join(', ')}`);
  }
  const more = summaries.length - SHOWN_SUMMARIES;
  if (more > 0) note(`… and ${more} more summaries; they stand in extra.tool_summary of the records`);
}
