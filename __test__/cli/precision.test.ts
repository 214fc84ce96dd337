import { describe, expect, test } from 'vitest';

import type { SummaryDocument } from '../../src/report/summary-schema.js';
import { chrf } from '../../src/metrics.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
folder.write({ hyp: 'te\n', ref: 'tea\n' });

/** Effective order by hand: P = 1, R = (2/3 + 1/2) / 2, F2 = 5·P·R / (4·P + R). */
const BY_HAND = (5 * (7 / 12)) / (4 + 7 / 12);

describe('double precision from the core to the output (B16, jvamvas/fastChrF)', () => {
  test('the library gives all digits', () => {
    expect(Math.abs(chrf('te', 'tea') - BY_HAND)).toBeLessThan(1e-15);
    expect(Math.fround(BY_HAND)).not.toBe(chrf('te', 'tea'));
  });

  test('the JSON of the command line does too', async () => {
    const { code, stdout } = await runCli(['--src', 'ref', '--adv-src', 'hyp', '--format', 'json'], {
      cwd: folder.path,
    });
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as SummaryDocument;
    // 63.636363636363626 of 100 in sacreBLEU 2.6.0; single precision would be off by 1e-8.
    expect(Math.abs((document.s_src?.mean ?? 0) - 7 / 11)).toBeLessThan(1e-14);
  });
});
