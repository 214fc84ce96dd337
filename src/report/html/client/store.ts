import type { EncodedBlock, EncodedHead, RecordRow } from '../report-data.js';

/** The records of the page, decoded. */
export interface Store {
  readonly head: EncodedHead;
  readonly rows: readonly RecordRow[];
  /** Everything of each row that is searched, in lower case. */
  readonly searched: readonly string[];
}

/**
 * Decodes the records, block by block, so that the page stays usable in between. What is searched is made here too, so that the
 * first search takes no longer than the next.
 *
 * @param onProgress is told how many rows are there.
 */
export async function decodeStore(encoded: string, onProgress: (rows: number, of: number) => void): Promise<Store> {
  const [first = '', ...lines] = encoded.trim().split('\n');
  const head = (await decode(first)) as EncodedHead;
  const rows: RecordRow[] = [];
  const searched: string[] = [];
  for (const line of lines) {
    const block = (await decode(line)) as EncodedBlock;
    for (const values of block.rows) {
      const row: Record<string, unknown> = {};
      for (const [index, field] of block.fields.entries()) row[field] = values[index];
      rows.push(row as unknown as RecordRow);
      searched.push(searchedText(row as unknown as RecordRow));
    }
    onProgress(rows.length, head.rows);
  }
  return { head, rows, searched };
}

function searchedText({ id, attack, model, dataset, src, advSrc, out, advOut, ref, place }: RecordRow): string {
  return [id, attack, model, dataset, src, advSrc, out, advOut, ref, place]
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase();
}

async function decode(line: string): Promise<unknown> {
  const binary = atob(line);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}
