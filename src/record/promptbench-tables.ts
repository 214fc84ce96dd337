import { PROMPT_TYPES } from './vocabulary.js';
import { mean } from 'simple-statistics';

import { DropRates } from '../measure/drop-rates.js';
import { recordKind } from './kind.js';
import { addTo } from './pdr-table.js';
import type { AttackRecord } from './schema.js';

/** One cell of PromptBench's tables. */
export interface PromptBenchCell {
  readonly row: string;
  readonly column: string;
  readonly rates: DropRates;
  /**
   * The same cell with the slot (task or role) of a triple taken from the text of its prompt and not from its position;
   * in the table by prompt type alone.
   */
  readonly byText: DropRates | null;
  /** In a row of averages: the unweighted mean of the means of its data sets. */
  readonly meanOfDatasetMeans: number | null;
}

/** One of PromptBench's tables. */
export interface PromptBenchTable {
  readonly name: 'attack' | 'model' | 'prompt_type' | 'model_attack';
  readonly title: string;
  /** What the rows are. */
  readonly rowKey: 'dataset' | 'model';
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Every combination of row and column, by rows. */
  readonly cells: readonly PromptBenchCell[];
}

/** The row of averages: all attacks of a column pooled, every attack with the same weight. */
export const AVERAGE = 'avg';

/** The orders of PromptBench's README; what it doesn't name comes behind, in the order of the records. */
const DATASETS = [
  'sst2',
  'cola',
  'qqp',
  'mrpc',
  'mnli',
  'qnli',
  'rte',
  'wnli',
  'mmlu',
  'squad_v2',
  'iwslt',
  'un_multi',
  'math',
];
const ATTACKS = ['textbugger', 'deepwordbug', 'textfooler', 'bertattack', 'checklist', 'stresstest', 'semantic'];
const MODELS = ['t5', 'vicuna', 'ul2', 'chatgpt'];

/** The name that stands for a missing value. */
const UNKNOWN = 'unknown';

/**
 * Gathers attack records into the tables that PromptBench publishes: drop rates of data set × attack, data set × model and
 * data set × prompt type, and the model × attack table of its leader board.
 *
 * Source: README.md and docs/leaderboard/advprompt.md of microsoft/promptbench.
 */
export class PromptBenchTables {
  readonly #datasets = new Names(DATASETS);
  readonly #attacks = new Names(ATTACKS);
  readonly #models = new Names(MODELS);
  readonly #promptTypes = new Names(PROMPT_TYPES);
  readonly #cells = new Map<string, DropRates>();

  /** Adds one record; clean prompts and candidates are left out. */
  add(record: AttackRecord): void {
    if (recordKind(record) !== 'attack') return;
    const dataset = this.#datasets.note(record.dataset);
    const attack = this.#attacks.note(record.attack);
    const model = this.#models.note(record.model);
    const promptType = this.#promptTypes.note(record.prompt_type);
    const textType = promptTypeByText(record) ?? promptType;
    for (const row of [dataset, AVERAGE]) {
      addTo(this.#rates('attack', row, attack), record);
      addTo(this.#rates('model', row, model), record);
      addTo(this.#rates('prompt_type', row, promptType), record);
      addTo(this.#rates('by_text', row, textType), record);
    }
    addTo(this.#rates('model_attack', model, attack), record);
    addTo(this.#rates(`model_attack ${model}`, dataset, attack), record);
  }

  /** The tables; rows and columns are those that some record has. Without records they are the published ones, empty. */
  tables(): readonly PromptBenchTable[] {
    const datasets = [...this.#datasets.list(), AVERAGE];
    const models = this.#models.list();
    return [
      this.#table('attack', 'PDR by data set and attack', 'dataset', datasets, this.#attacks.list()),
      this.#table('model', 'PDR by data set and model', 'dataset', datasets, models),
      this.#table('prompt_type', 'PDR by data set and prompt type', 'dataset', datasets, this.#promptTypes.list()),
      this.#table('model_attack', 'PDR by model and attack', 'model', models, this.#attacks.list()),
    ];
  }

  #table(
    name: PromptBenchTable['name'],
    title: string,
    rowKey: PromptBenchTable['rowKey'],
    rows: readonly string[],
    columns: readonly string[],
  ): PromptBenchTable {
    const cells = rows.flatMap((row) =>
      columns.map((column) => ({
        row,
        column,
        rates: this.#rates(name, row, column),
        byText: name === 'prompt_type' ? this.#rates('by_text', row, column) : null,
        meanOfDatasetMeans: this.#meanOfDatasetMeans(name, row, column),
      })),
    );
    return { name, title, rowKey, rows, columns, cells };
  }

  #meanOfDatasetMeans(name: PromptBenchTable['name'], row: string, column: string): number | null {
    if (name !== 'model_attack' && row !== AVERAGE) return null;
    const table = name === 'model_attack' ? `${name} ${row}` : name;
    const means = this.#datasets
      .list()
      .map((dataset) => this.#rates(table, dataset, column).summary(0).mean)
      .filter((value) => value !== null);
    return means.length === 0 ? null : mean(means);
  }

  #rates(table: string, row: string, column: string): DropRates {
    const key = JSON.stringify([table, row, column]);
    let rates = this.#cells.get(key);
    if (rates === undefined) {
      rates = new DropRates();
      this.#cells.set(key, rates);
    }
    return rates;
  }
}

/** Names in the published order, others behind it in the order of their first appearance. */
class Names {
  readonly #known: readonly string[];
  readonly #others = new Set<string>();
  readonly #seen = new Set<string>();

  constructor(known: readonly string[]) {
    this.#known = known;
  }

  note(name: string | null): string {
    const text = name ?? UNKNOWN;
    this.#seen.add(text);
    if (!this.#known.includes(text)) this.#others.add(text);
    return text;
  }

  /** The names that were noted; all known ones when none was. */
  list(): string[] {
    if (this.#seen.size === 0) return [...this.#known];
    return [...this.#known.filter((name) => this.#seen.has(name)), ...this.#others];
  }
}

/** The prompt type with the slot that the text of the prompt tells (`extra.text_slot`), where the importer found one. */
function promptTypeByText(record: AttackRecord): string | null {
  const slot = record.extra['text_slot'];
  if (record.prompt_type === null || typeof slot !== 'string') return null;
  return record.prompt_type.slice(0, record.prompt_type.lastIndexOf('-') + 1) + slot;
}
