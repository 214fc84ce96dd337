import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { perturbOptions } from '../perturb-options.js';
import type { PerturbArguments } from '../perturb-options.js';

/** `teapot perturb`: edits every line of a text by an attack that asks no victim. */
export const command: CommandModule<object, PerturbArguments> = {
  command: 'perturb [input]',
  describe: 'Edit every line of a text by an attack that asks no victim',
  builder: perturbOptions,
  handler: perturb,
};

async function perturb(argv: ArgumentsCamelCase<PerturbArguments>): Promise<void> {
  const { runPerturb } = await import('../perturb-run.js');
  await runPerturb(argv);
}
