import { readTableRows } from '../../../read/table-rows.js';
import type { TableRow } from '../../../read/table-rows.js';
import type { SourceFile } from '../../../read/source-file.js';
import { badRow } from '../common/bad-row.js';
import type { JsonLine, JsonObject } from '../common/json-lines.js';
import type { ImportOptions } from '../importer.js';

/** The column of an answer, before the columns about it: `[provider] prompt`. */
const ANSWER = /^\[(.+?)\] ([\s\S]*)$/u;

/** The columns about an answer; they are repeated for each prompt. */
const STATUS = 'Status';

/** Columns of red-team runs that are metadata in JSON. */
const METADATA = ['pluginId', 'strategyId', 'sessionId', 'sessionIds'];

/** Whether a file starts with the header of promptfoo's CSV: variables, an answer in brackets, its status and score. */
export function isPromptfooHeader(head: string): boolean {
  return /(?:^|[,"])\[[^\]\n]+\] [\s\S]{1,20000}?,Status,Score,Named Scores/u.test(head.slice(0, 40_000));
}

/**
 * Reads promptfoo's CSV as results of the shape that its JSON has, as far as it says them: it has no metadata, so an
 * evaluation that holds both sides can't be paired from it.
 */
export async function readPromptfooCsv(source: SourceFile, options: ImportOptions): Promise<JsonLine[]> {
  const results: JsonLine[] = [];
  const onBadRow = (line: number, reason: string): void => badRow(options, source.name, line, reason);
  let test = 0;
  for await (const rows of readTableRows(source, { onBadRow })) {
    for (const row of rows) {
      results.push(...resultsOf(row, test));
      test += 1;
    }
  }
  return results;
}

function resultsOf({ columns, values, line }: TableRow, testIdx: number): JsonLine[] {
  const answers = [...columns.keys()].filter(
    (index) => ANSWER.test(columns[index] ?? '') && columns[index + 1] === STATUS,
  );
  const cell = (index: number): string => String(values[index] ?? '');
  const vars = Object.fromEntries(
    columns.slice(0, answers[0] ?? 0).map((name, index): [string, string] => [name, cell(index)]),
  );
  return answers.map((start, promptIdx): JsonLine => {
    const [, provider = '', template = ''] = ANSWER.exec(columns[start] ?? '') ?? [];
    const end = answers[promptIdx + 1] ?? columns.length;
    const about: JsonObject = {};
    for (let index = start + 1; index < end; index += 1) about[columns[index] ?? ''] = values[index] ?? null;
    const metadata = Object.fromEntries(
      METADATA.flatMap((name) => (typeof about[name] === 'string' ? [[name, about[name]]] : [])),
    );
    const status = String(about[STATUS]);
    return {
      line,
      value: {
        testIdx,
        promptIdx,
        vars,
        prompt: { raw: filledIn(template, vars), label: template },
        provider: { id: provider },
        response: { output: cell(start) },
        success: status === 'PASS',
        failureReason: status === 'ERROR' ? 2 : Number(status !== 'PASS'),
        score: Number(about['Score']),
        metadata,
        csv: about,
      },
    };
  });
}

function filledIn(template: string, vars: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{\s*(\w+)\s*\}\}/gu, (written, name: string) => vars[name] ?? written);
}
