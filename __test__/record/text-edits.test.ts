import { describe, expect, it } from 'vitest';

import { codePoints, EDIT_KINDS, findEdits, foldTexts } from '../../src/record/text-edits.js';

describe('findEdits', () => {
  it('finds kinds, places and distances', async () => {
    const [report] = await findEdits(['Rate the tea 🍵.'], ['R\u0430te hte tea 🍵 now.']);
    expect(report).toEqual({
      edits: [
        { kind: 'homoglyph', originalPosition: 1, editedPosition: 1, original: 'a', edited: '\u0430' },
        { kind: 'swap', originalPosition: 5, editedPosition: 5, original: 'th', edited: 'ht' },
        { kind: 'appended', originalPosition: 14, editedPosition: 14, original: '', edited: ' now' },
      ],
      charDistance: 7,
      wordDistance: 4,
      words: 4,
      chars: 15,
    });
  });

  it('keeps the order over portions and reports progress', async () => {
    const originals = Array.from({ length: 3000 }, (_, index) => `text ${index}`);
    const edited = originals.map((text, index) => (index % 2 === 0 ? text : `${text}!`));
    const done: number[] = [];
    const reports = await findEdits(originals, edited, { onProgress: (count) => done.push(count) });
    expect(reports.map(({ edits }) => edits.length)).toEqual(originals.map((_, index) => index % 2));
    expect(done).toEqual([1024, 2048, 3000]);
  });

  it('has nothing to say about nothing', async () => {
    expect(await findEdits([], [])).toEqual([]);
  });

  it('refuses lists of different lengths', async () => {
    await expect(findEdits(['a'], [])).rejects.toMatchObject({ code: 'ERR_TEAPOT_LENGTH_MISMATCH' });
  });

  it('stops when it is told to', async () => {
    await expect(findEdits(['a'], ['b'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('knows thirteen kinds', () => {
    expect(EDIT_KINDS).toHaveLength(13);
  });
});

describe('foldTexts', () => {
  it('makes look-alikes, case and spaces the same', async () => {
    const texts = ['Hello  tea', 'H\u0435llo\u200b tea', 'HELLO TEA'];
    expect(new Set(await foldTexts(texts, { confusables: true, case: true, whitespace: true })).size).toBe(1);
    expect(await foldTexts(texts, {})).toEqual(texts);
  });
});

describe('codePoints', () => {
  it('names characters', () => {
    expect(codePoints('\u0430🍵')).toBe('U+0430 U+1F375');
  });
});
