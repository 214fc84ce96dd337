import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.js';
import { cachedVictim, newCounters } from '../../src/victim/cached-victim.js';
import { createVictim } from '../../src/victim/create-victim.js';
import { recordAnswers } from '../../src/victim/record-answers.js';
import { memoryStore } from '../../src/victim/response-cache.js';
import type { Victim } from '../../src/victim/victim.js';
import { useTempFolder } from '../score/temp-folder.js';
import { CountingVictim } from './counting-victim.js';

const folder = useTempFolder();
let modules = 0;

/** A module is loaded once a path, so each gets its own. */
async function moduleVictim(text: string): Promise<Victim> {
  modules += 1;
  return createVictim(`module:${folder.write(`victim-${modules}.mjs`, text)}`);
}

describe('a module as victim', () => {
  it.each([
    ['a function by name', `export function answer(input) { return input + '!'; }`],
    ['an async function', `export async function answer(input) { return { output: input + '!' }; }`],
    ['a default function', `export default (input) => input + '!';`],
    ['a batch', `export const answerBatch = (inputs) => inputs.map((input) => input + '!');`],
    ['a default object', `export default { answerBatch: async (inputs) => inputs.map((input) => input + '!') };`],
    ['a class', `class V { mark = '!'; answer(input) { return input + this.mark; } } export default new V();`],
  ])('answers by %s', async (_name, text) => {
    const victim = await moduleVictim(text);
    const order: number[] = [];
    const answers = await victim.answer(['a', 'b'], { onAnswer: (index) => order.push(index) });
    expect(answers).toEqual([{ output: 'a!' }, { output: 'b!' }]);
    expect(order).toEqual([0, 1]);
    await victim.close?.();
  });

  it('gets batches of its size, the repeat, and may name itself', async () => {
    const victim = await moduleVictim(`
      export const name = 'mine';
      export const batchSize = 2;
      export const answerBatch = (inputs, { repeat }) => inputs.map(() => inputs.length + ' ' + repeat);`);
    expect(victim.name).toBe('mine');
    const answers = await victim.answer(['a', 'b', 'c'], { repeat: 4 });
    expect(answers.map(({ output }) => output)).toEqual(['2 4', '2 4', '1 4']);
  });

  it('has a signature of its text and of what it says itself', async () => {
    const texts = ['', `export const signature = 'v1';`, `export const signature = 'v2';`];
    const victims = await Promise.all(
      texts.map((text) => moduleVictim(`export const answer = (input) => input; ${text}`)),
    );
    expect(new Set(victims.map(({ signature }) => signature)).size).toBe(3);
  });

  it.each([
    ['throws', `export function answer() { throw new Error('no weights'); }`, 'answer failed at "tea": no weights'],
    ['answers nothing', `export function answer() {}`, 'answered nothing (undefined)'],
    ['answers NaN', `export const answer = () => Number.NaN;`, 'answered number NaN'],
    ['gives too few', `export const answerBatch = () => [];`, 'answerBatch returned 0 answers to 1 inputs'],
    ['gives no array', `export const answerBatch = () => 'ab';`, 'answerBatch returned the text "ab"'],
    ['reports an error', `export const answer = () => ({ error: 'filtered' });`, 'reported an error: "filtered"'],
  ])('is a clear error when it %s', async (_name, text, message) => {
    const victim = await moduleVictim(text);
    await expect(victim.answer(['tea'])).rejects.toMatchObject({
      code: ERROR_CODES.ENDPOINT,
      message: expect.stringContaining(message) as string,
    });
  });

  it.each([
    ['nothing to ask', `export const score = 1;`, 'exports no victim'],
    ['no function', `export const answer = 1;`, 'answer is number 1, expected a function'],
    ['a bad batch size', `export const answerBatch = () => []; export const batchSize = 0;`, 'batchSize is number 0'],
    ['a syntax error', `export const = ;`, `can't be loaded as a module`],
  ])('is the user’s mistake when it holds %s', async (_name, text, message) => {
    await expect(moduleVictim(text)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message) as string,
    });
  });

  it('that never answers is left by an abort', async () => {
    const victim = await moduleVictim(`export const answer = () => new Promise(() => {});`);
    await expect(victim.answer(['a'], { signal: AbortSignal.timeout(30) })).rejects.toThrow(/timeout/u);
  });
});

describe('recorded answers', () => {
  it('are written once a question and replayed, repeats apart', async () => {
    const path = folder.path('answers.jsonl');
    const recording = await recordAnswers(cachedVictim(new CountingVictim(), memoryStore(), newCounters()), path);
    await recording.victim.answer(['b', 'a', 'b']);
    await recording.victim.answer(['a', 'ü\n\ud800'], { repeat: 1 });
    await recording.victim.answer(['a']);
    expect(existsSync(path)).toBe(false);
    expect(await recording.commit()).toBe(4);
    await recording.discard();
    expect(readFileSync(path, 'utf8').split('\n')[0]).toBe(
      '{"input":"b","output":"call 1","usage":{"promptTokens":2,"completionTokens":1},"model":"counting"}',
    );
    const victim = await createVictim(`replay:${path}`);
    const outputs = async (inputs: string[], repeat = 0): Promise<string[]> =>
      (await victim.answer(inputs, { repeat })).map(({ output }) => output);
    expect(await outputs(['a', 'b', 'a'])).toEqual(['call 2', 'call 1', 'call 2']);
    expect(await outputs(['a', 'ü\n\ud800'], 1)).toEqual(['call 3', 'call 4']);
  });

  it('leave no file when they are given up', async () => {
    const path = folder.path('answers.jsonl');
    const recording = await recordAnswers(new CountingVictim(), path);
    await recording.victim.answer(['a']);
    await recording.discard();
    expect(existsSync(path)).toBe(false);
  });

  it('say which answer is missing, from which file, and how to record it', async () => {
    const path = folder.write('answers.jsonl', '{"input": "a", "output": "x"}\n\n{"input": "a", "output": "x"}\n');
    const victim = await createVictim(`replay:${path}`);
    const kept: number[] = [];
    await expect(victim.answer(['a', 'tea'], { onAnswer: (index) => kept.push(index) })).rejects.toMatchObject({
      code: ERROR_CODES.ENDPOINT,
      message: `${path} holds no answer to "tea": add a line {"input": "…", "output": "…"} with it, or record the whole run anew`,
    });
    expect(kept).toEqual([0]);
    await expect(victim.answer(['a'], { repeat: 1 })).rejects.toThrow('no answer to "a", repeat 1');
  });

  it.each([
    ['no JSON', 'a,b\n', ':1: found "a,b"'],
    ['no input', '{"output": "x"}\n', ':1: "input" is missing'],
    ['no output', '{"input": "a"}\n', ':1: the recorded model answered an object whose "output"'],
    ['a bad repeat', '{"input": "a", "output": "x", "repeat": -1}\n', ':1: "repeat" is -1'],
    [
      'two answers',
      '{"input": "a", "output": "x"}\n{"input": "a", "output": "y"}\n',
      ':2: another answer to the same input stands in line 1',
    ],
    ['nothing', '\n', 'holds no answer'],
  ])('are the user’s mistake when the file holds %s', async (_name, text, message) => {
    const path = folder.write('answers.jsonl', text);
    await expect(createVictim(`replay:${path}`)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`${path}`) as string,
    });
    await expect(createVictim(`replay:${path}`)).rejects.toThrow(message);
  });

  it('are the user’s mistake when there is no file', async () => {
    await expect(createVictim(`replay:${folder.path('none.jsonl')}`)).rejects.toMatchObject({ code: ERROR_CODES.READ });
  });

  it('have a signature of what they hold, not of where', async () => {
    const line = '{"input": "a", "output": "x"}\n';
    const one = await createVictim(`replay:${folder.write('one.jsonl', line)}`);
    const same = await createVictim(`replay:${folder.write('same.jsonl', line)}`);
    const other = await createVictim(`replay:${folder.write('other.jsonl', line.replace('x', 'y'))}`);
    expect(same.signature).toBe(one.signature);
    expect(other.signature).not.toBe(one.signature);
  });
});
