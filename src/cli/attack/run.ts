import type { AttackArguments } from '../commands/attack.js';

/** Runs `teapot attack`: on the inputs of a victim, on the prompts of a task, or on another model with attacked prompts. */
export async function runAttack(args: AttackArguments): Promise<void> {
  const { transfer } = args;
  if (transfer !== undefined) {
    const { runPromptTransfer } = await import('./run-prompts.js');
    await runPromptTransfer({ ...args, transfer });
  } else if ((args.config ?? args.dataset ?? args.prompts) !== undefined) {
    const { runPromptAttack } = await import('./run-prompts.js');
    await runPromptAttack(args);
  } else {
    const { runInputAttack } = await import('./run-inputs.js');
    await runInputAttack(args);
  }
}
