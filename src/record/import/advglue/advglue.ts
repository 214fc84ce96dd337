import { labelText } from '../../../read/label.js';
import type { SourceFile } from '../../../read/source-file.js';
import { makeRecord } from '../../schema.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { lineAt, readJsonDocument } from '../common/json-document.js';
import { isObject, kindOf, withoutKeys } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';
import { fileName } from '../common/values.js';
import { defineImporter } from '../importer.js';
import type { ImportOptions } from '../importer.js';

/** The names of the tasks of AdvGLUE; their rows have columns of their own. */
const TASKS = new Set(['sst2', 'qqp', 'mnli', 'mnli-mm', 'qnli', 'rte']);

const ORIGINAL = 'original_';

/**
 * Reads AdvGLUE's `dev.json` (attacked texts and labels, no originals) or `dev_ann.json` and AdvGLUE++ (`original_*` columns
 * and the method). There are no outputs of a model in it: it is data to attack a model with.
 *
 * Source: AI-secure/adversarial-glue.
 */
export const advglue = defineImporter({
  name: 'advglue',
  description: 'AdvGLUE: dev.json, and files with original_* columns',
  detect: (head) => {
    const first = /^\s*\{\s*"([\w-]+)"\s*:\s*\[\s*\{/u.exec(head)?.[1];
    return first !== undefined && TASKS.has(first) && /"label"\s*:/u.test(head) ? 1 : 0;
  },
  import: readAdvGlue,
});

async function* readAdvGlue(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const { value, text } = await readJsonDocument(source, options);
  for (const [task, rows] of Object.entries(isObject(value) ? value : {})) {
    const line = lineAt(text, Math.max(0, text.indexOf(`"${task}"`)));
    if (!Array.isArray(rows)) {
      badRow(options, source.name, line, `$["${task}"]: expected a list of rows, found ${kindOf(rows)}`);
      continue;
    }
    for (const [index, row] of (rows as unknown[]).entries()) {
      if (isObject(row)) yield rowRecord(task, row, index, source.name, line);
      else badRow(options, source.name, line, `$["${task}"][${index}]: expected an object, found ${kindOf(row)}`);
    }
  }
}

function rowRecord(task: string, row: JsonObject, index: number, file: string, line: number): AttackRecord {
  const texts = Object.entries(row).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const originals = new Map(
    texts.flatMap(([name, text]) => (name.startsWith(ORIGINAL) ? [[name.slice(ORIGINAL.length), text]] : [])),
  );
  const attacked = texts.filter(([name]) => !name.startsWith(ORIGINAL) && name !== 'method' && name !== 'label');
  const before = attacked.map(([name, text]): [string, string] => [name, originals.get(name) ?? text]);
  const hasOriginals = originals.size > 0;
  const joined = (columns: readonly (readonly [string, string])[]): string =>
    columns.length === 1 ? (columns[0]?.[1] ?? '') : columns.map(([name, text]) => `${name}: ${text}`).join('\n');
  return makeRecord({
    id: `${task}/${labelText(row['idx'] ?? index) ?? index}`,
    run: fileName(file),
    unit: 'input',
    attack: typeof row['method'] === 'string' ? row['method'] : 'advglue',
    dataset: task,
    src: hasOriginals ? joined(before) : null,
    adv_src: joined(attacked),
    ref: labelText(row['label']),
    columns:
      hasOriginals && attacked.length > 1
        ? { original: Object.fromEntries(before), perturbed: Object.fromEntries(attacked) }
        : null,
    provenance: { tool: 'advglue', version: null, file, line },
    extra: { kind: 'attack', ...withoutKeys(row, ['idx', 'label', 'method']) },
  });
}
