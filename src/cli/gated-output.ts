import { chooseFormat, GATED_FORMATS } from '../report/formats.js';
import type { GatedFormat } from '../report/formats.js';
import { decideGates } from './gate.js';
import type { Gate, GatedRow, GateVerdict } from './gate.js';
import { printResult } from './terminal.js';

/** What the user asked of an output to which gates are applied. */
export interface GatedArguments {
  readonly format?: GatedFormat | undefined;
  readonly output?: string | undefined;
  readonly failIf?: readonly Gate[] | undefined;
}

/** The results of a command. */
export interface GatedResults {
  /** Names the suite of a JUnit report: `teapot pdr`. */
  readonly suite: string;
  /** Everything that can change the numbers, in one line. */
  readonly signature: string;
  readonly rows: readonly GatedRow[];
  readonly render: (format: Exclude<GatedFormat, 'junit'>) => string | Promise<string>;
}

/** The format of the results: the one that was asked for, else the one of the output file's extension, else text. */
export function gatedFormat({ format, output }: GatedArguments): GatedFormat {
  return chooseFormat({ formats: GATED_FORMATS, format, output, option: '--output' });
}

/**
 * Prints results in their format, or writes them to the file that was named.
 *
 * @returns What the gates say, for `enforceGates`.
 */
export async function printGated(argv: GatedArguments, results: GatedResults): Promise<readonly GateVerdict[]> {
  const format = gatedFormat(argv);
  const { suite, signature, rows, render } = results;
  const verdicts = decideGates(argv.failIf ?? [], rows);
  let text: string;
  if (format === 'junit') {
    const { junitReport } = await import('./junit.js');
    text = junitReport(suite, rows, verdicts, signature);
  } else text = await render(format);
  await printResult(text, { output: argv.output, format });
  return verdicts;
}
