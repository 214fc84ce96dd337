import { basename } from 'node:path';

import type { SourceFile } from '../../../read/source-file.js';
import { readLines } from '../../../read/lines.js';
import type { ImportOptions } from '../importer.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { checkArchiveBlock, checkDatasetOrder } from './archive-checks.js';
import { archiveRecords, parseArchiveTitle, type ArchiveTitle } from './archive-records.js';
import { ArchiveParser } from './archive-parser.js';
import type { ArchiveBlock, ArchiveOddity } from './archive-rows.js';

const LINE_FEED = 0x0a;

/**
 * Imports one file of PromptBench's archive (`adv_prompts/*.md`), data set by data set; every oddity is a warning.
 *
 * Model and shot come from the file's own title, else from its name.
 */
export async function* importArchive(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const file = source.name;
  const fromName = parseArchiveTitle(
    source.path === undefined ? 'stdin' : basename(source.path).replace(/\.md(?:\.gz|\.zst)?$/u, ''),
  );
  let title: ArchiveTitle = fromName;
  const blocks: ArchiveBlock[] = [];
  const order: { readonly dataset: string; readonly line: number }[] = [];
  const warn = ({ code, line, message }: ArchiveOddity): void => options.onWarning?.({ file, line, code, message });
  const parser = new ArchiveParser({
    onTitle: (text, line) => {
      title = parseArchiveTitle(text);
      if (fromName.model !== null && fromName.stem !== text) {
        const message = `the title is "${text}", the file's name says "${fromName.stem}"; the title was used`;
        warn({ code: 'title-differs', line, message });
      }
    },
    onBlock: (block) => {
      order.push({ dataset: block.dataset, line: block.line });
      blocks.push(block);
    },
    onOddity: warn,
    onProblem: ({ line, message }) => badRow(options, file, line, message),
  });

  function* finished(): Generator<AttackRecord> {
    for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) {
      for (const oddity of checkArchiveBlock(block)) warn(oddity);
      yield* archiveRecords(block, title, file);
    }
  }

  const end = { byte: LINE_FEED };
  let last = 0;
  for await (const batch of readLines(rememberLastByte(source.chunks(), end), { file })) {
    options.signal?.throwIfAborted();
    for (const { text, line } of batch) {
      parser.push(text, line);
      last = line;
      yield* finished();
    }
  }
  parser.finish(last);
  yield* finished();
  for (const oddity of checkDatasetOrder(order)) warn(oddity);
  if (end.byte !== LINE_FEED) {
    warn({ code: 'no-final-newline', line: last, message: 'the file does not end in a line end: it may be cut off' });
  }
}

async function* rememberLastByte(chunks: AsyncIterable<Uint8Array>, end: { byte: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    end.byte = chunk.at(-1) ?? end.byte;
    yield chunk;
  }
}
