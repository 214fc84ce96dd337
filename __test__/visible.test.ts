import { describe, expect, it } from 'vitest';

import { spelledOut, visible, visibleMessage } from '../src/visible.js';

describe('visible', () => {
  it('F56: control characters, links of a terminal and reordering are written out, line feeds and tabs stay', () => {
    expect(visible('a\u001b[31mb\u0007\u009b\r\n\tc\u007f')).toBe('a\\x1b[31mb\\x07\\x9b\\r\n\tc\\x7f');
    expect(visible('\u001b]8;;http://a\u001b\\b')).toBe('\\x1b]8;;http://a\\x1b\\b');
    expect(visible('\u202e\u2066\u200f\u2028')).toBe('<U+202E><U+2066><U+200F><U+2028>');
    expect(visible('é 茶 \u200d\u00ad')).toBe('é 茶 \u200d\u00ad');
  });

  it("F56: only teapot's own styles pass, and only where they are asked for", () => {
    const styled = '\u001b[1mbold\u001b[22m \u001b[31mred\u001b[39m';
    expect(visible(styled, { styles: true })).toBe(styled);
    expect(visible(styled)).not.toContain('\u001b');
    expect(visible('\u001b[8mhidden\u001b[2J', { styles: true })).toBe('\\x1b[8mhidden\\x1b[2J');
  });

  it('spells out invisible characters and line ends on one line', () => {
    expect(spelledOut('a\u200bb\n\r\u00ad')).toBe('a<U+200B>b\\n\\r<U+00AD>');
  });

  it('F59: a long line of a message is cut in the middle, which says its length; its end stays', () => {
    const message = visibleMessage(`teapot: error: ${'x'.repeat(1_000_000)}: is no column [CODE]\nshort`);
    const [long = '', short] = message.split('\n');
    expect(long.length).toBeLessThan(1100);
    expect(long).toContain('[cut: 1,000,036 characters in all]');
    expect(long.endsWith(': is no column [CODE]')).toBe(true);
    expect(short).toBe('short');
  });

  it('F59: a pair of surrogates is not cut', () => {
    for (const shift of ['', 'x']) expect(visibleMessage(shift + '🫖'.repeat(2000)).isWellFormed()).toBe(true);
  });
});
