import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import type { AuditArguments } from '../audit/run.js';
import { tableOptions } from '../record-options.js';
import { recordSourceOptions } from '../record-source.js';

/** `teapot audit`: rows whose numbers contradict each other, and texts that are not what they should be. */
export const command: CommandModule<object, AuditArguments> = {
  command: 'audit [records..]',
  describe: 'Find contradictions, no-op attacks, damaged labels, misaligned lines, mixed-up scales, duplicates',
  builder: (yargs) =>
    tableOptions(recordSourceOptions(yargs))
      .option('s-src', { ...value('Metric of the source side'), default: 'chrf' })
      .option('s-tgt', { ...value('Metric of the target side'), default: 'chrf' })
      .option('success-threshold', { ...value('Threshold of success, for near ties'), default: '1' })
      .option('labels', value('Words that attacks must not touch, beside quoted ones: positive,negative'))
      .option('near-tie', {
        ...value('The largest distance from the threshold that counts as a tie'),
        default: '0.001',
      })
      .option('examples', { ...value('How many findings of each rule are shown'), default: '3' })
      .option('findings', value('Write every finding there, one JSON object a line'))
      .option('fail-if', {
        ...value("Exit with code 3 when it holds: 'errors>0', 'unchanged>10'; repeat it for several"),
        array: true,
      })
      .example('$0 audit records.jsonl', 'What is odd about these records')
      .example(
        "$0 audit --src a.txt --adv-src b.txt --fail-if 'errors>0'",
        'Line-aligned files, in a pipeline',
      ) as unknown as Argv<AuditArguments>,
  handler: audit,
};

async function audit(argv: ArgumentsCamelCase<AuditArguments>): Promise<void> {
  const { runAudit } = await import('../audit/run.js');
  await runAudit(argv);
}

function value(describe: string) {
  return { type: 'string', requiresArg: true, describe } as const;
}
