import { writeFileSafely } from '../../output-file.js';
import { FIGURES, type FigureData, type FigureName } from '../../report/figures/figure-data.js';
import { FIGURE_WIDTHS, figureFile } from '../../report/figures/figure-file.js';
import {
  chooseFormat,
  FIGURE_FORMATS,
  REPORT_FORMATS,
  type FigureFormat,
  type ReportFormat,
} from '../../report/formats.js';
import type { Grid } from '../../report/grid.js';
import { reportPage } from '../../report/html/page.js';
import type { ReportData } from '../../report/html/report-data.js';
import { DEFAULT_BOOTSTRAP } from '../../measure/intervals.js';
import { ReferenceCounts } from '../../score/reference-counts.js';
import { createScorer } from '../../score/registry.js';
import { version } from '../../version.js';
import { wantsColor } from '../color.js';
import { interruptSignal } from '../interrupt.js';
import { createNote, type Note } from '../notes.js';
import { startProgress } from '../progress.js';
import { printResult } from '../terminal.js';
import { BOTH_CHRF, openScorers } from '../scorers.js';
import type { ReportArguments } from '../commands/report.js';
import { invalid, readNumber } from '../values.js';
import type { DocumentReport } from './documents-report.js';
import { gather } from './gather.js';
import { openInputs } from './inputs.js';
import { recordsReport } from './records-report.js';
import { terminalReport } from './terminal.js';

/**
 * Shows what records, runs and documents say: as a page, as a figure, or as text.
 *
 * @throws {UsageError} when an option is wrong, an input is not understood, or there is no such figure in it.
 */
export async function runReport(argv: ReportArguments): Promise<void> {
  const note = createNote(argv);
  const { output } = argv;
  const format = chooseFormat({ formats: REPORT_FORMATS, format: argv.format, output, option: '--output' });
  const width = widthOf(argv, format);
  if (argv.figure !== undefined && !isFigureFormat(format)) {
    throw invalid('--figure draws one chart: give --output with .svg, .pdf or .png.');
  }
  const { data, isOfRecords } = await reportData(argv, note);
  if (isFigureFormat(format)) {
    const bytes = await figureFile(figureOf(data, argv.figure), format, width);
    await writeFileSafely(argv.output ?? '-', [bytes], interruptSignal);
    return;
  }
  if (format === 'html') {
    await writeFileSafely(argv.output ?? '-', reportPage(data), interruptSignal);
    return;
  }
  const color = argv.output === undefined && wantsColor(argv);
  await printResult(terminalReport(data, { color, isOfRecords }), { output: argv.output, color });
}

/** Reads and measures the inputs. */
async function reportData(
  argv: ReportArguments,
  note: Note,
): Promise<{ readonly data: ReportData; readonly isOfRecords: boolean }> {
  const { successThreshold, nearTie, maxRecords, confidence, seed } = argv;
  const bootstrap = { ...DEFAULT_BOOTSTRAP, confidence, seed };
  const references = new ReferenceCounts();
  const { records, documents, files } = await openInputs(argv, note);
  if (records.length === 0) return { data: documentsData(documents, argv.title), isOfRecords: false };
  const scorers = {
    ...(await openScorers(argv, BOTH_CHRF, note)),
    similarity: await createScorer('chrf'),
  };
  const progress = startProgress({ unit: 'records', quiet: argv.quiet });
  try {
    const { collected, audited, comparison } = await gather(records, {
      ...scorers,
      version: version(),
      successThreshold,
      nearTie,
      labels: (argv.labels ?? '').split(',').filter((label) => label !== ''),
      rows: maxRecords,
      bootstrap,
      references,
      signal: interruptSignal,
      onProgress: (done) => progress.onProgress(done, 0),
    });
    progress.stop();
    if (collected.total === 0) throw invalid('There is nothing to report: the inputs hold no attack.');
    const own = await recordsReport(collected, audited, comparison, {
      title: argv.title,
      pdr: { trim: 0.1, bootstrap, version: version() },
      references,
      version: version(),
      inputs: inputsGrid(files()),
      signal: interruptSignal,
    });
    return { data: withDocuments(own, documents), isOfRecords: true };
  } finally {
    progress.stop();
    for (const scorer of Object.values(scorers)) await scorer.close?.();
  }
}

function inputsGrid(
  files: readonly {
    readonly name: string;
    readonly records: number;
    readonly skipped: number;
    readonly sha256: string;
  }[],
): Grid | undefined {
  if (files.length === 0) return undefined;
  return {
    columns: [
      { name: 'file' },
      { name: 'records', align: 'right' },
      { name: 'skipped lines', align: 'right' },
      { name: 'SHA-256' },
    ],
    rows: files.map(({ name, records, skipped, sha256 }) => [name, String(records), String(skipped), sha256]),
  };
}

/** A page of documents alone: one part a document. */
function documentsData(documents: readonly DocumentReport[], title: string | undefined): ReportData {
  const [first, ...others] = documents;
  if (first === undefined) throw invalid('There is nothing to report: give records, a run or a JSON document.');
  const data = { ...first, title: title ?? first.title, records: null, version: version() };
  return withDocuments(data, others);
}

/** Adds the parts of documents behind the others, under names of their own. */
function withDocuments(data: ReportData, documents: readonly DocumentReport[]): ReportData {
  const sections = [...data.sections];
  for (const document of documents) {
    for (const section of document.sections) {
      const taken = sections.filter(({ id }) => id === section.id || id.startsWith(`${section.id}-`)).length;
      sections.push(
        taken === 0
          ? section
          : { ...section, id: `${section.id}-${taken + 1}`, title: `${section.title}: ${document.title}` },
      );
    }
  }
  return { ...data, sections, signatures: [...data.signatures, ...documents.flatMap(({ signatures }) => signatures)] };
}

/** The chart that was asked for, or the only one there is. */
function figureOf({ sections }: ReportData, name: FigureName | undefined): FigureData {
  const figures = sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block): FigureData[] => {
      if (block.kind === 'figure') return [block.data];
      return block.kind === 'words' ? block.items.map(({ figure }) => figure.data) : [];
    });
  const names = [...new Set(figures.map(({ kind }) => kind))];
  const there = names.length === 0 ? 'They have none.' : `They have ${names.join(', ')}.`;
  if (name === undefined) {
    const [only] = figures;
    if (only !== undefined && names.length === 1) return only;
    throw invalid(
      `--figure says which chart is drawn: one of ${FIGURES.join(', ')}. ${there.replace('They', 'The inputs')}`,
    );
  }
  const found = figures.find(({ kind }) => kind === name);
  if (found === undefined) throw invalid(`--figure ${name}: the inputs have no numbers for it. ${there}`);
  return found;
}

function isFigureFormat(format: ReportFormat): format is FigureFormat {
  return FIGURE_FORMATS.some((name) => name === format);
}

function widthOf({ width }: ReportArguments, format: ReportFormat): number {
  if (width === undefined) return FIGURE_WIDTHS['page'] ?? 174;
  if (!isFigureFormat(format))
    throw invalid('--width is the width of a figure: give --output with .svg, .pdf or .png.');
  return FIGURE_WIDTHS[width] ?? readNumber('--width', width, { minimum: 40, maximum: 1000 });
}
