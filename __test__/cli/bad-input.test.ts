/** Every mistake of a user: exit code 2, one clear message, no stack, nothing on stdout. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const text = 'hot tea\ngreen tea\nblack tea\n';
folder.write({
  'src.txt': text,
  'adv.txt': text,
  'two.txt': 'a\nb\n',
  'empty.txt': '',
  'latin.txt': Buffer.from('tea\ncaf\u00E9\nmilk\n', 'latin1'),
  'utf16.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
  'cut.txt.gz': gzipSync(text.repeat(1000)).subarray(0, 60),
  'table.csv': 'original,attacked\nhot tea,hot tee\n',
  'ragged.csv': 'original,attacked\nhot tea,hot tee\nmilk\n',
  'twice.csv': 'text,text,label\na,b,c\n',
  'empty.csv': 'original,attacked\n',
  'broken.jsonl': '{"original":"a","attacked":"b"}\n{"original":"a",\n',
  'null.jsonl': '{"original":"a","attacked":null}\n',
  'array.jsonl': '[1]\n',
});
mkdirSync(`${folder.path}/folder`);

const pair = ['--src', 'src.txt', '--adv-src', 'adv.txt'];
const columns = ['--columns', 'src=original,adv_src=attacked'];

/** Arguments, and what the message must say. */
const MISTAKES: readonly (readonly [what: string, args: readonly string[], message: RegExp])[] = [
  ['nothing', [], /Give --src and --adv-src/],
  ['a missing file', ['--src', 'none.txt', '--adv-src', 'adv.txt'], /none\.txt: can't be read: no such file/],
  ['a directory', ['--src', 'folder', '--adv-src', 'adv.txt'], /folder.*directory/],
  [
    'unequal lines',
    ['--src', 'src.txt', '--adv-src', 'two.txt', '--out', 'src.txt', '--adv-out', 'adv.txt'],
    /src\.txt has 3 lines, two\.txt has 2 lines, src\.txt has 3 lines, adv\.txt has 3 lines/,
  ],
  ['empty files', ['--src', 'empty.txt', '--adv-src', 'empty.txt'], /empty/],
  ['one empty file', ['--src', 'src.txt', '--adv-src', 'empty.txt'], /src\.txt has 3 lines, empty\.txt has 0 lines/],
  ['invalid UTF-8', ['--src', 'src.txt', '--adv-src', 'latin.txt'], /latin\.txt.*line 2.*byte.*--encoding/s],
  ['UTF-16', ['--src', 'utf16.txt', '--adv-src', 'adv.txt'], /utf16\.txt.*UTF-16/],
  ['--src alone', ['--src', 'src.txt'], /--src needs --adv-src/],
  ['--adv-src alone', ['--adv-src', 'src.txt'], /--adv-src needs --src/],
  ['--out alone', [...pair, '--out', 'src.txt'], /--out needs --adv-out/],
  ['--ref alone', ['--ref', 'src.txt'], /--ref says nothing without --out and --adv-out/],
  ['two inputs on stdin', ['--src', '-', '--adv-src', '-'], /Standard input/],
  ['an unknown metric', [...pair, '--s-src', 'chrff'], /no scorer "chrff"\. Did you mean "chrf"\?.*bleu/],
  [
    'an unknown parameter',
    [...pair, '--s-src', 'chrf:betta=1'],
    /no parameter "betta"\. Did you mean "beta"\?.*char_order/,
  ],
  ['a bad parameter', [...pair, '--s-src', 'chrf:beta=x'], /beta.*"x".*number/],
  [
    'a threshold that is no number',
    [...pair, '--success-threshold', 'high'],
    /--success-threshold needs a number, found "high"/,
  ],
  ['a threshold that is NaN', [...pair, '--success-threshold', 'NaN'], /--success-threshold needs a number/],
  ['a hexadecimal threshold', [...pair, '--success-threshold', '0x1'], /--success-threshold needs a number/],
  ['a scale that is no number', [...pair, '--scale', '1OO'], /--scale needs a number above 0, found "1OO"/],
  ['a scale of 0', [...pair, '--scale', '0'], /--scale needs a number above 0/],
  [
    'a confidence of 95',
    [...pair, '--confidence', '95'],
    /--confidence needs a number above 0 and below 1, found "95"/,
  ],
  ['a seed with a fraction', [...pair, '--confidence', '0.9', '--seed', '1.5'], /--seed needs an integer/],
  ['an unknown flag', [...pair, '--s-srcc', 'chrf'], /Unknown option --s-srcc\. Did you mean "--s-src"\?/],
  ['a cut flag', [...pair, '--s-s', 'chrf'], /Unknown option --s-s\./],
  ['an unknown command', ['scroe'], /Unknown command "scroe"\. Did you mean "score"\?/],
  ['an unknown format', [...pair, '--format', 'jsn'], /--format can't be "jsn"\. Did you mean "json"\?/],
  ['a flag without its value', [...pair, '--ref'], /--ref needs a value/],
  ['a flag with a flag as its value', ['--src', '--adv-src', 'adv.txt'], /--src needs a value/],
  ['an empty value', ['--src=', '--adv-src', 'adv.txt'], /--src is empty/],
  ['a flag given twice', [...pair, '--src', 'two.txt'], /--src is given 2 times/],
  ['a word too many', [...pair, 'more.txt'], /more\.txt/],
  [
    'a column that is missing',
    ['--data', 'table.csv', '--columns', 'src=orginal,adv_src=attacked'],
    /no column "orginal"\. Did you mean "original"\?.*#1 original, #2 attacked/,
  ],
  ['a column number too high', ['--data', 'table.csv', '--columns', 'src=#1,adv_src=#3'], /no column #3/],
  ['a record of another length', ['--data', 'ragged.csv', ...columns], /ragged\.csv:3: found 1 cells, expected 2/],
  [
    'a column name used twice',
    ['--data', 'twice.csv', '--columns', 'src=text,adv_src=label'],
    /several columns are named "text".*#1 text, #2 text/,
  ],
  ['a table without records', ['--data', 'empty.csv', ...columns], /empty\.csv.*no record/],
  [
    'a broken JSONL line',
    ['--data', 'broken.jsonl', ...columns],
    /broken\.jsonl:2: not JSON, one object a line was expected: /,
  ],
  [
    'a null in JSONL',
    ['--data', 'null.jsonl', ...columns],
    /null\.jsonl:1: field "attacked" must be a text, found null/,
  ],
  ['an array in JSONL', ['--data', 'array.jsonl', ...columns], /array\.jsonl:1: expected a JSON object/],
  ['--data without --columns', ['--data', 'table.csv'], /--data needs --columns/],
  ['--columns without --data', [...pair, ...columns], /--columns does nothing without --data/],
  ['--data beside files', [...pair, '--data', 'table.csv', ...columns], /--src does nothing with a table \(--data\)/],
  [
    'an unknown part',
    ['--data', 'table.csv', '--columns', 'source=original'],
    /found "source=original".*The parts are id, src/,
  ],
  ['half a pair of columns', ['--data', 'table.csv', '--columns', 'src=original'], /Column src needs adv_src/],
  [
    'a gzip file that is cut off',
    ['--src', 'cut.txt.gz', '--adv-src', 'adv.txt'],
    /cut\.txt\.gz.*(cut off|damaged|ends)/,
  ],
  ['an output without a format', [...pair, '-o', 'result.xyz'], /result\.xyz.*\.json/],
  [
    'a format against the extension',
    [...pair, '-o', 'a.json', '--format', 'csv'],
    /--format csv and --output a\.json contradict/,
  ],
  ['--terse with another format', [...pair, '--terse', '--format', 'json'], /--terse and --format json contradict/],
  [
    'a file of lines without a format',
    [...pair, '--per-line', 'lines.txt'],
    /lines\.txt.*\.tsv, \.tab, \.csv, \.jsonl, \.ndjson or \.parquet \(/,
  ],
  [
    'a sweep of two parts',
    ['--threshold-sweep', '0:2', ...pair, '--out', 'src.txt', '--adv-out', 'adv.txt'],
    /START:STOP:STEP/,
  ],
  [
    'a sweep of one side',
    [...pair, '--threshold-sweep', '0:2:1'],
    /--threshold-sweep does nothing without --out and --adv-out/,
  ],
  ['a gate without a comparison', [...pair, '--fail-if', 's_src'], /--fail-if "s_src": expected NAME/],
  [
    'a gate on an unknown number',
    [...pair, '--fail-if', 's_src.men<50'],
    /no number "s_src\.men"\. Did you mean "s_src\.mean"\?.*s_src\.p95/,
  ],
  [
    'a gate on an undefined number',
    [...pair, '--fail-if', 'success_rate>0.3'],
    /this run gives no number "success_rate"/,
  ],
  [
    '--seed without intervals',
    [...pair, '--seed', '1'],
    /--seed does nothing here: it draws the intervals of --confidence/,
  ],
  [
    '--meteor-jar without METEOR',
    [...pair, '--meteor-jar', 'm.jar'],
    /--meteor-jar does nothing here.*--s-src is chrf/,
  ],
  [
    '--trim of a half',
    ['pdr', 'table.csv', '--trim', '0.5'],
    /--trim needs a number at least 0 and below 0\.5, found "0\.5"/,
  ],
  ['--value without constant', [...pair, '--value', '0.3'], /--value does nothing here/],
  [
    'a smoothing value that is not used',
    [...pair, '--s-src', 'bleu:smooth=none,value=0.1'],
    /value does nothing with smooth=none/,
  ],
  ['METEOR without its jar', [...pair, '--s-src', 'meteor'], /METEOR.*--meteor-jar/],
];

describe('a mistake is one message and exit code 2', () => {
  it.concurrent.each(MISTAKES)('%s', async (_, args, message) => {
    const result = await runCli([...args, '--quiet'], { cwd: folder.path });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toMatch(/^teapot: error: [^\n]+ \[ERR_TEAPOT_[A-Z_]+\]\n$/);
  });
});

describe('a failure at work is exit code 1', () => {
  it.concurrent('an output that cannot be written is found before the work', async () => {
    const result = await runCli([...pair, '-o', 'none/result.json'], { cwd: folder.path });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(
      /^teapot: error: none\/result\.json can't be written: [^\n]+ \[ERR_TEAPOT_WRITE\]\n$/,
    );
  });

  it.concurrent('a folder is no output', async () => {
    const result = await runCli([...pair, '--per-line', 'folder.tsv/'], { cwd: folder.path });
    expect(result.code).toBe(2);
    const written = await runCli([...pair, '--format', 'json', '-o', 'folder'], { cwd: folder.path });
    expect(written.code).toBe(1);
    expect(written.stderr).toContain('folder');
  });

  it.concurrent('a failed run leaves no half file and destroys no old one', async () => {
    folder.write({ 'old/result.json': 'old', 'old/lines.tsv': 'old' });
    const args = ['--src', 'src.txt', '--adv-src', 'two.txt', '-o', 'old/result.json', '--per-line', 'old/lines.tsv'];
    expect((await runCli(args, { cwd: folder.path })).code).toBe(2);
    expect(readdirSync(`${folder.path}/old`).toSorted()).toEqual(['lines.tsv', 'result.json']);
    expect(readFileSync(`${folder.path}/old/result.json`, 'utf8')).toBe('old');
    expect(readFileSync(`${folder.path}/old/lines.tsv`, 'utf8')).toBe('old');
  });
});
