import { expect, test } from 'vitest';

import { escapeHtml, markup } from '../../src/report/html/markup.js';
import { shortLabel, visiblePieces } from '../../src/report/html/visible-text.js';

test('hidden characters are pieces of their own, named by code point', () => {
  expect(visiblePieces('a\u200Bb\u202E')).toEqual([
    { text: 'a' },
    { text: 'U+200B', name: 'zero width space' },
    { text: 'b' },
    { text: 'U+202E', name: 'right-to-left override' },
  ]);
  expect(visiblePieces('\u001B[31m')).toEqual([{ text: 'U+001B', name: 'escape' }, { text: '[31m' }]);
  expect(visiblePieces('\uD800x')).toEqual([{ text: 'U+D800', name: 'hidden character' }, { text: 'x' }]);
});

test('line ends, letters of any script and joined pictures stay as they are', () => {
  for (const text of ['one\ntwo', 'Ünïcode', 'мир', '平和', 'سلام', '👩‍👩‍👧‍👦', '❤️']) {
    expect(visiblePieces(text)).toEqual([{ text }]);
  }
  expect(visiblePieces('')).toEqual([]);
});

test('a joiner between letters is no part of a picture', () => {
  expect(visiblePieces('a\u200Db').map(({ text }) => text)).toEqual(['a', 'U+200D', 'b']);
});

test('labels are short, on one line and show hidden characters', () => {
  expect(shortLabel('textfooler', 12)).toBe('textfooler');
  expect(shortLabel('a\n b', 12)).toBe('a b');
  expect(shortLabel('abcdefgh', 5)).toBe('abcd…');
  expect(shortLabel('x\u202Ey', 20)).toBe('x<U+202E>y');
  expect([...shortLabel('𝒜'.repeat(100_000), 10)]).toHaveLength(10);
});

test('templates escape what is inserted and nothing else', () => {
  const evil = `"><script>alert('x')</script>&`;
  expect(markup`<p title="${evil}">${[evil, 1, null, markup`<b>${evil}</b>`]}</p>`.source).toBe(
    `<p title="${escapeHtml(evil)}">${escapeHtml(evil)}1<b>${escapeHtml(evil)}</b></p>`,
  );
  expect(escapeHtml(`<>&"'\0`)).toBe('&lt;&gt;&amp;&quot;&#39;\uFFFD');
});
