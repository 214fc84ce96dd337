import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { editKinds, listPerturbations, openPerturbation, perturbTexts } from '../../src/attack/perturb.js';
import { native } from '../../src/native.js';
import { temporaryFolder } from '../helpers/cli.js';

const TEXTS = Array.from({ length: 9000 }, (_, index) => `Line ${index} says that {it} is "good" 👍🏽 enough.`);
const ATTACK = { attacks: ['typo'], rate: 0.3, seed: 7 };

describe('perturbTexts', () => {
  it('gives variants and their edits in order', async () => {
    const { texts, edits } = await perturbTexts(['one two three', 'four'], ATTACK, { variants: 3, edits: true });
    expect(texts).toHaveLength(6);
    expect(edits).toHaveLength(6);
    for (const [index, text] of texts.entries()) {
      const original = index < 3 ? 'one two three' : 'four';
      const list = [...(edits[index] ?? [])];
      expect(native().applyEdits(original, list)).toBe(text);
      expect(native().applyEdits(text, native().invertEdits(original, list))).toBe(original);
      expect(list.every(({ kind }) => editKinds().includes(kind))).toBe(true);
    }
  });

  it('does not depend on threads or batches, and agrees with files', async () => {
    const progress: number[] = [];
    const expected = await perturbTexts(TEXTS, ATTACK, { threads: 1, onProgress: (done) => progress.push(done) });
    expect(progress).toEqual([4096, 8192, 9000]);
    expect(await perturbTexts(TEXTS, ATTACK, { threads: 4 })).toEqual(expected);
    const path = join(temporaryFolder().path, 'texts.txt');
    writeFileSync(path, `${TEXTS.join('\n')}\n`);
    const file = openPerturbation(path, ATTACK);
    let text = '';
    for await (const block of file.blocks()) text += block.text.toString('utf8');
    expect(text.split('\n').slice(0, -1)).toEqual(expected.texts);
    expect(await file.input()).toMatchObject({ name: path, lines: 9000 });
  });

  it('checks the options even without texts', async () => {
    expect(await perturbTexts([], ATTACK)).toEqual({ texts: [], counts: [], edits: [] });
    const code = 'ERR_TEAPOT_INVALID_OPTION';
    await expect(perturbTexts([], { attacks: [] })).rejects.toMatchObject({ code });
    await expect(perturbTexts([], { attacks: ['typo'], seed: 0.5 })).rejects.toMatchObject({ code });
    await expect(perturbTexts([], { attacks: ['typo'], rate: Number.NaN })).rejects.toMatchObject({ code });
    await expect(perturbTexts([], { attacks: ['typo'], minSSrc: 2 })).rejects.toMatchObject({ code });
  });

  it('stops with the reason of the signal', async () => {
    const reason = new Error('enough');
    await expect(perturbTexts(TEXTS, ATTACK, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(reason);
    await expect(perturbTexts(TEXTS, ATTACK, { signal: controller.signal, onProgress })).rejects.toBe(reason);
  });
});

describe('a file that is perturbed', () => {
  it('may be left after the first block', async () => {
    const path = join(temporaryFolder().path, 'texts.txt');
    writeFileSync(path, `${TEXTS.join('\n')}\n`);
    for await (const block of openPerturbation(path, ATTACK).blocks()) {
      expect(block.lines).toBeGreaterThan(0);
      break;
    }
  });

  it('fails at the first block when it is not there', async () => {
    const blocks = openPerturbation('/nowhere.txt', ATTACK).blocks();
    await expect(blocks.next()).rejects.toMatchObject({ code: 'ERR_TEAPOT_READ' });
  });
});

it('every attack of the list can be run', async () => {
  const original = "A good thing that I do not doubt, and won't.";
  const unchanged: string[] = [];
  for (const { name } of listPerturbations()) {
    const attack = { attacks: [name], rate: 1, replacements: 'good\tfine', suffixes: ['indeed'] };
    const { texts } = await perturbTexts([original], attack);
    if (texts[0] === original) unchanged.push(name);
  }
  expect(unchanged).toEqual([]);
});

describe('CandidateGenerator', () => {
  it('lists words and candidates with the edits made before', () => {
    const { CandidateGenerator } = native();
    const generator = new CandidateGenerator({ attacks: ['swap:positions=all'], protect: ['tea'] });
    const text = 'hot 🍵 "tea" now';
    expect(generator.words(text)).toEqual([
      { start: 0, end: 3, text: 'hot', changeable: true },
      { start: 7, end: 10, text: 'tea', changeable: false },
      { start: 12, end: 15, text: 'now', changeable: true },
    ]);
    const opened = generator.open(text, 0);
    expect(opened.changeable()).toEqual([0, 2]);
    expect(opened.propose(0)).toBe(4);
    // In the order of the texts (A8), where TextAttack tries the first of equals first.
    expect(opened.texts(0, 9)).toEqual([
      'hot 🍵 "tea" nwo',
      'hot 🍵 "tea" onw',
      'hto 🍵 "tea" now',
      'oht 🍵 "tea" now',
    ]);
    expect([0, 1, 2, 3, 4].map((candidate) => opened.wordOf(candidate))).toEqual([2, 2, 0, 0, -1]);
    const made = opened.editOf(1);
    expect(made).toEqual({ start: 12, end: 14, replacement: 'on', kind: 'swap' });
    opened.accept(1);
    expect(opened.edits()).toEqual([made]);
    expect(opened.changeable()).toEqual([0]);
    expect(opened.propose(0)).toBe(2);
    expect(opened.texts(0, 1)).toEqual(['hto 🍵 "tea" onw']);
    expect(opened.begin([])).toBe(true);
    expect(opened.propose(0, 2)).toBe(2);
    expect(opened.without([0, 2], true)).toEqual(['🍵 "tea" now', 'hot 🍵 "tea" ']);
  });

  it('names mistakes', () => {
    const { CandidateGenerator } = native();
    expect(() => new CandidateGenerator({ attacks: ['x'] })).toThrow(/attack is `x`/);
    const generator = new CandidateGenerator({ attacks: ['swap'] });
    const edits = [{ start: 0, end: 1, replacement: '', kind: 'x' }];
    expect(() => generator.open('a', 0).begin(edits)).toThrow(/kind is `x`/);
    const beyond = [{ start: 0, end: 3, replacement: '', kind: 'swap' }];
    expect(() => generator.open('a', 0).begin(beyond)).toThrow(/edits is an edit of 0\.\.3/);
  });
});

it('changed words are aligned (B53)', () => {
  expect(native().changedWords('a b c d', 'x a b c d')).toBe(1);
});
