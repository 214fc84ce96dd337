import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, TeapotError } from '../../src/errors.js';
import { MeteorScorer } from '../../src/score/meteor.js';
import { readSegmentLine } from '../../src/score/meteor-output.js';
import { createScorer } from '../../src/score/registry.js';
import { hasShared, sharedJson } from '../shared.js';
import { isRunning, until, useTempFolder } from './temp-folder.js';

const folder = useTempFolder();

/** A stand-in for `java -jar`: a program that is given JAR HYP REF -norm -l LANG, with `count` segments to score. */
function fakeJava(body: string): string {
  const path = folder.write(
    'java.mjs',
    `
import { readFileSync, writeFileSync } from 'node:fs';
const args = process.argv.slice(2);
const [jar, hyp, ref] = args;
const lines = (file) => readFileSync(file, 'utf8').split('\\n').slice(0, -1);
const count = lines(hyp).length;
const say = (number, score) => console.log('Segment ' + number + ' score:\\t' + score);
console.log('Meteor version: 1.5\\n\\nLanguage:       English\\n');
${body}
`,
  );
  return `"${process.execPath}" "${path}"`;
}

function scorer(body: string, options = {}): MeteorScorer {
  const jar = folder.write('meteor-1.5.jar', '');
  return new MeteorScorer({ jar, language: 'en', javaCommand: fakeJava(body), ...options });
}

/** Names of METEOR's temporary folders. */
function leftOver(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('teapot-meteor-'));
}

// Only this file makes such folders, and each vitest file runs in a process of its own with this TMPDIR.
const TMPDIR = process.env['TMPDIR'];
beforeAll(() => {
  process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'teapot-tmp-'));
});
afterAll(() => {
  rmSync(tmpdir(), { recursive: true, force: true });
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
});

async function failure(body: string, options = {}): Promise<TeapotError> {
  const error: unknown = await scorer(body, options)
    .score(['a', 'b', 'c'], ['a', 'b', 'c'])
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TeapotError);
  expect(leftOver()).toEqual([]);
  return error as TeapotError;
}

describe('the jar is run as teapot-nlp runs it', () => {
  it('with two files and -norm -l LANG; nothing is left over', async () => {
    const log = folder.path('log.json');
    const meteor = scorer(`
      writeFileSync(${JSON.stringify(log)}, JSON.stringify({ args: args.slice(3), hyps: lines(hyp), refs: lines(ref), locale: process.env.LC_ALL }));
      for (let n = 1; n <= count; n++) say(n, n / 10);
      console.log('\\nSystem level statistics:\\n\\n           Test Matches');
    `);
    const told: unknown[] = [];
    const scores = await meteor.score(['a\rb', 'c\nd', ' '], ['x', '', 'é🍵'], {
      onProgress: (done, total) => told.push([done, total]),
    });
    expect([...scores]).toEqual([0.1, 0.2, 0.3]);
    expect(JSON.parse(readFileSync(log, 'utf8'))).toEqual({
      args: ['-norm', '-l', 'en'],
      hyps: ['a b', 'c d', ' '],
      refs: ['x', '', 'é🍵'],
      locale: 'C.UTF-8',
    });
    expect(told.at(-1)).toEqual([3, 3]);
    expect(leftOver()).toEqual([]);
  });

  it('with several references: -r N, shorter lists repeat their last one', async () => {
    const log = folder.path('log.json');
    const meteor = scorer(`
      writeFileSync(${JSON.stringify(log)}, JSON.stringify({ args: args.slice(3), refs: lines(ref) }));
      for (let n = 1; n <= count; n++) say(n, 1);
    `);
    await meteor.score(['a', 'b'], [['x', 'y'], 'z']);
    expect(JSON.parse(readFileSync(log, 'utf8'))).toEqual({
      args: ['-norm', '-l', 'en', '-r', '2'],
      refs: ['x', 'y', 'z', 'z'],
    });
  });

  it('once for a corpus that comes in batches', async () => {
    const meteor = scorer(`for (let n = 1; n <= count; n++) say(n, (n % 10) / 10);`);
    const batches = (async function* () {
      for (let batch = 0; batch < 10; batch += 1) {
        const texts = Array.from({ length: 1000 }, () => 'x');
        yield await Promise.resolve({ hypotheses: texts, references: texts });
      }
    })();
    const scores = await meteor.scoreBatches(batches);
    expect(scores).toHaveLength(10_000);
    expect(scores[9998]).toBe(0.9);
    expect(leftOver()).toEqual([]);
  });

  it('not at all for no pairs', async () => {
    expect(await scorer('process.exit(1);').score([], [])).toHaveLength(0);
  });

  it('with exponents read as Java prints them', async () => {
    const meteor = scorer(`say(1, '9.1E-4'); say(2, '1.0'); say(3, '1.234E-10');`);
    expect([...(await meteor.score(['a', 'b', 'c'], ['a', 'b', 'c']))]).toEqual([9.1e-4, 1, 1.234e-10]);
  });
});

describe('METEOR that fails', () => {
  it.each([
    ['NaN', `say(1, 1); say(2, 'NaN'); say(3, 1);`, 'gave no score to segment 2: found "NaN"'],
    ['a score over 1', `say(1, 1); say(2, 1.5); say(3, 1);`, 'gave no score to segment 2: found 1.5'],
    ['a decimal comma', `say(1, '0,5');`, 'found "0,5"'],
    ['too few segments', `say(1, 1); say(2, 1);`, 'scored 2 of 3 segments'],
    ['too many segments', `for (let n = 1; n < 5; n++) say(n, 1);`, 'printed the score of segment 4, expected the end'],
    ['a gap', `say(1, 1); say(3, 1);`, 'printed the score of segment 3, expected segment 2'],
    ['a line cut in half', `say(1, 1); console.log('Segment 2 sco');`, 'printed "Segment 2 sco"'],
    ['no output', ``, 'scored 0 of 3 segments'],
    ['an exit code', `for (let n = 1; n < 4; n++) say(n, 1); process.exitCode = 1;`, 'failed (exit code 1)'],
  ])('%s', async (_, body, message) => {
    const error = await failure(body);
    expect(error.code).toBe(ERROR_CODES.SCORER);
    expect(error.message).toContain('METEOR');
    expect(error.message).toContain(message);
  });

  it('is quoted with its last words on stderr', async () => {
    const error = await failure(`console.error('Error: could not load data/paraphrase-xx.gz'); process.exit(1);`);
    expect(error.message).toBe(
      'METEOR failed (exit code 1). Its last words:\nError: could not load data/paraphrase-xx.gz',
    );
  });

  it('is killed when it is silent for too long', async () => {
    const error = await failure(`say(1, 1); setInterval(() => {}, 1000);`, { silenceMs: 400 });
    expect(error.message).toMatch(/was silent for 0.4 s after [01] segments/);
  });

  it('is killed when the signal aborts, and nothing is left over', async () => {
    const controller = new AbortController();
    const pidFile = folder.path('pid');
    const running = scorer(
      `writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`,
    ).score(['a'], ['a'], { signal: controller.signal });
    const reason = new Error('enough');
    const outcome = running.catch((error: unknown) => error);
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await until(() => !isRunning(Number(readFileSync(pidFile, 'utf8'))));
    expect(leftOver()).toEqual([]);
  });

  it('B74 (promptfoo#8681, evaluate PR#247): a missing jar names METEOR and the option to set', async () => {
    await expect(createScorer('meteor', { language: 'en' })).rejects.toThrow(
      /METEOR needs its jar: the option `meteorJar`/,
    );
    const flags = { 'meteor-jar': folder.path('none.jar') };
    await expect(createScorer('meteor', { language: 'en', flags })).rejects.toMatchObject({
      name: 'UsageError',
      message: `METEOR: there is no jar at ${folder.path('none.jar')}; the option \`meteorJar\` must name meteor-1.5.jar`,
    });
  });

  it('says which language option is missing', async () => {
    const flags = { 'meteor-jar': folder.write('meteor-1.5.jar', '') };
    await expect(createScorer('meteor', { flags, side: 'source' })).rejects.toThrow('the option `srcLang`');
    await expect(createScorer('meteor', { flags, side: 'target' })).rejects.toThrow('the option `tgtLang`');
  });

  it('says that Java is missing', async () => {
    const jar = folder.write('meteor-1.5.jar', '');
    const meteor = new MeteorScorer({ jar, language: 'en', javaCommand: 'no-java-of-teapot -jar' });
    await expect(meteor.score(['a'], ['a'])).rejects.toThrow(
      /METEOR needs Java: .*no-java-of-teapot.*the option `javaCommand`/,
    );
    expect(leftOver()).toEqual([]);
  });

  it('refuses a command whose quote is open', () => {
    expect(() => new MeteorScorer({ jar: 'x', language: 'en', javaCommand: 'java "-jar' })).toThrow(
      'the option `javaCommand`',
    );
  });
});

describe('lines of its output', () => {
  it.each([
    ['Meteor version: 1.5', undefined],
    ['', undefined],
    ['Final score:            0.33507054822644167', undefined],
    ['Segment 3 score:\t0.25', 0.25],
    ['Segment 3 score:\t0.25\r', 0.25],
    ['Segment 3 score:\t1.0000000000000002', 1],
    ['Segment 3 score:\t', 'gave no score to segment 3: found "", expected a number from 0 to 1'],
    ['Segment three score:\t0.25', 'printed "Segment three score:\\t0.25"'],
  ])('%j', (line, expected) => {
    expect(readSegmentLine(line, 2, 5)).toBe(expected);
  });
});

const JAR = resolve(import.meta.dirname, '../../.teapot-resources/meteor/meteor-1.5.jar');
if (!existsSync(JAR)) {
  if (process.env['CI'] === 'true') throw new Error(`${JAR} is missing: run node scripts/fetch-meteor.mjs`);
  process.stderr.write('METEOR itself is not tested: run node scripts/fetch-meteor.mjs\n');
}

interface Golden {
  readonly rows: readonly { readonly id: string; hyp: string; ref: string; readonly values: { meteor: number } }[];
}

describe.skipIf(!existsSync(JAR))('the real jar', { timeout: 120_000 }, () => {
  it.skipIf(!hasShared)('holds every golden row', async () => {
    const { rows } = sharedJson<Golden>('golden/meteor.json');
    const meteor = await createScorer('meteor', { flags: { 'meteor-jar': JAR }, language: 'en' });
    const scores = await meteor.score(
      rows.map((row) => row.hyp),
      rows.map((row) => row.ref),
    );
    const wrong = rows.filter((row, index) => Math.abs((scores[index] ?? -1) - row.values.meteor) > 1e-12);
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(90);
    expect(meteor.signature).toMatch(/^METEOR\|nrefs:1\|lang:en\|norm:yes\|meteor:1\.5\|version:/);
  });

  it('takes texts with line ends, other planes and blanks, and several references', async () => {
    const meteor = new MeteorScorer({ jar: JAR, language: 'en' });
    const hyps = ['green\rtea', 'green\ntea', '  ', 'tea 🍵', 'green tea', '\uFEFFgreen tea', 'a\u2028b', 'a\u0085b'];
    const refs = ['green tea', 'green tea', 'tea', 'tea 🍵', ['black coffee', 'green tea'], 'green tea', 'a b', 'a b'];
    const scores = await meteor.score(hyps, refs);
    expect(Array.from(scores.slice(0, 5))).toEqual([1, 1, 0, 1, 1]);
    expect(scores).toHaveLength(8);
  });

  it('says in its own words that the paraphrase table of a language is missing', async () => {
    const meteor = new MeteorScorer({ jar: JAR, language: 'fr' });
    await expect(meteor.score(['thé'], ['thé'])).rejects.toThrow(/METEOR failed \(exit code 1\)[^]*paraphrase-fr\.gz/);
  });

  it('is refused when it is no jar', async () => {
    const meteor = new MeteorScorer({ jar: folder.write('not.jar', 'tea'), language: 'en' });
    await expect(meteor.score(['tea'], ['tea'])).rejects.toThrow(/METEOR failed \(exit code 1\)[^]*jarfile/);
  });
});
