import { describe, expect, it } from 'vitest';

import { makeRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();

interface Items {
  readonly before: readonly number[];
  readonly under: readonly number[];
}

/** A record and the predictions of an attacked prompt. */
function prompt(rank: number, { before, under }: Items, more: Record<string, unknown> = {}): [string, string] {
  const mean = (scores: readonly number[]): number => scores.reduce((sum, one) => sum + one, 0) / scores.length;
  const texts = { src: `Is it good? ${rank}`, adv_src: `Is it go0d? ${rank}` };
  const record = makeRecord({
    id: `attack/${rank}`,
    unit: 'prompt',
    attack: 'swap',
    ...texts,
    original_score: mean(before) * 100,
    attacked_score: mean(under) * 100,
    scale: 100,
    extra: { kind: 'attack', rank },
    ...more,
  });
  const lines = [
    ...before.map((score, id) => ({ role: 'original', rank, prompt: texts.src, id: `${id}`, score })),
    ...under.map((score, id) => ({ role: 'attacked', rank, prompt: texts.adv_src, id: `${id}`, score })),
  ];
  return [`${JSON.stringify(record)}\n`, lines.map((line) => `${JSON.stringify(line)}\n`).join('')];
}

function writeRun(name: string, prompts: readonly (readonly [string, string])[]): void {
  folder.write({
    [`${name}/records.jsonl`]: prompts.map(([record]) => record).join(''),
    [`${name}/predictions.jsonl`]: prompts.map(([, predictions]) => predictions).join(''),
  });
}

async function cells(args: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { code, stdout, stderr } = await runCli(['pdr', ...args, '--format', 'json'], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return (JSON.parse(stdout) as { cells: Record<string, unknown>[] }).cells;
}

/** The drop rates of all nⁿ resamples of n pairs, rising; resamples whose originals sum to 0 have none. */
function allResamples({ before, under }: Items): readonly number[] {
  const n = before.length;
  const rates: number[] = [];
  for (let code = 0; code < n ** n; code += 1) {
    let [original, attacked, rest] = [0, 0, code];
    for (let draw = 0; draw < n; draw += 1) {
      original += before[rest % n] ?? 0;
      attacked += under[rest % n] ?? 0;
      rest = Math.floor(rest / n);
    }
    if (original > 0) rates.push(1 - attacked / original);
  }
  return rates.toSorted((a, b) => a - b);
}

/** Where the quantile of a thousand draws lies: the exact quantiles around it, which are often one number. */
function quantileBand(rates: readonly number[], share: number): readonly [number, number] {
  const at = (place: number): number => rates[Math.floor(place * rates.length)] ?? Number.NaN;
  return [at(share - 0.03) - 1e-12, at(share + 0.03) + 1e-12];
}

describe('the drop rate of one attacked prompt', () => {
  it.each([
    { before: [1, 1, 1, 1, 0], under: [1, 0, 0, 1, 1] },
    { before: [1, 1, 1, 1, 1, 1], under: [0, 1, 1, 1, 0, 1] },
    { before: [1, 0.5, 1, 0.25, 1], under: [0.5, 0.25, 1, 0.25, 1] },
  ])('has the interval over its items that all resamples of %j have', async (items) => {
    writeRun('one', [prompt(1, items)]);
    const rates = allResamples(items);
    const [cell] = await cells(['one', '--confidence', '0.8']);
    expect(cell).toMatchObject({ n: 1, interval_over: 'items', interval_reason: null });
    const { low, high } = (cell?.['interval'] ?? {}) as { low: number; high: number };
    for (const [end, share] of [
      [low, 0.1],
      [high, 0.9],
    ] as const) {
      const [least, most] = quantileBand(rates, share);
      expect(end).toBeGreaterThanOrEqual(least);
      expect(end).toBeLessThanOrEqual(most);
    }
    expect(cell?.['micro_interval']).toEqual(cell?.['interval']);
  });

  it('is the same for the folder and its records, and follows the seed', async () => {
    const scores = Array.from({ length: 40 }, (_, item) => ((item * 7) % 5) / 4);
    writeRun('seeds', [prompt(1, { before: scores, under: scores.map((score, item) => (score * (item % 3)) / 2) })]);
    const [ofFolder] = await cells(['seeds']);
    expect(await cells(['seeds/records.jsonl'])).toEqual([ofFolder]);
    expect(await cells(['seeds'])).toEqual([ofFolder]);
    const [other] = await cells(['seeds', '--seed', '7']);
    expect(other?.['interval']).not.toEqual(ofFolder?.['interval']);
    const { low, high } = (ofFolder?.['interval'] ?? {}) as { low: number; high: number };
    expect([low < (ofFolder?.['mean'] as number), high > (ofFolder?.['mean'] as number)]).toEqual([true, true]);
  });

  it('of several prompts in one group is over the prompts', async () => {
    const items = { before: [1, 1, 1, 0], under: [1, 0, 1, 0] };
    writeRun('two', [prompt(1, items), prompt(2, { ...items, under: [0, 0, 0, 0] })]);
    const [both] = await cells(['two']);
    expect(both).toMatchObject({
      n: 2,
      interval: { low: expect.closeTo(1 / 3, 12) as unknown, high: 1 },
      interval_over: 'attacks',
    });
    const each = await cells(['two', '--by', 'extra.rank']);
    expect(each.map(({ interval_over: over, interval_reason: reason }) => [over, reason])).toEqual([
      ['items', null],
      [null, 'all items changed alike'],
    ]);
    const text = await runCli(['pdr', 'two', '--by', 'extra.rank'], { cwd: folder.path });
    expect(text.stdout).toContain('0.0000..1.0000');
    expect(text.stderr).toContain('intervals of single prompts are over their items: two/predictions.jsonl');
    expect(text.stderr).toContain('No interval: 1 group (all items changed alike)');
  });

  it('has none, and says why, without items or with less than two', async () => {
    const one = prompt(1, { before: [1], under: [0] });
    const same = prompt(1, { before: [1, 0], under: [1, 0] }, { adv_src: 'Is it good? 1' });
    const other = prompt(1, { before: [1, 0], under: [1, 0] }, { original_score: 70 });
    const reasonOf = async (run: readonly [string, string]): Promise<unknown> => {
      writeRun('none', [run]);
      const [cell] = await cells(['none']);
      expect(cell?.['interval']).toBeNull();
      return cell?.['interval_reason'];
    };
    expect(await reasonOf(one)).toBe('one item has no spread');
    expect(await reasonOf(same)).toBe('the attack changed nothing');
    expect(await reasonOf(other)).toBe('the score of the prompt is not the mean of its items');
    expect(await reasonOf([one[0], ''])).toBe('the predictions hold no item of the prompt');
    folder.write({ 'alone.jsonl': one[0] });
    const [alone] = await cells(['alone.jsonl']);
    expect(alone).toMatchObject({
      interval: null,
      interval_over: null,
      interval_reason: 'one attack has no spread, and the scores of its items are not known',
    });
  });

  it('names file and line of a prediction that is none', async () => {
    const [record] = prompt(1, { before: [1, 0], under: [1, 0] });
    writeRun('bad', [[record, '{"role":"original","rank":1,"prompt":"x","id":"1","score":1}\n{"score":2}\n']]);
    const { code, stderr } = await runCli(['pdr', 'bad'], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining('bad/predictions.jsonl:2: expected a prediction')]);
  });
});
