import { describe, expect, it } from 'vitest';

import { labelsOf } from '../../src/cli/target-metric.js';
import { makeRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const LABELS = ['positive', 'negative', 'positive', 'neutral', 'negative', 'positive'];
const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const record = (id: number, metric: string | null, texts: readonly string[] = LABELS): string =>
  JSON.stringify(
    makeRecord({
      id: String(id),
      unit: 'input',
      attack: 'swap',
      src: 'the hot tea',
      adv_src: 'the hot tae',
      out: texts[id] ?? '',
      adv_out: texts[(id + 1) % texts.length] ?? '',
      ref: texts[id] ?? '',
      metric,
    }),
  );
folder.write({
  src: lines(LABELS.map(() => 'the hot tea')),
  adv: lines(LABELS.map(() => 'the hot tae')),
  out: lines(LABELS),
  advOut: lines([...LABELS.slice(1), 'neutral']),
  texts: lines(LABELS.map((label, index) => `a rather long answer, ${label} ${index}, about tea`)),
  'named.jsonl': LABELS.map((_, index) => record(index, 'zero_one:lowercase=yes')).join('\n'),
  'accuracy.jsonl': LABELS.map((_, index) => record(index, 'accuracy')).join('\n'),
  'unnamed.jsonl': LABELS.map((_, index) => record(index, null)).join('\n'),
  'mixed.jsonl': LABELS.map((_, index) => record(index, index % 2 === 0 ? 'bleu' : 'ter')).join('\n'),
});
const FILES = ['--src', 'src', '--adv-src', 'adv', '--out', 'out', '--adv-out', 'advOut', '--ref', 'out'];

async function run(...args: string[]) {
  const { stdout, stderr, code } = await runCli(['score', ...args, '--format', 'json'], { cwd: folder.path });
  const document = JSON.parse(stdout === '' ? '{}' : stdout) as {
    readonly all?: { readonly summary: unknown };
    readonly metrics?: { readonly s_tgt: { readonly signature: string } };
  };
  const summary = (document.all?.summary ?? document) as typeof document;
  return {
    code,
    stderr,
    metric: summary.metrics?.s_tgt.signature.split('|')[0],
    signature: summary.metrics?.s_tgt.signature,
  };
}

describe('the metric of the target side', () => {
  it('is chrF for files of labels, with a note that names the likely flags', async () => {
    const { metric, stderr } = await run(...FILES);
    expect(metric).toBe('chrF2');
    expect(stderr).toContain('the outputs look like labels (positive, negative, neutral)');
    expect(stderr).toContain('--s-tgt zero_one --success-threshold 1.8');
    const named = await run(...FILES, '--s-tgt', 'chrf');
    expect(named.stderr).not.toContain('labels');
  });

  it('is chosen by --s-tgt auto', async () => {
    expect(await run(...FILES, '--s-tgt', 'auto')).toMatchObject({ metric: 'exact_match', code: 0 });
    const texts = FILES.map((name) => (name === 'out' || name === 'advOut' ? 'texts' : name));
    const { metric, stderr } = await run(...texts, '--s-tgt', 'auto');
    expect({ metric, stderr }).toEqual({ metric: 'chrF2', stderr: '' });
    const piped = FILES.map((name) => (name === 'advOut' ? '-' : name));
    expect((await run(...piped, '--s-tgt', 'auto')).stderr).toContain('which a pipe does not allow');
    expect((await run(...piped)).stderr).not.toContain('labels');
  });

  it('of records is the one that they name', async () => {
    const named = await run('named.jsonl');
    expect(named.signature).toContain('exact_match|nrefs:1|case:lc');
    expect(named.stderr).toContain('the target side is scored by zero_one:lowercase=yes, as the records say');
    expect(await run('accuracy.jsonl')).toMatchObject({ metric: 'exact_match' });
    expect(await run('named.jsonl', '--s-tgt', 'bleu')).toMatchObject({ metric: 'BLEU' });
  });

  it('of records that name none, or several, is chrF, with the note on labels', async () => {
    for (const file of ['unnamed.jsonl', 'mixed.jsonl']) {
      const { metric, stderr } = await run(file);
      expect(metric).toBe('chrF2');
      expect(stderr).toContain('look like labels');
      expect(await run(file, '--s-tgt', 'auto')).toMatchObject({ metric: 'exact_match' });
    }
  });
});

describe('labels', () => {
  it('are few, short and repeated', () => {
    const often = [...LABELS, ...LABELS];
    expect(labelsOf(often)).toEqual(['positive', 'negative', 'neutral']);
    expect(labelsOf(['', ' ', ...often])).toHaveLength(3);
    // Each different one must occur three times on average.
    expect(labelsOf(LABELS)).toBeUndefined();
    expect(labelsOf(['yes', 'no', 'yes', 'no'])).toBeUndefined();
    expect(labelsOf(often.map((label) => `it is a ${label} one`))).toBeUndefined();
    expect(labelsOf(Array.from({ length: 90 }, (_, index) => String(index % 30)))).toBeUndefined();
  });
});
