import { GroupSummariser } from '../../src/measure/group-summariser.js';
import { columnOfTexts, encodeFrame, END_OF_FRAMES } from '../../src/read/column-frames.js';
import type { FrameColumn } from '../../src/read/column-frames.js';
import { partialDocument, partialResult } from '../../src/measure/partial.js';
import { ReferenceCounts } from '../../src/score/reference-counts.js';
import { version } from '../../src/version.js';

/** Two runs whose results must differ; with `speed` they must be the same, and that third run refused. */
export interface Effect {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly speed?: readonly string[];
  /** What changes is said on standard error. */
  readonly isMessage?: true;
}

/** What is added to the base of every mode, a pair of runs, or either by mode. */
type Case = readonly string[] | Effect | Readonly<Record<string, Effect | readonly string[]>>;

const both = (before: readonly string[], after: readonly string[]): Effect => ({ before, after });

const record = (id: string, more: object): string =>
  `${JSON.stringify({ schema: 'teapot.record/1', id, unit: 'input', ...more })}\n`;
const prompt = (id: string, more: object): string =>
  `${JSON.stringify({ schema: 'teapot.record/1', id, unit: 'prompt', scale: 1, metric: 'accuracy', ...more })}\n`;

/** Frames of columns as another program sends them to `teapot worker`. */
function frames(columns: Readonly<Record<string, readonly string[] | readonly number[]>>): Uint8Array {
  const rows = Object.values(columns)[0]?.length ?? 0;
  const encoded = Object.entries(columns).map(([name, values]): readonly [string, FrameColumn] => {
    if (typeof values[0] === 'string') return [name, columnOfTexts(values as readonly string[])];
    if (name === 'blank_sides') return [name, { type: 'uint8', values: Uint8Array.from(values as readonly number[]) }];
    return [name, { type: 'float64', values: Float64Array.from(values as readonly number[]) }];
  });
  return Buffer.concat([encodeFrame({ rows, columns: new Map(encoded) }), END_OF_FRAMES]);
}

const RECORDS = [
  record('1', {
    attack: 'swap',
    model: 'm',
    src: 'a warm film',
    adv_src: 'a wram film',
    out: 'good',
    adv_out: 'bad',
    ref: 'good',
    result: 'successful',
  }),
  record('2', {
    attack: 'swap',
    model: 'n',
    src: 'a fine play',
    adv_src: 'a fnie play',
    out: 'good',
    adv_out: 'good',
    ref: 'good',
    result: 'failed',
  }),
  record('3', {
    attack: 'typo',
    model: 'm',
    src: 'the plot drags',
    adv_src: 'the plot drgas',
    out: 'bad',
    adv_out: 'good',
    ref: 'bad',
    result: 'successful',
  }),
].join('');

const PROMPTS = [0.9, 0.8, 0.7, 0.6]
  .map((score, index) =>
    prompt(String(index), {
      attack: index % 2 === 0 ? 'swap' : 'typo',
      dataset: index < 2 ? 'tea' : 'milk',
      model: 'b',
      source_model: index === 0 ? 'b' : 'a',
      src: 'Rate it',
      adv_src: 'R4te it',
      original_score: 0.9,
      attacked_score: score - 0.1 * index,
    }),
  )
  .join('');

const LOG =
  'original_text,perturbed_text,original_score,perturbed_score,original_output,perturbed_output,ground_truth_output,num_queries,result_type\n"hot [[tea]]","hot [[t3a]]",0.1,0.9,1,0,1,12,"Successful"\n';

/** What lm-evaluation-harness logs of items: two filters of an answer, two metrics. */
function evaluation(...texts: readonly string[]): string {
  const sample = (text: string, index: number, filter: string): object => ({
    doc_id: index,
    doc: { text, note: `${text}!`, group: 1 - index },
    target: 'yes',
    arguments: [[`Review: ${text}`, {}]],
    resps: [['yes']],
    filtered_resps: [filter === 'strict-match' ? 'yes' : 'no'],
    filter,
    metrics: ['exact_match', 'f1'],
    exact_match: filter === 'strict-match' && index === 0 ? 1 : 0,
    f1: 0.5,
  });
  return ['strict-match', 'flexible-extract']
    .flatMap((filter) => texts.map((text, index) => `${JSON.stringify(sample(text, index, filter))}\n`))
    .join('');
}

/** What `score --shard` writes of some segments. */
function partial(index: number, count: number): string {
  const metric = { key: 'chrf', name: 'ChrF', signature: 'chrF2' };
  const summariser = new GroupSummariser({
    version: version(),
    sSrc: metric,
    sTgt: metric,
    successThreshold: 1,
    percentileMethod: 'teapot',
  });
  const scores = Float64Array.of(0.9, 0.2 + index / 2, 0.7);
  summariser.add({
    count: 3,
    sSrc: scores,
    base: Float64Array.of(1, 0.5, 0.8),
    attacked: Float64Array.of(0.2, 0.5, 0.7),
  });
  const settings = {
    version: version(),
    s_src: metric,
    s_tgt: metric,
    success_threshold: 1,
    percentile: 'teapot',
    threshold_sweep: null,
    by: [],
    text_rules: ['strip:end'],
    corpus_level: null,
  } as const;
  const known = { summariser, inputs: [], references: new ReferenceCounts() };
  return JSON.stringify(partialDocument(partialResult(settings, { index, count }, known)));
}

/** The files of the runs. */
export const FIXTURES = {
  'texts.frames': frames({
    src: ['a warm film', 'a dull play'],
    adv_src: ['a wram film ', 'a dull paly'],
    out: ['good', 'bad news'],
    adv_out: ['good ', 'bad nwes'],
    ref: ['good', 'bad news'],
  }),
  'other-texts.frames': frames({ src: ['a'], adv_src: ['b'], out: ['c'], adv_out: ['d'], ref: ['c'] }),
  'scores.frames': frames({
    s_src: [0.75, 0.5],
    s_tgt_base: [1, 0.5],
    s_tgt_attacked: [0.5, 0.25],
    blank_sides: [0, 1],
    g: ['a', 'b'],
  }),
  'other-scores.frames': frames({ s_src: [0.5], s_tgt_base: [1], s_tgt_attacked: [1], blank_sides: [0] }),
  'src.txt': 'a warm film  \nthe plot drags\nfine, very good play\n',
  'adv.txt': 'a wram film\nthe plto drags  \nfnie, very good play\n',
  'adv2.txt': 'a warm fi1m\nthe p1ot drags\nf1ne, very good play\n',
  'out.txt': 'un film chaud\nle récit traîne\nbonne pièce\n',
  'advout.txt': 'un film\nle récit\nbonne pièce  \n',
  'advout2.txt': 'un chaud\nrécit\npièce\n',
  'ref.txt': 'un film chaleureux\nle récit traîne\nune bonne pièce\n',
  'ref2.txt': 'film chaud\nça traîne\ntrès bonne pièce\n',
  'latin.txt': Buffer.from('le récit traîne\nun café\nbonne pièce\n', 'latin1'),
  'table.csv':
    'src,adv_src,out,adv_out,ref,other\na warm film ,a wram film,un film chaud,un film,un film chaleureux,x\nthe plot drags,the plto drags,le récit traîne,le récit,le récit traîne,y\n',
  'latin.csv': Buffer.from('src,adv_src\nun café,un cafe\nle récit,le recit\n', 'latin1'),
  'records.jsonl': RECORDS,
  'later.jsonl': RECORDS.replace('"adv_out":"good","ref":"good"', '"adv_out":"bad","ref":"good"').replace(
    '"failed"',
    '"successful"',
  ),
  'broken.jsonl': `${RECORDS}no record\n`,
  'one.jsonl': record('9', { attack: 'typo', src: 'x y', adv_src: 'x z', out: 'a', adv_out: 'b', ref: 'a' }),
  'prompts.jsonl': PROMPTS,
  'lines.jsonl':
    record('1', { src: 'a\nb', adv_src: 'a c', out: 'o', adv_out: 'p', ref: 'r' }) +
    record('2', { src: null, adv_src: 'd' }),
  'log.csv': LOG,
  'two.csv': LOG + '"a [[b]]","a [[c]]",0.1,0.9,1,0,1,3,"Failed"\n',
  'bad.csv': LOG + '"a,"b",x\n',
  'latin-log.csv': Buffer.from(LOG.replace('hot', 'très'), 'latin1'),
  'openattack.jsonl': `${JSON.stringify({ data: { x: 'hot tea', y: 1 }, success: true, result: 'h0t tea', metrics: {} })}\n`,
  'promptbench.jsonl':
    '{"original prompt":"p","original score":0.8,"attacked prompt":"q","attacked score":0.6,"PDR":0.25}\n',
  'opencompass.txt':
    "Prompt: Rate it, acc: 59.15%\nOriginal prompt: Rate it\nAttacked prompt: b'R4te it'\nOriginal acc: 59.15%, attacked acc: 29.58%, dropped acc: 29.58%\n\n",
  'garak.jsonl': `${JSON.stringify({ entry_type: 'start_run setup', '_config.version': '0.17.1', 'run.eval_threshold': 0.5 })}\n${JSON.stringify({ entry_type: 'attempt', uuid: 'u1', status: 2, prompt: 'brew', outputs: ['tea'], detector_results: { 'tea.Cold': [0.7] } })}\n`,
  'texts.txt': 'a warm film\nthe plot drags\n',
  'scores.jsonl': '{"text": "very good film", "score": 0.9}\n{"text": "very film", "score": 0.4}\n',
  'reviews.csv':
    'text,label,other\na warm and funny film,positive,x\nthe plot is dull and slow,negative,y\na good and fine play,positive,z\n',
  'reviews.txt': 'a warm and funny film\nthe plot is dull and slow\na good and fine play\n',
  'labels.txt': 'positive\nnegative\nnegative\n',
  'words.txt': 'wram\n',
  'replacements.tsv': 'warm\thot\nfilm\tmovie\n',
  'neighbours.tsv': 'warm\thot\tmild\nfunny\tdroll\tmerry\ndull\tflat\nslow\tlong\ngood\tnice\tfair\nfine\tneat\n',
  'vectors.txt': '4 2\nwarm 1 0\nhot 0.9 0.4\nfunny 0 1\ndroll 0.1 1\n',
  'models.mjs': `
    export const embed = async (texts) => texts.map((text) => Float32Array.of(text.length, 1));
    export const neighbours = async (words) => words.map((word) => [word + 's']);`,
  'ratio.mjs':
    "export const ratio = { key: 'ratio', options: { power: { default: 1, help: 'exponent' } }, scoreSentence: (a, b, { power } = {}) => a === b ? 1 : 0.5 };",
  'double.mjs': "export const ratio = { key: 'ratio', scoreSentence: (a, b) => a === b ? 1 : 0.25 };",
  'victim.mjs': `
    export const answer = (input) => input.includes('sentiment') && input.includes('fine') ? 'good' : input.includes('Guess') ? 'tea' : 'bad';`,
  'coy.mjs': `
    export const answer = (text) => text.includes('sentiment') ? (text.includes('fine') ? 'good' : 'bad') : { output: 'No.', state: 'refused' };`,
  'shy.mjs': `
    export const answer = (text) => {
      if (text.includes('film') || text.includes('good')) return 'positive';
      return text.includes('plot') ? 'negative' : { output: 'I can not.', state: 'refused' };
    };`,
  'other.mjs': "export const answer = () => 'good';",
  'toy.jsonl': Array.from(
    { length: 6 },
    (_, index) =>
      `${JSON.stringify({ text: `${index % 2 === 0 ? 'fine' : 'poor'} ${index}`, label: (index + 1) % 2 })}\n`,
  ).join(''),
  'attack.yaml': `
model: module:./victim.mjs
attack: deepwordbug
query_budget: 30
prompt_topk: 1
dataset:
  name: toy
  data: toy.jsonl
  answer: label
  content: "Review: {text}"
  labels: {0: bad, 1: good}
prompts:
  - "What is the sentiment, 'good' or 'bad'?"
  - "Say 'good' or 'bad' by the sentiment of it."
`,
  'list.txt': "The sentiment is 'good' or 'bad':\n",
  'other.jsonl': Array.from(
    { length: 6 },
    (_, index) => `${JSON.stringify({ text: `fine ${index}`, label: index % 2 })}\n`,
  ).join(''),
  'attacked.jsonl': prompt('1', {
    attack: 'swap',
    dataset: 'toy',
    model: 'a',
    src: "What is the sentiment, 'good' or 'bad'?",
    adv_src: "What is the sentlment, 'good' or 'bad'?",
    original_score: 1,
    attacked_score: 0.5,
  }),
  'escaped.txt': 'a\\nb\n',
  'samples_clean.jsonl': evaluation('good tea', 'bad milk'),
  'samples_typo.jsonl': evaluation('goud tea', 'bda milk'),
  'clean.csv': 'id,key,src,original_score\n1,b,good tea,1\n2,a,bad milk,1\n',
  'typo.csv': 'id,key,src,original_score\n1,a,bda milk,0\n2,b,goud tea,1\n',
  'blank.jsonl': record('1', { attack: 'a', src: 'warm', adv_src: 'warm  ', out: 'a', adv_out: 'b', ref: 'a' }),
  'blank.txt': 'warm  \n',
  'frequent.txt': 'warm\nfunny\nplot\ndull\nslow\ngood\nfine\nplay\nfilm\nWhat\nwhat\nsentiment\nis\nof\nit\nor\nbad\n',
  'word.txt': 'warm\n',
  'quoted-prompt.txt': 'What is the "sentiment" of it?\n',
  'quoted.txt': 'a "good" {fine} play\n',
  'ratings.csv':
    'item,rater,rating\ni1,ana,5\ni1,bo,4\ni2,ana,1\ni2,bo,1\ni3,ana,3\ni3,bo,5\ni4,ana,4\ni4,bo,4\ni5,ana,5\ni5,bo,5\n',
  'other-ratings.csv': 'item,rater,rating\ni1,ana,5\ni1,bo,5\ni2,ana,1\ni2,bo,2\n',
  'rated.csv': 'item,rating\n1,5\n2,3\n3,1\n',
  'other-rated.csv': 'item,rating\n1,2\n2,3\n3,5\n',
  'sheet.key.json': JSON.stringify({
    schema: 'teapot.sample/1',
    seed: 1,
    scale: '0-5',
    strata: ['attack'],
    items: [
      ['i1', 'item', '1'],
      ['i2', 'item', '2'],
      ['i3', 'item', '3'],
      ['i4', 'repeat', '1'],
      ['i5', 'control', null],
    ].map(([item, kind, of]) => ({
      item,
      kind,
      record: of,
      run: null,
      expected: kind === 'control' ? 5 : null,
      margin: null,
      stratum: 'swap',
    })),
  }),
  'bad-openattack': `${JSON.stringify({ data: { x: 'hot tea', y: 1 }, success: true, result: 'h0t tea', metrics: {} })}\n{"data": {"x": "a"}}\n`,
  'bad-promptbench':
    '{"original prompt":"p","original score":0.8,"attacked prompt":"q","attacked score":0.6,"PDR":0.25}\n{"a": \n',
  'bad-opencompass':
    "Prompt: Rate it, acc: 59.15%\nOriginal prompt: Rate it\nAttacked prompt: b'R4te it\nOriginal acc: 59.15%, attacked acc: 29.58%, dropped acc: 29.58%\n\n",
  'bad-garak': `${JSON.stringify({ entry_type: 'start_run setup', '_config.version': '0.17.1' })}\nno JSON\n`,
  'bad-lm-eval': `${evaluation('good tea')}no JSON\n`,
  'bad-table': 'src,adv_src\na,b\n"c,d\n',
  'part-1.json': partial(0, 2),
  'part-2.json': partial(1, 2),
  'whole.json': partial(0, 1),
  'wordings.txt': "Tell the mood, 'good' or 'bad'.\n",
};

const FILES = [
  '--src',
  'src.txt',
  '--adv-src',
  'adv.txt',
  '--out',
  'out.txt',
  '--adv-out',
  'advout.txt',
  '--ref',
  'ref.txt',
];
const SEVERAL = [...FILES, '--adv-src', 'adv2.txt', '--adv-out', 'advout2.txt'];
const TABLE = ['--data', 'table.csv', '--columns', 'src=src,adv_src=adv_src,out=out,adv_out=adv_out,ref=ref'];
const INPUTS = ['--data', 'reviews.csv', '--columns', 'src=text,ref=label'];
const TASK = ['--config', 'attack.yaml'];
const TRANSFER = [...TASK, '--transfer', 'attacked.jsonl'];

/** Modes without a run of their own: the same code reads their options, or they load models from the network. */
export const LIKE_OTHERS: Readonly<Record<string, readonly string[]>> = {
  models: ['list', 'setup', 'serve'],
  import: [
    'promptfoo',
    'inspect',
    'helm',
    'opencompass-results',
    'jailbreakbench',
    'pyrit',
    'agentdojo',
    'advglue',
    'wmt-mqm',
  ],
};

/** A run of each mode of each command. */
export const BASES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  score: { files: FILES, table: TABLE, records: ['records.jsonl'] },
  attack: { inputs: INPUTS, prompts: TASK, transfer: TRANSFER },
  importance: {
    scores: ['--scores', 'scores.jsonl'],
    prompts: TASK,
    text: ['a warm and funny film'],
    data: INPUTS,
    src: ['--src', 'reviews.txt'],
  },
  import: {
    auto: ['auto', 'log.csv'],
    textattack: ['textattack', 'log.csv'],
    openattack: ['openattack', 'openattack.jsonl'],
    promptbench: ['promptbench', 'promptbench.jsonl'],
    opencompass: ['opencompass', 'opencompass.txt'],
    garak: ['garak', 'garak.jsonl'],
    'lm-eval': ['lm-eval', 'samples_clean.jsonl'],
    table: ['table', 'table.csv'],
    parallel: ['parallel', '--src', 'src.txt', '--adv-src', 'adv.txt'],
  },
  export: {
    parallel: ['parallel', 'records.jsonl', '--src', 'out/src.txt'],
    textattack: ['textattack', 'records.jsonl'],
    table: ['table', 'records.jsonl'],
  },
  perturb: { text: ['src.txt', '--rate', '0.5'], list: ['--list'] },
  merge: { all: ['part-1.json', 'part-2.json'] },
  worker: { scores: ['scores', '--frames', 'texts.frames'], partial: ['partial', '--frames', 'scores.frames'] },
  pdr: { keys: ['prompts.jsonl'], promptbench: ['prompts.jsonl', '--table', 'promptbench'] },
  transfer: { all: ['prompts.jsonl'] },
  edits: { records: ['records.jsonl'], files: ['--src', 'src.txt', '--adv-src', 'adv.txt'] },
  compare: { all: ['records.jsonl', 'later.jsonl'] },
  audit: {
    records: ['records.jsonl', '--near-tie', '2', '--format', 'json'],
    files: [...FILES, '--near-tie', '2', '--format', 'json'],
  },
  explain: { records: ['records.jsonl', '--line', '1'], files: [...FILES, '--line', '2'] },
  report: { records: ['records.jsonl', '-o', 'out/page.html'], files: [...FILES, '-o', 'out/page.html'] },
  sample: { all: ['records.jsonl', '-o', 'out/sheet.csv'] },
  agree: { all: ['ratings.csv'] },
  validate: { all: ['records.jsonl', '--ratings', 'rated.csv', '--format', 'json'] },
  help: { text: [], man: ['--format', 'man'] },
  completion: { all: ['bash'] },
  list: {
    scorers: ['scorers'],
    attacks: ['attacks'],
    transformations: ['transformations'],
    constraints: ['constraints'],
    searches: ['searches'],
    victims: ['victims'],
    datasets: ['datasets'],
  },
};

const base = (name: string, mode = 'all'): readonly string[] => BASES[name]?.[mode] ?? [];

/** The scorers, for each mode of a command. */
function scorers(
  name: string,
  modes: readonly string[],
  sides: readonly ('source' | 'target')[],
  more: readonly string[] = [],
): Record<string, Case> {
  const each = (make: (run: readonly string[]) => Effect): Case =>
    Object.fromEntries(modes.map((mode) => [mode, make([...base(name, mode), ...more])]));
  const side = sides.includes('target') ? '--s-tgt' : '--s-src';
  const language = sides.includes('target') ? '--tgt-lang' : '--src-lang';
  const meteor = [side, 'meteor', language, 'en'];
  return {
    ...(sides.includes('source') && {
      sSrc: each((run) => both(run, [...run, '--s-src', 'bleu'])),
      srcLang: each((run) => both([...run, '--s-src', 'bleu'], [...run, '--s-src', 'bleu', '--src-lang', 'ja'])),
    }),
    ...(sides.includes('target') && {
      sTgt: each((run) => both(run, [...run, '--s-tgt', 'edit'])),
      tgtLang: each((run) => both([...run, '--s-tgt', 'bleu'], [...run, '--s-tgt', 'bleu', '--tgt-lang', 'ja'])),
    }),
    value: each((run) =>
      both(
        [...run, `--s-${sides[0] === 'source' ? 'src' : 'tgt'}`, 'constant', '--value', '0.5'],
        [...run, `--s-${sides[0] === 'source' ? 'src' : 'tgt'}`, 'constant', '--value', '0.25'],
      ),
    ),
    customScoresSource: each((run) =>
      both(
        [...run, side, 'ratio', '--custom-scores-source', 'ratio.mjs'],
        [...run, side, 'ratio', '--custom-scores-source', 'double.mjs'],
      ),
    ),
    meteorJar: each((run) => both([...run, ...meteor], [...run, ...meteor, '--meteor-jar', 'none.jar'])),
    javaCommand: each((run) =>
      both(
        [...run, ...meteor, '--meteor-jar', 'src.txt', '--java-command', 'no-such-program'],
        [...run, ...meteor, '--meteor-jar', 'src.txt', '--java-command', 'other-program'],
      ),
    ),
  };
}

const recordSource = (name: string, rest: readonly string[] = []): Record<string, Case> => ({
  records: { records: both(['records.jsonl', ...rest], ['one.jsonl', ...rest]) },
  onError: { records: both(['broken.jsonl', ...rest], ['broken.jsonl', ...rest, '--on-error', 'skip']) },
  src: {
    files: both(
      base(name, 'files'),
      base(name, 'files').map((one) => (one === 'src.txt' ? 'adv2.txt' : one)),
    ),
  },
  advSrc: {
    files: both(
      base(name, 'files'),
      base(name, 'files').map((one) => (one === 'adv.txt' ? 'adv2.txt' : one)),
    ),
  },
  encoding: {
    files: both(
      base(name, 'files').map((one) => (one === 'adv.txt' ? 'latin.txt' : one)),
      [...base(name, 'files').map((one) => (one === 'adv.txt' ? 'latin.txt' : one)), '--encoding', 'latin-1'],
    ),
  },
  keepTrailingWhitespace: {
    files: both(
      [...base(name, 'files'), '--s-src', 'edit'],
      [...base(name, 'files'), '--s-src', 'edit', '--keep-trailing-whitespace'],
    ),
  },
});

const withoutRecords = ({ records: _records, ...others }: Record<string, Case>): Record<string, Case> => others;

const outputs = (name: string): Record<string, Case> => ({
  out: {
    files: both(
      base(name, 'files'),
      base(name, 'files').map((one) => (one === 'out.txt' ? 'src.txt' : one)),
    ),
  },
  advOut: {
    files: both(
      base(name, 'files'),
      base(name, 'files').map((one) => (one === 'advout.txt' ? 'advout2.txt' : one)),
    ),
  },
  ref: {
    files: both(
      base(name, 'files'),
      base(name, 'files').map((one) => (one === 'ref.txt' ? 'ref2.txt' : one)),
    ),
  },
});

const constraints: Record<string, readonly string[]> = {
  minSSrc: ['--min-s-src', '0.99'],
  protect: ['--protect', 'warm', '--protect', 'plot', '--protect', 'good', '--protect', 'fine'],
  protectPattern: ['--protect-pattern', '.*'],
  maxWordsChanged: ['--max-words-changed', '0'],
  maxShareChanged: ['--max-share-changed', '0'],
  maxEditDistance: ['--max-edit-distance', '0'],
};

const inAll = (modes: readonly string[], args: readonly string[]): Case =>
  Object.fromEntries(modes.map((mode) => [mode, args]));

const EVALUATIONS = ['--clean', 'samples_clean.jsonl', '--attacked', 'samples_typo.jsonl'];
const pairs = (more: readonly string[]): Record<string, Effect> => ({
  auto: both(['auto', ...EVALUATIONS], ['auto', ...EVALUATIONS, ...more]),
  'lm-eval': both(['lm-eval', ...EVALUATIONS], ['lm-eval', ...EVALUATIONS, ...more]),
});
const PAIRED_TABLES = ['table', '--clean', 'clean.csv', '--attacked', 'typo.csv'];
const PAIRS = {
  clean: {
    auto: both(['auto', 'samples_clean.jsonl'], ['auto', ...EVALUATIONS]),
    'lm-eval': both(['lm-eval', 'samples_clean.jsonl'], ['lm-eval', ...EVALUATIONS]),
    table: both(['table', 'clean.csv'], PAIRED_TABLES),
  },
  attacked: {
    auto: both(['auto', 'samples_clean.jsonl'], ['auto', ...EVALUATIONS]),
    'lm-eval': both(['lm-eval', 'samples_clean.jsonl'], ['lm-eval', ...EVALUATIONS]),
    table: both(['table', 'clean.csv'], PAIRED_TABLES),
  },
  pairBy: { ...pairs(['--pair-by', 'doc.group']), table: both(PAIRED_TABLES, [...PAIRED_TABLES, '--pair-by', 'key']) },
  text: { ...pairs(['--text', 'doc.note']), table: both(PAIRED_TABLES, [...PAIRED_TABLES, '--text', 'key']) },
  metric: pairs(['--metric', 'f1']),
  filter: pairs(['--filter', 'flexible-extract']),
} as const;

/** A pair of runs for each mode, with and without the option. */
const inAllOf = (runs: Readonly<Record<string, readonly string[]>>, args: readonly string[]): Record<string, Effect> =>
  Object.fromEntries(Object.entries(runs).map(([mode, run]) => [mode, both(run, [...run, ...args])]));

/** Runs of every option of every command, by the name of its argument. */
export const EFFECTS: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  score: {
    ...recordSource('score'),
    records: {
      files: both(FILES, ['records.jsonl']),
      table: both(TABLE, ['records.jsonl']),
      records: both(['records.jsonl'], ['one.jsonl']),
    },
    ...outputs('score'),
    name: {
      files: both(
        [...FILES, '--adv-src', 'adv2.txt', '--adv-out', 'advout2.txt'],
        [...FILES, '--adv-src', 'adv2.txt', '--adv-out', 'advout2.txt', '--name', 'a', '--name', 'b'],
      ),
    },
    data: both(FILES, TABLE),
    columns: both(TABLE, ['--data', 'table.csv', '--columns', 'src=src,adv_src=adv_src']),
    encoding: {
      files: both(
        ['--src', 'latin.txt', '--adv-src', 'adv.txt'],
        ['--src', 'latin.txt', '--adv-src', 'adv.txt', '--encoding', 'latin-1'],
      ),
      table: both(
        ['--data', 'latin.csv', '--columns', 'src=src,adv_src=adv_src'],
        ['--data', 'latin.csv', '--columns', 'src=src,adv_src=adv_src', '--encoding', 'latin-1'],
      ),
    },
    keepTrailingWhitespace: {
      ...inAll(['files', 'table'], ['--keep-trailing-whitespace', '--s-src', 'edit']),
      records: both(
        ['blank.jsonl', '--s-src', 'edit'],
        ['blank.jsonl', '--s-src', 'edit', '--keep-trailing-whitespace'],
      ),
    },
    threads: { files: { before: FILES, after: [...FILES, '--threads', '2'], speed: [...FILES, '--threads', '0'] } },
    shard: ['--shard', '1/1'],
    by: { table: ['--by', 'other'], records: ['--by', 'model'] },
    ...scorers('score', ['files', 'table', 'records'], ['source', 'target']),
    successThreshold: ['--success-threshold', '0.2'],
    percentile: {
      ...inAll(['files', 'table'], ['--percentile', 'linear']),
      records: both(['records.jsonl', '--by', 'none'], ['records.jsonl', '--by', 'none', '--percentile', 'linear']),
    },
    confidence: ['--confidence', '0.8'],
    seed: ['--confidence', '0.8', '--seed', '7'],
    thresholdSweep: {
      ...inAll(['files', 'table'], ['--threshold-sweep', '0:1:0.5']),
      records: both(
        ['records.jsonl', '--by', 'none'],
        ['records.jsonl', '--by', 'none', '--threshold-sweep', '0:1:0.5'],
      ),
    },
    corpusLevel: ['--corpus-level'],
    failIf: ['--fail-if', 'n>1'],
    format: ['--format', 'json'],
    terse: { files: ['--terse'], table: ['--terse'], records: ['--by', 'none', '--terse'] },
    comparisons: { files: both(SEVERAL, [...SEVERAL, '--comparisons', 'out/tests.csv']) },
    caption: ['--format', 'latex', '--caption', 'Mine'],
    label: ['--format', 'latex', '--label', 'tab:mine'],
    output: ['--output', 'out/score.json'],
    perLine: ['--per-line', 'out/lines.jsonl'],
    scale: ['--scale', '1'],
  },
  attack: {
    data: {
      inputs: both(['--src', 'reviews.txt'], INPUTS),
      prompts: [...TASK, '--data', 'other.jsonl'],
      transfer: both(TRANSFER, [...TRANSFER, '--data', 'other.jsonl']),
    },
    columns: { inputs: both(INPUTS, ['--data', 'reviews.csv', '--columns', 'src=text,ref=other']) },
    src: { inputs: both(INPUTS, ['--src', 'src.txt']) },
    ref: { inputs: both(['--src', 'reviews.txt'], ['--src', 'reviews.txt', '--ref', 'labels.txt']) },
    first: { inputs: ['--first', '2'], prompts: ['--first', '1'], transfer: ['--first', '1'] },
    config: {
      inputs: both(INPUTS, TASK),
      prompts: both(['--dataset', 'sst2', '--data', 'toy.jsonl'], TASK),
      transfer: both(TRANSFER.slice(2), TRANSFER),
    },
    dataset: {
      inputs: both(INPUTS, ['--dataset', 'sst2']),
      prompts: ['--dataset', 'sst2'],
      transfer: ['--dataset', 'sst2'],
    },
    shot: ['--shot', '2'],
    generateLen: {
      prompts: both([...TASK, '--dry-run'], [...TASK, '--dry-run', '--generate-len', '5']),
      transfer: ['--generate-len', '5', '--work-dir', 'out/run'],
    },
    prompts: { inputs: both(INPUTS, [...TASK, '--prompts', 'list.txt']), prompts: ['--prompts', 'list.txt'] },
    promptTopk: { prompts: ['--prompt-topk', '2'] },
    wordings: {
      prompts: both([...TASK, '--attack', 'semantic'], [...TASK, '--attack', 'semantic', '--wordings', 'wordings.txt']),
    },
    dryRun: inAll(['inputs', 'prompts'], ['--dry-run']),
    transfer: { inputs: both(INPUTS, TRANSFER), prompts: both(TASK, TRANSFER), transfer: both(TASK, TRANSFER) },
    attack: inAll(['inputs', 'prompts'], ['--attack', 'typo']),
    transformation: inAll(
      ['inputs', 'prompts'],
      ['--transformation', 'swap:skip=both', '--transformation', 'keyboard'],
    ),
    constraint: inAll(['inputs', 'prompts'], ['--constraint', 'min-word-length=5']),
    search: inAll(['inputs', 'prompts'], ['--search', 'beam:2']),
    queryBudget: inAll(['inputs', 'prompts'], ['--query-budget', '2']),
    ...Object.fromEntries(
      Object.entries(constraints).map(([name, args]) => [name, inAll(['inputs', 'prompts'], args)]),
    ),
    protect: {
      inputs: constraints['protect'] ?? [],
      prompts: ['--protect', 'sentiment', '--protect', 'What', '--protect', 'Say'],
    },
    protectPlaceholders: {
      inputs: both(
        ['--src', 'quoted.txt', '--attack', 'typo', '--goal', 'maximise-d-tgt', '--work-dir', 'out/run'],
        [
          '--src',
          'quoted.txt',
          '--attack',
          'typo',
          '--goal',
          'maximise-d-tgt',
          '--work-dir',
          'out/run',
          '--protect-placeholders',
        ],
      ),
    },
    protectQuoted: {
      inputs: both(['--src', 'quoted.txt'], ['--src', 'quoted.txt', '--protect-quoted']),
      prompts: both(
        [...TASK, '--prompts', 'quoted-prompt.txt'],
        [...TASK, '--prompts', 'quoted-prompt.txt', '--protect-quoted'],
      ),
    },
    seed: {
      inputs: ['--seed', '7'],
      prompts: ['--seed', '7', '--work-dir', 'out/run'],
      transfer: ['--shot', '2', '--seed', '7'],
    },
    stopWords: {
      inputs: ['--stop-words', 'frequent.txt'],
      prompts: both([...TASK, '--attack', 'typo'], [...TASK, '--attack', 'typo', '--stop-words', 'frequent.txt']),
    },
    minWordLength: inAll(['inputs', 'prompts'], ['--min-word-length', '99']),
    attackColumns: {
      inputs: both(
        ['--data', 'reviews.csv', '--columns', 'src=text+other,ref=label'],
        ['--data', 'reviews.csv', '--columns', 'src=text+other,ref=label', '--attack-columns', 'other'],
      ),
    },
    autocorrect: { inputs: ['--autocorrect', 'fold', '--format', 'json'] },
    countRefusals: inAllOf(
      { inputs: [...INPUTS, '--model', 'module:./shy.mjs'], prompts: [...TASK, '--model', 'module:./coy.mjs'] },
      ['--count-refusals'],
    ),
    goal: { inputs: ['--goal', 'maximise-d-tgt'] },
    target: {
      inputs: both(
        [...INPUTS, '--goal', 'targeted', '--target', 'positive'],
        [...INPUTS, '--goal', 'targeted', '--target', 'negative'],
      ),
    },
    goalThreshold: {
      inputs: both(
        [...INPUTS, '--goal', 'minimise-metric', '--work-dir', 'out/run'],
        [...INPUTS, '--goal', 'minimise-metric', '--work-dir', 'out/run', '--goal-threshold', '0.5'],
      ),
    },
    ...Object.fromEntries(
      Object.entries({
        neighbours: [
          ['--attack', 'textfooler'],
          ['--neighbours', 'neighbours.tsv'],
        ],
        neighbourCount: [
          ['--attack', 'textfooler', '--neighbours', 'neighbours.tsv', '--work-dir', 'out/run'],
          ['--neighbour-count', '1'],
        ],
        minCosine: [
          ['--attack', 'textfooler', '--neighbours', 'vectors.txt', '--work-dir', 'out/run'],
          ['--min-cosine', '0.99'],
        ],
        encoder: [
          ['--attack', 'textfooler', '--neighbours', 'neighbours.tsv'],
          ['--encoder', 'none'],
        ],
        minEncoderCosine: [
          ['--attack', 'textfooler', '--resources', 'models.mjs', '--work-dir', 'out/run'],
          ['--min-encoder-cosine', '0.5'],
        ],
        maskedLm: [
          ['--attack', 'bae'],
          ['--masked-lm', 'none'],
        ],
        resources: [
          ['--attack', 'textfooler'],
          ['--resources', 'models.mjs'],
        ],
      }).map(([name, [before = [], more = []]]) => [
        name,
        {
          inputs: both([...INPUTS, ...before], [...INPUTS, ...before, ...more]),
          prompts: both([...TASK, ...before], [...TASK, ...before, ...more]),
        },
      ]),
    ),
    model: {
      inputs: ['--model', 'module:./other.mjs'],
      prompts: ['--model', 'module:./other.mjs'],
      transfer: ['--model', 'module:./other.mjs'],
    },
    baseUrl: inAll(['inputs', 'prompts', 'transfer'], ['--model', 'openai:x', '--base-url', 'no-address']),
    parallel: {
      inputs: { before: INPUTS, after: [...INPUTS, '--parallel', '2'], speed: [...INPUTS, '--parallel', '0'] },
    },
    ...scorers('attack', ['inputs'], ['source', 'target'], ['--work-dir', 'out/run']),
    successThreshold: { inputs: ['--success-threshold', '0.1', '--work-dir', 'out/run'] },
    verbose: {
      inputs: { ...both(INPUTS, [...INPUTS, '--verbose']), isMessage: true },
      prompts: { ...both(TASK, [...TASK, '--verbose']), isMessage: true },
    },
    failIf: {
      inputs: ['--fail-if', 'success_over_attacked.rate>=0'],
      prompts: ['--fail-if', 'n>=0'],
      transfer: ['--fail-if', 'n>=0'],
    },
    output: ['--output', 'out/summary.json'],
    workDir: ['--work-dir', 'out/run'],
    resume: ['--resume'],
    format: ['--format', 'json'],
  },
  importance: {
    text: {
      scores: both([...base('importance', 'scores'), 'very good film'], [...base('importance', 'scores'), 'very film']),
      prompts: ["Is it 'good' or 'bad' in sentiment?"],
      text: both(['a warm film'], ['a dull film']),
      data: both(INPUTS, ['a warm film']),
      src: both(['--src', 'reviews.txt'], ['a warm film']),
    },
    data: {
      data: both(['--src', 'texts.txt'], INPUTS),
      src: both(['--src', 'texts.txt'], INPUTS),
      prompts: ['--data', 'other.jsonl'],
    },
    columns: { data: both(INPUTS, ['--data', 'reviews.csv', '--columns', 'src=other,ref=label']) },
    src: { src: both(['--src', 'reviews.txt'], ['--src', 'texts.txt']) },
    ref: { src: ['--ref', 'labels.txt'] },
    first: ['--first', '1'],
    scores: {
      scores: both(['a warm film'], base('importance', 'scores')),
      prompts: both(TASK, base('importance', 'scores')),
      text: both(base('importance', 'text'), base('importance', 'scores')),
      data: both(INPUTS, base('importance', 'scores')),
      src: both(['--src', 'reviews.txt'], base('importance', 'scores')),
    },
    config: {
      prompts: both(['--dataset', 'sst2', '--data', 'toy.jsonl'], TASK),
      text: TASK,
      data: both(INPUTS, TASK),
      src: both(['--src', 'texts.txt'], TASK),
    },
    dataset: {
      prompts: ['--dataset', 'sst2'],
      text: ['--dataset', 'sst2'],
      data: both(INPUTS, ['--dataset', 'sst2']),
      src: both(['--src', 'texts.txt'], ['--dataset', 'sst2']),
    },
    prompts: {
      prompts: ['--prompts', 'list.txt'],
      text: ['--prompts', 'list.txt'],
      data: both(INPUTS, ['--prompts', 'list.txt']),
      src: both(['--src', 'texts.txt'], ['--prompts', 'list.txt']),
    },
    workDir: inAll(['data', 'src', 'text', 'prompts'], ['--work-dir', 'out/run']),
    resume: inAll(['data', 'src', 'text', 'prompts'], ['--resume']),
    dryRun: inAll(['data', 'src', 'text', 'prompts'], ['--dry-run']),
    shot: { prompts: ['--shot', '2'] },
    generateLen: { prompts: both([...TASK, '--generate-len', '0'], [...TASK, '--generate-len', '5']) },
    model: ['--model', 'module:./other.mjs'],
    baseUrl: inAll(['data', 'src', 'text', 'prompts'], ['--model', 'openai:x', '--base-url', 'no-address']),
    sTgt: ['--s-tgt', 'chrf'],
    format: ['--format', 'json'],
    output: ['--output', 'out/words.txt'],
  },
  import: {
    format: Object.fromEntries(
      Object.entries(BASES['import'] ?? {}).map(([mode, args]) => [mode, both(['auto', 'src.txt'], args)]),
    ),
    files: Object.fromEntries(
      Object.entries(BASES['import'] ?? {}).flatMap(([mode, [format = '', file = '']]) =>
        mode === 'parallel' ? [] : [[mode, both([format, 'texts.txt'], [format, file])]],
      ),
    ),
    encoding: Object.fromEntries(
      Object.entries(BASES['import'] ?? {}).map(([mode, args]) => [
        mode,
        [...args.slice(args.length), '--encoding', 'utf-16'],
      ]),
    ),
    onError: Object.fromEntries(
      ['auto', 'textattack', 'openattack', 'promptbench', 'opencompass', 'garak', 'lm-eval', 'table'].map((mode) => [
        mode,
        badLog(mode),
      ]),
    ),
    columns: { table: ['--columns', 'src=other,adv_src=adv_src'] },
    clean: PAIRS.clean,
    attacked: PAIRS.attacked,
    pairBy: PAIRS.pairBy,
    text: PAIRS.text,
    metric: PAIRS.metric,
    filter: PAIRS.filter,
    markers: { textattack: ['--markers', 'plain'] },
    src: { parallel: both(base('import', 'parallel'), ['parallel', '--src', 'adv2.txt', '--adv-src', 'adv.txt']) },
    advSrc: { parallel: both(base('import', 'parallel'), ['parallel', '--src', 'src.txt', '--adv-src', 'adv2.txt']) },
    out: { parallel: ['--out', 'out.txt'] },
    advOut: { parallel: ['--adv-out', 'advout.txt'] },
    ref: { parallel: ['--ref', 'ref.txt'] },
    lineBreaks: {
      parallel: both(
        ['parallel', '--src', 'escaped.txt', '--adv-src', 'escaped.txt'],
        ['parallel', '--src', 'escaped.txt', '--adv-src', 'escaped.txt', '--line-breaks', 'escape'],
      ),
    },
    run: ['--run', 'night'],
    attack: ['--attack', 'mine'],
    model: ['--model', 'mine'],
    dataset: ['--dataset', 'mine'],
    promptType: ['--prompt-type', 'zs-role'],
    output: ['--output', 'out/records.jsonl'],
    warnings: ['--warnings', 'out/warnings.jsonl'],
  },
  export: {
    format: {
      parallel: both(['table', 'records.jsonl'], base('export', 'parallel')),
      textattack: both(['table', 'records.jsonl'], ['textattack', 'records.jsonl']),
      table: both(['textattack', 'records.jsonl'], ['table', 'records.jsonl']),
    },
    records: {
      parallel: both(base('export', 'parallel'), ['parallel', 'one.jsonl', '--src', 'out/src.txt']),
      textattack: both(base('export', 'textattack'), ['textattack', 'one.jsonl']),
      table: both(base('export', 'table'), ['table', 'one.jsonl']),
    },
    onError: {
      parallel: both(
        ['parallel', 'broken.jsonl', '--src', 'out/src.txt'],
        ['parallel', 'broken.jsonl', '--src', 'out/src.txt', '--on-error', 'skip'],
      ),
      textattack: both(['textattack', 'broken.jsonl'], ['textattack', 'broken.jsonl', '--on-error', 'skip']),
      table: both(['table', 'broken.jsonl'], ['table', 'broken.jsonl', '--on-error', 'skip']),
    },
    output: { textattack: ['-o', 'out/log.csv'], table: ['-o', 'out/table.tsv'] },
    src: {
      parallel: both(
        ['parallel', 'records.jsonl', '--adv-src', 'out/adv.txt'],
        ['parallel', 'records.jsonl', '--adv-src', 'out/adv.txt', '--src', 'out/src.txt'],
      ),
    },
    advSrc: { parallel: ['--adv-src', 'out/adv.txt'] },
    out: { parallel: ['--out', 'out/out.txt'] },
    advOut: { parallel: ['--adv-out', 'out/advout.txt'] },
    ref: { parallel: ['--ref', 'out/ref.txt'] },
    lineBreaks: {
      parallel: both(
        ['parallel', 'lines.jsonl', '--src', 'out/src.txt'],
        ['parallel', 'lines.jsonl', '--src', 'out/src.txt', '--line-breaks', 'space'],
      ),
    },
    missing: {
      parallel: both(
        ['parallel', 'lines.jsonl', '--line-breaks', 'space', '--src', 'out/src.txt'],
        ['parallel', 'lines.jsonl', '--line-breaks', 'space', '--src', 'out/src.txt', '--missing', 'empty'],
      ),
    },
  },
  perturb: {
    input: { text: both(['src.txt'], ['texts.txt']) },
    attack: { text: ['--attack', 'typo'] },
    rate: { text: both(['src.txt'], ['src.txt', '--rate', '1']) },
    maxEdits: { text: ['--max-edits', '0'] },
    variants: { text: ['--variants', '2'] },
    seed: { text: ['--seed', '7'] },
    suffix: { text: both(['src.txt', '--attack', 'append'], ['src.txt', '--attack', 'append', '--suffix', 'so']) },
    replacements: {
      text: both(
        ['src.txt', '--attack', 'replace'],
        ['src.txt', '--attack', 'replace', '--replacements', 'replacements.tsv'],
      ),
    },
    vocabulary: {
      text: both(
        ['word.txt', '--rate', '1', '--seed', '1'],
        ['word.txt', '--rate', '1', '--seed', '1', '--vocabulary', 'words.txt'],
      ),
    },
    sSrc: {
      text: both(
        ['src.txt', '--rate', '1', '--min-s-src', '0.6'],
        ['src.txt', '--rate', '1', '--min-s-src', '0.6', '--s-src', 'constant'],
      ),
    },
    ...Object.fromEntries(Object.entries(constraints).map(([name, args]) => [name, { text: args }])),
    protectPlaceholders: {
      text: both(['quoted.txt', '--rate', '1'], ['quoted.txt', '--rate', '1', '--protect-placeholders']),
    },
    protectQuoted: { text: both(['quoted.txt', '--rate', '1'], ['quoted.txt', '--rate', '1', '--protect-quoted']) },
    stopWords: { text: ['--attack', 'typo', '--rate', '1', '--stop-words', 'texts.txt'].slice(2) },
    minWordLength: { text: ['--min-word-length', '6'] },
    output: { text: ['--output', 'out/adv.txt'] },
    perLine: { text: ['--per-line', 'out/edits.jsonl'] },
    encoding: { text: both(['latin.txt'], ['latin.txt', '--encoding', 'latin-1']) },
    threads: {
      text: { before: ['src.txt'], after: ['src.txt', '--threads', '2'], speed: ['src.txt', '--threads', '0'] },
    },
    list: { text: both(['src.txt'], ['--list']), list: both(['src.txt'], ['--list']) },
    format: { list: ['--format', 'json'] },
  },
  merge: {
    partials: both(['part-1.json', 'part-2.json'], ['whole.json']),
    confidence: ['--confidence', '0.8'],
    seed: both(
      ['part-1.json', 'part-2.json', '--confidence', '0.8', '--format', 'json'],
      ['part-1.json', 'part-2.json', '--confidence', '0.8', '--format', 'json', '--seed', '7'],
    ),
    failIf: ['--fail-if', 'n>1'],
    format: ['--format', 'json'],
    output: ['--output', 'out/merged.json'],
    caption: both(
      ['part-1.json', 'part-2.json', '--format', 'latex'],
      ['part-1.json', 'part-2.json', '--format', 'latex', '--caption', 'Mine'],
    ),
    label: both(
      ['part-1.json', 'part-2.json', '--format', 'latex'],
      ['part-1.json', 'part-2.json', '--format', 'latex', '--label', 'tab:mine'],
    ),
    scale: ['--scale', '1'],
  },
  worker: {
    job: {
      scores: both(base('worker', 'scores'), ['partial', '--frames', 'texts.frames']),
      partial: both(base('worker', 'partial'), ['scores', '--frames', 'scores.frames']),
    },
    frames: {
      scores: both(base('worker', 'scores'), ['scores', '--frames', 'other-texts.frames']),
      partial: both(base('worker', 'partial'), ['partial', '--frames', 'other-scores.frames']),
    },
    sides: ['--sides', 'source'],
    references: ['--references', '2'],
    by: ['--by', 'g'],
    shard: ['--shard', '2/3'],
    inputName: ['--input-name', 'pairs'],
    inputRows: ['--input-rows', '9'],
    inputHash: ['--input-hash', 'a'.repeat(64)],
    keepTrailingWhitespace: {
      scores: both(
        [...base('worker', 'scores'), '--s-tgt', 'edit'],
        [...base('worker', 'scores'), '--s-tgt', 'edit', '--keep-trailing-whitespace'],
      ),
      partial: ['--keep-trailing-whitespace'],
    },
    ...scorers('worker', ['scores', 'partial'], ['source', 'target']),
    successThreshold: ['--success-threshold', '1.1'],
    percentile: ['--percentile', 'linear'],
    thresholdSweep: ['--threshold-sweep', '0:1:0.5'],
  },
  pdr: {
    records: {
      keys: both(['prompts.jsonl'], ['records.jsonl']),
      promptbench: both(base('pdr', 'promptbench'), ['records.jsonl', '--table', 'promptbench']),
    },
    onError: {
      keys: both(['broken.jsonl'], ['broken.jsonl', '--on-error', 'skip']),
      promptbench: both(
        ['broken.jsonl', '--table', 'promptbench'],
        ['broken.jsonl', '--table', 'promptbench', '--on-error', 'collect'],
      ),
    },
    by: { keys: ['--by', 'dataset'] },
    table: both(['prompts.jsonl'], base('pdr', 'promptbench')),
    long: {
      keys: both(['prompts.jsonl', '--by', 'attack,dataset'], ['prompts.jsonl', '--by', 'attack,dataset', '--long']),
    },
    format: ['--format', 'csv'],
    output: ['--output', 'out/pdr.csv'],
    confidence: inAll(['keys', 'promptbench'], ['--format', 'json', '--confidence', '0.5']),
    seed: inAll(['keys', 'promptbench'], ['--format', 'json', '--seed', '7']),
    trim: inAll(['keys', 'promptbench'], ['--format', 'json', '--trim', '0.3']),
    failIf: ['--fail-if', 'n>1'],
  },
  transfer: {
    records: both(['prompts.jsonl'], ['records.jsonl']),
    onError: both(['broken.jsonl'], ['broken.jsonl', '--on-error', 'collect']),
    own: ['--own'],
    format: ['--format', 'csv'],
    output: ['--output', 'out/transfer.csv'],
    confidence: both(
      ['prompts.jsonl', '--format', 'json'],
      ['prompts.jsonl', '--format', 'json', '--confidence', '0.5'],
    ),
    seed: both(['prompts.jsonl', '--format', 'json'], ['prompts.jsonl', '--format', 'json', '--seed', '7']),
    trim: both(['prompts.jsonl', '--format', 'json'], ['prompts.jsonl', '--format', 'json', '--trim', '0.3']),
  },
  sample: {
    records: both(base('sample'), ['one.jsonl', '-o', 'out/sheet.csv']),
    onError: both(
      ['broken.jsonl', '-o', 'out/sheet.csv'],
      ['broken.jsonl', '-o', 'out/sheet.csv', '--on-error', 'skip'],
    ),
    n: ['--n', '1'],
    strata: ['--strata', 'model'],
    repeats: ['--repeats', '2'],
    controls: ['--controls', '2'],
    ratingScale: ['--rating-scale', 'yes-no'],
    question: both(
      ['records.jsonl', '-o', 'out/sheet.html'],
      ['records.jsonl', '-o', 'out/sheet.html', '--question', 'The same?'],
    ),
    seed: ['--seed', '9'],
    ...scorers('sample', ['all'], ['source', 'target'], ['--strata', 'margin']),
    successThreshold: both(
      [...base('sample'), '--strata', 'margin'],
      [...base('sample'), '--strata', 'margin', '--success-threshold', '0.5'],
    ),
    output: both(base('sample'), ['records.jsonl', '-o', 'out/other.csv']),
    key: ['--key', 'out/other.json'],
  },
  agree: {
    ratings: both(['ratings.csv'], ['other-ratings.csv']),
    key: ['--key', 'sheet.key.json'],
    into: both(
      ['ratings.csv', '--key', 'sheet.key.json'],
      ['ratings.csv', '--key', 'sheet.key.json', '--into', 'records.jsonl', '--rated', 'out/rated.jsonl'],
    ),
    rated: both(
      ['ratings.csv', '--key', 'sheet.key.json', '--into', 'records.jsonl', '--rated', 'out/rated.jsonl'],
      ['ratings.csv', '--key', 'sheet.key.json', '--into', 'records.jsonl', '--rated', 'out/other.jsonl'],
    ),
    format: ['--format', 'csv'],
    output: ['--output', 'out/agreement.csv'],
    confidence: ['--confidence', '0.5'],
    seed: both(['ratings.csv', '--format', 'json'], ['ratings.csv', '--format', 'json', '--seed', '7']),
  },
  validate: {
    records: both(base('validate'), ['one.jsonl', '--ratings', 'rated.csv', '--format', 'json']),
    onError: both(
      ['broken.jsonl', '--ratings', 'rated.csv'],
      ['broken.jsonl', '--ratings', 'rated.csv', '--on-error', 'skip'],
    ),
    ratings: both(base('validate'), ['records.jsonl', '--ratings', 'other-rated.csv', '--format', 'json']),
    key: both(
      ['records.jsonl', '--ratings', 'ratings.csv'],
      ['records.jsonl', '--ratings', 'ratings.csv', '--key', 'sheet.key.json'],
    ),
    ...scorers('validate', ['all'], ['source']),
    keptFrom: ['--kept-from', '3'],
    by: ['--by', 'attack'],
    resamples: ['--resamples', '200'],
    format: both(base('validate'), [...base('validate').slice(0, 3), '--format', 'csv']),
    output: ['--output', 'out/validity.json'],
    confidence: ['--confidence', '0.5'],
    seed: ['--seed', '7'],
  },
  edits: {
    ...recordSource('edits'),
    records: { records: both(['records.jsonl'], ['one.jsonl']), files: both(base('edits', 'files'), ['one.jsonl']) },
    out: { files: ['--out', 'out.txt', '--per-line', 'out/edits.jsonl'] },
    advOut: { files: ['--adv-out', 'advout.txt', '--per-line', 'out/edits.jsonl'] },
    ref: { files: ['--ref', 'ref.txt', '--per-line', 'out/edits.jsonl'] },
    by: ['--by', 'model'],
    ...scorers('edits', ['records', 'files'], ['source']),
    format: ['--format', 'json'],
    output: ['--output', 'out/edits.csv'],
    perLine: ['--per-line', 'out/edits.jsonl'],
  },
  compare: {
    a: both(['records.jsonl', 'records.jsonl'], ['later.jsonl', 'records.jsonl']),
    b: both(['records.jsonl', 'records.jsonl'], ['records.jsonl', 'later.jsonl']),
    key: ['--key', 'attack,src', '--format', 'json'],
    success: ['--success', 'tool', '--format', 'json'],
    onError: both(['broken.jsonl', 'records.jsonl'], ['broken.jsonl', 'records.jsonl', '--on-error', 'skip']),
    ...scorers('compare', ['all'], ['source', 'target']),
    successThreshold: ['--success-threshold', '0.2'],
    confidence: ['--confidence', '0.5', '--format', 'json'],
    seed: ['--seed', '7', '--format', 'json'],
    failIf: ['--fail-if', 'fixed>=0'],
    format: ['--format', 'csv'],
    output: ['--output', 'out/compare.json'],
    examples: ['--examples', '0'],
    perLine: ['--per-line', 'out/items.jsonl'],
  },
  audit: {
    ...recordSource('audit'),
    records: { records: both(['records.jsonl'], ['lines.jsonl']), files: both(FILES, ['lines.jsonl']) },
    ...outputs('audit'),
    ...scorers('audit', ['records', 'files'], ['source', 'target']),
    successThreshold: ['--success-threshold', '0.2'],
    labels: ['--labels', 'warm,wram,plot'],
    nearTie: {
      records: both(['records.jsonl'], ['records.jsonl', '--near-tie', '2']),
      files: both(FILES, [...FILES, '--near-tie', '2']),
    },
    failIf: ['--fail-if', 'findings>=0'],
    format: {
      records: both(['records.jsonl'], ['records.jsonl', '--format', 'json']),
      files: both(FILES, [...FILES, '--format', 'json']),
    },
    output: ['--output', 'out/audit.json'],
    examples: ['--examples', '0'],
    perLine: ['--per-line', 'out/findings.jsonl'],
  },
  explain: {
    ...recordSource('explain', ['--line', '1']),
    records: {
      records: both(['records.jsonl', '--line', '1'], ['one.jsonl', '--line', '1']),
      files: both(base('explain', 'files'), ['one.jsonl', '--line', '1']),
    },
    onError: { records: both(['broken.jsonl', '--line', '9'], ['broken.jsonl', '--line', '9', '--on-error', 'skip']) },
    keepTrailingWhitespace: { files: ['--keep-trailing-whitespace'] },
    ...outputs('explain'),
    id: {
      records: both(['records.jsonl', '--line', '1'], ['records.jsonl', '--id', '2']),
      files: both(base('explain', 'files'), [...FILES, '--id', '3']),
    },
    line: {
      records: both(['records.jsonl', '--line', '1'], ['records.jsonl', '--line', '2']),
      files: both(base('explain', 'files'), [...FILES, '--line', '1']),
    },
    ...scorers('explain', ['records', 'files'], ['source', 'target']),
    successThreshold: ['--success-threshold', '0.2'],
    format: ['--format', 'json'],
    output: ['--output', 'out/explain.txt'],
  },
  report: {
    ...withoutRecords(recordSource('report')),
    inputs: {
      records: both(base('report', 'records'), ['one.jsonl', '-o', 'out/page.html']),
      files: both(base('report', 'files'), ['one.jsonl', '-o', 'out/page.html']),
    },
    onError: { records: both(['broken.jsonl'], ['broken.jsonl', '--on-error', 'skip']) },
    ...outputs('report'),
    ...scorers('report', ['records', 'files'], ['source', 'target']),
    successThreshold: ['--success-threshold', '0.2'],
    confidence: ['--confidence', '0.5'],
    seed: ['--seed', '7'],
    labels: ['--labels', 'warm,wram,plot'],
    nearTie: ['--near-tie', '2'],
    output: {
      records: both(['records.jsonl'], base('report', 'records')),
      files: both(FILES, base('report', 'files')),
    },
    format: {
      records: both(['records.jsonl', '-o', 'out/page'], ['records.jsonl', '-o', 'out/page', '--format', 'html']),
      files: both([...FILES, '-o', 'out/page'], [...FILES, '-o', 'out/page', '--format', 'html']),
    },
    figure: {
      records: both(['records.jsonl', '-o', 'out/x.svg'], ['records.jsonl', '-o', 'out/x.svg', '--figure', 'scatter']),
      files: both([...FILES, '-o', 'out/x.svg'], [...FILES, '-o', 'out/x.svg', '--figure', 'scatter']),
    },
    width: {
      records: both(
        ['records.jsonl', '-o', 'out/x.svg', '--figure', 'scatter'],
        ['records.jsonl', '-o', 'out/x.svg', '--figure', 'scatter', '--width', 'column'],
      ),
      files: both(
        [...FILES, '-o', 'out/x.svg', '--figure', 'scatter'],
        [...FILES, '-o', 'out/x.svg', '--figure', 'scatter', '--width', 'column'],
      ),
    },
    title: ['--title', 'Mine'],
    maxRecords: ['--max-records', '0'],
  },
  help: {
    command: { text: ['score'] },
    format: { text: ['--format', 'man'], man: both([], ['--format', 'man']) },
  },
  // The tests of the models run them: here they would load models from the network.
  models: { setup: {}, serve: {}, port: {}, labels: {}, format: {} },
  completion: { shell: both(['bash'], ['zsh']) },
  list: {
    what: Object.fromEntries(
      Object.entries(BASES['list'] ?? {}).map(([mode, args]) => [
        mode,
        both([mode === 'attacks' ? 'victims' : 'attacks'], args),
      ]),
    ),
    format: ['--format', 'json'],
    customScoresSource: {
      scorers: both(
        ['scorers', '--custom-scores-source', 'ratio.mjs'],
        ['scorers', '--custom-scores-source', 'double.mjs'],
      ),
    },
  },
};

function badLog(format: string): Effect {
  const file = format === 'auto' || format === 'textattack' ? 'bad.csv' : `bad-${format}`;
  return both([format, file], [format, file, '--on-error', 'skip']);
}

/** Earlier names of options, and the names of today: both do the same. */
export const SPELLINGS: readonly (readonly [before: readonly string[], today: readonly string[]])[] = [
  [
    ['edits', 'records.jsonl', '--per-record', 'out/x.jsonl'],
    ['edits', 'records.jsonl', '--per-line', 'out/x.jsonl'],
  ],
  [
    ['compare', 'records.jsonl', 'later.jsonl', '--items', 'out/x.jsonl'],
    ['compare', 'records.jsonl', 'later.jsonl', '--per-line', 'out/x.jsonl'],
  ],
  [
    ['audit', 'records.jsonl', '--findings', 'out/x.jsonl'],
    ['audit', 'records.jsonl', '--per-line', 'out/x.jsonl'],
  ],
  [
    ['perturb', 'src.txt', '--edits', 'out/x.jsonl'],
    ['perturb', 'src.txt', '--per-line', 'out/x.jsonl'],
  ],
  [
    ['attack', ...TASK, '--dry-run', '--generate_len', '5'],
    ['attack', ...TASK, '--dry-run', '--generate-len', '5'],
  ],
];

/** Options that others make idle: the command, its arguments, a part of the message. */
export const IDLE: readonly (readonly [name: string, args: readonly string[], message: string])[] = [
  ['score', [...FILES, '--seed', '7'], '--seed does nothing here: it draws the intervals of --confidence'],
  ['score', [...FILES, '--src-lang', 'en'], '--src-lang does nothing here: the scorer chrf takes no language'],
  [
    'score',
    ['--src', 'src.txt', '--adv-src', 'adv.txt', '--tgt-lang', 'en'],
    '--tgt-lang does nothing here: that side is not measured',
  ],
  ['score', [...FILES, '--custom-scores-source', 'ratio.mjs'], '--custom-scores-source ratio.mjs does nothing here'],
  ['score', [...FILES, '--meteor-jar', 'x.jar'], '--meteor-jar does nothing here'],
  [
    'compare',
    ['records.jsonl', 'later.jsonl', '--examples', '1', '--format', 'csv'],
    '--examples does nothing here: CSV names no items',
  ],
  [
    'compare',
    ['records.jsonl', 'later.jsonl', '--success', 'tool', '--success-threshold', '0.5'],
    '--success-threshold does nothing here',
  ],
  [
    'audit',
    ['records.jsonl', '--examples', '1', '-o', 'out/x.csv'],
    '--examples does nothing here: CSV shows no examples',
  ],
  ['pdr', ['prompts.jsonl', '--long'], '--long does nothing here: one key makes one row a group anyway'],
  [
    'pdr',
    ['prompts.jsonl', '--long', '--format', 'csv'],
    '--long does nothing here: CSV and JSON have one row a group anyway',
  ],
  [
    'pdr',
    ['prompts.jsonl', '--by', 'attack,dataset', '--seed', '7'],
    '--seed does nothing here: this table shows no intervals; --long',
  ],
  [
    'pdr',
    ['prompts.jsonl', '--table', 'promptbench', '--trim', '0.2'],
    '--trim does nothing here: this table shows no trimmed mean',
  ],
  [
    'transfer',
    ['prompts.jsonl', '--confidence', '0.9'],
    '--confidence does nothing here: this table shows neither intervals',
  ],
  [
    'perturb',
    ['src.txt', '--attack', 'homoglyph', '--vocabulary', 'words.txt'],
    '--vocabulary does nothing here: it is for the attack charswap, found homoglyph',
  ],
  ['perturb', ['src.txt', '--suffix', 'so'], '--suffix does nothing here: it is for the attack append'],
  [
    'perturb',
    ['src.txt', '--replacements', 'replacements.tsv'],
    '--replacements does nothing here: it is for the attack replace',
  ],
  [
    'perturb',
    ['src.txt', '--attack', 'stresstest', '--rate', '0.1'],
    '--rate does nothing here: stresstest makes one edit a line',
  ],
  ['attack', [...INPUTS, '--base-url', 'http://localhost'], '--base-url does nothing here: the victim is lexicon'],
  [
    'attack',
    ['--dataset', 'sst2', '--transfer', 'prompts.jsonl', '--seed', '7'],
    '--seed does nothing here: it draws the examples of --shot',
  ],
  ['importance', ['a film', '--base-url', 'http://localhost'], '--base-url does nothing here: the victim is lexicon'],
];
