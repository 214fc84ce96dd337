import { oneLine } from './one-line.js';

/** A test of a JUnit report. */
export interface JUnitCase {
  /** What is tested: an attack, a group. */
  readonly className: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'error';
  /** Why it failed. */
  readonly message?: string;
  /** What was measured, one number a line. */
  readonly output?: string;
}

/**
 * A JUnit report, as CI services read it: one test suite.
 *
 * @param properties Shown beside the suite: the version, the signature.
 */
export function renderJUnit(
  suite: string,
  cases: readonly JUnitCase[],
  properties: Readonly<Record<string, string>>,
): string {
  const count = (state: JUnitCase['state']): number => cases.filter((one) => one.state === state).length;
  const counts = `tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}"`;
  const shown = Object.entries(properties).map(
    ([name, value]) => `      <property name="${escaped(name)}" value="${escaped(value)}"/>\n`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="${escaped(suite)}" ${counts}>\n`,
    `  <testsuite name="${escaped(suite)}" ${counts} skipped="0">\n`,
    `    <properties>\n${shown.join('')}    </properties>\n`,
    ...cases.map(testCase),
    '  </testsuite>\n</testsuites>\n',
  ].join('');
}

function testCase({ className, name, state, message = '', output }: JUnitCase): string {
  const head = `    <testcase classname="${escaped(className)}" name="${escaped(name)}" time="0"`;
  const inner = [
    state === 'failed' ? `      <failure type="gate" message="${escaped(message)}"/>\n` : '',
    state === 'error' ? `      <error type="undecided" message="${escaped(message)}"/>\n` : '',
    output === undefined ? '' : `      <system-out>${output.split('\n').map(escaped).join('\n')}</system-out>\n`,
  ].join('');
  return inner === '' ? `${head}/>\n` : `${head}>\n${inner}    </testcase>\n`;
}

/** XML has no way to write control characters: they are spelled out. */
function escaped(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uFFFE\uFFFF]/g, '\uFFFD');
}
