import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { attackRecipe } from '../../attack/recipes.js';
import { promptRecipe } from '../../attack/prompt-recipes.js';
import { ERROR_CODES, TeapotError, UsageError } from '../../errors.js';
import { writeFileSafely } from '../../output-file.js';
import { numberNames, numbersOf } from '../../report/columns.js';
import { version } from '../../version.js';
import type { AnswerStore } from '../../victim/response-cache.js';
import { createVictim } from '../../victim/create-victim.js';
import { visible } from '../../visible.js';
import type { AttackArguments } from '../commands/attack.js';
import { checkGateNames, enforceGates } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { Note } from '../notes.js';
import { printResult, withFlags } from '../terminal.js';
import { invalid } from '../values.js';
import {
  checkPair,
  inputRunArguments,
  loadPromptTask,
  pathsFrom,
  planPromptAttack,
  promptsOf,
  promptVictim,
  readConfig,
  surveyInputs,
  victimSettings,
} from './plan.js';
import type { AttackRunArguments, ConfigSource } from './plan.js';
import { inputRow, MATRIX_COLUMNS, matrixDocument, matrixEstimateReport, matrixReport, promptRow } from './report.js';
import type { MatrixEstimate, MatrixRow } from './report.js';
import { openRunFolder } from './run-folder.js';

/**
 * Runs `teapot attack`: on the inputs of a victim, on the prompts of a task, or on another model with attacked prompts; or on every pair of
 * several victims and attacks.
 */
export async function runAttack(args: AttackArguments): Promise<void> {
  const { transfer, model: [model, ...moreModels] = [], attack: [attack, ...moreAttacks] = [] } = args;
  const source = await readConfig(args.config);
  const single: AttackRunArguments = { ...args, model, attack };
  if (transfer !== undefined) {
    if (moreModels.length > 0) throw invalid('--transfer asks one model: give --model once');
    const { runPromptTransfer } = await import('./run-prompts.js');
    await runPromptTransfer({ ...single, transfer }, source);
  } else if (moreModels.length > 0 || moreAttacks.length > 0 || isMatrix(source)) {
    await runMatrix(args, source);
  } else if (isOnPrompts(args, source)) {
    const { runPromptAttack } = await import('./run-prompts.js');
    await runPromptAttack(single, source);
  } else {
    const { runInputAttack } = await import('./run-inputs.js');
    await runInputAttack(inputRunArguments(single, source), victimSettings(source.config));
  }
}

function isMatrix({ config }: ConfigSource): boolean {
  return config.models !== undefined || config.attacks !== undefined;
}

function isOnPrompts({ config, dataset, prompts }: AttackArguments, source: ConfigSource): boolean {
  return source.config.inputs === undefined && (config ?? dataset ?? prompts) !== undefined;
}

/** One victim and one attack of a matrix. */
interface Pair {
  readonly model: string;
  readonly attack: string;
  /** Where its run stands in the work folder; two parts. */
  readonly folder: string;
  readonly argv: AttackRunArguments;
  readonly source: ConfigSource;
}

/** The name of the file that says what came of a pair which is complete. */
const PAIR_FILE = 'pair.json';

/**
 * Attacks every victim with every attack, one pair after the other, and prints one table.
 *
 * Each pair has a folder of its own in the work folder, all of them share one file of answers. A pair that ends in an error does not end
 * the others; `--resume` runs those that are not complete.
 *
 * @throws {UsageError} before any work for names that are not there and for settings that don't fit; {@link TeapotError} after it,
 *   naming the pairs that failed.
 */
async function runMatrix(args: AttackArguments, source: ConfigSource): Promise<void> {
  const note = createNote(args);
  const format = gatedFormat(args);
  checkGateNames(args.failIf ?? [], numberNames(MATRIX_COLUMNS), ['model', 'attack']);
  const workDir = args.workDir ?? pathsFrom(source.folder)(source.config.work_dir);
  const isPrompts = isOnPrompts(args, source);
  const pairs = pairsOf(args, source, workDir);
  for (const { argv, source: own } of pairs) checkPair(argv, own, isPrompts ? promptRecipe : attackRecipe);
  if (args.dryRun === true) {
    if (format !== 'text' && format !== 'json') throw invalid(`--dry-run has text or json, not ${format}.`);
    const estimates: MatrixEstimate[] = [];
    for (const pair of pairs) estimates.push(await estimatePair(pair, isPrompts, note));
    await printResult(matrixEstimateReport(estimates, format), { output: args.output, format });
    return;
  }
  const { settings, isFree, victims } = await describeMatrix(pairs, isPrompts, args, note);
  const run = await openRunFolder(workDir, settings, args.resume === true, note, { isFree });
  try {
    const rows: MatrixRow[] = [];
    for (const [index, pair] of pairs.entries()) {
      const place = `Pair ${index + 1} of ${pairs.length}, ${visible(pair.model)} × ${visible(pair.attack)}`;
      rows.push(
        await rowOf(pair, { isPrompts, store: run.store, victim: victims.get(pair.model) ?? '' }, (text) =>
          note(`${place}: ${text}`),
        ),
      );
    }
    const document = matrixDocument(rows, isPrompts ? 'prompt' : 'input');
    const path = run.path('matrix.json');
    if (path !== undefined) await writeFileSafely(path, [document]);
    const failed = rows.filter(({ error }) => error !== null);
    if (failed.length === 0) await run.complete();
    const verdicts = await printGated(args, {
      suite: 'teapot attack',
      signature: JSON.stringify(settings),
      rows: rows.map((row) => ({
        group: { model: row.model, attack: row.attack },
        numbers: numbersOf(MATRIX_COLUMNS, row),
      })),
      render: (asked) => (asked === 'json' ? document : matrixReport(rows, asked)),
    });
    if (failed.length > 0) {
      const named = failed.map(({ model, attack, error }) => `${model} × ${attack}: ${error}`).join('; ');
      throw new TeapotError(ERROR_CODES.ENDPOINT, `${failed.length} of ${rows.length} pairs failed: ${named}`);
    }
    if (workDir === undefined) note('Note: without --work-dir nothing is kept of this run but the table.');
    enforceGates(verdicts);
  } finally {
    run.close();
  }
}

/** Every victim with every attack: those of the flags, else of the configuration. */
function pairsOf(
  args: AttackArguments,
  { config, folder }: ConfigSource,
  workDir: string | undefined,
): readonly Pair[] {
  const { models: ofFile, attacks: attacksOfFile, work_dir: _workDir, ...common } = config;
  const models = (args.model ?? ofFile ?? [config.model ?? 'lexicon']).map((one) =>
    typeof one === 'string' ? { model: one } : one,
  );
  const attacks = (args.attack ?? attacksOfFile ?? [{ attack: config.attack }]).map((one) =>
    typeof one === 'string' ? { attack: one } : one,
  );
  const modelNames = namesOf(
    models.map((one) => ('name' in one ? one.name : undefined) ?? one.model),
    'models',
  );
  const attackNames = namesOf(
    attacks.map((one) => ('name' in one ? one.name : undefined) ?? one.attack ?? 'deepwordbug'),
    'attacks',
  );
  const [modelFolders, attackFolders] = [modelNames, attackNames].map(foldersOf);
  return models.flatMap((model, row) =>
    attacks.map((attack, column): Pair => {
      const pairFolder = join(modelFolders?.[row] ?? '', attackFolders?.[column] ?? '');
      const { name: _model, ...ofModel } = { name: undefined, ...model };
      const { name: _attack, ...ofAttack } = { name: undefined, ...attack };
      return {
        model: modelNames[row] ?? '',
        attack: attackNames[column] ?? '',
        folder: pairFolder,
        source: { config: { ...common, ...ofModel, ...ofAttack }, folder },
        argv: {
          ...args,
          model: undefined,
          attack: undefined,
          workDir: workDir === undefined ? undefined : join(workDir, pairFolder),
          // A pair that was begun goes on; one that was not has no folder yet.
          resume: workDir !== undefined,
        },
      };
    }),
  );
}

function namesOf(names: readonly string[], key: string): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw invalid(`two of the ${key} are named ${twice}: leave one out, or give each its "name" in the configuration`);
}

/** Names as names of folders: what is no letter, digit, dot or dash is a dash; those that would be the same get a number. */
function foldersOf(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/u, '') || 'unnamed';
    let folder = plain;
    for (let number = 2; seen.has(folder.toLowerCase()); number += 1) folder = `${plain}-${number}`;
    seen.add(folder.toLowerCase());
    return folder;
  });
}

/** Everything that decides what the pairs are: models and attacks with their settings, and what is attacked. */
async function describeMatrix(
  pairs: readonly Pair[],
  isPrompts: boolean,
  args: AttackArguments,
  note: Note,
): Promise<{
  readonly settings: object;
  readonly isFree: boolean;
  /** Signatures, by the names of the models. */
  readonly victims: ReadonlyMap<string, string>;
}> {
  const [first] = pairs;
  if (first === undefined) throw invalid('there is nothing to attack');
  // The settings that flags have; how many are attacked at a time changes no result, and the output none of the runs.
  const { workDir: _w, resume: _r, parallel: _p, output: _o, format: _f, failIf: _g, config: _c, ...rest } = args;
  const { quiet: _q, noColor: _n, verbose: _v, dryRun: _d, ...flags } = rest;
  const attacked = isPrompts ? await promptsSignature(first) : await inputsSignature(first);
  const victims = new Map<string, string>();
  let isFree = true;
  for (const { model, argv, source } of new Map(pairs.map((pair) => [pair.model, pair])).values()) {
    const victim = await (isPrompts
      ? promptVictim(await loadPromptTask(argv, source), note)
      : createVictim(source.config.model ?? 'lexicon', {
          ...victimSettings(source.config),
          labels: attacked.labels,
          baseUrl: argv.baseUrl ?? source.config.base_url,
          onNote: note,
        }));
    victims.set(model, victim.signature);
    isFree &&= victim.isFree === true;
    await victim.close?.();
  }
  return {
    isFree,
    victims,
    settings: {
      kind: 'matrix',
      unit: isPrompts ? 'prompt' : 'input',
      pairs: pairs.map(({ model, attack, folder, source: { config } }) => ({
        model,
        attack,
        folder,
        settings: config,
      })),
      attacked: attacked.signature,
      flags: createHash('sha256').update(JSON.stringify(flags)).digest('hex'),
      version: version(),
    },
  };
}

interface Attacked {
  readonly signature: string;
  readonly labels: readonly string[] | undefined;
}

async function inputsSignature({ argv, source }: Pair): Promise<Attacked> {
  return surveyInputs(inputRunArguments(argv, source));
}

async function promptsSignature({ argv, source }: Pair): Promise<Attacked> {
  const { task, config, fromConfig, presetPrompts } = await loadPromptTask(argv, source);
  const prompts = await promptsOf(argv, config, fromConfig, presetPrompts, task.name);
  const signature = createHash('sha256')
    .update(JSON.stringify([task.signature, prompts]))
    .digest('hex');
  return { signature, labels: undefined };
}

/** What came of a pair: of its folder when it is complete, else of its run. */
async function rowOf(
  pair: Pair,
  { isPrompts, store, victim }: { readonly isPrompts: boolean; readonly store: AnswerStore; readonly victim: string },
  note: Note,
): Promise<MatrixRow> {
  const { model, attack, argv } = pair;
  const file = argv.workDir === undefined ? undefined : join(argv.workDir, PAIR_FILE);
  const earlier = file === undefined ? undefined : await readRow(file, victim);
  if (earlier !== undefined) {
    note('complete');
    return earlier;
  }
  note('begins');
  try {
    const row = isPrompts ? await attackPromptsOf(pair, store, note) : await attackInputsOf(pair, store, note);
    if (file !== undefined && row.error === null) await writeFileSafely(file, [`${JSON.stringify({ victim, row })}\n`]);
    if (row.error !== null) note(`Error: ${row.error}`);
    return row;
  } catch (error) {
    interruptSignal.throwIfAborted();
    if (!(error instanceof TeapotError) || error.code === ERROR_CODES.INTERNAL) throw error;
    note(`Error: ${error.message}`);
    return { ...NO_RESULT, model, attack, error: withFlags(error.message) };
  }
}

const NO_RESULT = {
  n: 0,
  successful: 0,
  failed: 0,
  skipped: 0,
  errors: 0,
  original: null,
  attacked: null,
  pdr: null,
  queries: 0,
};

async function readRow(file: string, victim: string): Promise<MatrixRow | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  let found: { readonly victim: string; readonly row: MatrixRow };
  try {
    found = JSON.parse(text) as typeof found;
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: can't be read; delete it to run the pair again`, { cause });
  }
  if (found.victim === victim) return found.row;
  throw invalid(`${dirname(file)}: was complete with another victim of this name; delete the folder to run it again`);
}

/** What ended a pair, with flags as they are given; null for nothing. */
function shown(failure: string | undefined): string | null {
  return failure === undefined ? null : withFlags(failure);
}

async function attackPromptsOf(pair: Pair, store: AnswerStore, note: Note): Promise<MatrixRow> {
  const { model, attack, argv, source } = pair;
  const { measurePromptAttack, promptWarnings } = await import('./run-prompts.js');
  const plan = await planPromptAttack(argv, source, note);
  const within = { store, modelName: model, attackName: attack };
  const { summary, failure } = await measurePromptAttack(argv, plan, note, within);
  for (const warning of promptWarnings(summary)) note(warning);
  return { ...promptRow(summary), model, attack, error: shown(failure) };
}

async function attackInputsOf(pair: Pair, store: AnswerStore, note: Note): Promise<MatrixRow> {
  const { model, attack, argv, source } = pair;
  const { measureInputAttack } = await import('./run-inputs.js');
  const within = { store, modelName: model, attackName: attack, victim: victimSettings(source.config) };
  const result = await measureInputAttack(inputRunArguments(argv, source), note, within);
  for (const warning of result.warnings) note(warning);
  return { ...inputRow(result.summary), model, attack, error: shown(result.failure) };
}

async function estimatePair(pair: Pair, isPrompts: boolean, note: Note): Promise<MatrixEstimate> {
  const { model, attack, argv, source } = pair;
  if (isPrompts) {
    const { estimatePromptAttack } = await import('./run-prompts.js');
    const { items, passes, ...estimate } = estimatePromptAttack(await planPromptAttack(argv, source, note));
    return { model, attack, items, queries: passes, ...estimate };
  }
  const { estimateInputAttack } = await import('./run-inputs.js');
  const { inputs, queries } = await estimateInputAttack(inputRunArguments(argv, source));
  return { model, attack, items: inputs, queries, calls: queries, input_tokens: null, output_tokens: null };
}
