import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { labelText } from '../../../read/label.js';
import { openSource } from '../../../read/source-file.js';
import type { SourceFile } from '../../../read/source-file.js';
import { readTableRows } from '../../../read/table-rows.js';
import { badRow } from '../common/bad-row.js';
import { lineAt, readJsonDocument } from '../common/json-document.js';
import { isObject, kindOf } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';
import type { ImportOptions } from '../importer.js';
import { defineRunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun, ReportedNumber } from '../runs/run.js';

/** Scores of OpenCompass are percentages. */
const PERCENT = 100;

/**
 * Reads an ordinary evaluation of OpenCompass: `predictions/<model>/<dataset>.json`, with `results/<model>/<dataset>.json`
 * beside it (correctness of each item with `--dump-eval-details`), or such a file of results alone. Of a data set that was
 * cut into parts (`<dataset>_0.json`, …) each part is a run. The summary (`summary_*.csv`) is handed on as one.
 *
 * Source: `opencompass/openicl/icl_inferencer/` and `opencompass/tasks/openicl_eval.py` of open-compass/opencompass; 0.5.4.
 */
export const opencompassResults = defineRunImporter({
  name: 'opencompass-results',
  description: 'OpenCompass: predictions and results of an evaluation, and its summary',
  inFolder: /(?:^|\/)predictions\/[^/]+\/[^/]+\.json$/u,
  detect: (head) => {
    if (/^\s*\{\s*"0"\s*:\s*\{\s*"(?:origin_prompt|prediction|label: )/u.test(head)) return 1;
    if (
      /^\s*\{/u.test(head) &&
      /"details"\s*:\s*\{/u.test(head) &&
      /"(?:origin_prediction|predictions)"\s*:/u.test(head)
    )
      return 1;
    return head.startsWith('dataset,version,metric,mode,') ? 1 : 0;
  },
  readRuns,
});

async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  const head = await source.head();
  if (head.startsWith('dataset,version,metric,mode,')) {
    await summarise(source, options);
    return [];
  }
  const { value, text } = await readJsonDocument(source, options);
  const document = isObject(value) ? value : {};
  const isResults = isObject(document['details']);
  const results = isResults ? document : await resultsBeside(source, options);
  const details = isObject(results?.['details']) ? results['details'] : {};
  const entries = Object.entries(isResults ? details : document).filter(([key]) => /^\d+$/u.test(key));
  const items = entries
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .flatMap(([key, item]) => itemOf(key, item, details[key], text, source.name, options));
  const { model, dataset } = placeOf(source);
  const metric = metricOf(results);
  return [
    {
      tool: 'opencompass',
      version: null,
      file: source.name,
      run: null,
      model,
      dataset,
      metric: metric?.name ?? null,
      template: null,
      reported:
        metric === undefined
          ? null
          : {
              ...metric,
              name: `${dataset ?? ''} ${metric.name}`.trim(),
              over: Object.keys(details).filter((key) => /^\d+$/u.test(key)).length || null,
            },
      items,
    },
  ];
}

function itemOf(
  key: string,
  value: unknown,
  detail: unknown,
  text: string,
  file: string,
  options: ImportOptions,
): EvaluatedItem[] {
  const line = lineAt(text, Math.max(0, text.indexOf(`"${key}"`)));
  if (!isObject(value)) {
    badRow(options, file, line, `$["${key}"]: expected an object, found ${kindOf(value)}`);
    return [];
  }
  const more = isObject(detail) ? detail : {};
  const prompt = promptOf(value['origin_prompt'] ?? value['prompt'] ?? more['prompt']);
  return [
    {
      key,
      file,
      line,
      texts: new Map(),
      prompt,
      out: labelText(value['prediction'] ?? value['origin_prediction'] ?? null),
      ref: labelText(value['gold'] ?? more['references'] ?? null),
      score: scoreOf(more),
      raw: more === value ? value : { ...value, ...(isObject(detail) ? { detail } : {}) },
    },
  ];
}

/** What was sent: a text, or turns of which those of the user count. */
function promptOf(written: unknown): string | null {
  if (typeof written === 'string') return written;
  if (!Array.isArray(written)) return null;
  const turns = (written as unknown[]).filter(isObject);
  const last = turns.findLast((turn) => turn['role'] === 'HUMAN') ?? turns.at(-1);
  return last === undefined ? null : labelText(last['prompt'] ?? null);
}

/** Some evaluators say it; accuracy is equality of the answer that was read and the reference. */
function scoreOf({ correct, predictions, references, pred, answer }: JsonObject): number | null {
  if (typeof correct === 'boolean') return Number(correct);
  if (Array.isArray(correct) && correct.length > 0 && correct.every((one) => typeof one === 'boolean')) {
    return correct.filter(Boolean).length / correct.length;
  }
  const [found, wanted] = [labelText(predictions ?? pred ?? null), labelText(references ?? answer ?? null)];
  return found === null || wanted === null ? null : Number(found === wanted);
}

/** The first number of the results that is no detail. */
function metricOf(results: JsonObject | undefined): Omit<ReportedNumber, 'over'> | undefined {
  const found = Object.entries(results ?? {}).find(([name, value]) => name !== 'details' && typeof value === 'number');
  return found === undefined ? undefined : { name: found[0], value: Number(found[1]) / PERCENT };
}

/** `<time>/predictions/<model>/<dataset>.json`. */
function placeOf(source: SourceFile): { readonly model: string | null; readonly dataset: string | null } {
  if (source.path === undefined) return { model: null, dataset: null };
  const folder = dirname(source.path);
  const isPlace = ['predictions', 'results'].includes(basename(dirname(folder)));
  return {
    model: isPlace ? basename(folder) : null,
    dataset: basename(source.path).replace(/\.json(?:\.gz|\.zst)?$/u, ''),
  };
}

async function resultsBeside(source: SourceFile, options: ImportOptions): Promise<JsonObject | undefined> {
  if (source.path === undefined) return undefined;
  const folder = dirname(source.path);
  const path = join(dirname(folder), '..', 'results', basename(folder), basename(source.path));
  if (basename(dirname(folder)) !== 'predictions' || !existsSync(path)) return undefined;
  const { value } = await readJsonDocument(openSource(path, { signal: options.signal }), options);
  return isObject(value) ? value : undefined;
}

async function summarise(source: SourceFile, options: ImportOptions): Promise<void> {
  const values: Record<string, number | null> = {};
  for await (const rows of readTableRows(source)) {
    for (const { columns, values: cells } of rows) {
      const [dataset, , metric] = cells.map(String);
      for (const [index, model] of columns.entries()) {
        const score = Number(cells[index]);
        // A dash stands where a model was not run.
        if (index >= 4) values[`${dataset} ${metric} ${model}`] = Number.isNaN(score) ? null : score;
      }
    }
  }
  options.onSummary?.({ file: source.name, line: 1, values });
}
