import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { scoreCommandOptions } from '../options.js';
import type { ScoreArguments } from '../options.js';

/** `teapot [score]`: measures an attack on aligned texts; `teapot score RECORDS…`: measures attack records. */
export const command: CommandModule<object, ScoreArguments> = {
  command: 'score [records..]',
  describe: 'Measure an attack on aligned texts: s_src, d_tgt, success rate (the default command)',
  builder: scoreCommandOptions,
  handler: score,
};

async function score(argv: ArgumentsCamelCase<ScoreArguments>): Promise<void> {
  if (argv.records !== undefined && argv.records.length > 0) {
    const { runRecordScore } = await import('../record-score/run.js');
    await runRecordScore({ ...argv, records: argv.records });
    return;
  }
  const { runScore } = await import('../score-run.js');
  await runScore(argv);
}
