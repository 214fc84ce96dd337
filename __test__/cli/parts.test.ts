import { afterEach, describe, expect, it, vi } from 'vitest';
import { wantsColor } from '../../src/cli/color.js';
import { GateError } from '../../src/cli/failure.js';
import { applyGates, checkGateNames, parseGate } from '../../src/cli/gate.js';
import { describeProgress, startProgress } from '../../src/cli/progress.js';
import { terminalWidth } from '../../src/cli/terminal-width.js';
import { readNumber, readSweep } from '../../src/cli/values.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe('gates', () => {
  const numbers = new Map([
    ['success_rate', 0.4],
    ['s_src.mean', 80],
    ['pdr', null],
  ]);
  const apply = (...texts: string[]) => applyGates(texts.map(parseGate), numbers);

  it('compare a number of the results with a limit', () => {
    expect(() => apply('success_rate>0.3')).toThrow(GateError);
    expect(() => apply('success_rate > 0.4', 's_src.mean<80', 's_src.mean != 80')).not.toThrow();
    expect(() => apply(' success_rate>=.4 ')).toThrow('success_rate is 0.4');
    expect(() => apply('success_rate<=4e-1', 's_src.mean==80')).toThrow(/success_rate is 0\.4.*s_src\.mean is 80/);
  });

  it('refuse what they cannot compare', () => {
    for (const text of [
      '',
      'success_rate',
      'success_rate>',
      '>0.3',
      'success_rate=0.3',
      'a>b',
      'a>1 and b>2',
      'a>0x1',
    ]) {
      expect(() => parseGate(text)).toThrow('expected NAME');
    }
    expect(() => apply('pdr>0')).toThrow('pdr is undefined');
    expect(() => checkGateNames([parseGate('sucess_rate>0')], ['success_rate', 'n'])).toThrow(
      'Did you mean "success_rate"? It gives: success_rate, n.',
    );
  });
});

describe('values', () => {
  it('are decimal numbers within limits', () => {
    expect(['-0.5', '1e3', '.5', '+2', '5.'].map((text) => readNumber('--x', text))).toEqual([-0.5, 1000, 0.5, 2, 5]);
    for (const text of ['', ' 1', '1,5', 'NaN', 'Infinity', '0x10', '1e999', '1_000', '--1']) {
      expect(() => readNumber('--x', text)).toThrow(`--x needs a number, found "${text}".`);
    }
    expect(() => readNumber('--x', '1.5', { integer: true, minimum: 0 })).toThrow('--x needs an integer at least 0');
    expect(() => readNumber('--x', '1', { above: 0, below: 1 })).toThrow('a number above 0 and below 1');
  });

  it('of a sweep are exact decimals', () => {
    expect(readSweep('0:0.5:0.1', '--t')).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(readSweep('-1:1:0.75', '--t')).toEqual([-1, -0.25, 0.5]);
    expect(readSweep('1:1:1', '--t')).toEqual([1]);
    for (const text of ['0:1', '0:1:0', '1:0:0.1', '0:1:-1', 'a:1:1', '0:1:1:1', '0:1:0.000001']) {
      expect(() => readSweep(text, '--t')).toThrow('--t');
    }
  });
});

describe('progress', () => {
  it('says how far, how fast and how long still', () => {
    expect(describeProgress(500, 2000, 1000, { unit: 'lines' })).toBe(
      '500/2,000 lines (25 %) · 500 lines/s · 3 s left',
    );
    expect(describeProgress(1_500_000, undefined, 2000, { unit: 'lines' })).toBe('1,500,000 lines · 750,000 lines/s');
    expect(describeProgress(1, 100_000, 1000, { unit: 'queries' })).toContain('27 h 46 min left');
    expect(describeProgress(0, 10, 0, { unit: 'lines' })).toBe('0/10 lines (0 %) · 0 lines/s');
    // A total that is estimated from the size of the files is used, not shown.
    const estimated = { unit: 'lines', totalIsEstimate: true };
    expect(describeProgress(500, 2010.4, 1000, estimated)).toBe('500 lines (24 %) · 500 lines/s · 4 s left');
    expect(describeProgress(11, 10.8, 1000, estimated)).toBe('11 lines (100 %) · 11 lines/s · 0 s left');
  });

  it('is cut to the width of the terminal, where it has one', () => {
    expect([terminalWidth({ columns: 40 }, 80), terminalWidth({ columns: 0 }, 80), terminalWidth({}, 80)]).toEqual([
      40, 80, 80,
    ]);
  });

  it('shows itself on a terminal after a second, and goes away', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const written: string[] = [];
    const stream = { isTTY: true, columns: 30, write: (text: string) => written.push(text) > 0 };
    const progress = startProgress({ unit: 'lines', stream, detail: () => 'best 0.4' });
    progress.onProgress(1, 10);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1500);
    progress.onProgress(5, 10);
    progress.onProgress(6, 10);
    expect(written).toEqual([`\r\u001B[K${'5/10 lines (50 %) · 3 lines/s · 2 s'.slice(0, 29)}`]);
    progress.stop();
    progress.stop();
    expect(written.slice(1)).toEqual(['\r\u001B[K']);
  });

  it('is silent elsewhere', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const write = vi.fn<() => boolean>(() => true);
    for (const options of [
      { stream: { isTTY: false, columns: 80, write } },
      { stream: { isTTY: true, columns: 80, write }, quiet: true },
    ]) {
      const progress = startProgress({ unit: 'lines', ...options });
      vi.advanceTimersByTime(5000);
      progress.onProgress(5, 10);
      progress.stop();
    }
    expect(write).not.toHaveBeenCalled();
  });
});

describe('colours', () => {
  it('are for terminals, unless the user says no', () => {
    vi.stubEnv('NO_COLOR', '');
    vi.stubEnv('TERM', 'xterm');
    expect(wantsColor({}, { isTTY: true })).toBe(true);
    expect(wantsColor({}, {})).toBe(false);
    expect(wantsColor({ noColor: true }, { isTTY: true })).toBe(false);
    vi.stubEnv('NO_COLOR', '1');
    expect(wantsColor({}, { isTTY: true })).toBe(false);
    vi.stubEnv('NO_COLOR', '');
    vi.stubEnv('TERM', 'dumb');
    expect(wantsColor({}, { isTTY: true })).toBe(false);
  });
});
