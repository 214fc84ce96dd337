import { importPackage } from '../../optional-package.js';
import type { FigureFormat } from '../formats.js';
import { drawFigure } from './draw.js';
import type { FigureData } from './figure-data.js';

/** Widths by name, in millimetres: one column and the page of a paper in two columns. */
export const FIGURE_WIDTHS: Readonly<Record<string, number>> = { column: 84, page: 174 };

const MM_PER_INCH = 25.4;
const PIXELS_PER_INCH = 96;
const POINTS_PER_INCH = 72;

/** Texts are 8 points high, whatever the width: what papers ask for. */
const FONT_PIXELS = (8 / POINTS_PER_INCH) * PIXELS_PER_INCH;

/** A PNG has so many pixels an inch: enough for print. */
const PNG_PER_INCH = 300;

/**
 * Draws a chart as a file for a paper: vectors in colours that readers with any colour vision and prints in grey keep apart.
 *
 * PDF and PNG need packages that are not installed with teapot (`pdfkit` with `svg-to-pdfkit`, `@resvg/resvg-js`).
 *
 * @param widthMm width in millimetres.
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when the package of the format is not installed.
 */
export async function figureFile(data: FigureData, format: FigureFormat, widthMm: number): Promise<Uint8Array> {
  const width = Math.round((widthMm / MM_PER_INCH) * PIXELS_PER_INCH);
  const svg = await drawFigure(data, { width, fontSize: FONT_PIXELS });
  const height = Number(/ height="([\d.]+)"/u.exec(svg)?.[1] ?? width);
  if (format === 'pdf') return pdf(svg, width, height);
  if (format === 'png') return png(svg, width);
  const mm = (pixels: number): string => `${Math.round((pixels / PIXELS_PER_INCH) * MM_PER_INCH * 100) / 100}mm`;
  const sized = svg
    .replace(/ width="[\d.]+"/u, ` width="${mm(width)}"`)
    .replace(/ height="[\d.]+"/u, ` height="${mm(height)}"`);
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${sized}\n`);
}

/** What is used of pdfkit. */
interface PdfDocument {
  on(event: 'data', listener: (chunk: Uint8Array) => void): void;
  on(event: 'end' | 'error', listener: (error?: Error) => void): void;
  end(): void;
}

async function pdf(svg: string, width: number, height: number): Promise<Uint8Array> {
  const install = 'npm install pdfkit svg-to-pdfkit';
  const { default: Document } = (await importPackage('pdfkit', 'a figure as PDF', install)) as {
    readonly default: new (options: object) => PdfDocument;
  };
  const { default: draw } = (await importPackage('svg-to-pdfkit', 'a figure as PDF', install)) as {
    readonly default: (document: PdfDocument, svg: string, x: number, y: number, options: object) => void;
  };
  const points = POINTS_PER_INCH / PIXELS_PER_INCH;
  const size = [width * points, height * points];
  // No date: the same records give the same file.
  const document = new Document({
    size,
    margin: 0,
    info: { Producer: 'teapot', Creator: 'teapot', CreationDate: new Date(0) },
  });
  const chunks: Uint8Array[] = [];
  const finished = new Promise<void>((done, fail) => {
    document.on('data', (chunk) => void chunks.push(chunk));
    document.on('end', () => done());
    document.on('error', (error) => fail(error ?? new Error('pdfkit failed')));
  });
  draw(document, svg, 0, 0, { width: size[0], height: size[1], assumePt: false, preserveAspectRatio: 'xMinYMin meet' });
  document.end();
  await finished;
  return Buffer.concat(chunks);
}

async function png(svg: string, width: number): Promise<Uint8Array> {
  const module = (await importPackage('@resvg/resvg-js', 'a figure as PNG', 'npm install @resvg/resvg-js')) as {
    readonly default: {
      readonly Resvg: new (svg: string, options: object) => { render(): { asPng(): Uint8Array } };
    };
  };
  const pixels = Math.round((width / PIXELS_PER_INCH) * PNG_PER_INCH);
  const options = {
    fitTo: { mode: 'width', value: pixels },
    background: '#ffffff',
    font: { loadSystemFonts: true, defaultFontFamily: 'Helvetica' },
  };
  return new module.default.Resvg(svg, options).render().asPng();
}
