import { describe, expect, it } from 'vitest';

import { textattack } from '../../../src/record/import/textattack/textattack.js';
import type { ImportOptions } from '../../../src/record/import/importer.js';
import type { AttackRecord } from '../../../src/record/schema.js';
import { collect } from './collect.js';
import type { Imported } from './collect.js';

const HEADER =
  'original_text,perturbed_text,original_score,perturbed_score,original_output,perturbed_output,ground_truth_output,num_queries,result_type';

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** A log of pairs of texts in the style of the file, as if every attack had succeeded. */
function log(pairs: readonly (readonly [string, string])[]): string {
  const rows = pairs.map(
    ([original, perturbed]) => `${quoted(original)},${quoted(perturbed)},0.1,0.9,1,0,1,12,"Successful"`,
  );
  return `${[HEADER, ...rows].join('\n')}\n`;
}

async function read(text: string | Uint8Array, options?: ImportOptions): Promise<Imported> {
  return collect(textattack, { text }, options);
}

async function texts(
  pairs: readonly (readonly [string, string])[],
  options?: ImportOptions,
): Promise<(string | null)[][]> {
  const { records } = await read(log(pairs), options);
  return records.map((record) => [record.src, record.adv_src]);
}

async function first(text: string): Promise<AttackRecord> {
  const [record] = (await read(text)).records;
  if (record === undefined) throw new Error('no record');
  return record;
}

describe('markers (B34, TextAttack#386, #388, #631)', () => {
  it('takes the names of columns and the marked words apart', async () => {
    const record = await first(
      log([
        [
          '[[[[Premise]]]]: hot [[tea]]<SPLIT>[[[[Hypothesis]]]]: cold milk',
          '[[[[Premise]]]]: hot [[t3a]]<SPLIT>[[[[Hypothesis]]]]: cold milk',
        ],
      ]),
    );
    expect(record).toMatchObject({
      src: 'Premise: hot tea\nHypothesis: cold milk',
      adv_src: 'Premise: hot t3a\nHypothesis: cold milk',
      columns: {
        original: { premise: 'hot tea', hypothesis: 'cold milk' },
        perturbed: { premise: 'hot t3a', hypothesis: 'cold milk' },
      },
      extra: { changed_words: [['tea', 't3a']] },
    });
  });

  it('keeps brackets of the text itself, in a file with markers and in one without', async () => {
    expect(
      await texts([
        ['see [[1]] and a[[i]], [[hot]]', 'see [[1]] and a[[i]], [[h0t]]'],
        ['[[[dull]]] tea', '[[[dul]]] tea'],
        ['[[[[nested]]]] tea', '[[[[nezted]]]] tea'],
        ['plain [[i]] tea', 'plain [[i]] tea'],
      ]),
    ).toEqual([
      ['see [[1]] and a[[i]], hot', 'see [[1]] and a[[i]], h0t'],
      ['[dull] tea', '[dul] tea'],
      ['[[nested]] tea', '[[nezted]] tea'],
      ['plain [[i]] tea', 'plain [[i]] tea'],
    ]);
    expect(
      await texts([
        ['see [[1]] and a[[i]] tea', 'see [[1]] and a[[i]] t3a'],
        ['more tea', 'm0re tea'],
        ['only [[1]] tea', 'only [[l]] tea'],
      ]),
    ).toEqual([
      ['see [[1]] and a[[i]] tea', 'see [[1]] and a[[i]] t3a'],
      ['more tea', 'm0re tea'],
      ['only [[1]] tea', 'only [[l]] tea'],
    ]);
  });

  it('tells own brackets from markers by what stands on the other side', async () => {
    expect(
      await texts([
        // A word is put into brackets of the text: the other side shows that "x" is no marker.
        ['a [[x]] tea', 'a [[x [[not]]]] tea'],
        // Two words change places: equal words in a gap, at other places.
        ['[[good]] [[bad]] tea', '[[bad]] [[good]] tea'],
        // A word is put before one in brackets.
        ['[[i]] tea', '[[awful]] [[i]] tea'],
        // A word is cut in two, another one is deleted.
        ['a [[romantic]] [[old]] tea', 'a [[ro]] [[mantic]] tea'],
        // The tool lost its place behind an inserted word and marks all that follows.
        ['[[a]] [[b]] [[c]]', '[[x]] [[a]] [[b]] [[c]]'],
      ]),
    ).toEqual([
      ['a [[x]] tea', 'a [[x not]] tea'],
      ['good bad tea', 'bad good tea'],
      ['[[i]] tea', 'awful [[i]] tea'],
      ['a romantic old tea', 'a ro mantic tea'],
      ['a b c', 'x a b c'],
    ]);
  });

  it('reads the HTML style, and HTML of the text itself', async () => {
    expect(
      await texts([
        [
          '<font color = red>ugly</font> <font color = green>tea</font> & <b>',
          '<font color = red>ugly</font> <font color = red>t3a</font> & <b>',
        ],
        [
          '<font color = bold><font color = underline>Question</font></font>: <font color = gray>hot</font>?<SPLIT><font color = bold><font color = underline>Text</font></font>: x',
          '<font color = bold><font color = underline>Question</font></font>: <font color = blue>h0t</font>?<SPLIT><font color = bold><font color = underline>Text</font></font>: x',
        ],
      ]),
    ).toEqual([
      ['<font color = red>ugly</font> tea & <b>', '<font color = red>ugly</font> t3a & <b>'],
      [
        '<font color = bold><font color = underline>Question</font></font>: hot?\n<font color = bold><font color = underline>Text</font></font>: x',
        '<font color = bold><font color = underline>Question</font></font>: h0t?\n<font color = bold><font color = underline>Text</font></font>: x',
      ],
    ]);
  });

  it('takes terminal colours away, with a warning', async () => {
    const { records, warnings } = await read(log([['hot \u001B[92mtea\u001B[0m', 'hot \u001B[91mt3a\u001B[0m']]));
    expect(records[0]).toMatchObject({ src: 'hot tea', adv_src: 'hot t3a' });
    expect(warnings.map(({ code, line }) => [code, line])).toEqual([
      ['ansi-codes', 2],
      ['ansi-codes', 2],
    ]);
  });

  it('finds the columns of the plain style only where all rows have them', async () => {
    const named = await read(
      log([
        ['Premise: tea<SPLIT>Note: hot<SPLIT>Hypothesis: milk', 'Premise: t3a<SPLIT>Note: hot<SPLIT>Hypothesis: milk'],
        ['Premise: a<SPLIT>Hypothesis: b', 'Premise: a<SPLIT>Hypothesis: c'],
      ]),
    );
    expect(named.records.map((record) => record.columns?.original)).toEqual([
      { premise: 'tea\nNote: hot', hypothesis: 'milk' },
      { premise: 'a', hypothesis: 'b' },
    ]);
    const plain = await read(
      log([
        ['Premise: tea<SPLIT>Hypothesis: milk', 'Premise: t3a<SPLIT>Hypothesis: milk'],
        ['tea', 't3a'],
      ]),
    );
    expect(plain.records.map((record) => record.columns)).toEqual([null, null]);
  });

  it('obeys --markers', async () => {
    expect(await texts([['[[hot]] tea', '[[h0t]] tea']], { markers: 'plain' })).toEqual([
      ['[[hot]] tea', '[[h0t]] tea'],
    ]);
  });
});

describe('columns of the CSV log', () => {
  it('are read by name, in any order, with others kept in extra', async () => {
    const record = await first(
      'split,ground_truth_output,num_queries,original_output,original_score,original_text,perturbed_output,perturbed_score,perturbed_text,result_type\n' +
        'test,1.0,22.0,1.0,0.25,hot tea,0.0,0.75,h0t tea,Successful\n',
    );
    expect(record).toMatchObject({
      src: 'hot tea',
      adv_src: 'h0t tea',
      out: '1',
      adv_out: '0',
      ref: '1',
      queries: 22,
      original_score: 0.25,
      attacked_score: 0.75,
      result: 'successful',
      extra: { split: 'test' },
    });
  });

  it('B37: stand behind a byte order mark', async () => {
    expect((await read(`\uFEFF${log([['a', 'b']])}`)).records).toHaveLength(1);
  });

  it('B39: may not be there twice', async () => {
    await expect(read('original_text,original_text,perturbed_text\na,b,c\n')).rejects.toThrow(
      /<stdin>:1: the column "original_text" is there twice/u,
    );
  });

  it('B36: labels are compared as numbers, NA is a label, empty is missing', async () => {
    const row = (cells: string): string => `"a","b",0.1,0.9,${cells},3,"Successful"`;
    const { records, warnings } = await read(
      [
        HEADER,
        row('1.0,0,1'),
        row('"NA","nan","null"'),
        row(',0,1'),
        row('"",0,1'),
        row('"","x","y"'),
        row('"1.0","1","2."'),
      ].join('\n'),
    );
    expect(records.map((record) => [record.out, record.adv_out, record.ref])).toEqual([
      ['1', '0', '1'],
      ['NA', 'nan', 'null'],
      [null, '0', '1'],
      [null, '0', '1'],
      ['', 'x', 'y'],
      ['1.0', '1', '2.'],
    ]);
    expect(warnings.map(({ code, line }) => [code, line])).toEqual([
      ['missing-value', 4],
      ['missing-value', 5],
      ['empty-output', 6],
    ]);
  });

  it('reads numbers that are none as missing', async () => {
    const { records, warnings } = await read(`${HEADER}\n"a","b",nan,inf,1,0,1,many,"Odd"\n`);
    expect(records[0]).toMatchObject({ original_score: null, attacked_score: null, queries: null, result: null });
    expect(records[0]?.extra).toMatchObject({ result_type: 'Odd' });
    expect(warnings.map(({ code }) => code)).toEqual(['unknown-result', 'no-number', 'no-number', 'no-number']);
  });
});

describe('rows that cannot be read', () => {
  const cut = `${log([
    ['a', 'b'],
    ['c', 'd'],
  ])}"e","f",0.1\n`;

  it('stop the import with file and line', async () => {
    await expect(read(cut)).rejects.toThrow(/<stdin>:4: 3 cells, expected 9 as in the header/u);
    await expect(read(`${log([['a', 'b']])}"e","f`)).rejects.toThrow(
      /<stdin>:3: a quoted cell of the row that starts here never ends/u,
    );
    await expect(read('a,b\n1,2\n')).rejects.toThrow(/no log of TextAttack/u);
    await expect(read('')).rejects.toThrow(/no log of TextAttack/u);
  });

  it('are passed over with a warning when asked', async () => {
    const { records, warnings } = await read(cut, { onError: 'skip' });
    expect(records).toHaveLength(2);
    expect(warnings).toMatchObject([{ code: 'bad-row', line: 4 }]);
  });

  it('answers a million columns with one error', async () => {
    const header = `original_text,perturbed_text,${Array.from({ length: 1_000_000 }, (_, index) => `c${index}`).join(',')}`;
    await expect(read(`${header}\n`)).rejects.toThrow(/1000002 columns/u);
  });

  it('reads 10 MB in one cell and in one line', async () => {
    const long = 'tea '.repeat(2_500_000);
    const record = await first(log([[long, long]]));
    expect(record.src).toHaveLength(10_000_000);
  }, 60_000);

  it('keeps columns with odd names', async () => {
    const record = await first('original_text,perturbed_text,__proto__,constructor\na,b,c,d\n');
    expect(Object.entries(record.extra)).toEqual([
      ['__proto__', 'c'],
      ['constructor', 'd'],
    ]);
  });
});

const LINE = '-'.repeat(45);

describe('text log', () => {
  const success = (number: number, original: string, perturbed: string): string =>
    `${LINE} Result ${number} ${LINE}\n[[Good (97%)]] --> [[Bad (55%)]]\n\n${original}\n\n${perturbed}\n`;

  it('keeps blank lines, headings and arrows that belong to the texts', async () => {
    const heading = `${LINE} Result 7 ${LINE}`;
    const { records, warnings } = await read(
      `${success(1, 'one\n\n[[two]]', 'one\n\n[[tvo]]')}${success(2, `a [[b]]\n${heading}`, `a [[c]]\n${heading}`)}`,
    );
    expect(records.map((record) => [record.src, record.adv_src])).toEqual([
      ['one\n\ntwo', 'one\n\ntvo'],
      [`a b\n${heading}`, `a c\n${heading}`],
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['no-summary']);
  });

  it('tells appended runs apart', async () => {
    const summary =
      'Number of successful attacks: 1\nNumber of failed attacks: 0\nNumber of skipped attacks: 0\nAttack success rate: 100.0%\n';
    const { records, summaries, warnings } = await read(
      `${success(1, '[[a]]', '[[b]]')}${summary}${success(1, '[[c]]', '[[d]]')}${summary}`,
    );
    expect(records.map((record) => [record.run, record.id])).toEqual([
      ['<stdin>', '1'],
      ['<stdin>#2', '1'],
    ]);
    expect(summaries.map(({ values }) => values['Attack success rate'])).toEqual([100, 100]);
    expect(warnings).toEqual([]);
  });

  it('reports a summary that contradicts the results', async () => {
    const { warnings } = await read(
      `${success(1, '[[a]]', '[[b]]')}Number of successful attacks: 5\nNumber of failed attacks: 0\n`,
    );
    expect(warnings).toMatchObject([{ code: 'summary-differs' }]);
  });

  it('refuses a result that is cut off', async () => {
    await expect(read(`${success(1, 'a', 'b')}${LINE} Result 2 ${LINE}\n[[Good (97%)]] --> [[Bad`)).rejects.toThrow(
      /<stdin>:7: result 2 is cut off/u,
    );
  });

  it('takes the progress bar away', async () => {
    const bar = '\r[Succeeded / Failed / Skipped / Total] 1 / 0 / 0 / 1:  50%|█████     | 1/2 [00:01<00:06,  1.64s/it]';
    const printed = `Attack(\n  (search_method): x\n) \n\n${success(1, '[[a]]', '[[b]]')}\n\n${bar}${success(2, '[[c]]', '[[d]]')}\n\n`;
    const { records } = await read(printed);
    expect(records.map((record) => [record.src, record.adv_src])).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(records[0]?.provenance?.settings).toEqual({ attack: 'Attack(\n  (search_method): x\n)' });
  });
});
