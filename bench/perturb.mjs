// The rows of `npm run bench` about perturbing: candidates and whole attacks against TextAttack's own edit code, and
// `teapot perturb` itself. Rates are of processor time, so that a busy machine changes them little.
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** What TextAttack's edit code needs of its dependencies; the script stands in for the rest. */
const PACKAGES = [
  '--no-deps',
  'textattack==0.3.11',
  'numpy',
  'lru-dict',
  'editdistance',
  'tqdm',
  'terminaltables',
  'more-itertools',
  'filelock',
];

const ROWS = [
  ['perturbation candidates with constraints, DeepWordBug', 'candidates-deepwordbug', 'texts-deepwordbug', 500],
  ['perturbation candidates with constraints, Pruthi', 'candidates-pruthi', 'texts-pruthi', 500],
];

/**
 * Adds the rows. Candidates count with their texts, which TextAttack makes as well; both sides must find the same words.
 */
export async function perturbRows({ root, work, environment, measure, json, timed, run, corpus, quick }) {
  const seconds = quick ? 0.5 : 2;
  let tools;
  const prepared = () => {
    if (tools !== undefined) return tools;
    const python = environment('textattack', PACKAGES);
    run('cargo', ['build', '--quiet', '--release', '--locked', '-p', 'teapot-core', '--example', 'perturb_rate']);
    const rate = join(root, 'target', 'release', 'examples', 'perturb_rate');
    tools = { python, rate, stopWords: run(rate, ['stop-words', '-', '0', '0']).trim() };
    return tools;
  };
  for (const [name, theirTask, ourTask, goal] of ROWS) {
    measure(name, 'TextAttack', goal, () => {
      const { python, rate, stopWords } = prepared();
      const script = join(root, 'bench', 'textattack_edits.py');
      const theirs = json(python, [script, theirTask, corpus.ref, String(seconds * 4), stopWords]);
      // The same lines.
      const ours = json(rate, [ourTask, corpus.ref, String(seconds), String(theirs.lines)]);
      if (ours.words !== theirs.words) throw new Error(`${name}: ${ours.words} words here, ${theirs.words} there`);
      return { ours: ours.rate, theirs: theirs.rate, unit: 'candidates/s' };
    });
  }
  // TextAttack's own search against the whole command, files of results included, on the same sentences with the same victim.
  for (const recipe of ['deepwordbug', 'pruthi']) {
    measure(`teapot attack, module victim at no cost, ${recipe}, whole command`, 'TextAttack', 100, () => {
      const { python, stopWords } = prepared();
      const script = join(root, 'bench', 'textattack_edits.py');
      const theirs = json(python, [script, `search-${recipe}`, corpus.ref, String(seconds * 4), stopWords]);
      const lines = quick ? 1000 : 10_000;
      const file = join(work, `attack-${lines}.txt`);
      repeatLines(corpus.ref, file, lines, theirs.lines);
      const victim = join(work, 'share-of-e.mjs');
      writeFileSync(victim, SHARE_OF_E);
      const labels = join(work, `labels-${lines}.txt`);
      writeFileSync(labels, 'a\n'.repeat(lines));
      const folder = join(work, `attack-${recipe}`);
      rmSync(folder, { recursive: true, force: true });
      const cli = join(root, 'dist', 'cli', 'main.js');
      const options = ['--src', file, '--ref', labels, '--attack', recipe, '--work-dir', folder, '--quiet'];
      const ours = timed('node', [cli, 'attack', '--model', `module:${victim}`, ...options]);
      return { ours: lines / ours.seconds, theirs: theirs.rate, unit: 'searches/s' };
    });
  }
  // The goal is a rate, 3 million lines a minute on two cores: the rival is that rate.
  measure(`teapot perturb, ${cpus().length} cores`, '3 M lines/min', 1, () => {
    const lines = quick ? 300_000 : 3_000_000;
    const file = join(work, `perturb-${lines}.txt`);
    if (!existsSync(file)) repeatLines(corpus.ref, file, lines);
    const cli = join(root, 'dist', 'cli', 'main.js');
    const ours = timed('node', [cli, 'perturb', file, '-o', join(work, 'perturbed.txt'), '--quiet']);
    rmSync(join(work, 'perturbed.txt'));
    return { ours: lines / ours.seconds, theirs: 3_000_000 / 60, unit: 'lines/s' };
  });
}

/** The victim of `textattack_edits.py`: a text's score is its share of the letter e, and no text reaches the goal. */
const SHARE_OF_E = `export const isFree = true;
export const answer = (text) => ({ output: 'a', scores: { a: (text.split('e').length - 1) / ([...text].length + 1) } });
`;

/** Writes the first `first` lines of a file again and again, `lines` in all. */
function repeatLines(from, to, lines, first = Infinity) {
  const text = readFileSync(from, 'utf8').split('\n').slice(0, -1).slice(0, first);
  writeFileSync(to, '');
  for (let done = 0; done < lines; done += text.length) {
    appendFileSync(to, `${text.slice(0, lines - done).join('\n')}\n`);
  }
}
