import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.js';
import { createVictim } from '../../src/victim/create-victim.js';
import { hasShared, shared } from '../shared.js';

describe('the lexicon victim', () => {
  it('says negative or positive with probabilities that follow VADER', async () => {
    const victim = await createVictim('lexicon');
    const answers = await victim.answer(['The tea was great!', 'A terrible cup.', 'The cup is on the table.', '']);
    expect(answers.map(({ output }) => output)).toEqual(['positive', 'negative', 'negative', 'negative']);
    for (const { scores = {} } of answers) {
      expect((scores['negative'] ?? 0) + (scores['positive'] ?? 0)).toBeCloseTo(1, 12);
    }
    expect(answers[0]?.scores?.['positive']).toBeCloseTo((1 + 0.6588) / 2, 4);
    expect(answers[2]?.scores).toEqual({ negative: 0.5, positive: 0.5 });
  });

  it.each([
    ['lexicon', ['0', '1'], '1'],
    ['lexicon', ['1'], '1'],
    ['lexicon', ['Positive', 'Negative'], 'Positive'],
    ['lexicon', ['neg', 'pos'], 'pos'],
    ['lexicon', ['1', '-1'], '1'],
    ['lexicon', [], 'positive'],
    ['lexicon:vader', ['0', '1'], '1'],
    ['lexicon:schlecht,gut', ['0', '1'], 'gut'],
    ['lexicon: no , yes ', [], 'yes'],
  ])('answers with the labels of the name or of the data: %s %j', async (spec, labels, expected) => {
    const victim = await createVictim(spec, { labels });
    expect(await victim.answer(['great'])).toMatchObject([{ output: expected }]);
  });

  it('refuses labels that it can’t place', async () => {
    await expect(createVictim('lexicon', { labels: ['0', '1', '2'] })).rejects.toThrow(
      'name them, the negative one first',
    );
    await expect(createVictim('lexicon', { labels: ['0', 'positive'] })).rejects.toMatchObject({
      code: ERROR_CODES.INVALID_OPTION,
    });
    for (const name of ['a', 'a,b,c', 'a,a', ',b']) {
      await expect(createVictim(`lexicon:${name}`)).rejects.toThrow('expected two different labels');
    }
  });

  it('has a signature that differs with the labels', async () => {
    const one = await createVictim('lexicon:a,b');
    expect((await createVictim('lexicon:b,a')).signature).not.toBe(one.signature);
  });

  it('is not confused by names that every object has', async () => {
    const victim = await createVictim('lexicon');
    expect(await victim.answer(['constructor toString __proto__ hasOwnProperty'])).toMatchObject([
      { output: 'negative' },
    ]);
  });

  // A square of its length would take longer than a test may.
  it('takes time in proportion to a very long word', async () => {
    const victim = await createVictim('lexicon');
    const answers = await victim.answer([`${'A'.repeat(1_000_000)}a was great`]);
    expect(answers).toMatchObject([{ output: 'positive' }]);
  });

  it('stops when it is aborted', async () => {
    const victim = await createVictim('lexicon');
    const abort = new AbortController();
    const work = victim.answer(
      Array.from({ length: 100_000 }, () => 'great'),
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(new Error('enough')), 10);
    await expect(work).rejects.toThrow('enough');
  });

  it.skipIf(!hasShared)('is right on .659 of the sentiment data of the TEAPOT paper', async () => {
    const read = (name: string): string[] =>
      readFileSync(shared(`data/teapot/sentiment/${name}`), 'utf8')
        .replace(/\n$/u, '')
        .split('\n');
    const labels = read('ref.txt');
    const victim = await createVictim('lexicon', { labels });
    const answers = await victim.answer(read('src.txt'));
    const right = answers.filter(({ output }, index) => output === labels[index]).length;
    expect(right / labels.length).toBeCloseTo(0.6594, 4);
  });
});

describe('--model KIND:NAME', () => {
  it.each([
    ['lexikon', 'there is no kind of victim "lexikon". Did you mean "lexicon"?'],
    ['opnai:gpt', 'Did you mean "openai"?'],
    ['gpt-4o', 'Expected KIND:NAME with one of lexicon, openai, command, module, replay'],
    ['', 'there is no kind of victim ""'],
    ['-x', 'there is no kind of victim "-x"'],
    ['openai', 'the name is missing, expected for example openai:'],
    ['openai: ', 'the name is missing'],
    ['command:', 'the name is missing'],
    ['constructor:x', 'there is no kind of victim "constructor"'],
  ])('%s is a clear mistake', async (spec, message) => {
    const failure: unknown = await createVictim(spec, { env: {} }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'UsageError', code: ERROR_CODES.INVALID_OPTION });
    expect(String(failure)).toContain(message);
  });

  it('takes everything behind the first colon as the name', async () => {
    const victim = await createVictim('OpenAI:org/model:free', { baseUrl: 'http://h', env: {} });
    expect([victim.kind, victim.name]).toEqual(['openai', 'org/model:free']);
  });
});
