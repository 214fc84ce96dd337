import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { ExecScorer } from '../../src/score/exec-scorer.js';
import { splitBatchedCommand } from '../../src/score/command-words.js';
import { createVictim } from '../../src/victim/create-victim.js';

/* The Python programs of examples/scorers and examples/victims. The packages that they need are played by small ones of the
same names; scikit-learn and the ONNX encoder are run themselves where they are installed. */

const EXAMPLES = resolve(import.meta.dirname, '../../examples');
const MODELS =
  process.env['TEAPOT_TEST_MODELS'] ?? resolve(import.meta.dirname, '../../.teapot-resources/attack-models');
const PYTHON = process.env['TEAPOT_TEST_PYTHON'] ?? 'python3';
const folder = mkdtempSync(join(tmpdir(), 'teapot-programs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  mkdirSync(resolve(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const canImport = (...names: readonly string[]): boolean =>
  spawnSync(PYTHON, ['-c', `import ${names.join(', ')}`]).status === 0;

/** The command of an example, with the small packages in front of real ones. */
const command = (path: string, ...args: readonly string[]): string =>
  ['batch=4', 'env', `PYTHONPATH=${join(folder, 'packages')}`, 'PYTHONDONTWRITEBYTECODE=1', PYTHON]
    .concat(join(EXAMPLES, path), args)
    .map((word) => `'${word}'`)
    .join(' ')
    .replace("'batch=4'", 'batch=4');

write(
  'packages/bert_score.py',
  `
class Row(list):
    def tolist(self): return list(self)
class BERTScorer:
    def __init__(self, lang, model_type): pass
    def score(self, hypotheses, references):
        assert len(hypotheses) == len(references) <= 4
        return None, None, Row(1.0 if h == r else 0.25 for h, r in zip(hypotheses, references))
`,
);
write(
  'packages/comet.py',
  `
class Result: pass
class Model:
    def predict(self, data, batch_size, gpus, progress_bar):
        result = Result()
        result.scores = [1.2 if one['src'] == 'Quelle' + one['ref'] else 0.5 for one in data]
        return result
def download_model(name): return name
def load_from_checkpoint(path): return Model()
`,
);
write(
  'packages/torch.py',
  `
class Cuda:
    @staticmethod
    def is_available(): return False
cuda = Cuda()
class Tensor:
    def __init__(self, rows): self.rows = rows
    def softmax(self, dim): return Tensor([[one / sum(row) for one in row] for row in self.rows])
    def tolist(self): return self.rows
def inference_mode(): return lambda function: function
`,
);
write(
  'packages/transformers.py',
  `
from torch import Tensor
class Inputs(dict):
    def to(self, device): return self
class AutoTokenizer:
    @staticmethod
    def from_pretrained(name): return lambda texts, **options: Inputs(texts=texts)
class Model:
    class config:
        num_labels, id2label = 2, {0: 'cold', 1: 'warm'}
    def to(self, device): return self
    def eval(self): return self
    def __call__(self, texts):
        result = Inputs()
        result.logits = Tensor([[1, 3] if 'tea' in text else [3, 1] for text in texts])
        return result
class AutoModelForSequenceClassification:
    @staticmethod
    def from_pretrained(name): return Model()
`,
);

describe('batch=N', () => {
  it('is split off, and checked', () => {
    expect(splitBatchedCommand('batch=32 python3 a.py', 'exec:')).toEqual({ words: ['python3', 'a.py'], batch: 32 });
    expect(splitBatchedCommand('python3 batch=32', 'exec:')).toEqual({
      words: ['python3', 'batch=32'],
      batch: undefined,
    });
    for (const bad of ['batch=0 x', 'batch=x y', 'batch= x']) {
      expect(() => splitBatchedCommand(bad, 'exec:')).toThrow('expected a count from 1');
    }
    expect(() => splitBatchedCommand('batch=3', 'exec:')).toThrow('found no program after batch=3');
  });

  it('a scorer that answers in groups of 32 does not hang with 60 lines, nor with none left over', async () => {
    const script = write(
      'groups.py',
      `
import json, sys
group = []
for line in sys.stdin:
    if line.strip():
        group.append(json.loads(line))
        continue
    for pair in group: print(len(group) / 100, flush=False)
    sys.stdout.flush()
    group = []
`,
    );
    const scorer = new ExecScorer(`batch=32 python3 ${script}`, { silenceMs: 20_000 });
    const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);
    const scores = await scorer.score(texts(60), texts(60));
    expect([...scores]).toEqual([...Array<number>(32).fill(0.32), ...Array<number>(28).fill(0.28)]);
    expect([...(await scorer.score(texts(64), texts(64)))]).toEqual(Array<number>(64).fill(0.32));
    expect([...(await scorer.score(['a'], [['b', 'c']]))]).toEqual([0.02]);
    await scorer.close();
  });
});

describe('examples/scorers', () => {
  const hypotheses = ['a', 'b', 'c', 'd', 'e'];
  it.each([
    ['bertscore_scorer.py', [], [1, 0.25, 0.25, 0.25, 1]],
    [
      'comet_scorer.py',
      ['--sources', write('src', 'Quellea\nother\n'), '--references', write('ref', 'a\nx\n')],
      [1, 0.5, 0.5, 0.5, 0.5],
    ],
  ])('%s answers in groups', async (name, args, expected) => {
    const scorer = new ExecScorer(command(`scorers/${name}`, ...args), { silenceMs: 30_000 });
    expect([...(await scorer.score(hypotheses, ['a', 'x', 'x', 'x', 'e']))]).toEqual(expected);
    await scorer.close();
  });

  const hasModel = existsSync(join(MODELS, 'encoder/model.onnx')) && canImport('onnxruntime', 'tokenizers', 'numpy');
  it.skipIf(!hasModel)('encoder_scorer.py gives cosines of the ONNX encoder', async () => {
    const scorer = new ExecScorer(command('scorers/encoder_scorer.py', '--onnx', join(MODELS, 'encoder')), {
      silenceMs: 60_000,
    });
    const [same, near, far] = await scorer.score(
      ['A lovely film.', 'A lovely film.', 'A lovely film.'],
      ['A lovely film.', 'A wonderful movie.', 'Stock prices fell on Monday.'],
    );
    expect(same).toBeCloseTo(1, 5);
    expect(near).toBeGreaterThan(0.7);
    expect(far).toBeLessThan(0.3);
    await scorer.close();
  });
});

describe('examples/victims', () => {
  const inputs = ['good tea', 'coffee', 'tea', 'water', 'more tea'];
  const module = write(
    'my_model.py',
    `
from torch import Tensor
LABELS = ['cold', 'warm']
class Model:
    def eval(self): return self
def load(): return Model()
def logits(model, texts):
    assert len(texts) <= 4
    return Tensor([[1, 3] if 'tea' in text else [3, 1] for text in texts])
`,
  );
  it.each([
    ['huggingface_victim.py', 'any-model'],
    ['torch_victim.py', module],
  ])('%s answers in groups, with probabilities', async (name, model) => {
    const victim = await createVictim(`command:${command(`victims/${name}`, model)}`, { silenceMs: 30_000 });
    const answers = await victim.answer(inputs);
    expect(answers.map(({ output }) => output)).toEqual(['warm', 'cold', 'warm', 'cold', 'warm']);
    expect(answers[1]?.scores).toEqual({ cold: 0.75, warm: 0.25 });
    await victim.close?.();
  });

  it.skipIf(!canImport('sklearn'))('sklearn_victim.py trains a model and serves it', async () => {
    const reviews = join(EXAMPLES, 'classification/reviews.csv');
    const model = join(folder, 'model.joblib');
    const script = join(EXAMPLES, 'victims/sklearn_victim.py');
    const { status, stderr } = spawnSync(PYTHON, [script, model, '--train', reviews], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const victim = await createVictim(`command:batch=16 ${PYTHON} ${script} ${model}`, { silenceMs: 30_000 });
    const [answer] = await victim.answer(['A wonderful film.']);
    expect(Object.values(answer?.scores ?? {}).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
    await victim.close?.();
  });
});
