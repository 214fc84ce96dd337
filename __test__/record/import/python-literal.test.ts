import { describe, expect, it } from 'vitest';

import { decodePythonBytes } from '../../../src/record/import/common/python-bytes.js';
import { parsePythonLiteral } from '../../../src/record/import/common/python-literal.js';

const raw = String.raw;

describe('decodePythonBytes', () => {
  it.each([
    // B29 (microsoftarchive/promptbench#73): homoglyphs, both kinds of quotes, escapes.
    [raw`b"R\xd0\xb0te the tea. "`, 'R\u0430te the tea. '],
    [raw`b'say "yes" or "no"'`, 'say "yes" or "no"'],
    [raw`b'back\\slash, line\nend, it\'s'`, "back\\slash, line\nend, it's"],
    [raw`b''`, ''],
    [raw`b'\a\b\f\r\t\v\"'`, '\u0007\b\f\r\t\v"'],
    [raw`b'\101\12\0'`, 'A\n\0'],
    [raw`b'\\xd0 is no escape'`, raw`\xd0 is no escape`],
    [raw`b'unknown \d stays'`, raw`unknown \d stays`],
    [raw`b'\xf0\x9f\x8d\xb5\xef\xbb\xbf'`, '🍵\u{FEFF}'],
    ["b'one \\\nline'", 'one line'],
  ])('decodes %s once', (literal, text) => {
    expect(decodePythonBytes(literal)).toEqual({ text, end: literal.length });
  });

  it('says where the literal ends', () => {
    expect(decodePythonBytes("x = b'tea', 1", 4)).toEqual({ text: 'tea', end: 10 });
  });

  it.each([
    [raw`b'tea\xff'`, /not valid UTF-8: byte \\xff at byte 3 of the literal/u],
    [raw`b'caf\xc3'`, /not valid UTF-8: byte \\xc3 at byte 3/u],
    [raw`b'\xed\xa0\x80'`, /not valid UTF-8: byte \\xed at byte 0/u],
    [raw`b'tea`, /not closed/u],
    [raw`b'\x4'`, /two hexadecimal digits/u],
    [raw`b'\777'`, /above \\377/u],
    [raw`'tea'`, /expected a Python bytes literal/u],
    [`b'caf\u00E9'`, /ASCII only/u],
  ])('refuses %s', (literal, message) => {
    expect(() => decodePythonBytes(literal)).toThrow(message);
  });
});

describe('parsePythonLiteral', () => {
  const text = (value: string) => ({ type: 'string', value });
  const number = (value: number) => ({ type: 'number', value });

  it('reads what repr writes of a dict', () => {
    expect(parsePythonLiteral(raw`{'it\'s': 0.5, "b": (1, -2e-3), 'c': [None, True]}`).value).toEqual({
      type: 'dict',
      entries: [
        [text("it's"), number(0.5)],
        [text('b'), { type: 'sequence', items: [number(1), number(-0.002)] }],
        [text('c'), { type: 'sequence', items: [{ type: 'none' }, { type: 'boolean', value: true }] }],
      ],
    });
  });

  it('keeps keys such as __proto__ and repeated keys', () => {
    expect(parsePythonLiteral(`{'__proto__': 1, '__proto__': 2}`).value).toEqual({
      type: 'dict',
      entries: [
        [text('__proto__'), number(1)],
        [text('__proto__'), number(2)],
      ],
    });
  });

  it.each([
    [raw`'\u00e9 \U0001f375 \xe9 \n'`, 'é 🍵 é \n'],
    [raw`"\ud83c\udf75 \/"`, '🍵 /'],
    [raw`b'\xc3\xa9'`, 'é'],
  ])('reads the escapes of %s', (literal, value) => {
    expect(parsePythonLiteral(literal).value).toEqual({ type: 'string', value });
  });

  it.each([
    ["'tea", /not closed/u],
    ['[1, 2', /expected "," or "\]", found the end/u],
    ['{1: 2, 3}', /expected ":" after a key/u],
    ['__import__("os")', /expected a Python literal/u],
    [raw`'\ud83c'`, /is no character/u],
    ['['.repeat(100_000), /nested deeper than 64 levels/u],
  ])('refuses %.20s', (literal, message) => {
    expect(() => parsePythonLiteral(literal)).toThrow(message);
  });
});
