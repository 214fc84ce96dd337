import { describe, expect, it } from 'vitest';

import { FileImport } from '../../../src/record/import/import-files.js';
import type { FileImportOptions } from '../../../src/record/import/import-files.js';
import type { ImportWarning } from '../../../src/record/import/importer.js';
import type { AttackRecord } from '../../../src/record/schema.js';
import { hasShared, shared } from '../../shared.js';

interface Imported {
  readonly records: AttackRecord[];
  readonly warnings: ImportWarning[];
}

async function importFile(format: string, path: string, options: FileImportOptions = {}): Promise<Imported> {
  const warnings: ImportWarning[] = [];
  const files = new FileImport(format, [path], { onWarning: (warning) => warnings.push(warning), ...options });
  const records: AttackRecord[] = [];
  for await (const record of files.records()) records.push(record);
  return { records, warnings };
}

async function importText(format: string, text: string, options: FileImportOptions = {}): Promise<Imported> {
  async function* stdin(): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    if (text !== '') yield Buffer.from(text);
  }
  return importFile(format, '-', { ...options, stdin: stdin() });
}

function codes(warnings: readonly ImportWarning[]): string[] {
  return warnings.map(({ code, line }) => `${code}:${line}`);
}

describe.skipIf(!hasShared)('inputs found by trial', () => {
  const input = (name: string): string => shared(`cases/inputs/${name}`);

  it('F03: TextAttack up to 0.2.15 put >>>> between columns', async () => {
    const { records, warnings } = await importFile('auto', input('textattack-02x-split.csv'));
    expect(records).toMatchObject([
      {
        columns: {
          original: { premise: 'A cook pours tea.', hypothesis: 'The tea is hot.' },
          perturbed: { premise: 'A cook pours tea.', hypothesis: 'The tea is cold.' },
        },
        out: '1',
        adv_out: '2',
        queries: 4,
      },
    ]);
    expect(records[0]?.src).not.toContain('>>>>');
    expect(warnings).toEqual([]);
  });

  it.each(['csv', 'jsonl', 'parquet'])('F04: labels of a data frame are equal in %s', async (extension) => {
    const { records } = await importFile('table', input(`float-labels.${extension}`));
    expect(records.map(({ out, adv_out: advOut, ref }) => [out, advOut, ref])).toEqual([
      ['1', '1', '1'],
      ['0', null, '0'],
    ]);
  });

  it.each(['table', 'textattack'])('F05: a repeated header of a %s file is no row', async (format) => {
    const { records, warnings } = await importFile('auto', input(`repeated-header-${format}.csv`));
    expect(records).toHaveLength(2);
    expect(codes(warnings)).toEqual(['repeated-header:3']);
  });

  it('F23: line ends of old Macs', async () => {
    const { records } = await importFile('auto', input('mac-cr-only.csv'));
    expect(records).toMatchObject([
      { src: 'hot tea', adv_src: 'h0t tea', provenance: { line: 2 } },
      { src: 'cold milk', adv_src: 'c0ld milk', provenance: { line: 3 } },
    ]);
    const log = await importFile('auto', input('mac-cr-textattack.csv'));
    expect(log.records).toMatchObject([{ src: 'hot tea', adv_src: 'h0t tea', result: 'successful' }]);
  });

  it.each(['csv', 'jsonl'])('F47: true and false as results in %s', async (extension) => {
    const { records, warnings } = await importFile('table', input(`boolean-result.${extension}`), {
      columns: 'src=prompt,adv_src=attacked,result=success',
    });
    expect(records.map(({ result }) => result)).toEqual(['successful', 'failed']);
    expect(warnings).toEqual([]);
  });

  it('F24: nested scores of garak are scores', async () => {
    const { records, warnings } = await importFile('auto', input('garak-nested.report.jsonl'));
    expect(records.map(({ result, extra }) => [result, extra['scores']])).toEqual([
      ['successful', { 'tea.Spilled': 1 }],
      ['failed', { 'tea.Spilled': 0 }],
    ]);
    expect(warnings).toEqual([]);
  });

  it('F42: an evaluation of garak that stands before its attempts is compared at the end', async () => {
    const { records, warnings } = await importFile('auto', input('garak-eval-first.report.jsonl'));
    expect(records.map(({ result }) => result)).toEqual(['successful', 'failed']);
    expect(warnings).toEqual([]);
  });

  it('F48: control characters of latin-1 are told, windows-1252 has letters there', async () => {
    const path = input('cp1252.csv');
    const latin = await importFile('table', path, { encoding: 'latin-1' });
    expect(codes(latin.warnings)).toContain('control-characters:null');
    const windows = await importFile('table', path, { encoding: 'windows-1252' });
    expect(codes(windows.warnings)).not.toContain('control-characters:null');
  });

  it('F47: an array of objects is read', async () => {
    for (const format of ['auto', 'table']) {
      const { records } = await importFile(format, input('array.json'));
      expect(records).toMatchObject([{ src: 'hot tea', adv_src: 'h0t tea', provenance: { line: 1 } }]);
    }
  });
});

describe('texts that hold the words of the format', () => {
  const header = 'original_text,perturbed_text,result_type\n';

  it('F03: >>>> in an input of one column stays, and a warning says so', async () => {
    const { records, warnings } = await importText(
      'textattack',
      `${header}"quoted >>>> tea","quoted >>>> t3a",Failed\n`,
    );
    expect(records).toMatchObject([{ src: 'quoted >>>> tea', adv_src: 'quoted >>>> t3a', columns: null }]);
    expect(codes(warnings)).toEqual(['unclear-line-end:2', 'unclear-line-end:2']);
  });

  it('F22: quotes in TSV are characters unless a cell needed them', async () => {
    const { records } = await importText('table', 'src\tadv_src\n"tea"\ttea\n"say ""hi"""\tsay "hi"\n""\tx\n');
    expect(records.map(({ src, adv_src: advSrc }) => [src, advSrc])).toEqual([
      ['"tea"', 'tea'],
      ['say "hi"', 'say "hi"'],
      ['', 'x'],
    ]);
    const quoted = await importText('table', '"src"\t"adv_src"\n"tea"\t"a\tb"\n');
    expect(quoted.records).toMatchObject([{ src: 'tea', adv_src: 'a\tb' }]);
  });
});

describe('tables', () => {
  it('F22: one bad quote costs one row, which is named', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `${index},"tea ${index}"`).with(9, '9,"tea');
    const { records, warnings } = await importText('table', ['src,adv_src', ...lines].join('\n'), { onError: 'skip' });
    expect(records).toHaveLength(999);
    expect(codes(warnings)).toEqual(['bad-row:11']);
  });

  it.each(['table', 'textattack', 'openattack', 'garak', 'promptbench', 'opencompass'])(
    'F23: an empty file is an error of %s',
    async (format) => {
      await expect(importText(format, '')).rejects.toThrow(/<stdin>/u);
    },
  );

  it('F61: columns of one name are numbered, and a warning says so', async () => {
    const { records, warnings } = await importText('table', 'src,adv_src,note,note,note\na,b,1,2,3\n');
    expect(records[0]?.extra).toEqual({ note: '1', 'note (2)': '2', 'note (3)': '3' });
    expect(codes(warnings)).toEqual(['repeated-column:2']);
    const log = await importText('textattack', 'original_text,perturbed_text,note,note\na,b,1,2\n');
    expect(log.records[0]?.extra).toEqual({ note: '1', 'note (2)': '2' });
    expect(codes(log.warnings)).toContain('repeated-column:1');
  });

  it('F63: a path names a value inside of a column', async () => {
    const row = { doc: { text: 'hot tea' }, resps: [['good']], 'odd key': { 'a.b': 'h0t tea' }, 'doc.x': 'own' };
    const { records } = await importText('table', JSON.stringify(row), {
      columns: 'src=doc.text,out=resps[0][0],adv_src=["odd key"]["a.b"],ref=doc.x',
    });
    expect(records).toMatchObject([
      { src: 'hot tea', out: 'good', adv_src: 'h0t tea', ref: 'own', extra: { doc: { text: 'hot tea' } } },
    ]);
    await expect(importText('table', JSON.stringify(row), { columns: 'src=docs.text' })).rejects.toThrow(
      /no field "docs\.text"/u,
    );
  });

  it('F68: several references stay several, an empty list is none', async () => {
    const rows = [
      { src: 'a', adv_src: 'b', ref: ['Paris', 'Lutetia'] },
      { src: 'a', adv_src: 'b', ref: [] },
      { src: 'a', adv_src: 'b', ref: ['Paris'] },
    ];
    const { records } = await importText('table', rows.map((row) => JSON.stringify(row)).join('\n'));
    expect(records.map(({ ref }) => ref)).toEqual([['Paris', 'Lutetia'], null, 'Paris']);
  });

  it('F77: a row that would make no valid record is a bad row', async () => {
    const text = '{"src":"a","adv_src":"b","columns":{"premise":"x"}}\n{"src":"a","adv_src":"b"}\n';
    await expect(importText('table', text)).rejects.toThrow(/<stdin>:1: \$\.columns/u);
    const { records, warnings } = await importText('table', text, { onError: 'skip' });
    expect(records).toHaveLength(1);
    expect(codes(warnings)).toEqual(['bad-row:1']);
  });
});

describe('options and files that both name a grouping key', () => {
  const hit = {
    goal: 'g',
    prompt: 'p',
    output: 'o',
    attempt_id: '1',
    detector: 'd',
    probe: 'tea.Pour',
    generator: 'k',
  };

  it('an option says what the file does not say', async () => {
    const { records } = await importText('table', 'src,adv_src,attack\na,b,\nc,d,swap\n', {
      defaults: { attack: 'swap', model: 'm', run: 'night' },
    });
    expect(records.map(({ attack, model, source_model: source, run }) => [attack, model, source, run])).toEqual([
      ['swap', 'm', 'm', 'night'],
      ['swap', 'm', 'm', 'night'],
    ]);
  });

  it('where both speak and differ the file is refused, naming both', async () => {
    await expect(importText('garak', JSON.stringify(hit), { defaults: { attack: 'mine' } })).rejects.toThrow(
      '<stdin>:1: the attack is "tea.Pour" in the file and "mine" in the option attack',
    );
    const { records } = await importText('garak', JSON.stringify(hit), { defaults: { attack: 'tea.Pour' } });
    expect(records).toMatchObject([{ attack: 'tea.Pour', model: 'k' }]);
  });
});

describe('logs', () => {
  it('F24: a score of another shape stays in extra, with a warning', async () => {
    const attempt = {
      entry_type: 'attempt',
      uuid: 'a',
      status: 2,
      outputs: ['x'],
      detector_results: { d: [{ v: 1 }] },
    };
    const { records, warnings } = await importText('garak', JSON.stringify(attempt));
    expect(records).toMatchObject([{ result: null, extra: { unknown_scores: { d: { v: 1 } } } }]);
    expect(codes(warnings)).toEqual(['unknown-score:1']);
  });

  it('F42: an evaluation that its attempts contradict is still told', async () => {
    const rows = [
      { entry_type: 'eval', probe: 'p', detector: 'd', passed: 1, total: 1 },
      {
        entry_type: 'attempt',
        uuid: 'a',
        status: 2,
        probe_classname: 'p',
        outputs: ['x'],
        detector_results: { d: [1] },
      },
    ];
    const { warnings } = await importText('garak', rows.map((row) => JSON.stringify(row)).join('\n'));
    expect(codes(warnings)).toEqual(['summary-differs:1']);
  });

  const block = (name: string): string =>
    `Original prompt: ${name} Attacked prompt: b'${name.replace('e', '3')}'\nOriginal acc: 50.00%, attacked acc: 40.00%, dropped acc: 10.00%\n\n`;

  it('F27: prompts of OpenCompass on one line are parted, each with a warning', async () => {
    const { records, warnings } = await importText(
      'opencompass',
      block('pour tea') + block('hold tea') + block('sip tea'),
    );
    expect(records.map(({ src, adv_src: advSrc }) => [src, advSrc])).toEqual([
      ['pour tea', 'pour t3a'],
      ['hold tea', 'hold t3a'],
      ['sip tea', 'sip t3a'],
    ]);
    expect(codes(warnings).filter((code) => code.startsWith('unclear-block'))).toEqual([
      'unclear-block:1',
      'unclear-block:4',
      'unclear-block:7',
    ]);
  });

  it('F27: blocks are not merged in silence', async () => {
    const text =
      "Original prompt: pour tea\nno attacked prompt here\nOriginal prompt: hold tea\nAttacked prompt: b'h0ld'\n" +
      'Original acc: 50.00%, attacked acc: 40.00%, dropped acc: 10.00%\n\n';
    const { warnings } = await importText('opencompass', text);
    expect(codes(warnings)).toContain('unclear-block:3');
  });

  it('F62: a JSON object of numbers is no result of PromptBench', async () => {
    await expect(importText('auto', '{"accuracy": 0.775}')).rejects.toThrow(/no format that teapot knows/u);
    const samples = '{"doc_id": 0, "doc": {"a": 1}}\n';
    await expect(importText('auto', samples)).rejects.toThrow(/no format/u);
    const { records } = await importText('auto', '{"Say whether it is good:": 0.5, "Is it good?": 0.25}');
    expect(records.map(({ attacked_score: score }) => score)).toEqual([0.5, 0.25]);
  });

  it('F62: an import of nothing from a file that is not empty fails', async () => {
    await expect(importText('openattack', '{"a": 1}\n', { onError: 'skip' })).rejects.toThrow(
      /no records: none of its rows can be read \(1 were left out\)/u,
    );
  });

  it('F10: integers beyond 2^53 keep their digits', async () => {
    const text =
      '{"src":"a","adv_src":"b","out":9007199254740993,"adv_out":9007199254740992,"n":[12345678901234567890]}';
    const { records } = await importText('table', text);
    expect(records).toMatchObject([
      { out: '9007199254740993', adv_out: '9007199254740992', extra: { n: ['12345678901234567890'] } },
    ]);
    const parts =
      '{"src":"1234567890123456 \\" 12345678901234567","adv_src":"b","out":1.2345678901234567e3,"x":123456789012345}';
    const other = await importText('table', parts);
    expect(other.records).toMatchObject([
      { src: '1234567890123456 " 12345678901234567', out: '1234.5678901234567', extra: { x: 123456789012345 } },
    ]);
  });
});
