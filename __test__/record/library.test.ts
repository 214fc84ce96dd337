import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { FileImport, makeRecord, openSource, readRecords, RECORD_SCHEMA, writeRecords } from '../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('records in the library', () => {
  it('are imported, written and read', async () => {
    const log = join(folder, 'log.csv');
    const path = join(folder, 'records.jsonl');
    writeFileSync(log, 'original_text,perturbed_text,result_type\nhot [[tea]],hot [[t3a]],Successful\n');
    const files = new FileImport('auto', [log], { defaults: { attack: 'swap' } });
    expect(await writeRecords(path, files.records())).toBe(1);
    expect(files.report.files).toMatchObject([{ format: 'textattack', results: { successful: 1 } }]);
    for await (const record of readRecords(openSource(path))) {
      expect(record).toMatchObject({ schema: RECORD_SCHEMA, attack: 'swap', src: 'hot tea', adv_src: 'hot t3a' });
    }
    expect(makeRecord({ id: '1', unit: 'input' }).schema).toBe(RECORD_SCHEMA);
  });
});
