import { ERROR_CODES, UsageError } from '../../../errors.js';
import type { SourceFile } from '../../../read/source-file.js';
import { defineImporter } from '../importer.js';
import type { ImportOptions } from '../importer.js';
import type { AttackRecord } from '../../schema.js';
import { importArchive } from './archive-import.js';
import { importResults, importVerboseLog } from './result-import.js';

/**
 * Reads everything that PromptBench writes: the archive of adversarial prompts (`adv_prompts/*.md`), results of
 * `attack()` as JSON or Python's repr in the layouts of all releases, and what a verbose run printed.
 *
 * Source: `promptbench/prompt_attack/` and `promptbench/prompts/adv_prompts/` of microsoft/promptbench.
 */
export const promptbench = defineImporter({
  name: 'promptbench',
  description: 'PromptBench: adv_prompts/*.md, results (JSON or Python repr), verbose logs',
  detect: (head) => recognise(head)?.certainty ?? 0,
  import: importAny,
});

async function* importAny(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const head = await source.head();
  const kind = recognise(head)?.kind;
  if (kind === 'archive') yield* importArchive(source, options);
  else if (kind === 'log') yield* importVerboseLog(source, options);
  else if (/^\s*[[{(]/u.test(head)) yield* importResults(source, options);
  else {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${source.name}:1: nothing of PromptBench: expected an archive ("# data set", "## 10 prompts"), a result ` +
        '({"original prompt": …}) or a verbose log ("Current prompt is:  …")',
    );
  }
}

/** Whether a text starts with a dict of prompts and their scores, `{"Tell whether …": 0.2, …}`, and of nothing else. */
function isSemantic(head: string): boolean {
  const start = /^\s*\{\s*/u.exec(head)?.[0].length;
  if (start === undefined) return false;
  const entry = /(["'])((?:\\.|(?!\1)[^\\])*)\1\s*:\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*([,}])\s*/suy;
  entry.lastIndex = start;
  let entries = 0;
  for (let match = entry.exec(head); match !== null; match = entry.exec(head)) {
    if (!isPrompt(match[2] ?? '')) return false;
    entries += 1;
    if (match[3] === '}') return true;
  }
  // The head may end inside of the dict.
  return entries > 0 && head.length >= 60_000;
}

/** Whether a text can be a prompt and not the name of a number: it has words, or the script has no spaces. */
function isPrompt(text: string): boolean {
  return /\S\s+\S/u.test(text) || /[^\p{ASCII}]{4}/u.test(text);
}

interface Recognised {
  readonly kind: 'archive' | 'log' | 'result';
  readonly certainty: number;
}

function recognise(head: string): Recognised | undefined {
  if (
    /^# .+$/mu.test(head) &&
    /^## (?:10 prompts|translation|\w+)[ \t\r]*$/mu.test(head) &&
    /^(?:Acc: |Original prompt: |Language: )/mu.test(head)
  ) {
    return { kind: 'archive', certainty: 1 };
  }
  if (/^Current prompt is: {2}/mu.test(head)) return { kind: 'log', certainty: 1 };
  if (/^These words \(if they appear in the prompt\) are not allowed to be attacked:$/mu.test(head))
    return { kind: 'log', certainty: 1 };
  if (/^\s*[[{]\s*(?:\{\s*)?["']original prompt["']\s*:/u.test(head)) return { kind: 'result', certainty: 1 };
  if (
    /^\s*[[(]\s*-?[\d.]+(?:e-?\d+)?\s*,\s*["'].*,\s*-?[\d.]+(?:e-?\d+)?\s*,\s*-?[\d.]+(?:e-?\d+)?\s*[\])]/u.test(head)
  ) {
    return { kind: 'result', certainty: 0.8 };
  }
  return isSemantic(head) ? { kind: 'result', certainty: 0.3 } : undefined;
}
