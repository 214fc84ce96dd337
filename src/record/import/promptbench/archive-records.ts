import { makeRecord, type AttackRecord, type PromptType } from '../../schema.js';
import type { Printed } from '../../printed.js';
import { findByText } from './archive-checks.js';
import type { ArchiveBlock, CleanRow, Slot, TranslationRow, TripleRow } from './archive-rows.js';

/** What the name of an archive file tells: `chatgpt_zeroshot`. */
export interface ArchiveTitle {
  /** The whole name, which is also the run. */
  readonly stem: string;
  /** Null where the name doesn't end in `_zeroshot` or `_fewshot`. */
  readonly model: string | null;
  readonly shot: 'zs' | 'fs' | null;
}

/** How many of its translations PromptBench takes as the semantic attack: those with the lowest scores. */
const SEMANTIC_ROWS = 6;

/** What the scores of a data set measure, and what a perfect score is, where it is not accuracy in percent. */
const METRICS: ReadonlyMap<string, { readonly metric: string; readonly scale: 1 | 100 }> = new Map([
  ['squad_v2', { metric: 'f1', scale: 100 }],
  // The archive prints BLEU fractions with a percent sign: "0.24%" means 0.24.
  ['iwslt', { metric: 'bleu', scale: 1 }],
  ['un_multi', { metric: 'bleu', scale: 1 }],
]);

/**
 * Reads model and shot from the name of an archive file or from its title.
 *
 * @param stem for example `vicuna_fewshot`.
 */
export function parseArchiveTitle(stem: string): ArchiveTitle {
  const match = /^(.+)_(zeroshot|fewshot)$/u.exec(stem);
  if (match === null) return { stem, model: null, shot: null };
  return { stem, model: match[1] ?? null, shot: match[2] === 'zeroshot' ? 'zs' : 'fs' };
}

/**
 * Turns one data set of an archive file into records, in the order of the file: the clean list (kind `clean`), the attack
 * triples, and the translations.
 *
 * The semantic attack has no triples. PromptBench takes the six lowest scores of all translations and sets them against
 * the best score of the clean list: those six are attacks, the other translations are candidates. In descending order
 * of score the six are task, role, task, role, … ; the slot of a triple is its position in the section.
 *
 * @param file the file, as the user named it.
 */
export function archiveRecords(block: ArchiveBlock, title: ArchiveTitle, file: string): AttackRecord[] {
  const context: Context = { block, title, file };
  const stray = block.strayClean.map((row, index) => ({ ...row, slot: null, position: index + 1 }));
  return [
    ...block.clean.map((row, index) => cleanRecord(context, { ...row, position: index + 1 })),
    ...stray.map((row) => cleanRecord(context, row)),
    ...block.triples.map((row) => tripleRecord(context, row)),
    ...semanticRecords(context),
  ];
}

interface Context {
  readonly block: ArchiveBlock;
  readonly title: ArchiveTitle;
  readonly file: string;
}

function cleanRecord(
  context: Context,
  row: Omit<CleanRow, 'slot'> & { readonly slot: Slot | null; readonly position: number; readonly section?: string },
): AttackRecord {
  const kind = row.section === undefined ? 'clean' : 'stray-clean';
  return makeRecord({
    ...common(context, `${kind}/${row.position}`, row.line),
    prompt_type: promptType(context.title, row.slot),
    src: row.prompt,
    original_score: row.accuracy.value,
    extra: {
      kind: 'clean',
      decimals: row.accuracy.decimals,
      position: row.position,
      ...(row.section === undefined ? {} : { stray_in_section: row.section }),
    },
  });
}

function tripleRecord(context: Context, row: TripleRow): AttackRecord {
  const { original, attacked, dropped } = row;
  return makeRecord({
    ...common(context, `${row.attack}/${row.position}`, row.line),
    attack: row.attack,
    prompt_type: promptType(context.title, row.slot),
    src: row.originalPrompt,
    adv_src: row.attackedPrompt,
    original_score: original.value,
    attacked_score: attacked.value,
    extra: {
      kind: 'attack',
      dropped: dropped.value,
      decimals: Math.min(original.decimals, attacked.decimals, dropped.decimals),
      position: row.position,
      text_slot: textSlot(context.block, row),
      score_line: row.scoreLine,
    },
  });
}

/** The slot that the clean list gives the text of the prompt; the one by position where it doesn't hold the text. */
function textSlot(block: ArchiveBlock, row: TripleRow): Slot {
  const clean = row.originalPrompt === null ? undefined : findByText(block, row.originalPrompt);
  return clean?.slot ?? row.slot;
}

function semanticRecords(context: Context): AttackRecord[] {
  const { clean, translations } = context.block;
  const best = highest(clean);
  const slots = semanticSlots(translations);
  return translations.map((row) => {
    const slot = slots.get(row) ?? null;
    return makeRecord({
      ...common(context, `semantic/${row.language}/${row.position}`, row.line),
      attack: 'semantic',
      prompt_type: promptType(context.title, slot),
      src: best?.prompt ?? null,
      adv_src: row.prompt,
      original_score: best?.accuracy.value ?? null,
      attacked_score: row.accuracy.value,
      extra: {
        kind: slot === null ? 'candidate' : 'attack',
        language: row.language,
        decimals: decimalsOf(row.accuracy, best?.accuracy),
        position: row.position,
        original_line: best?.line ?? null,
      },
    });
  });
}

/** The six lowest translations and the slot of each: by descending score task, role, task, role, task, role. */
function semanticSlots(translations: readonly TranslationRow[]): Map<TranslationRow, Slot> {
  const lowest = translations.toSorted((a, b) => a.accuracy.value - b.accuracy.value).slice(0, SEMANTIC_ROWS);
  const descending = lowest.toSorted((a, b) => b.accuracy.value - a.accuracy.value);
  return new Map(descending.map((row, index) => [row, index % 2 === 0 ? 'task' : 'role']));
}

/** The first of the rows with the highest score. */
function highest(rows: readonly CleanRow[]): CleanRow | undefined {
  let best: CleanRow | undefined;
  for (const row of rows) if (best === undefined || row.accuracy.value > best.accuracy.value) best = row;
  return best;
}

function common(context: Context, name: string, line: number) {
  const { block, title, file } = context;
  const { metric, scale } = METRICS.get(block.dataset) ?? { metric: 'accuracy', scale: 100 as const };
  return {
    id: `${title.stem}/${block.dataset}/${name}`,
    unit: 'prompt' as const,
    run: title.stem,
    model: title.model,
    source_model: title.model,
    dataset: block.dataset,
    metric,
    scale,
    provenance: { tool: 'promptbench', version: null, file, line },
  };
}

function promptType(title: ArchiveTitle, slot: Slot | null): PromptType | null {
  return title.shot === null || slot === null ? null : `${title.shot}-${slot}`;
}

function decimalsOf(a: Printed, b: Printed | undefined): number {
  return b === undefined ? a.decimals : Math.min(a.decimals, b.decimals);
}
