import type { AttackResult } from '../../schema.js';
import type { JsonObject } from '../common/json-lines.js';

/** One item of an evaluation: what was asked, what the model answered, how that was scored. */
export interface EvaluatedItem {
  /** Names the item in its run; the same item has the same key in another run. */
  readonly key: string;
  readonly file: string;
  /** The 1-based line at which it starts, where the format has lines. */
  readonly line: number | null;
  /** The texts of the data by their paths (`doc.text`): what an attack on the input changes. */
  readonly texts: ReadonlyMap<string, string>;
  /** What was sent to the model. */
  readonly prompt: string | null;
  readonly out: string | null;
  readonly ref: string | readonly string[] | null;
  /** Null where the tool gave none for this item. */
  readonly score: number | null;
  /** The tool failed at this item: it has no answer. */
  readonly isError?: boolean | undefined;
  /** What the tool said of the attack, where it judges attacks. */
  readonly result?: AttackResult | null | undefined;
  /** The name of the attack, where the log itself names it; null for an item that was not attacked. */
  readonly attack?: string | null | undefined;
  /** The key of the item that this one was made of, where the log itself says it. */
  readonly original?: string | undefined;
  /** The text that the attacked one was made of, where the log says it. */
  readonly source?: string | undefined;
  readonly queries?: number | undefined;
  readonly seed?: number | string | undefined;
  /** Everything that the log says of the item. */
  readonly raw: JsonObject;
}

/** A number that the tool itself printed about a run, to be compared with the items. */
export interface RunClaim {
  /** Which number of the records it is. */
  readonly quantity: 'mean_original' | 'mean_attacked' | 'successful' | 'failed' | 'success_rate';
  /** The name in the tool's file. */
  readonly name: string;
  readonly value: number;
  /** The attack that it is about; all of the run where it is left out. */
  readonly attack?: string | undefined;
  /** Over how many items; null where the tool doesn't say. */
  readonly over: number | null;
}

/** What a tool says of its run as a whole. */
export interface ReportedNumber {
  readonly name: string;
  readonly value: number;
  readonly over: number | null;
}

/** One run of a tool over one data set with one model. */
export interface EvaluatedRun {
  readonly tool: string;
  readonly version: string | null;
  readonly file: string;
  readonly run: string | null;
  readonly model: string | null;
  /** The data set, or the tool's task. */
  readonly dataset: string | null;
  readonly metric: string | null;
  /** The name of the prompt, where a file holds several. */
  readonly label?: string | undefined;
  /** The template of the prompts; null where the log doesn't hold it. */
  readonly template: string | null;
  /** The tool's own mean of the metric, as a fraction; null where no file says it. */
  readonly reported: ReportedNumber | null;
  readonly settings?: JsonObject | undefined;
  /** What the tool says of a log that holds clean and attacked items. */
  readonly claims?: readonly RunClaim[] | undefined;
  /** The items that were not attacked are records of their own as well: the tool judged them too. */
  readonly keepsClean?: boolean | undefined;
  readonly items: readonly EvaluatedItem[];
}
