import { Moments } from '../measure/moments.js';
import { FOLDINGS, type FoldingName, type RecordEdits } from './analyse-edits.js';
import { Grouping } from '../measure/grouping.js';
import { groupingValues } from './grouping.js';
import { codePoints, EDIT_KINDS, type EditKind } from './text-edits.js';

/** What attacks of a group did to texts. */
export interface EditGroupSummary {
  /** The values of the grouping keys; null where the records don't have one. */
  readonly group: readonly (string | null)[];
  /** Records with both texts. */
  readonly n: number;
  /** Records without one of the texts. */
  readonly withoutTexts: number;
  /** Records whose texts are equal. */
  readonly unchanged: number;
  /** Edits of each kind, over all records. */
  readonly edits: Readonly<Record<EditKind, number>>;
  /** Records in which each kind occurs. */
  readonly records: Readonly<Record<EditKind, number>>;
  /** Mean number of edits a record; null without records. */
  readonly meanEdits: number | null;
  /** Mean Levenshtein distance in code points. */
  readonly meanCharDistance: number | null;
  /** Mean share of words changed: word distance ÷ words of the original. May be above 1. */
  readonly meanWordShare: number | null;
  readonly meanSSrc: number | null;
  readonly meanSSrcFolded: Readonly<Record<FoldingName, number | null>>;
  /** Look-alikes that stand for a character, the most frequent first: `a→U+0430 (а)` and how often. */
  readonly homoglyphs: readonly {
    readonly from: string;
    readonly to: string;
    readonly codePoint: string;
    readonly count: number;
  }[];
}

const FOLDING_NAMES = Object.keys(FOLDINGS) as FoldingName[];

/** Sums up edits by group; memory doesn't grow with the number of records. */
export class EditGroups {
  readonly #keys: readonly string[];
  readonly #groups: Grouping<EditGroup>;
  readonly #all = new EditGroup([]);

  /** @param keys grouping keys, checked by `parseGroupingKeys`. */
  constructor(keys: readonly string[]) {
    this.#keys = keys;
    this.#groups = new Grouping((values) => new EditGroup(values));
  }

  /** Adds one record. */
  add(analysed: RecordEdits): void {
    this.#groups.of(groupingValues(analysed.record, this.#keys)).add(analysed);
    this.#all.add(analysed);
  }

  /** The groups in the order in which their first record came; those without a pair of texts are left out. */
  groups(): EditGroupSummary[] {
    return this.#groups.all().flatMap((group) => {
      const summary = group.summary();
      return summary.n > 0 ? [summary] : [];
    });
  }

  /** All records together. */
  all(): EditGroupSummary {
    return this.#all.summary();
  }
}

class EditGroup {
  readonly #values: readonly (string | null)[];
  readonly #edits = zeroCounts();
  readonly #records = zeroCounts();
  readonly #sSrc = new Moments();
  readonly #folded = new Map(FOLDING_NAMES.map((name) => [name, new Moments()] as const));
  readonly #homoglyphs = new Map<string, number>();
  readonly #chars = new Mean();
  readonly #words = new Mean();
  #n = 0;
  #withoutTexts = 0;
  #unchanged = 0;
  #total = 0;

  constructor(values: readonly (string | null)[]) {
    this.#values = values;
  }

  add({ edits }: RecordEdits): void {
    if (edits === null) {
      this.#withoutTexts += 1;
      return;
    }
    this.#n += 1;
    this.#total += edits.edits.length;
    if (edits.edits.length === 0) this.#unchanged += 1;
    for (const [kind, count] of Object.entries(edits.counts) as [EditKind, number][]) {
      this.#edits[kind] += count;
      this.#records[kind] += 1;
    }
    for (const { kind, original, edited } of edits.edits) {
      if (kind !== 'homoglyph') continue;
      const pair = JSON.stringify([original, edited]);
      this.#homoglyphs.set(pair, (this.#homoglyphs.get(pair) ?? 0) + 1);
    }
    this.#sSrc.add(Float64Array.of(edits.sSrc));
    for (const [name, moments] of this.#folded) moments.add(Float64Array.of(edits.sSrcFolded[name]));
    if (edits.charDistance !== undefined) this.#chars.add(edits.charDistance);
    if (edits.wordDistance !== undefined && edits.words > 0) this.#words.add(edits.wordDistance / edits.words);
  }

  summary(): EditGroupSummary {
    const folded = (name: FoldingName): number | null => this.#folded.get(name)?.mean ?? null;
    return {
      group: this.#values,
      n: this.#n,
      withoutTexts: this.#withoutTexts,
      unchanged: this.#unchanged,
      edits: { ...this.#edits },
      records: { ...this.#records },
      meanEdits: this.#n === 0 ? null : this.#total / this.#n,
      meanCharDistance: this.#chars.value,
      meanWordShare: this.#words.value,
      meanSSrc: this.#sSrc.mean,
      meanSSrcFolded: {
        confusables: folded('confusables'),
        case: folded('case'),
        whitespace: folded('whitespace'),
        all: folded('all'),
      },
      homoglyphs: [...this.#homoglyphs]
        .toSorted(([pairA, a], [pairB, b]) => b - a || (pairA < pairB ? -1 : 1))
        .map(([pair, count]) => {
          const [from = '', to = ''] = JSON.parse(pair) as [string, string];
          return { from, to, codePoint: codePoints(to), count };
        }),
    };
  }
}

/** A running mean of numbers of any size. */
class Mean {
  #count = 0;
  #sum = 0;

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
  }

  get value(): number | null {
    return this.#count === 0 ? null : this.#sum / this.#count;
  }
}

function zeroCounts(): Record<EditKind, number> {
  return Object.fromEntries(EDIT_KINDS.map((kind) => [kind, 0])) as Record<EditKind, number>;
}
