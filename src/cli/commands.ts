import type { ArgumentsOf, Command, GeneralArguments, OptionTable, ValuesOf } from './command.js';
import { agree } from './commands/agree.js';
import { attack } from './commands/attack.js';
import { audit } from './commands/audit.js';
import { compare } from './commands/compare.js';
import { completion } from './commands/completion.js';
import { edits } from './commands/edits.js';
import { explain } from './commands/explain.js';
import { exportRecords } from './commands/export.js';
import { help } from './commands/help.js';
import { importRecords } from './commands/import.js';
import { importance } from './commands/importance.js';
import { list } from './commands/list.js';
import { merge } from './commands/merge.js';
import { models } from './commands/models.js';
import { pdr } from './commands/pdr.js';
import { perturb } from './commands/perturb.js';
import { report } from './commands/report.js';
import { sample } from './commands/sample.js';
import { score } from './commands/score.js';
import { transfer } from './commands/transfer.js';
import { validate } from './commands/validate.js';
import { worker } from './commands/worker.js';

/** A command and the code that it runs, which is loaded when the command runs. */
export interface RunnableCommand {
  readonly command: Command;
  readonly run: (args: GeneralArguments) => Promise<void>;
}

/** `score`: the command that runs when none is named, and whose flags stand in `teapot --help`. */
export const SCORE = runnable(score, async () => (await import('./score-run.js')).runScore);

/** Every other command, in the order of the help. */
export const COMMANDS: readonly RunnableCommand[] = [
  runnable(attack, async () => (await import('./attack/run.js')).runAttack),
  runnable(importance, async () => (await import('./importance/run.js')).runImportance),
  runnable(importRecords, async () => (await import('./records/run-import.js')).runImport),
  runnable(exportRecords, async () => (await import('./records/run-export.js')).runExport),
  runnable(perturb, async () => (await import('./perturb-run.js')).runPerturb),
  runnable(merge, async () => (await import('./merge-run.js')).runMerge),
  runnable(worker, async () => (await import('./worker-run.js')).runWorker),
  runnable(pdr, async () => (await import('./pdr/run.js')).runPdr),
  runnable(transfer, async () => (await import('./pdr/run-transfer.js')).runTransfer),
  runnable(edits, async () => (await import('./edits/run.js')).runEdits),
  runnable(compare, async () => (await import('./compare/run.js')).runCompare),
  runnable(audit, async () => (await import('./audit/run.js')).runAudit),
  runnable(explain, async () => (await import('./explain/run.js')).runExplain),
  runnable(report, async () => (await import('./report/run.js')).runReport),
  runnable(models, async () => (await import('./models-run.js')).runModels),
  runnable(sample, async () => (await import('./people/run-sample.js')).runSample),
  runnable(agree, async () => (await import('./people/run-agree.js')).runAgree),
  runnable(validate, async () => (await import('./people/run-validate.js')).runValidate),
  runnable(list, async () => (await import('./list/run.js')).runList),
  runnable(help, async () => {
    const { runHelp } = await import('./print-help.js');
    return async (args) => runHelp(args, allCommands());
  }),
  runnable(completion, async () => {
    const { runCompletion } = await import('./print-help.js');
    return async (args) => runCompletion(args, allCommands());
  }),
];

/** The tables of all commands; `score` is the first one. */
export function allCommands(): readonly Command[] {
  return [SCORE, ...COMMANDS].map(({ command }) => command);
}

/** Pairs a command with its code: the code must take what the options give. */
function runnable<O extends OptionTable>(
  command: Command<O>,
  load: () => Promise<(args: ArgumentsOf<Command<O>>) => void | Promise<void>>,
): RunnableCommand {
  return {
    command: command as unknown as Command,
    run: async (args) => (await load())(args as ValuesOf<O> & GeneralArguments as ArgumentsOf<Command<O>>),
  };
}
