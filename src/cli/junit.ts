import { formatShortest } from '../number-format.js';
import { renderJUnit } from '../report/junit.js';
import type { JUnitCase } from '../report/junit.js';
import { version } from '../version.js';
import { placeOf } from './gate.js';
import type { GatedRow, GateVerdict } from './gate.js';

/**
 * The results of a command as a JUnit report: one test an attack or group, that says its numbers, and one a gate and row.
 *
 * @param command Names the suite: `teapot score`.
 */
export function junitReport(
  command: string,
  rows: readonly GatedRow[],
  verdicts: readonly GateVerdict[],
  signature: string,
): string {
  const measured = rows.map(({ group, isTotal, numbers }): JUnitCase => {
    const lines = [...numbers].flatMap(([name, value]) =>
      value === null ? [] : [`${name} = ${formatShortest(value)}`],
    );
    return {
      className: command,
      name: placeOf(group, rows.length > 1, isTotal) || 'measured',
      state: 'passed',
      output: lines.join('\n'),
    };
  });
  const gates = verdicts.map(({ gate, place, value, state }): JUnitCase => {
    const message = value === null ? `${gate.name} is undefined` : `${gate.name} is ${formatShortest(value)}`;
    return {
      className: place === '' ? command : place,
      name: `not ${gate.text}`,
      state: state === 'passed' ? 'passed' : state === 'fired' ? 'failed' : 'error',
      message,
    };
  });
  return renderJUnit(command, [...measured, ...gates], { version: version(), signature });
}
