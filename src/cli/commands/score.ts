import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { scoreOptions } from '../options.js';
import type { ScoreArguments } from '../options.js';

/** `teapot [score]`: measures an attack on aligned texts. */
export const command: CommandModule<object, ScoreArguments> = {
  command: ['score', '$0'],
  describe: 'Measure an attack on aligned texts: s_src, d_tgt, success rate (the default command)',
  builder: scoreOptions,
  handler: score,
};

async function score(argv: ArgumentsCamelCase<ScoreArguments>): Promise<void> {
  const { runScore } = await import('../score-run.js');
  await runScore(argv);
}
