import { describe, expect, test } from 'vitest';

import { nativeSources } from '../../src/attack/candidate-source.js';
import { autocorrect, correctedVictim } from '../../src/victim/autocorrect.js';

const one = async (text: string, words?: readonly string[]): Promise<string> =>
  (await autocorrect(words).correct([text]))[0] ?? '';

describe('without a vocabulary', () => {
  test.each([
    ['invisible characters go', 'a fi\u200Blm\u00AD', 'a film'],
    ['a character before a backspace goes with it', 'fix\u0008lm', 'film'],
    ['look-alikes of letters become them', 'h\u0435ll\u043E \uFF46ilm', 'hello film'],
    [
      'words of another script stay',
      '\u0441\u043B\u043E\u0432\u043E \u00E9t\u00E9 \u4F60\u597D',
      '\u0441\u043B\u043E\u0432\u043E \u00E9t\u00E9 \u4F60\u597D',
    ],
    ['an emoji stays whole', 'ok \u{1F469}\u{1F3FD} \u2764\uFE0F', 'ok \u{1F469}\u{1F3FD} \u2764\uFE0F'],
    ['plain texts stay', "I'm 10 l0st_words, OK?", "I'm 10 l0st_words, OK?"],
    ['nothing', '', ''],
  ])('%s', async (_, text, corrected) => {
    expect(await one(text)).toBe(corrected);
  });

  test("every invisible character, and every look-alike of letters in TextAttack's table, is undone", async () => {
    const text = 'the quick brown fox jumps over lazy dogs';
    const all = (name: string): readonly string[] => {
      const source = nativeSources({ transformations: [name] }, 1, {})(text, 0);
      return source.texts(0, source.propose(0));
    };
    const undone = async (texts: readonly string[]): Promise<number> =>
      (await autocorrect().correct(texts)).filter((corrected) => corrected === text).length;
    const invisible = all('invisible:positions=all');
    expect(await undone(invisible)).toBe(invisible.length);
    const homoglyphs = all('homoglyph:positions=all');
    expect(homoglyphs.length).toBe(33);
    expect(await undone(homoglyphs)).toBe(33);
  });
});

describe('with a vocabulary', () => {
  const WORDS = ['the', 'film', 'fill', 'is', 'boring', 'a'];

  test.each([
    ['a substitution', 'The fiLm is bor1ng bosing', 'The fiLm is bor1ng boring'],
    ['a deletion', 'the flm', 'the film'],
    ['an insertion', 'the fiilm', 'the film'],
    ['a swap', 'the flim', 'the film'],
    ['the first word of several', 'filw fild', 'film film'],
    ['case is kept', 'Flim FLIM', 'Film FILM'],
    ['two edits away stays', 'thf fxxlm bring', 'the fxxlm boring'],
    ['a word that is known stays', 'fill', 'fill'],
    ['positions of code points', '\u{1F600} flim \u{1F600}', '\u{1F600} film \u{1F600}'],
  ])('%s', async (_, text, corrected) => {
    expect(await one(text, WORDS)).toBe(corrected);
  });
});

test('a corrected victim is asked about corrected texts, under a signature of its own', async () => {
  const asked: string[] = [];
  const victim = {
    kind: 'test',
    name: 'v',
    signature: 'v',
    answer: async (texts: readonly string[]) => {
      asked.push(...texts);
      return texts.map((output) => ({ output }));
    },
  };
  const defended = correctedVictim(victim, autocorrect(['film']));
  expect(await defended.answer(['flim', 'f\u0456lm'])).toEqual([{ output: 'film' }, { output: 'film' }]);
  expect(asked).toEqual(['film', 'film']);
  expect(defended.signature).not.toBe(victim.signature);
});
