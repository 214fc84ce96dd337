import { createHash } from 'node:crypto';

import { evaluatePrompt } from '../../attack/evaluate-prompt.js';
import type { EvaluatePromptOptions } from '../../attack/evaluate-prompt.js';
import { performanceDropRate } from '../../measure/performance-drop-rate.js';
import { UNDEFINED_REASON } from '../../measure/undefined-reason.js';
import { ERROR_CODES, UsageError } from '../../errors.js';
import { openSource } from '../../read/source-file.js';
import { recordKind } from '../../record/kind.js';
import { readRecords } from '../../record/read.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';
import { writeRecords } from '../../record/write.js';
import { csvOf, gridOf, numberNames, numbersOf } from '../../report/columns.js';
import type { ValueColumn } from '../../report/columns.js';
import type { TableFormat } from '../../report/formats.js';
import { cellText } from '../../report/grid.js';
import { renderJson } from '../../report/json.js';
import { renderGrids } from '../../report/render-grids.js';
import type { Task } from '../../task/task.js';
import { version } from '../../version.js';
import { cachedVictim, newCounters } from '../../victim/cached-victim.js';
import type { Victim } from '../../victim/victim.js';
import { checkGateNames, enforceGates } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { startProgress } from '../progress.js';
import { loadPromptTask } from './prompt-plan.js';
import type { PromptAttackArguments } from './prompt-plan.js';
import { promptVictim } from './prompt-victim.js';
import { openRunFolder } from './run-folder.js';

/**
 * Asks another model about prompts that were attacked on one: `--transfer RECORDS`.
 *
 * Every attacked prompt of the data set is evaluated, and the original beside it, both on the model that `--model` names. Writes
 * `records.jsonl` with `source_model` into `--work-dir`, for `teapot transfer`, and prints a table.
 *
 * @throws {UsageError} `ERR_TEAPOT_EMPTY_INPUT` when no record holds an attacked prompt of the data set.
 */
export async function runPromptTransfer(argv: PromptAttackArguments & { readonly transfer: string }): Promise<void> {
  const note = createNote(argv);
  gatedFormat(argv);
  checkGateNames(argv.failIf ?? [], numberNames(TRANSFER_COLUMNS), ['attack', 'source_model']);
  const loaded = await loadPromptTask(argv);
  const { task, workDir, generateLen } = loaded;
  const attacks = await attackedPrompts(argv.transfer, task, note);
  const bare = await promptVictim(loaded, note);
  const settings = {
    kind: 'transfer',
    dataset: task.name,
    task: task.signature,
    attacks: digest(attacks),
    generate_len: generateLen,
    victim: bare.signature,
    version: version(),
  };
  const run = await openRunFolder(workDir, settings, argv.resume === true, note, bare);
  const victim = cachedVictim(bare, run.store, newCounters());
  const progress = startProgress({ unit: 'prompts', quiet: argv.quiet });
  const records: AttackRecord[] = [];
  const options = { signal: interruptSignal };
  try {
    for (const attack of attacks) {
      records.push(await transferred(attack, task, victim, options, settings, records.length + 1));
      progress.onProgress(records.length, attacks.length);
    }
    const path = run.path('records.jsonl');
    if (path !== undefined) await writeRecords(path, records);
    await run.complete();
    progress.stop();
    const verdicts = await printGated(argv, {
      suite: 'teapot attack --transfer',
      signature: JSON.stringify(settings),
      rows: records.map((record) => ({
        group: { attack: record.attack, source_model: record.source_model },
        numbers: numbersOf(TRANSFER_COLUMNS, record),
      })),
      render: (format) => report(records, format),
    });
    enforceGates(verdicts);
  } finally {
    progress.stop();
    run.close();
    await victim.close?.();
  }
}

type AttackedPrompt = AttackRecord & { readonly src: string; readonly adv_src: string };

async function attackedPrompts(
  path: string,
  task: Task,
  note: (text: string) => void,
): Promise<readonly AttackedPrompt[]> {
  const found: AttackedPrompt[] = [];
  let others = 0;
  for await (const record of readRecords(openSource(path, { signal: interruptSignal }))) {
    const isPrompt = record.unit === 'prompt' && recordKind(record) === 'attack';
    if (isPrompt && typeof record.src === 'string' && typeof record.adv_src === 'string') {
      if (record.dataset === null || record.dataset === task.name) found.push(record as AttackedPrompt);
      else others += 1;
    }
  }
  if (found.length === 0) {
    throw new UsageError(
      ERROR_CODES.EMPTY_INPUT,
      `${path}: there is no attacked prompt of the data set ${task.name} in it` +
        (others === 0 ? '' : ` (${others} of other data sets)`),
    );
  }
  if (others > 0) note(`Note: ${others} attacked prompts of other data sets are left out`);
  return found;
}

async function transferred(
  { src, adv_src, attack, model, source_model, prompt_type, dataset, id }: AttackedPrompt,
  task: Task,
  victim: Victim,
  options: EvaluatePromptOptions,
  settings: Readonly<Record<string, unknown>>,
  number: number,
): Promise<AttackRecord> {
  const original = await evaluatePrompt(src, task, victim, options);
  const attacked = await evaluatePrompt(adv_src, task, victim, { ...options, original: original.outputs });
  const pdr = performanceDropRate(original.score, attacked.score);
  return makeRecord({
    id: `transfer/${number}`,
    run: digest(settings).slice(0, 16),
    unit: 'prompt',
    attack,
    model: victim.name,
    source_model: source_model ?? model,
    dataset: dataset ?? task.name,
    prompt_type,
    src,
    adv_src,
    original_score: original.score * task.scale,
    attacked_score: attacked.score * task.scale,
    metric: task.metric,
    scale: task.scale,
    measured: { pdr, ...(pdr === null ? { reasons: { pdr: UNDEFINED_REASON.ORIGINAL_IS_ZERO } } : {}) },
    provenance: { tool: 'teapot', version: version(), file: null, line: null, settings },
    extra: {
      kind: 'attack',
      source_id: id,
      items: task.items.length,
      unparsed: original.unparsed,
      attacked_unparsed: attacked.unparsed,
    },
  });
}

/** What is said of each attacked prompt on the other model. */
const TRANSFER_COLUMNS: readonly ValueColumn<AttackRecord>[] = [
  { name: 'attack', kind: 'text', describe: 'Name of the attack', heading: 'attack', value: ({ attack }) => attack },
  {
    name: 'source_model',
    kind: 'text',
    describe: 'The model that the attack was made on',
    heading: 'source model',
    value: ({ source_model }) => source_model,
  },
  { name: 'model', kind: 'text', describe: 'The model that was asked', heading: 'model', value: ({ model }) => model },
  {
    name: 'original_score',
    kind: 'score',
    decimals: 2,
    describe: 'Score of the original prompt',
    heading: 'original',
    value: ({ original_score, scale }) => (original_score === null ? null : original_score / (scale ?? 1)),
  },
  {
    name: 'attacked_score',
    kind: 'score',
    decimals: 2,
    describe: 'Score of the attacked prompt',
    heading: 'attacked',
    value: ({ attacked_score, scale }) => (attacked_score === null ? null : attacked_score / (scale ?? 1)),
  },
  {
    name: 'pdr',
    kind: 'number',
    describe: '1 - attacked_score / original_score',
    heading: 'PDR',
    value: ({ measured }) => (typeof measured?.pdr === 'number' ? measured.pdr : null),
  },
];

async function report(records: readonly AttackRecord[], format: TableFormat): Promise<string> {
  const table = { columns: TRANSFER_COLUMNS, rows: records, undefinedText: 'n/a' };
  if (format === 'json') return renderJson({ schema: 'teapot.prompt-transfer/1', records });
  if (format === 'csv') return csvOf(table);
  const grid = gridOf(table, { scale: 100 });
  if (format === 'html') return (await import('../report/result-page.js')).gridPage('Transfer of attacks', grid);
  if (format !== 'text') return renderGrids([grid], format);
  const lines = [grid.columns.map(({ name }) => name), ...grid.rows.map((row) => row.map(cellText))];
  return lines.map((cells) => `${cells.join('\t')}\n`).join('');
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
