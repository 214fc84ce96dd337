import { audit, ruleIds, type AuditReport, type RuleReport } from '../../record/audit/audit.js';
import type { Finding } from '../../record/audit/rule.js';
import type { RecordInput } from '../../record/record-files.js';
import { csvOf, gridOf, type Column } from '../../report/columns.js';
import { renderGrids, type GridFormat } from '../../report/render-grids.js';
import { renderJson } from '../../report/json.js';
import { createScorer } from '../../score/registry.js';
import { version } from '../../version.js';
import { checkGateNames, enforceGates } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { TableFormat } from '../../report/formats.js';

import type { AuditArguments } from '../commands/audit.js';
import { BOTH_CHRF, openScorers } from '../scorers.js';
import { openRecordSource } from '../record-source.js';
import { printResult } from '../terminal.js';
import { invalid } from '../values.js';

/** The sums that `--fail-if` may name beside the rules. */
const SUMS = ['errors', 'warnings', 'notes', 'findings'] as const;

/**
 * Audits records or line-aligned files and prints what each rule found.
 *
 * @throws {UsageError} when an option is wrong or a line is no record.
 * @throws {GateError} when a condition of `--fail-if` holds.
 */
export async function runAudit(argv: AuditArguments): Promise<void> {
  const note = createNote(argv);
  gatedFormat(argv);
  checkGateNames(argv.failIf ?? [], [...SUMS, ...ruleIds()]);
  const { examples } = argv;
  const options = {
    successThreshold: argv.successThreshold,
    nearTie: argv.nearTie,
    keepTrailingWhitespace: argv.keepTrailingWhitespace,
    labels: (argv.labels ?? '').split(',').filter((label) => label !== ''),
    signal: interruptSignal,
  };
  const scorers = {
    ...(await openScorers(argv, BOTH_CHRF, note)),
    similarity: await createScorer('chrf'),
  };
  try {
    const source = await openRecordSource(argv, note);
    const findings: string[] = [];
    const onFinding =
      argv.perLine === undefined ? undefined : (one: Finding) => void findings.push(`${JSON.stringify(one)}\n`);
    const report = await audit(source.records, { ...scorers, ...options }, examples, onFinding);
    if (report.records === 0) throw invalid('There is nothing to audit: the files hold no records.');
    if (argv.perLine !== undefined) await printResult(findings.join(''), { output: argv.perLine, format: 'jsonl' });
    const numbers = numbersByName(report);
    const verdicts = await printGated(argv, {
      suite: 'teapot audit',
      signature: `version:${version()}`,
      rows: [{ group: null, numbers }],
      render: async (format) =>
        format === 'html'
          ? (await import('../report/result-page.js')).auditPage(report)
          : render(report, source.inputs(), format),
    });
    note(
      `${report.records} records: ${numbers.get('errors')} errors, ${numbers.get('warnings')} warnings, ${numbers.get('notes')} notes`,
    );
    enforceGates(verdicts);
  } finally {
    for (const scorer of Object.values(scorers)) await scorer.close?.();
  }
}

function numbersByName({ rules }: AuditReport): Map<string, number> {
  const sum = (severity?: RuleReport['severity']): number =>
    rules.reduce((total, rule) => total + (severity === undefined || rule.severity === severity ? rule.count : 0), 0);
  return new Map<string, number>([
    ['errors', sum('error')],
    ['warnings', sum('warning')],
    ['notes', sum('note')],
    ['findings', sum()],
    ...rules.map(({ id, count }): [string, number] => [id, count]),
  ]);
}

function render(report: AuditReport, inputs: readonly RecordInput[], format: Exclude<TableFormat, 'html'>): string {
  if (format === 'json') {
    return renderJson({
      schema: 'teapot.audit/1',
      records: report.records,
      ...Object.fromEntries([...numbersByName(report)].slice(0, SUMS.length)),
      rules: report.rules,
      version: version(),
      inputs,
    });
  }
  if (format === 'csv') return csvOf({ columns: RULE_COLUMNS, rows: report.rules });
  const found = report.rules.filter(({ count }) => count > 0);
  if (found.length === 0) return nothingFound(report, format);
  const grids = [gridOf({ columns: RULE_COLUMNS, rows: found }, { scale: 1 })];
  const examples = found.flatMap((rule) => rule.examples);
  if (examples.length > 0) {
    grids.push(gridOf({ title: 'Examples', columns: EXAMPLE_COLUMNS, rows: examples }, { scale: 1 }));
  }
  return renderGrids(grids, format);
}

function nothingFound({ records, rules }: AuditReport, format: GridFormat): string {
  const text = `No findings in ${records} records (${rules.length} rules).`;
  // In LaTeX the sentence would become part of the paper.
  return format === 'latex' ? `% ${text}\n` : `${text}\n`;
}

const RULE_COLUMNS: readonly Column<RuleReport>[] = [
  {
    name: 'severity',
    kind: 'text',
    describe: 'error, warning or note',
    heading: 'severity',
    value: ({ severity }) => severity,
  },
  { name: 'rule', kind: 'text', describe: 'Name of the rule', heading: 'rule', value: ({ id }) => id },
  { name: 'count', kind: 'count', describe: 'Findings', heading: 'count', value: ({ count }) => count },
  {
    name: 'meaning',
    kind: 'text',
    describe: 'What the rule finds',
    heading: 'meaning',
    value: ({ description }) => description,
  },
];

const EXAMPLE_COLUMNS: readonly Column<Finding>[] = [
  { name: 'rule', kind: 'text', describe: 'Name of the rule', heading: 'rule', value: ({ rule }) => rule },
  {
    name: 'place',
    kind: 'text',
    describe: 'File and line',
    heading: 'place',
    value: ({ file, line }) => place(file, line),
  },
  { name: 'record', kind: 'text', describe: 'Id of the record', heading: 'record', value: ({ record }) => record },
  { name: 'found', kind: 'text', describe: 'What was found', heading: 'found', value: ({ message }) => message },
];

function place(file: string | null, line: number | null): string {
  if (file === null) return line === null ? '' : `line ${line}`;
  const name = file.slice(file.lastIndexOf('/') + 1);
  return line === null ? name : `${name}:${line}`;
}
