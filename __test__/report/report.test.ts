import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { csvRecord, tsvRecord } from '../../src/report/delimited.js';
import { formatFixed } from '../../src/number-format.js';
import { formatPercent, formatShortest } from '../../src/number-format.js';
import { perLineReporter } from '../../src/report/per-line.js';
import {
  chooseFormat,
  extensionsOf,
  FORMATS,
  formatOfPath,
  ROW_FORMATS,
  SCORE_FORMATS,
} from '../../src/report/formats.js';
import type { ScoreFormat } from '../../src/report/formats.js';
import { reportResult } from '../../src/report/result.js';
import { summaryDocument } from '../../src/report/summary-document.js';
import { summarySchema } from '../../src/report/summary-schema.js';
import type { ScoreBatch } from '../../src/score/score-batch.js';
import { Summariser } from '../../src/measure/summariser.js';
import type { Summary } from '../../src/measure/summary.js';

const scorer = (name: string) => ({
  key: 'chrf',
  name,
  signature: `sig ${name}`,
  score: async () => new Float64Array(),
});

async function summaryOf(
  scores: ScoreBatch,
  options: { readonly sweep?: readonly number[]; readonly name?: string; readonly confidence?: number } = {},
): Promise<Summary> {
  const name = options.name ?? 'ChrF';
  const summariser = new Summariser({
    version: '0.0.0',
    sSrc: scores.sSrc && scorer(name),
    sTgt: scores.attacked && scorer(name),
    successThreshold: 1,
    percentileMethod: 'teapot',
    sweep: options.sweep,
  });
  summariser.add(scores);
  return summariser.summary({
    textRules: ['strip:end'],
    ...(options.confidence && { intervals: { confidence: options.confidence } }),
  });
}

const both: ScoreBatch = {
  count: 4,
  sSrc: Float64Array.of(0.5, 0.75, 1, 0.25),
  base: Float64Array.of(0.5, 0.5, 0, 1),
  attacked: Float64Array.of(0.25, 0, 0.5, 0.75),
};

type SummaryFormat = Exclude<ScoreFormat, 'junit' | 'html'>;

async function report(summary: Summary, format: SummaryFormat, scale = 100, terminal = false): Promise<string> {
  const all = { values: [], summary, claims: null };
  return reportResult({ by: [], groups: [], all, comparisons: [] }, format, { scale, terminal, color: false });
}

describe('formatFixed', () => {
  it('rounds exact ties to even, as Python does', () => {
    expect(
      [0.0625, 0.1875, 2.5, 49.0625, 1.5].map((value) => formatFixed(value, value > 1 && value < 3 ? 0 : 3)),
    ).toEqual(['0.062', '0.188', '2', '49.062', '2']);
  });

  it('rounds everything else to the nearest, and never writes -0', () => {
    expect(formatFixed(86.908_109_434_806_02, 3)).toBe('86.908');
    expect(formatFixed(1.0005, 3)).toBe('1.000');
    expect(formatFixed(-0, 3)).toBe('0.000');
    expect(formatFixed(-0.0001, 3)).toBe('0.000');
    expect(formatFixed(-0.25, 1)).toBe('-0.2');
    expect(formatPercent(0.100_917)).toBe('10.09 %');
    expect(formatShortest(-0)).toBe('0');
    expect(formatShortest(0.1)).toBe('0.1');
  });
});

describe('text', () => {
  it("is teapot-nlp's layout", async () => {
    expect(await report(await summaryOf(both), 'text')).toBe(
      [
        'Source side preservation (ChrF):\nMean:\t62.500\nStd:\t32.275\n5%-95%:\t25.000-100.000\n',
        'Target side degradation (ChrF):\nMean:\t43.750\nStd:\t42.696\n5%-95%:\t0.000-100.000\n',
        'Success percentage: 25.00 %\n',
      ].join(`${'-'.repeat(80)}\n`),
    );
  });

  it('adds a sweep where one was asked for, and pictures on a terminal', async () => {
    const summary = await summaryOf(both, { sweep: [0, 0.5, 1] });
    expect(await report(summary, 'text')).toContain(
      'Success percentage by threshold:\n0\t100.00 %\n0.5\t75.00 %\n1\t25.00 %\n',
    );
    const shown = await report(summary, 'text', 1, true);
    expect(shown).toContain(`0.000 ${' '.repeat(5)}█${' '.repeat(4)}█${' '.repeat(4)}█${' '.repeat(3)}█ 1.000\n`);
    expect(shown).toContain(`Lines:\t4\n${summary.signature}\n`);
  });

  it('has one section for one side', async () => {
    expect(await report(await summaryOf({ count: 1, sSrc: Float64Array.of(0.5) }), 'text')).toBe(
      'Source side preservation (ChrF):\nMean:\t50.000\nStd:\t0.000\n5%-95%:\t50.000-50.000\n',
    );
    expect(await report(await summaryOf({ count: 2, attacked: Float64Array.of(0.5, 0.5) }), 'text')).toMatch(
      /^Target side preservation \(ChrF\):\n/,
    );
  });
});

describe('terse', () => {
  it('is one number a line, the success percentage unscaled', async () => {
    expect(await report(await summaryOf(both), 'terse', 1)).toBe('0.625\n0.438\n25.000\n');
  });
});

describe('json', () => {
  const published = JSON.parse(readFileSync(new URL('../../schema/summary-2.json', import.meta.url), 'utf8')) as object;
  const validate = new Ajv2020({ strict: true }).compile(published);

  it('follows the published schema in every mode', async () => {
    const { sSrc, base, attacked } = both as Required<ScoreBatch>;
    for (const scores of [
      both,
      { count: 4, sSrc },
      { count: 4, attacked },
      { count: 4, base, attacked },
      { count: 4, sSrc, attacked },
      { count: 1, sSrc: Float64Array.of(0), base: Float64Array.of(0), attacked: Float64Array.of(0) },
    ]) {
      const document: unknown = JSON.parse(await report(await summaryOf(scores, { sweep: [0, 1, 2] }), 'json'));
      validate(document);
      expect(validate.errors).toBeNull();
      expect(summarySchema.parse(document)).toEqual(document);
    }
  });

  it('has fractions, whatever people see', async () => {
    const summary = await summaryOf(both);
    expect(summaryDocument(summary)).toMatchObject({
      schema: 'teapot.summary/2',
      n: 4,
      success_threshold: 1,
      s_src: { n: 4, mean: 0.625, p5: 0.25 },
      successes: 1,
      success_rate: 0.25,
      success_rate_where_defined: 1 / 3,
      undefined: { count: 1, reasons: { 'base score is 0': 1 } },
      micro_pdr: 0.25,
    });
    expect(await report(summary, 'json', 1000)).toBe(await report(summary, 'json', 1));
    expect(await report(summary, 'csv', 1000)).toBe(await report(summary, 'csv', 1));
  });
});

describe('csv', () => {
  it('is one record with every number of the document', async () => {
    const text = await report(await summaryOf(both), 'csv');
    const [header, record, end] = text.split('\r\n');
    expect(end).toBe('');
    const names = (header ?? '').split(',');
    const values = (record ?? '').split(',');
    expect(values).toHaveLength(names.length);
    expect(values[names.indexOf('s_src.mean')]).toBe('0.625');
    expect(values[names.indexOf('s_tgt.mean')]).toBe('');
    expect(values[names.indexOf('success_rate')]).toBe('0.25');
  });
});

describe('markdown and latex', () => {
  it('are tables', async () => {
    expect(await report(await summaryOf(both), 'markdown')).toMatchInlineSnapshot(`
      "|  | metric | mean | std | 5 % | 95 % |
      | --- | --- | --: | --: | --: | --: |
      | s\\_src | ChrF | 62.500 | 32.275 | 25.000 | 100.000 |
      | s\\_tgt base | ChrF | 50.000 | 40.825 | 0.000 | 100.000 |
      | s\\_tgt attacked | ChrF | 37.500 | 32.275 | 0.000 | 75.000 |
      | d\\_tgt | ChrF | 43.750 | 42.696 | 0.000 | 100.000 |
      | success rate |  | 25.00 % |  |  |  |
      | PDR | ChrF | 25.00 % |  |  |  |

      n = 4; success threshold 1; undefined: 1 (base score is 0).

      \`s_src:[sig ChrF]|s_tgt:[sig ChrF]|criterion:relative_decrease|threshold:1|strip:end|percentile:teapot|version:0.0.0\`
      "
    `);
    expect(await report(await summaryOf(both), 'latex')).toMatchInlineSnapshot(`
      "% s_src:[sig ChrF]|s_tgt:[sig ChrF]|criterion:relative_decrease|threshold:1|strip:end|percentile:teapot|version:0.0.0
      % n = 4
      % success threshold 1
      % undefined: 1 (base score is 0)
      \\begin{tabular}{llrrrr}
      \\toprule
       & metric & mean & std & 5 \\% & 95 \\% \\\\
      \\midrule
      s\\_src & ChrF & 62.500 & 32.275 & 25.000 & 100.000 \\\\
      s\\_tgt base & ChrF & 50.000 & 40.825 & 0.000 & 100.000 \\\\
      s\\_tgt attacked & ChrF & 37.500 & 32.275 & 0.000 & 75.000 \\\\
      d\\_tgt & ChrF & 43.750 & 42.696 & 0.000 & 100.000 \\\\
      success rate &  & 25.00 \\% &  &  &  \\\\
      PDR & ChrF & 25.00 \\% &  &  &  \\\\
      \\bottomrule
      \\end{tabular}
      "
    `);
  });

  it('take names as text, never as markup', async () => {
    const summary = await summaryOf(both, { name: 'a|b_c\\d<i>%$#&{~^' });
    expect(await report(summary, 'markdown')).toContain('| a\\|b\\_c\\\\d\\<i\\>%\\$#&{\\~^ |');
    expect(await report(summary, 'latex')).toContain(
      '& a\\textbar{}b\\_c\\textbackslash{}d\\textless{}i\\textgreater{}\\%\\$\\#\\&\\{\\textasciitilde{}\\textasciicircum{} &',
    );
  });
});

describe('per-line files', () => {
  const segments = {
    firstSegment: 10,
    count: 2,
    attacks: [{ count: 2, sSrc: Float64Array.of(1 / 3, 0), attacked: Float64Array.of(0.1, 0) }],
    blank: { source: 0, target: 0 },
  };
  const measured = {
    margin: Float64Array.of(0.2, -0),
    undefinedReasons: new Map([[1, 's_src and s_tgt are 0' as const]]),
  };

  it('write numbers so that they can be read back exactly, and no -0', async () => {
    const tsv = await perLineReporter('tsv');
    expect(tsv.header).toBe('id\ts_src\ts_tgt_base\ts_tgt_attacked\td_tgt\ts_tgt\tsuccess\tmargin\treason\n');
    expect(String(tsv.rows(segments, 0, [measured]))).toBe(
      '11\t0.3333333333333333\t\t\t\t0.1\ttrue\t0.2\t\n12\t0\t\t\t\t0\tfalse\t0\ts_src and s_tgt are 0\n',
    );
    const lines = String((await perLineReporter('jsonl')).rows(segments, 0, [measured]))
      .trimEnd()
      .split('\n');
    expect(JSON.parse(lines[1] ?? '')).toEqual({
      id: 12,
      s_src: 0,
      s_tgt_base: null,
      s_tgt_attacked: null,
      d_tgt: null,
      s_tgt: 0,
      success: false,
      margin: 0,
      reason: 's_src and s_tgt are 0',
    });
  });

  it('quote ids as RFC 4180 says', async () => {
    const named = { ...segments, ids: ['a,"b"\n', 'c'] };
    expect(String((await perLineReporter('csv')).rows(named, 0, [measured]))).toMatch(/^"a,""b""\n",0\.33/);
    expect(String((await perLineReporter('tsv')).rows(named, 0, [measured]))).toMatch(/^a,"b" \t0\.33/);
  });
});

describe('delimited records', () => {
  it('quote what needs it', () => {
    expect(csvRecord(['a', 'b,c', 'd"e', '', 'f\ng'])).toBe('a,"b,c","d""e",,"f\ng"\r\n');
    expect(tsvRecord(['a\tb', 'c\r\nd'])).toBe('a b\tc  d\n');
  });
});

describe('formats', () => {
  it('are told by the extension', () => {
    const paths = [
      'a.json',
      'b.CSV',
      'c.md',
      'd.tex',
      'e.txt',
      'f',
      '.json/g',
      'h.csv.gz',
      'i.gz',
      'j.tsv.zst',
      'k.xml',
    ];
    expect(paths.map(formatOfPath)).toEqual([
      'json',
      'csv',
      'markdown',
      'latex',
      'text',
      undefined,
      undefined,
      'csv',
      undefined,
      'tsv',
      'junit',
    ]);
  });

  it('each have extensions of their own, that are read in any case and with .gz and .zst', () => {
    const extensions = FORMATS.flatMap((format) =>
      extensionsOf([format])
        .split(/, | or /u)
        .filter(Boolean)
        .map((extension) => [extension, format] as const),
    );
    expect(new Set(extensions.map(([extension]) => extension)).size).toBe(extensions.length);
    for (const [extension, format] of extensions) {
      for (const end of ['', '.gz', '.zst', '.GZ']) {
        expect(formatOfPath(`folder.csv/x${extension}${end}`)).toBe(format);
        expect(formatOfPath(`x${extension.toUpperCase()}${end}`)).toBe(format);
      }
    }
  });

  it('are chosen by name, else by extension, and both must agree', () => {
    const choose = (output?: string, format?: 'csv' | 'tsv'): string =>
      chooseFormat({ formats: ROW_FORMATS, output, format, option: '--per-line' });
    expect([
      choose(),
      choose('-'),
      choose('-', 'csv'),
      choose('a.csv.zst'),
      choose('a', 'csv'),
      choose('a.txt', 'csv'),
    ]).toEqual(['tsv', 'tsv', 'csv', 'csv', 'csv', 'csv']);
    expect(() => choose('a.md')).toThrow(
      '--per-line a.md: markdown is no format of it. Expected a name that ends in .tsv, .tab, .csv, .jsonl, .ndjson or .parquet (also with .gz or .zst).',
    );
    expect(() => choose('a.csv', 'tsv')).toThrow(
      '--format tsv and --per-line a.csv contradict each other: the extension says csv.',
    );
  });

  it('all end in a line end', async () => {
    for (const format of SCORE_FORMATS.filter((one) => one !== 'junit' && one !== 'html')) {
      expect(await report(await summaryOf(both), format)).toMatch(/[^\n]\n$/);
    }
  });
});
