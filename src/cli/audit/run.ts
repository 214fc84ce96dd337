import { audit, ruleIds, type AuditReport, type RuleReport } from '../../record/audit/audit.js';
import type { Finding } from '../../record/audit/rule.js';
import type { RecordInput } from '../../record/record-files.js';
import { renderGrid, type Grid } from '../../report/grid.js';
import { createScorer } from '../../score/registry.js';
import { version } from '../../version.js';
import { applyGates, checkGateNames } from '../gate.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { TableFormat } from '../options/output.js';
import { tableFormat } from '../record-options.js';

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
  const format = tableFormat(argv);
  const gates = argv.failIf ?? [];
  checkGateNames(gates, [...SUMS, ...ruleIds()]);
  const { examples } = argv;
  const options = {
    successThreshold: argv.successThreshold,
    nearTie: argv.nearTie,
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
      argv.findings === undefined ? undefined : (one: Finding) => void findings.push(`${JSON.stringify(one)}\n`);
    const report = await audit(source.records, { ...scorers, ...options }, examples, onFinding);
    if (report.records === 0) throw invalid('There is nothing to audit: the files hold no records.');
    if (argv.findings !== undefined) await printResult(findings.join(''), { output: argv.findings, format: 'jsonl' });
    await printResult(render(report, source.inputs(), format), { output: argv.output, format });
    const numbers = numbersOf(report);
    note(
      `${report.records} records: ${numbers.get('errors')} errors, ${numbers.get('warnings')} warnings, ${numbers.get('notes')} notes`,
    );
    applyGates(gates, numbers);
  } finally {
    for (const scorer of Object.values(scorers)) await scorer.close?.();
  }
}

function numbersOf({ rules }: AuditReport): Map<string, number> {
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

function render(report: AuditReport, inputs: readonly RecordInput[], format: TableFormat): string {
  if (format === 'json') {
    const document = {
      schema: 'teapot.audit/1',
      records: report.records,
      ...Object.fromEntries([...numbersOf(report)].slice(0, SUMS.length)),
      rules: report.rules,
      version: version(),
      inputs,
    };
    return `${JSON.stringify(document, undefined, 2)}\n`;
  }
  if (format === 'csv') return renderGrid(ruleGrid(report.rules), 'csv');
  const found = report.rules.filter(({ count }) => count > 0);
  if (found.length === 0) return `No findings in ${report.records} records (${report.rules.length} rules).\n`;
  const parts = [renderGrid(ruleGrid(found), format)];
  const examples = exampleGrid(found);
  if (examples.rows.length > 0) parts.push(renderGrid(examples, format));
  return parts.join('\n');
}

function ruleGrid(rules: readonly RuleReport[]): Grid {
  return {
    columns: [{ name: 'severity' }, { name: 'rule' }, { name: 'count', align: 'right' }, { name: 'meaning' }],
    rows: rules.map(({ severity, id, count, description }) => [severity, id, String(count), description]),
  };
}

function exampleGrid(rules: readonly RuleReport[]): Grid {
  return {
    title: 'Examples',
    columns: [{ name: 'rule' }, { name: 'place' }, { name: 'record' }, { name: 'found' }],
    rows: rules.flatMap(({ examples }) =>
      examples.map(({ rule, record, file, line, message }) => [rule, place(file, line), record, message]),
    ),
  };
}

function place(file: string | null, line: number | null): string {
  if (file === null) return line === null ? '' : `line ${line}`;
  const name = file.slice(file.lastIndexOf('/') + 1);
  return line === null ? name : `${name}:${line}`;
}
