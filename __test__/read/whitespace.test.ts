import { describe, expect, it } from 'vitest';
import { callNative } from '../../src/native.js';
import { isBlank, stripEnd } from '../../src/read/whitespace.js';

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
