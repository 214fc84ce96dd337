import { strip, stripEndOf } from '../../../read/whitespace.js';
import { isUnchanged } from '../../audit/rules/texts.js';
import { groupBy } from '../../group-by.js';
import { differsInPrint, dropAgreement } from '../../printed.js';
import { CLEAN_SECTION, TRANSLATION_SECTION } from './archive-parser.js';
import type { ArchiveBlock, ArchiveOddity, CleanRow, TripleRow } from './archive-rows.js';

/** How many prompts of each kind a clean list of PromptBench has, and how many a language. */
const PROMPTS_PER_LIST = 10;

/** The sections that PromptBench writes for every data set. */
const SECTIONS = [
  CLEAN_SECTION,
  'bertattack',
  'checklist',
  'deepwordbug',
  'stresstest',
  'textbugger',
  'textfooler',
  TRANSLATION_SECTION,
] as const;

/** The order in which PromptBench's own loader expects the data sets; it names them by position. */
const DATASET_ORDER = [
  'cola',
  'mnli',
  'mrpc',
  'qnli',
  'qqp',
  'rte',
  'sst2',
  'wnli',
  'mmlu',
  'squad_v2',
  'iwslt',
  'un_multi',
  'math',
] as const;

/**
 * Compares the rows of one data set with each other and with what the archive should hold.
 *
 * @param block one data set of one file.
 * @returns every oddity, sorted by line: sizes of lists, missing and empty sections, rows whose numbers contradict each
 * other, attacks that changed nothing, scores that differ from the clean list, zeros.
 */
export function checkArchiveBlock(block: ArchiveBlock): ArchiveOddity[] {
  const oddities = [...checkSections(block), ...checkLists(block), ...checkZeros(block)];
  for (const triple of block.triples)
    oddities.push(...checkDrop(triple), ...checkTexts(triple), ...checkClean(block, triple));
  return oddities.toSorted((a, b) => a.line - b.line);
}

/**
 * Compares the order of a file's data sets with the one that PromptBench's own loader takes for granted.
 *
 * @param blocks the data sets of one file with the line of each heading, in the order of the file.
 */
export function checkDatasetOrder(
  blocks: readonly { readonly dataset: string; readonly line: number }[],
): ArchiveOddity[] {
  const known = blocks.filter(({ dataset }) => DATASET_ORDER.includes(dataset as (typeof DATASET_ORDER)[number]));
  const expected = DATASET_ORDER.filter((name) => known.some(({ dataset }) => dataset === name));
  const first = known.find(({ dataset }, index) => dataset !== expected[index]);
  if (first === undefined) return [];
  const message = `data set "${first.dataset}" is not where PromptBench's loader, which counts positions, expects it; the heading was used`;
  return [{ code: 'dataset-order', line: first.line, message }];
}

function checkSections(block: ArchiveBlock): ArchiveOddity[] {
  const oddities: ArchiveOddity[] = [];
  for (const { name, line, rows } of block.sections) {
    if (rows === 0)
      oddities.push({ code: 'empty-section', line, message: `section "${name}" of "${block.dataset}" is empty` });
  }
  for (const name of SECTIONS) {
    if (block.sections.every((section) => section.name !== name)) {
      const message = `data set "${block.dataset}" has no section "${name}"`;
      oddities.push({ code: 'missing-section', line: block.line, message });
    }
  }
  return oddities;
}

function checkLists(block: ArchiveBlock): ArchiveOddity[] {
  const oddities: ArchiveOddity[] = [];
  const list = block.sections.find(({ name }) => name === CLEAN_SECTION);
  const size = block.clean.length;
  if (list !== undefined && size > 0 && size !== 2 * PROMPTS_PER_LIST) {
    const tasks = block.clean.filter(({ slot }) => slot === 'task').length;
    const message = `the clean list of "${block.dataset}" has ${size} prompts (${tasks} task, ${size - tasks} role) instead of ${2 * PROMPTS_PER_LIST}`;
    oddities.push({ code: 'clean-list-size', line: list.line, message });
  }
  const languages = groupBy(block.translations, ({ language }) => language);
  for (const [language, rows] of languages) {
    const last = rows.at(-1);
    if (last !== undefined && rows.length !== PROMPTS_PER_LIST) {
      const message = `language "${language}" of "${block.dataset}" has ${rows.length} rows instead of ${PROMPTS_PER_LIST}`;
      oddities.push({ code: 'language-size', line: last.line, message });
    }
  }
  return oddities;
}

function checkZeros(block: ArchiveBlock): ArchiveOddity[] {
  const oddities: ArchiveOddity[] = [];
  for (const { line, accuracy } of block.clean) {
    if (accuracy.value === 0)
      oddities.push({ code: 'clean-score-zero', line, message: 'the score without an attack is 0' });
  }
  for (const { line, accuracy } of block.translations) {
    if (accuracy.value === 0)
      oddities.push({ code: 'translation-score-zero', line, message: 'the score of a translation is 0' });
  }
  for (const { scoreLine: line, original, attacked } of block.triples) {
    if (original.value === 0) {
      oddities.push({
        code: 'original-score-zero',
        line,
        message: 'the original score is 0: the drop rate is undefined',
      });
    }
    if (attacked.value === 0) oddities.push({ code: 'attacked-score-zero', line, message: 'the attacked score is 0' });
  }
  return oddities;
}

/** The printed drop against original − attacked. */
function checkDrop({ scoreLine: line, original, attacked, dropped }: TripleRow): ArchiveOddity[] {
  const oddities: ArchiveOddity[] = [];
  const decimals = Math.min(original.decimals, attacked.decimals, dropped.decimals);
  const agreement = dropAgreement(original.value, attacked.value, dropped.value, decimals);
  const numbers = `printed drop ${dropped.value}, original ${original.value} − attacked ${attacked.value}`;
  if (agreement === 'inconsistent') {
    oddities.push({
      code: 'drop-inconsistent',
      line,
      message: `the numbers contradict each other: ${numbers}; the two scores were used`,
    });
  } else if (agreement === 'rounding') {
    oddities.push({ code: 'drop-rounding', line, message: `off by rounding: ${numbers}` });
  }
  if (attacked.value > original.value)
    oddities.push({ code: 'negative-drop', line, message: 'the attack helped: the drop is negative' });
  if (attacked.value === original.value)
    oddities.push({ code: 'zero-drop', line, message: 'the attack changed no score: the drop is 0' });
  return oddities;
}

function checkTexts({ line, originalPrompt, attackedPrompt }: TripleRow): ArchiveOddity[] {
  if (originalPrompt === null || attackedPrompt === null) return [];
  if (!isUnchanged(originalPrompt, attackedPrompt)) return [];
  const message = 'the attacked prompt equals the original one, but for white space at its ends';
  return [{ code: 'no-op-attack', line, message }];
}

/** The triple's original prompt against the clean list of the same data set: its score and its slot. */
function checkClean(block: ArchiveBlock, triple: TripleRow): ArchiveOddity[] {
  const { line, scoreLine, originalPrompt, original, slot } = triple;
  if (originalPrompt === null) return [];
  const oddities: ArchiveOddity[] = [];
  const same = block.clean.find(({ prompt }) => strip(prompt) === strip(originalPrompt));
  if (same === undefined) {
    const message = 'the original prompt of the triple is not in the clean list';
    oddities.push({ code: 'original-prompt-unknown', line, message });
  } else if (differsInPrint(original, same.accuracy)) {
    const message = `the original score ${original.value} is not the one of the same prompt in the clean list (line ${same.line}): ${same.accuracy.value}`;
    oddities.push({ code: 'original-score-differs', line: scoreLine, message });
  }
  const similar = findByText(block, originalPrompt);
  if (similar !== undefined && slot !== similar.slot) {
    const message = `by position the prompt is ${slot}-oriented, in the clean list (line ${similar.line}) it is ${similar.slot}-oriented; position was used`;
    oddities.push({ code: 'slot-differs', line, message });
  }
  return oddities;
}

/**
 * The row of the clean list that holds a prompt, but for white space at its ends and a final `.` or `:`, which few-shot
 * files drop or add.
 */
export function findByText(block: ArchiveBlock, prompt: string): CleanRow | undefined {
  const key = comparable(prompt);
  return block.clean.find((row) => comparable(row.prompt) === key);
}

/** A prompt without white space at its ends and without a final `.` or `:`. */
function comparable(prompt: string): string {
  return stripEndOf(strip(prompt), '.:');
}
