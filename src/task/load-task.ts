import { isAbsolute, join, basename } from 'node:path';

import { ERROR_CODES, UsageError } from '../errors.js';
import type { RunOptions } from '../run-options.js';
import { makeTask } from './make-task.js';
import { findPreset } from './presets/index.js';
import type { Preset } from './presets/preset.js';
import { readRows } from './rows.js';
import type { DataRow } from './rows.js';
import type { DatasetConfig } from './task-config.js';
import type { Task, TaskPrompt } from './task.js';

/** What goes with the configuration of a data set. */
export interface LoadTaskOptions extends Pick<RunOptions, 'signal'> {
  /** The folder that relative paths start from. Default the working folder. */
  readonly folder?: string;
  /** Few-shot examples an input. Default 0. */
  readonly shot?: number;
  /** Seed of data sets that are generated. Default 12345. */
  readonly seed?: number;
}

/** A task, and the prompts that come with it. */
export interface LoadedTask {
  readonly task: Task;
  /** The preset's own prompts; empty without one. */
  readonly prompts: readonly TaskPrompt[];
}

/** Items that a generated data set has unless `first` says otherwise. */
const GENERATED_ITEMS = 100;

/**
 * Loads the data of a task and puts it together.
 *
 * What the configuration says goes before what the preset says.
 *
 * @throws {UsageError} as `makeTask` says; `ERR_TEAPOT_INVALID_OPTION` without data, for an unknown preset, or for more
 *   few-shot examples than there are; `ERR_TEAPOT_FORMAT` for data in another format than the preset's.
 */
export async function loadTask(config: DatasetConfig, options: LoadTaskOptions = {}): Promise<LoadedTask> {
  const preset = config.preset === undefined ? undefined : findPreset(config.preset);
  const rows = await rowsOf(config, preset, options);
  const labels = labelsOf(config, preset);
  const shot = options.shot ?? 0;
  const examples = config.examples ?? preset?.examples ?? [];
  if (shot > examples.length) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `shot ${shot}: there are ${examples.length} examples; write more under "examples" of the data set, or lower it`,
    );
  }
  const task = makeTask({
    name: config.name ?? preset?.name ?? nameOf(config),
    rows: config.first === undefined ? rows : rows.slice(0, config.first),
    template: config.template,
    content: config.content ?? preset?.content,
    answer: config.answer ?? preset?.answer ?? 'answer',
    labels,
    rule: config.extract ?? preset?.rule ?? (labels === undefined ? 'span' : 'cls'),
    pattern: config.pattern,
    metric: config.metric ?? preset?.metric ?? (labels === undefined ? 'exact_match' : 'accuracy'),
    protect: [...(preset?.protect ?? []), ...(config.protect ?? [])],
    examples: examples.slice(0, shot),
  });
  const kind = shot === 0 ? 'zs' : 'fs';
  const prompts: TaskPrompt[] = [
    ...(preset?.taskPrompts ?? []).map((prompt) => ({ prompt, type: `${kind}-task` as const })),
    ...(preset?.rolePrompts ?? []).map((prompt) => ({ prompt, type: `${kind}-role` as const })),
  ];
  return { task, prompts };
}

async function rowsOf(
  config: DatasetConfig,
  preset: Preset | undefined,
  { folder = '.', seed = 12345, signal }: LoadTaskOptions,
): Promise<readonly DataRow[]> {
  const paths = [config.data ?? []]
    .flat()
    .map((path) => (isAbsolute(path) || path === '-' ? path : join(folder, path)));
  const run = signal === undefined ? {} : { signal };
  if (preset !== undefined) {
    if (paths.length > 0) return preset.read(paths, run);
    if (preset.generate !== undefined) return preset.generate(seed, config.first ?? GENERATED_ITEMS);
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `the data set ${preset.name} needs its file: ${preset.files}. Name it under "data", or by the option \`data\``,
    );
  }
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, 'a data set needs one file under "data", or a "preset"');
  }
  return readRows(path, run);
}

function labelsOf(config: DatasetConfig, preset: Preset | undefined): ReadonlyMap<string, string> | undefined {
  const { labels } = config;
  if (labels === undefined) return preset?.labels;
  if (!Array.isArray(labels)) return new Map(Object.entries(labels));
  return new Map(labels.map((label) => [label, label]));
}

function nameOf({ data }: DatasetConfig): string {
  return basename([data ?? 'data'].flat()[0] ?? 'data').replace(/\..*$/u, '');
}
