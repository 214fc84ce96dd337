import { ERROR_CODES, UsageError } from '../../errors.js';
import { readList } from '../../read/list.js';
import { FileImport } from '../../record/import/import-files.js';
import { parseJson } from '../../read/json.js';
import { PROMPT_TYPES } from '../../record/schema.js';
import type { TaskPrompt } from '../../task/task.js';
import { interruptSignal } from '../interrupt.js';

/**
 * Reads a list of prompts: one a line, or JSONL with `{"prompt": "…", "type": "zs-task"}` (`type` may be missing), which can hold line
 * ends. Blank lines hold none.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line; `ERR_TEAPOT_EMPTY_INPUT` for a list without a prompt.
 */
export async function readPromptList(path: string): Promise<readonly TaskPrompt[]> {
  const prompts: TaskPrompt[] = [];
  const isJson = /\.(?:jsonl|ndjson)$/iu.test(path);
  for await (const lines of readList(path, 'prompts', { signal: interruptSignal })) {
    for (const { text, line } of lines) {
      if (/^\s*$/u.test(text)) continue;
      prompts.push(isJson ? promptOf(text, `${path}:${line}`) : { prompt: text, type: null });
    }
  }
  if (prompts.length === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, `${path}: there is no prompt in it`);
  return prompts;
}

function promptOf(text: string, place: string): TaskPrompt {
  const parsed = parseJson(text);
  const value = 'value' in parsed ? parsed.value : undefined;
  const prompt: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'prompt') : undefined;
  if (typeof prompt !== 'string' || prompt === '') {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${place}: expected {"prompt": "…"} with a text, found ${text.slice(0, 80)}`,
    );
  }
  const type: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined;
  const known = PROMPT_TYPES.find((one) => one === type);
  if (known === undefined && type !== undefined && type !== null) {
    throw new UsageError(ERROR_CODES.FORMAT, `${place}: "type" is one of ${PROMPT_TYPES.join(', ')}`);
  }
  return { prompt, type: known ?? null };
}

/**
 * Reads other wordings of prompts for the attack `semantic`: a list of prompts, or a file of PromptBench's archive, of which the
 * wordings of one data set are taken.
 *
 * @throws {UsageError} as {@link readPromptList}; `ERR_TEAPOT_EMPTY_INPUT` when the archive has none for the data set.
 */
export async function readWordings(path: string, dataset: string): Promise<readonly string[]> {
  if (!/\.md(?:\.gz|\.zst)?$/iu.test(path)) return (await readPromptList(path)).map(({ prompt }) => prompt);
  const wordings = new Set<string>();
  const archive = new FileImport('promptbench', [path], { signal: interruptSignal });
  for await (const record of archive.records()) {
    if (record.attack === 'semantic' && record.dataset === dataset && record.adv_src !== null) {
      wordings.add(record.adv_src);
    }
  }
  if (wordings.size > 0) return [...wordings];
  throw new UsageError(
    ERROR_CODES.EMPTY_INPUT,
    `${path}: there are no translations of prompts for the data set ${dataset}`,
  );
}
