import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { COMMANDS, SCORE } from '../../src/cli/commands.js';
import { documentJsonSchemas, DOCUMENT_SCHEMAS } from '../../src/cli/document-schemas.js';
import { reportFailure } from '../../src/cli/failure.js';
import { run } from '../../src/cli/parser.js';
import { makeRecord } from '../../src/record/schema.js';
import { openSource } from '../../src/read/source-file.js';
import { extensionsOf, FORMATS } from '../../src/report/formats.js';
import type { Format } from '../../src/report/formats.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const home = process.cwd();

const RECORDS: readonly Parameters<typeof makeRecord>[0][] = [
  {
    id: 'a',
    unit: 'input',
    attack: 'swap',
    src: 'good tea',
    adv_src: 'goood tea',
    out: 'pos',
    adv_out: 'neg',
    ref: 'pos',
    result: 'successful',
  },
  {
    id: 'b',
    unit: 'input',
    attack: 'swap',
    src: 'bad tea',
    adv_src: 'bad t\u0435a',
    out: 'neg',
    adv_out: 'neg',
    ref: 'neg',
    result: 'failed',
  },
  {
    id: 'c',
    unit: 'input',
    attack: 'd<r|o_p',
    src: 'some tea',
    adv_src: 'som tea',
    out: 'neg',
    adv_out: 'pos',
    ref: 'pos',
    result: 'skipped',
  },
];
const PROMPTS: readonly Parameters<typeof makeRecord>[0][] = [
  {
    id: 'p',
    unit: 'prompt',
    attack: 'swap',
    model: 'm1',
    source_model: 'm2',
    dataset: 'sst2',
    prompt_type: 'zs-task',
    original_score: 0.8,
    attacked_score: 0.4,
    scale: 1,
  },
  {
    id: 'q',
    unit: 'prompt',
    attack: 'drop',
    model: 'm2',
    source_model: 'm1',
    dataset: 'mnli',
    prompt_type: 'fs-role',
    original_score: 0.5,
    attacked_score: 0.6,
    scale: 1,
  },
];
const records = (rows: readonly Parameters<typeof makeRecord>[0][]): string =>
  lines(rows.map((row) => makeRecord(row)));
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

beforeAll(async () => {
  folder.write({
    src: 'good tea\nbad tea\nsome tea\n',
    'adv-src': 'goood tea\nbad tae\nsom tea\n',
    'adv-two': 'good te\nb tea\nsome ta\n',
    out: 'pos\nneg\nneg\n',
    'adv-out': 'neg\nneg\npos\n',
    ref: 'pos\nneg\npos\n',
    'table.csv': 'attack,src,adv_src\nswap,good tea,goood tea\nswap,bad tea,bd tea\ndrop,some tea,som tea\n',
    'r.jsonl': records(RECORDS),
    'b.jsonl': records(
      RECORDS.map((record) => Object.assign({}, record, { adv_out: record.out ?? null, result: 'failed' as const })),
    ),
    'p.jsonl': records(PROMPTS),
    'ratings.csv': 'item,rating,rater\na,5,x\nb,2,x\nc,4,x\na,4,y\nb,1,y\nc,4,y\n',
    'ratings.key.json': JSON.stringify({
      schema: 'teapot.sample/1',
      seed: 1,
      scale: '0-5',
      strata: ['attack'],
      items: ['a', 'b', 'c'].map((item) => ({
        item,
        kind: 'item',
        record: item,
        run: null,
        expected: null,
        margin: null,
        stratum: 'swap',
      })),
    }),
    'reviews.csv': 'text,label\nA good film,positive\nA bad film,negative\n',
    'attack.yaml': [
      'model: module:./victim.mjs',
      'attack: deepwordbug',
      'query_budget: 3',
      'dataset:',
      '  name: mood',
      '  data: reviews.jsonl',
      '  content: "Text: {text}"',
      '  answer: label',
      '  labels: { 0: bad, 1: good }',
      'prompts: [Say good or bad about the text.]',
    ].join('\n'),
    'reviews.jsonl': lines([
      { text: 'fine', label: 1 },
      { text: 'poor', label: 0 },
    ]),
    'victim.mjs':
      "export const answer = (input) => (/good or bad/.test(input) && /fine/.test(input) ? 'good' : 'bad');\n",
  });
  process.chdir(folder.path);
  for (const part of [1, 2]) {
    const partial = await runHere([...FILES, '--shard', `${part}/2`, '-o', `part-${part}.json`, '-q']);
    if (partial.code !== 0) throw new Error(partial.stderr);
  }
});
afterAll(() => process.chdir(home));

const FILES = ['--src', 'src', '--adv-src', 'adv-src'];
const BOTH = [...FILES, '--out', 'out', '--adv-out', 'adv-out', '--ref', 'ref'];

const ATTACK = ['attack', '--data', 'reviews.csv', '--columns', 'src=text,ref=label', '--query-budget', '4'];

/** What each command is run with, for every document that it can print. */
const CASES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  score: [
    FILES,
    BOTH,
    [...BOTH, '--adv-src', 'adv-two', '--adv-out', 'out', '--confidence', '0.9', '--threshold-sweep', '0:2:0.5'],
    ['score', 'r.jsonl'],
  ],
  attack: [ATTACK, [...ATTACK, '--attack', 'deepwordbug', '--attack', 'pruthi']],
  importance: [['importance', 'A good film']],
  pdr: [
    ['pdr', 'p.jsonl', '--by', 'attack'],
    ['pdr', 'p.jsonl', '--by', 'attack,model'],
    ['pdr', 'p.jsonl', '--table', 'promptbench'],
  ],
  transfer: [['transfer', 'p.jsonl']],
  edits: [['edits', 'r.jsonl']],
  compare: [['compare', 'r.jsonl', 'b.jsonl', '--success', 'tool']],
  audit: [['audit', 'r.jsonl']],
  explain: [['explain', 'r.jsonl', '--line', '1']],
  report: [['report', 'r.jsonl']],
  list: [
    ['list', 'scorers'],
    ['list', 'attacks'],
    ['list', 'transformations'],
    ['list', 'constraints'],
    ['list', 'searches'],
    ['list', 'datasets'],
  ],
  perturb: [['perturb', '--list']],
  help: [['help', 'score']],
  merge: [['merge', 'part-1.json', 'part-2.json']],
  models: [['models']],
  agree: [['agree', 'ratings.csv']],
  validate: [['validate', 'r.jsonl', '--ratings', 'ratings.csv', '--s-src', 'chrf,ter', '--resamples', '100']],
};

/** The formats that a command takes beside the ones below: another owner's test looks at the bytes. */
const BINARY: ReadonlySet<string> = new Set(['pdf', 'png', 'svg']);

/** The files besides the results that a command writes, with the formats that each can have. */
const ROW_FILES: Readonly<
  Record<string, readonly (readonly [args: readonly string[], option: string, extensions: readonly string[]])[]>
> = {
  score: [
    [BOTH, '--per-line', ['tsv', 'tab', 'csv', 'jsonl', 'ndjson', 'parquet']],
    [['score', 'r.jsonl'], '--per-line', ['jsonl', 'ndjson']],
    [[...BOTH, '--adv-src', 'adv-two', '--adv-out', 'out'], '--comparisons', ['csv']],
  ],
  edits: [[['edits', 'r.jsonl'], '--per-line', ['jsonl', 'ndjson']]],
  compare: [[['compare', 'r.jsonl', 'b.jsonl', '--success', 'tool'], '--per-line', ['jsonl']]],
  audit: [[['audit', 'r.jsonl'], '--per-line', ['jsonl']]],
  export: [
    [['export', 'table', 'r.jsonl'], '--output', ['csv', 'tsv', 'jsonl', 'parquet']],
    [['export', 'textattack', 'r.jsonl'], '--output', ['csv']],
    ...['--src', '--adv-src', '--out', '--adv-out', '--ref'].map(
      (option): readonly [readonly string[], string, readonly string[]] => [
        ['export', 'parallel', 'r.jsonl'],
        option,
        ['txt'],
      ],
    ),
  ],
  import: [
    [['import', 'parallel', ...FILES], '--output', ['jsonl']],
    [['import', 'parallel', ...FILES, '-o', 'out.jsonl'], '--warnings', ['jsonl']],
  ],
  perturb: [
    [['perturb', 'src'], '--output', ['txt']],
    [['perturb', 'src', '-o', 'out.txt'], '--per-line', ['jsonl']],
  ],
  sample: [
    [['sample', 'r.jsonl', '--n', '2'], '--output', ['csv', 'html']],
    [['sample', 'r.jsonl', '--n', '2', '-o', 'sheet.csv'], '--key', ['json']],
  ],
  agree: [[['agree', 'ratings.csv', '--key', 'ratings.key.json', '--into', 'r.jsonl'], '--rated', ['jsonl', 'ndjson']]],
};

const runnable = [SCORE, ...COMMANDS].map(({ command }) => ({
  name: command.usage.split(' ')[0] ?? '',
  options: command.options,
}));

/** The formats of results that a command names. */
function formatsOf(options: (typeof runnable)[number]['options']): readonly Format[] {
  const { format } = options;
  const choices: readonly string[] = format?.type === 'choice' ? format.choices : [];
  return FORMATS.filter((known) => choices.includes(known));
}

interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function runHere(args: readonly string[]): Promise<Printed> {
  // Its files are found from the place of the built program.
  if (args[0] === 'models') return runCli(args);
  rmSync('written', { recursive: true, force: true });
  mkdirSync('written');
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((data, ...more) => {
      printed[name] += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
      const done = more.find((one) => typeof one === 'function') as (() => void) | undefined;
      done?.();
      return true;
    }),
  );
  let code = 0;
  try {
    await run(args);
  } catch (error) {
    code = reportFailure(error);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { code, ...printed };
}

const validators = new Map<string, (document: unknown) => unknown>();

function checkJson(text: string): void {
  const document = JSON.parse(text) as { readonly schema?: string };
  // Lists of what there is are arrays without a name.
  if (Array.isArray(document)) return;
  const name = document.schema ?? '';
  expect(Object.keys(DOCUMENT_SCHEMAS)).toContain(name);
  let validate = validators.get(name);
  if (validate === undefined) {
    const file = `${name.replace('teapot.', '').replace('/', '-')}.json`;
    const compiled = new Ajv2020({ strict: false }).compile(
      JSON.parse(readFileSync(new URL(`../../schema/${file}`, import.meta.url), 'utf8')) as object,
    );
    validate = (value) => {
      compiled(value);
      return compiled.errors;
    };
    validators.set(name, validate);
  }
  expect({ name, errors: validate(document) }).toEqual({ name, errors: null });
}

/** Whether a text is what its format says. */
const CHECKS: Readonly<Partial<Record<Format, (text: string) => void>>> = {
  // oxlint-disable-next-line no-control-regex -- nothing may steer the terminal
  text: (text) => expect(text).toMatch(/^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E]+\n$/u),
  terse: (text) => expect(text).toMatch(/^(?:-?\d+\.\d{3}\n)+$/u),
  json: checkJson,
  csv: (text) => {
    const [header = [], ...rows] = parse(text) as string[][];
    expect(new Set(header).size).toBe(header.length);
    expect(rows.length).toBeGreaterThan(0);
  },
  markdown: (text) => expect(text).toMatch(/\| ---|-:|No findings/u),
  latex: (text) => {
    expect(text.split(String.raw`\begin{tabular}`)).toHaveLength(text.split(String.raw`\end{tabular}`).length);
    expect(text).toMatch(/^(?:%|\\begin)/u);
    for (const table of text.matchAll(/\\begin\{tabular\}\{([lr]+)\}([\s\S]*?)\\end\{tabular\}/gu)) {
      for (const row of (table[2] ?? '').split('\n').filter((line) => line.endsWith(String.raw`\\`))) {
        expect(row.split(/(?<!\\)&/u)).toHaveLength(table[1]?.length ?? 0);
      }
    }
  },
  html: (text) => expect(text).toMatch(/^<!doctype html>/iu),
  junit: (text) => {
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /u);
    const [, tests = ''] = /tests="(\d+)"/u.exec(text) ?? [];
    expect(text.split('<testcase ')).toHaveLength(Number(tests) + 1);
  },
};

async function read(path: string): Promise<string> {
  if (path.endsWith('.gz')) return gunzipSync(readFileSync(path)).toString();
  if (!path.endsWith('.zst')) return readFileSync(path, 'utf8');
  let text = '';
  for await (const block of openSource(path).blocks()) text += block.text;
  return text;
}

/** What of a result changes from run to run. */
function steady(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/gu, 'TIME');
}

test('every command that has formats or writes files has a case', () => {
  const withFormats = runnable.filter(({ options }) => formatsOf(options).length > 0).map(({ name }) => name);
  expect(Object.keys(CASES).toSorted()).toEqual(withFormats.toSorted());
  const written = runnable.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([key, option]) => {
      const isResult = key === 'output' && formatsOf(options).length > 0 && name !== 'perturb';
      const isRows = option.type === 'file' && option.writes === true && !isResult;
      return isRows ? [`${name} --${key.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`] : [];
    }),
  );
  const tried = Object.entries(ROW_FILES).flatMap(([name, files]) => files.map(([, option]) => `${name} ${option}`));
  // The folder of a run is no file.
  const expected = written.filter((one) => !one.endsWith('--work-dir'));
  expect([...new Set(tried)].toSorted()).toEqual(expected.toSorted());
});

test('the published schemas are current', () => {
  for (const [name, schema] of Object.entries(documentJsonSchemas())) {
    const published = readFileSync(new URL(`../../schema/${name}`, import.meta.url), 'utf8');
    expect({ name, schema: JSON.parse(published) as unknown }).toEqual({
      name,
      schema: JSON.parse(JSON.stringify(schema)) as unknown,
    });
  }
});

test.each([
  ['files', BOTH],
  ['groups of records', ['score', 'r.jsonl', '--by', 'attack']],
])('parts of a run are as published: %s', async (_, args) => {
  for (const options of [[], ['--threshold-sweep', '0:2:0.5'], ['--corpus-level']]) {
    const { code, stdout, stderr } = await runHere([...args, ...options, '--shard', '1/2', '-q']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"schema": "teapot.partial/1"');
    checkJson(stdout);
  }
});

describe.each(runnable.filter(({ options }) => formatsOf(options).length > 0))('$name', ({ name, options }) => {
  const formats = formatsOf(options).filter((format) => !BINARY.has(format));
  const cases = CASES[name] ?? [];
  const hasOutput = options['output'] !== undefined && name !== 'perturb';
  const matrix = cases.flatMap((args) =>
    formats
      // Groups have no terse form: it has one number a line and no names.
      .filter((format) => !(format === 'terse' && args[0] === 'score'))
      .map((format) => [format, args] as const),
  );

  test.each(matrix)('gives %s: %j', async (format, args) => {
    const { code, stdout, stderr } = await runHere([...args, '--format', format, '-q']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    CHECKS[format]?.(stdout);
    expect(CHECKS[format]).toBeDefined();
    if (!hasOutput) return;
    for (const extension of extensionsOf([format])
      .split(/, | or /u)
      .filter(Boolean)) {
      for (const packed of ['', '.gz', '.zst']) {
        const path = `written/result${extension}${packed}`;
        const result = await runHere([...args, '-o', path, '-q']);
        expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
        expect(steady(await read(path))).toBe(steady(stdout));
      }
    }
  });

  test.runIf(hasOutput)('refuses an extension that is none of its formats, and one that says another', async () => {
    const [args = []] = cases;
    const unknown = await runHere([...args, '-o', 'written/result.xyz', '-q']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('the extension says no format');
    const [first, second] = formats.filter((format) => format !== 'text' && extensionsOf([format]) !== '');
    const other = extensionsOf([second ?? 'text']).split(/, | or /u)[0] ?? '';
    const differs = await runHere([...args, '--format', first ?? 'text', '-o', `written/result${other}`, '-q']);
    expect(differs.code).toBe(second === undefined ? 0 : 2);
    expect(differs.stderr).toMatch(second === undefined ? /^$/u : /contradict each other/u);
  });
});

describe.each(Object.entries(ROW_FILES))('%s', (_, files) => {
  test.each(files)('writes %j %s as %j', async (args, option, extensions) => {
    for (const extension of extensions) {
      const contents: string[] = [];
      for (const packed of extension === 'parquet' ? [''] : ['', '.gz', '.zst']) {
        const path = `written/rows.${extension}${packed}`;
        const { code, stderr } = await runHere([...args, option, path, '-q']);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        contents.push(await read(path));
      }
      expect(new Set(contents).size).toBe(1);
      if (extension === 'csv') CHECKS.csv?.(contents[0] ?? '');
    }
  });
});

describe('gates and documents of attacks on prompts', () => {
  test.each(['text', 'json', 'csv', 'markdown', 'latex', 'junit'] as const)('give %s', async (format) => {
    const { code, stdout, stderr } = await runHere(['attack', '--config', 'attack.yaml', '--format', format, '-q']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    CHECKS[format]?.(stdout);
    expect(stdout).not.toBe('');
  });

  test('estimate a run', async () => {
    const { code, stdout } = await runHere([
      'attack',
      '--config',
      'attack.yaml',
      '--dry-run',
      '--format',
      'json',
      '-q',
    ]);
    expect(code).toBe(0);
    checkJson(stdout);
  });
});
