import { createHash } from 'node:crypto';

import { ERROR_CODES, UsageError } from '../errors.js';
import type { InputFile } from '../read/segment-source.js';
import type { Shard } from '../read/shard.js';
import { ReferenceCounts } from '../score/reference-counts.js';
import type { CorpusMetrics } from './corpus-tally.js';
import { GroupSummariser } from './group-summariser.js';
import type { GroupsState } from './group-summariser.js';
import type { PercentileMethod } from './order-statistics.js';
import type { FinishOptions, SummaryOptions } from './summariser.js';
import type { MetricSummary } from './summary.js';

/** What `schema` says in every partial result. */
const PARTIAL_SCHEMA = 'teapot.partial/1';

/** Everything that can change the numbers of a run: equal in all of its parts. */
export interface PartialSettings {
  readonly version: string;
  readonly s_src: MetricSummary | null;
  readonly s_tgt: MetricSummary | null;
  readonly success_threshold: number;
  readonly percentile: PercentileMethod;
  readonly threshold_sweep: readonly number[] | null;
  readonly by: readonly string[];
  readonly text_rules: readonly string[];
  /** The metrics with a corpus level, where it is wanted. */
  readonly corpus_level: CorpusMetrics | null;
}

/** The result of one part of a run, before it is merged with the others. */
export interface PartialResult {
  readonly settings: PartialSettings;
  /** Which part, from 1, of how many. */
  readonly shard: { readonly index: number; readonly count: number };
  /** The whole input, of which every part reads all. */
  readonly inputs: readonly InputFile[];
  /** The different numbers of references that segments of this part have. */
  readonly references: readonly number[];
  readonly state: GroupsState;
}

/** A partial result and the file it comes from. */
export interface NamedPartial extends PartialResult {
  readonly name: string;
}

/** The settings of a run, from what its summaries are made of. */
export function partialSettings(
  { version, sSrc, sTgt, successThreshold, percentileMethod, sweep, corpusLevel }: SummaryOptions,
  by: readonly string[],
  textRules: readonly string[],
): PartialSettings {
  const metric = (one: MetricSummary | undefined): MetricSummary | null =>
    one === undefined ? null : { key: one.key, name: one.name, signature: one.signature };
  return {
    version,
    s_src: metric(sSrc),
    s_tgt: metric(sTgt),
    success_threshold: successThreshold,
    percentile: percentileMethod,
    threshold_sweep: sweep ?? null,
    by,
    text_rules: textRules,
    corpus_level: corpusLevel ?? null,
  };
}

/** A partial result of a run. */
export function partialResult(
  settings: PartialSettings,
  shard: Shard,
  {
    summariser,
    inputs,
    references,
  }: {
    readonly summariser: GroupSummariser;
    readonly inputs: readonly InputFile[];
    readonly references: ReferenceCounts;
  },
): PartialResult {
  return {
    settings,
    shard: { index: shard.index + 1, count: shard.count },
    inputs,
    references: references.toJSON(),
    state: summariser.toJSON(),
  };
}

/** The JSON document of a partial result, with a hash of its content: one that was cut or changed is not merged. */
export function partialDocument(partial: PartialResult): Record<string, unknown> {
  return { schema: PARTIAL_SCHEMA, ...partial, sha256: hashOf(partial) };
}

/**
 * Reads the document of a partial result.
 *
 * @param text JSON, as {@link partialDocument} gave it.
 * @param name The file, for messages.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when it is no such document, of another schema, or not as it was written.
 */
export function readPartial(text: string, name: string): NamedPartial {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${name}: not JSON: was the part written to its end? Run it again.`, {
      cause,
    });
  }
  const { schema, sha256, ...partial } = (document ?? {}) as Record<string, unknown>;
  if (schema !== PARTIAL_SCHEMA) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${name}: expected ${PARTIAL_SCHEMA}, which score --shard writes, found ${JSON.stringify(schema) ?? 'no schema'}.`,
    );
  }
  if (sha256 !== hashOf(partial)) {
    throw new UsageError(ERROR_CODES.FORMAT, `${name}: the content does not fit its hash: run the part again.`);
  }
  return { ...(partial as unknown as PartialResult), name };
}

function hashOf(partial: object): string {
  return createHash('sha256').update(JSON.stringify(partial)).digest('hex');
}

/**
 * Merges the parts of a run: the result is that of the run that was not cut, in every bit that doesn't depend on percentiles;
 * those are exact too where all parts have few different scores, and else as exact as the summary says.
 *
 * @param partials All parts, in any order.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when a part is missing, there twice, or of another run: with another
 *   version, metric, threshold or input; both files are named.
 */
export function mergePartials(partials: readonly NamedPartial[]): {
  readonly summariser: GroupSummariser;
  readonly known: Pick<FinishOptions, 'inputs' | 'references' | 'textRules'>;
} {
  const [first] = partials;
  if (first === undefined) throw new UsageError(ERROR_CODES.EMPTY_INPUT, 'There is no part to merge.');
  for (const other of partials) requireSameRun(first, other);
  requireEachOnce(partials);
  const { settings, inputs } = first;
  const ordered = partials.toSorted((a, b) => a.shard.index - b.shard.index);
  const references = new ReferenceCounts();
  for (const partial of ordered) references.addState(partial.references);
  const options = {
    version: settings.version,
    sSrc: settings.s_src ?? undefined,
    sTgt: settings.s_tgt ?? undefined,
    successThreshold: settings.success_threshold,
    percentileMethod: settings.percentile,
    sweep: settings.threshold_sweep ?? undefined,
    corpusLevel: settings.corpus_level ?? undefined,
  };
  return {
    summariser: GroupSummariser.from(
      options,
      settings.by,
      ordered.map(({ state }) => state),
    ),
    known: { inputs, references, textRules: settings.text_rules },
  };
}

function requireSameRun(first: NamedPartial, other: NamedPartial): void {
  for (const name of Object.keys(first.settings) as (keyof PartialSettings)[]) {
    const [a, b] = [first, other].map(({ settings }) => JSON.stringify(settings[name]));
    if (a !== b) throw foreign(first, other, `${name} is ${a} and ${b}`);
  }
  if (first.shard.count !== other.shard.count) {
    throw foreign(first, other, `they are parts of ${first.shard.count} and of ${other.shard.count}`);
  }
  if (first.inputs.length !== other.inputs.length) {
    throw foreign(first, other, `they read ${first.inputs.length} and ${other.inputs.length} files`);
  }
  for (const [index, input] of first.inputs.entries()) {
    const twin = other.inputs[index];
    if (twin?.sha256 !== input.sha256 || twin.role !== input.role) {
      const show = (file: InputFile | undefined): string =>
        `${file?.role} ${file?.name} (${file?.lines} lines, SHA-256 ${file?.sha256.slice(0, 12)}…)`;
      throw foreign(first, other, `they read ${show(input)} and ${show(twin)}`);
    }
  }
}

function foreign(first: NamedPartial, other: NamedPartial, why: string): UsageError {
  return new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `${first.name} and ${other.name} are parts of different runs: ${why}.`,
  );
}

function requireEachOnce(partials: readonly NamedPartial[]): void {
  const names = new Map<number, string>();
  const count = partials[0]?.shard.count ?? 0;
  for (const { shard, name } of partials) {
    const twin = names.get(shard.index);
    if (twin !== undefined) {
      throw new UsageError(
        ERROR_CODES.INVALID_OPTION,
        `${twin} and ${name} are both part ${shard.index} of ${count}: merge each part once.`,
      );
    }
    names.set(shard.index, name);
  }
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !names.has(index));
  if (missing.length > 0) {
    const shown = missing.slice(0, 20).join(', ') + (missing.length > 20 ? ', …' : '');
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `parts of ${count} are missing: ${shown}. Run them again by score --shard I/${count}.`,
    );
  }
}
