import type { PerturbFileOptions } from '../attack/perturb.js';
import type { PerturbOptions } from '../native.js';
import { STDOUT } from '../output-file.js';
import { readListText } from '../read/list.js';
import { STDIN } from '../read/source-file.js';
import type { PerturbArguments } from './commands/perturb.js';
import { readConstraints } from './read-constraints.js';

/** A run of `teapot perturb`, checked: what was asked for, with the defaults filled in. */
export interface PerturbPlan {
  /** A path, or `-`. */
  readonly input: string;
  /** A path, or `-`. */
  readonly output: string;
  /** Where the edits go; undefined for nowhere. */
  readonly edits: string | undefined;
  readonly attack: PerturbOptions & { readonly seed: number };
  readonly run: PerturbFileOptions & { readonly variants: number };
}

const DEFAULT_ATTACK = 'charswap';

/**
 * Checks the arguments of `teapot perturb` and reads the small files that they name.
 *
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` naming the option; `ERR_TEAPOT_READ`, `ERR_TEAPOT_FORMAT` for files.
 */
export async function planPerturb(argv: PerturbArguments): Promise<PerturbPlan> {
  const { seed, rate, maxEdits } = argv;
  return {
    input: argv.input ?? STDIN,
    output: argv.output ?? STDOUT,
    edits: argv.perLine,
    attack: {
      attacks: [...(argv.attack ?? [DEFAULT_ATTACK])],
      seed,
      ...(rate !== undefined && { rate }),
      ...(maxEdits !== undefined && { maxEdits }),
      ...(await readConstraints(argv)),
      ...(argv.suffix !== undefined && { suffixes: [...argv.suffix] }),
      ...(argv.replacements !== undefined && { replacements: await readListText(argv.replacements, 'replacements') }),
      ...(argv.vocabulary !== undefined && { vocabulary: await readListText(argv.vocabulary, 'known words') }),
    },
    run: {
      variants: argv.variants,
      edits: argv.perLine !== undefined,
      ...(argv.threads !== undefined && { threads: argv.threads }),
      ...(argv.encoding !== undefined && { read: { encoding: argv.encoding } }),
    },
  };
}
