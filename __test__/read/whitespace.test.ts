import { describe, expect, it } from 'vitest';
import { callNative } from '../../src/native.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { firstOption } from '../../src/task/first-option.js';
import { isBlank, strip, stripBlanks, stripEnd, stripEndOf } from '../../src/read/whitespace.js';

describe('whitespace', () => {
  it('is the set of the native core, for every character of the basic plane', () => {
    const stripsTo = (text: string, rest: string): boolean =>
      callNative((binding) => binding.scoreSentence({ kind: 'exact_match', strip: true }, text, [rest])) === 1;
    const wrong: string[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCharCode(code);
      const isSpace = stripsTo(`a${character}`, 'a');
      if ((stripEnd(`a${character}`) === 'a') !== isSpace || isBlank(character) !== isSpace)
        wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it('is stripped from the end alone', () => {
    expect(stripEnd(' a b \u3000\u00A0\u001C\r')).toBe(' a b');
    expect(stripEnd('')).toBe('');
    expect(stripEnd('\uFEFF \u200B')).toBe('\uFEFF \u200B');
    expect(isBlank('')).toBe(true);
    expect(isBlank('\u200B')).toBe(false);
  });
});

describe('F30: whitespace inside a text', () => {
  it.each([
    ['strip', strip],
    ['stripEnd', stripEnd],
    ['stripBlanks', stripBlanks],
    ['stripEndOf', (text: string) => stripEndOf(text, ' \t')],
  ])('costs %s no look at it', (_, cut) => {
    let looks = 0;
    const text = `a${' '.repeat(1000)}\u00e9`;
    const counted = {
      length: text.length,
      slice: (start: number, end: number) => text.slice(start, end),
      charCodeAt: (index: number) => {
        looks += 1;
        return text.charCodeAt(index);
      },
    };
    expect(cut(counted as unknown as string)).toBe(text);
    expect(looks).toBeLessThanOrEqual(2);
  });

  it('ends are cut as before', () => {
    expect(strip('\u3000\t a b \u2029\n')).toBe('a b');
    expect(stripEnd(' a\u0085\u001c')).toBe(' a');
    expect([strip(' \n'), stripEnd(''), stripBlanks(' \ta\n '), stripEndOf(' a \t', ' \t')]).toEqual([
      '',
      '',
      'a\n',
      ' a',
    ]);
  });

  it('an answer with spaces is read, and one without an option has none', () => {
    expect(firstOption('The answer is :   (B)', ['A', 'B'])).toBe('B');
    expect(firstOption('answer:  : option A', ['A', 'B'])).toBe('A');
    expect(firstOption('answer:   q', ['A', 'B'])).toBeNull();
  });

  /** Patterns that begin anywhere and want a run at the end of the text are tried at each character of each run. */
  it('no pattern of the sources looks for a run at the end of a text', () => {
    const root = join(import.meta.dirname, '../../src');
    const found = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .flatMap((entry) => {
        const path = join(entry.parentPath, entry.name);
        const code = readFileSync(path, 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gmu, '');
        return [...code.matchAll(/\/(?:[^/^\n][^/\n]*\|)?(?:\[[^\]\n^][^\]\n]*\]|\\s| )[+*]\$\/[a-z]*/gu)].map(
          ([pattern]) => `${entry.name}: ${pattern}`,
        );
      });
    expect(found).toEqual([]);
  });
});
