import { editKinds, listPerturbations, openPerturbation } from '../attack/perturb.js';
import type { FilePerturbation } from '../attack/perturb.js';
import { OutputFile } from '../output-file.js';
import { interruptSignal } from './interrupt.js';
import { createNote } from './notes.js';
import type { PerturbArguments } from './commands/perturb.js';
import { planPerturb } from './perturb-plan.js';
import { startProgress } from './progress.js';
import { printResult } from './terminal.js';

/** What a run has done. */
interface Totals {
  lines: number;
  texts: number;
  changed: number;
  /** Edits by kind, in the order of {@link editKinds}. */
  readonly edits: number[];
}

/** Runs `teapot perturb`: plan, open what is written, perturb block by block, say what was done. */
export async function runPerturb(argv: PerturbArguments): Promise<void> {
  if (argv.list === true) {
    await printResult(describeList(argv.format), { format: argv.format });
    return;
  }
  const plan = await planPerturb(argv);
  const note = createNote(argv);
  const perturbation = openPerturbation(plan.input, plan.attack, plan.run);
  const output = await OutputFile.open(plan.output);
  const edits = plan.edits === undefined ? undefined : await OutputFile.open(plan.edits);
  try {
    const totals = await write(perturbation, output, edits, argv.quiet === true);
    await edits?.commit();
    await output.commit();
    note(describeTotals(totals, plan.attack.attacks, plan.attack.seed));
    const missing = totals.lines * plan.run.variants - totals.texts;
    if (missing > 0) {
      const asked = (totals.lines * plan.run.variants).toLocaleString('en-US');
      note(
        `Note: ${missing.toLocaleString('en-US')} of ${asked} variants are missing: no text is written twice for a line, and some lines have fewer than ${plan.run.variants}.`,
      );
    }
  } finally {
    await output.discard();
    await edits?.discard();
  }
}

async function write(
  perturbation: FilePerturbation,
  output: OutputFile,
  edits: OutputFile | undefined,
  quiet: boolean,
): Promise<Totals> {
  const totals: Totals = { lines: 0, texts: 0, changed: 0, edits: [] };
  const progress = startProgress({ unit: 'lines', quiet, totalIsEstimate: true });
  try {
    for await (const block of perturbation.blocks({ signal: interruptSignal, onProgress: progress.onProgress })) {
      await output.write(block.text);
      await edits?.write(block.edits);
      totals.lines += block.lines;
      totals.texts += block.texts;
      totals.changed += block.changed;
      for (const [kind, count] of block.editCounts.entries()) totals.edits[kind] = (totals.edits[kind] ?? 0) + count;
    }
  } finally {
    progress.stop();
  }
  return totals;
}

function describeTotals(totals: Totals, attacks: readonly string[], seed: number): string {
  const count = (value: number): string => value.toLocaleString('en-US');
  const names = editKinds();
  const kinds = totals.edits.flatMap((edits, kind) => (edits > 0 ? [`${names[kind] ?? ''} ${count(edits)}`] : []));
  const all = totals.edits.reduce((sum, edits) => sum + edits, 0);
  const detail = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  const texts = totals.texts === totals.lines ? '' : `${count(totals.texts)} texts, `;
  return `${attacks.join(' + ')}: ${count(totals.lines)} lines, ${texts}${count(totals.changed)} changed, ${count(all)} edits${detail}, seed ${seed}`;
}

function describeList(format: 'text' | 'json'): string {
  const entries = listPerturbations();
  if (format === 'json') return `${JSON.stringify(entries, undefined, 2)}\n`;
  const blocks = entries.map(
    ({ name, description, source, parameters }) =>
      `${name}: ${description}\n    source: ${source}\n${parameters.map((parameter) => `    ${parameter}\n`).join('')}`,
  );
  return `Attacks for --attack, written NAME or NAME:param=value,param=value; the first value is the default\n\n${blocks.join('')}`;
}
