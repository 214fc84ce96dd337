// The layers of src: one table. It is written into .oxlintrc.json as one override a folder, each with the rules that hold
// everywhere, since an override replaces a rule. `--check` (in CI) fails where the file is not what the table says.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What each folder of src may import from, beside itself and the modules at the root. */
const LAYERS = {
  read: [],
  score: ['read'],
  measure: ['read', 'score'],
  report: ['read', 'score', 'measure'],
  people: ['read', 'score', 'measure', 'report'],
  record: ['read', 'score', 'measure'],
  victim: ['read', 'score', 'measure', 'record'],
  task: ['read', 'score', 'measure', 'record', 'victim'],
  attack: ['read', 'score', 'measure', 'record', 'victim', 'task'],
  cli: ['read', 'score', 'measure', 'report', 'people', 'record', 'victim', 'task', 'attack'],
};

/** Modules that nothing in src may import. */
const BANNED = {
  'node:process': "Importing it opens process.stdin, which makes the native core's reads fail: use the global.",
  'node:readline': 'It also splits at U+2028, U+2029 and a lone CR: use src/read.',
  readline: 'It also splits at U+2028, U+2029 and a lone CR: use src/read.',
};

const ADDON = { group: ['**/crates/*'], message: 'Only src/native.ts loads the addon.' };

const RULE = 'no-restricted-imports';
const root = fileURLToPath(new URL('../', import.meta.url));
const file = `${root}.oxlintrc.json`;

function rule(patterns) {
  const paths = Object.entries(BANNED).map(([name, message]) => ({ name, message }));
  return ['error', { paths, patterns }];
}

function layer([folder, below]) {
  const others = Object.keys(LAYERS).filter((name) => name !== folder && !below.includes(name));
  const from = below.length === 0 ? 'no other folder' : `${below.join(', ')} only`;
  const message = `src/${folder} may import from ${from}: see ARCHITECTURE.md.`;
  const patterns = others.length === 0 ? [ADDON] : [ADDON, { group: others.map((name) => `**/${name}/**`), message }];
  return { files: [`src/${folder}/**`], rules: { [RULE]: rule(patterns) } };
}

const folders = readdirSync(`${root}src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const unknown = folders.filter(({ name }) => !Object.hasOwn(LAYERS, name));
if (unknown.length > 0) throw new Error(`scripts/layers.mjs: give src/${unknown[0].name} a place among the layers`);

const config = JSON.parse(readFileSync(file, 'utf8'));
config.rules[RULE] = rule([ADDON]);
config.overrides = [
  ...Object.entries(LAYERS).map(layer),
  // The addon's loader alone may import it; the other bans hold there too.
  { files: ['src/native.ts', '__test__/native/**'], rules: { [RULE]: rule([]) } },
  ...config.overrides.filter(({ rules }) => !Object.hasOwn(rules, RULE)),
];
const text = `${JSON.stringify(config, undefined, 2)}\n`;
const same = (one) => JSON.stringify(JSON.parse(one));
if (process.argv.includes('--check')) {
  if (same(readFileSync(file, 'utf8')) !== same(text)) {
    throw new Error('.oxlintrc.json is not what scripts/layers.mjs says: run npm run build:layers');
  }
} else {
  writeFileSync(file, text);
}
