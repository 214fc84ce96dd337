import type { ScoreArguments } from './commands/score.js';

/** Runs `teapot score`: on attack records where files of them are named, else on line-aligned files or a table. */
export async function runScoreCommand(args: ScoreArguments): Promise<void> {
  const { records } = args;
  if (records !== undefined && records.length > 0) {
    const { runRecordScore } = await import('./record-score/run.js');
    await runRecordScore({ ...args, records });
    return;
  }
  const { runScore } = await import('./score-run.js');
  await runScore(args);
}
