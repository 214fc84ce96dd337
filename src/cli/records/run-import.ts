import { ERROR_CODES, UsageError } from '../../errors.js';
import type { OnError } from '../../record/bad-lines.js';
import { FileImport } from '../../record/import-files.js';
import type { ImportReport } from '../../record/import-files.js';
import { importParallel } from '../../record/import-parallel.js';
import type { ParallelPaths } from '../../record/import-parallel.js';
import type { ImportOptions } from '../../record/importer.js';
import type { AttackRecord, PromptType } from '../../record/schema.js';
import { writeRecords } from '../../record/write.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { Note } from '../notes.js';
import { WarningLog } from './warning-log.js';

/** The arguments of `teapot import`. */
export interface ImportArguments {
  readonly format: string;
  readonly files?: readonly string[] | undefined;
  readonly output?: string | undefined;
  readonly onError: OnError;
  readonly warnings?: string | undefined;
  readonly encoding?: string | undefined;
  readonly columns?: string | undefined;
  readonly markers?: 'file' | 'html' | 'plain' | undefined;
  readonly src?: string | undefined;
  readonly advSrc?: string | undefined;
  readonly out?: string | undefined;
  readonly advOut?: string | undefined;
  readonly ref?: readonly string[] | undefined;
  readonly lineBreaks?: 'escape' | undefined;
  readonly run?: string | undefined;
  readonly attack?: string | undefined;
  readonly model?: string | undefined;
  readonly dataset?: string | undefined;
  readonly promptType?: PromptType | undefined;
  readonly quiet?: boolean | undefined;
}

/**
 * Imports the files, writes the records, and says on stderr what was read.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when an option doesn't belong to the format; what the importers throw.
 */
export async function runImport(argv: ImportArguments): Promise<void> {
  refuseUseless(argv);
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

const PARALLEL_FLAGS = {
  src: '--src',
  advSrc: '--adv-src',
  out: '--out',
  advOut: '--adv-out',
  ref: '--ref',
  lineBreaks: '--line-breaks',
} as const;

/** An option that would change nothing is a misunderstanding. */
function refuseUseless(argv: ImportArguments): void {
  const isParallel = argv.format === 'parallel';
  const hasFiles = (argv.files ?? []).length > 0;
  if (isParallel && hasFiles) throw invalid('parallel takes its files as --src, --adv-src, --out, --adv-out and --ref');
  if (!isParallel && !hasFiles) throw invalid(`${argv.format}: no files (- is standard input)`);
  for (const [name, flag] of Object.entries(PARALLEL_FLAGS)) {
    if (!isParallel && argv[name as keyof typeof PARALLEL_FLAGS] !== undefined) {
      throw invalid(`${flag} belongs to the format parallel, not to ${argv.format}`);
    }
  }
  if (argv.columns !== undefined && argv.format !== 'table') {
    throw invalid(`--columns belongs to the format table, not to ${argv.format}`);
  }
  if (argv.markers !== undefined && argv.format !== 'textattack') {
    throw invalid(`--markers belongs to the format textattack, not to ${argv.format}`);
  }
  if ((argv.files ?? []).filter((file) => file === '-').length > 1) throw invalid('- (standard input) is given twice');
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

function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
