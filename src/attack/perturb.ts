import { callNative, native, runNative } from '../native.js';
import type { AttackEntry, InputReport, PerturbedBlock, PerturbOptions, ReadOptions } from '../native.js';
import type { RunOptions } from '../run-options.js';

/** Lines that are perturbed between two looks at the signal. */
const BLOCK_LINES = 8192;

/** Texts that are perturbed between two looks at the signal. */
const BATCH_TEXTS = 4096;

/** What is made of each text. */
export interface PerturbRunOptions extends RunOptions {
  /** Perturbed texts for each text, at least 1, no two of them equal; a text that has fewer gives fewer. Default 1. */
  readonly variants?: number;
  /** Describe the edits of each perturbed text as well. Default false. */
  readonly edits?: boolean;
  /** Threads of the native core. Default one a core. */
  readonly threads?: number;
}

/** Perturbed texts. */
export interface PerturbedTexts {
  /** At most N · variants texts; the variants of a text follow each other, and none is there twice. */
  readonly texts: readonly string[];
  /** How many variants each of the N texts has: from 1 to what was asked for. */
  readonly counts: readonly number[];
  /**
   * The edits of each, in order and apart from each other; empty unless asked for. Positions are code points of the
   * original, from 0.
   */
  readonly edits: readonly (readonly PerturbEdit[])[];
}

/** One replacement: the code points `start` to `end` (exclusive) of the original became `replacement`. */
export interface PerturbEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** What was done, for example `swap`; see {@link editKinds}. */
  readonly kind: string;
}

/**
 * Perturbs texts by an attack that asks no victim.
 *
 * The seed, the position of a text in the list and the number of the variant decide every draw: the same call gives the
 * same texts on every machine.
 *
 * @param texts N texts. Lone surrogates become U+FFFD.
 * @param attack What is done and what must be kept.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION`; the signal's reason when it aborts.
 * @example const { texts } = await perturbTexts(['The kettle is hot.'], { attacks: ['charswap'], rate: 0.5, seed: 7 });
 */
export async function perturbTexts(
  texts: readonly string[],
  attack: PerturbOptions,
  { variants = 1, edits = false, threads, ...run }: PerturbRunOptions = {},
): Promise<PerturbedTexts> {
  const plan = { variants, edits, ...(threads !== undefined && { threads }) };
  const perturbed: string[] = [];
  const counts: number[] = [];
  const described: PerturbEdit[][] = [];
  // Once without texts as well, so that a mistake in the options never passes.
  for (let start = 0; start === 0 || start < texts.length; start += BATCH_TEXTS) {
    const batch = texts.slice(start, start + BATCH_TEXTS);
    const part = await runNative(
      (binding, cancellation) => binding.perturbTexts(batch, attack, plan, start, cancellation),
      run,
    );
    for (const text of part.texts) perturbed.push(text);
    for (const count of part.counts) counts.push(count);
    for (const json of part.edits) described.push((JSON.parse(json) as { edits: PerturbEdit[] }).edits);
    run.onProgress?.(start + batch.length, texts.length);
  }
  return { texts: perturbed, counts, edits: described };
}

/** Options of {@link openPerturbation}. */
export interface PerturbFileOptions extends Omit<PerturbRunOptions, keyof RunOptions> {
  /** How lines are read. Whitespace at line ends is always kept. */
  readonly read?: Pick<ReadOptions, 'encoding'>;
}

/** A file that is being perturbed. */
export interface FilePerturbation {
  /** The perturbed lines block by block; can be read once. The next block is made while one is used. */
  blocks(options?: RunOptions): AsyncGenerator<PerturbedBlock>;
  /** What is known of the file; complete after the last block. */
  input(): Promise<InputReport>;
}

/**
 * Perturbs the lines of a file (plain, .gz or .zst) or of standard input (`-`), in flat memory, on all cores.
 *
 * A line gives the same texts as in {@link perturbTexts} at the same position.
 *
 * @param path A path, or `-`.
 * @param attack What is done and what must be kept.
 * @throws {TeapotError} From `blocks`: `ERR_TEAPOT_INVALID_OPTION`, `ERR_TEAPOT_READ`, `ERR_TEAPOT_FORMAT`.
 */
export function openPerturbation(
  path: string,
  attack: PerturbOptions,
  options: PerturbFileOptions = {},
): FilePerturbation {
  const { FilePerturber } = native();
  const perturber = new FilePerturber(path, attack, options);
  async function* blocks(run: RunOptions = {}): AsyncGenerator<PerturbedBlock> {
    const next = (): Promise<PerturbedBlock | null> =>
      runNative((_, cancellation) => perturber.next(BLOCK_LINES, cancellation), run);
    let pending = next();
    let lines = 0;
    try {
      for (let block = await pending; block !== null; block = await pending) {
        pending = next();
        yield block;
        lines += block.lines;
        run.onProgress?.(lines, block.estimatedLines);
      }
    } finally {
      // Whoever stops early doesn't wait for the block after it, but its failure must not be left unhandled.
      pending.catch(() => undefined);
    }
  }
  return { blocks, input: () => runNative(() => perturber.input()) };
}

/** Every attack without a victim, then every transformation, with parameters. */
export function listPerturbations(): readonly AttackEntry[] {
  return callNative((binding) => binding.attackEntries());
}

/** The names of the kinds of edits, in the order of `PerturbedBlock.editCounts`. */
export function editKinds(): readonly string[] {
  return callNative((binding) => binding.editKinds());
}
