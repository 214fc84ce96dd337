import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { EncodedBlock, EncodedHead, RecordRow, RecordTable } from './report-data.js';

const compress = promisify(gzip);

/** Rows of one block: a browser decodes one while nothing waits for the next. */
const BLOCK = 2000;

/** The fields of a row, in the order in which they are written: texts that are alike stand side by side. */
const FIELDS = [
  'id',
  'attack',
  'model',
  'dataset',
  'run',
  'result',
  'success',
  'queries',
  'reason',
  'kinds',
  'rules',
  'cut',
  'sSrc',
  'sTgtBase',
  'sTgt',
  'dTgt',
  'pdr',
  'margin',
  'place',
  'diff',
  'src',
  'advSrc',
  'out',
  'advOut',
  'ref',
] as const satisfies readonly (keyof RecordRow)[];

/** Numbers of a row have so many decimals on the page; the ones of the summary have all. */
const DECIMALS = 1e9;

/**
 * Writes the records for the page's script: a head and blocks of rows as JSON, each compressed with gzip and written in
 * base64 on a line of its own. Base64 has no character that HTML could take for markup.
 */
export async function encodeRecords({ rows, total, kinds, target }: RecordTable): Promise<string> {
  const head: EncodedHead = { version: 1, rows: rows.length, total, kinds, target };
  const lines = [await encode(head)];
  for (let start = 0; start < rows.length; start += BLOCK) {
    const block: EncodedBlock = {
      fields: FIELDS,
      rows: rows.slice(start, start + BLOCK).map((row) => FIELDS.map((field) => shorter(row[field]))),
    };
    lines.push(await encode(block));
  }
  return lines.join('\n');
}

function shorter(value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * DECIMALS) / DECIMALS : value;
}

async function encode(value: object): Promise<string> {
  return (await compress(JSON.stringify(value), { level: 7 })).toString('base64');
}
