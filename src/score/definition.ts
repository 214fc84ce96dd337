import type { ParameterDefinition, ParameterValues } from './parameters.js';
import type { Scorer } from './scorer.js';

/** What a scorer may need to know about the run it is made for. */
export interface ScorerContext {
  /** The side that is scored; messages then name `--src-lang` or `--tgt-lang`. */
  readonly side?: 'source' | 'target';
  /** Language of the texts of that side, as the user gave it. */
  readonly language?: string | undefined;
  /** References of every segment, for the signature. Default 1. */
  readonly referenceCount?: number;
  /** Values of command line flags that belong to scorers, by flag name without dashes. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** How long a program or METEOR may stay silent, in milliseconds. Default 300,000. */
  readonly silenceMs?: number;
  /** Is told, one sentence at a time, what the user should know; it belongs on stderr. */
  readonly onNote?: (note: string) => void;
}

/** A scorer that can be named: what `teapot list scorers` shows, and how it is made. */
export interface ScorerDefinition {
  /** The key: what `--s-src` and `--s-tgt` say. */
  readonly key: string;
  /** Other spellings of the key. */
  readonly aliases?: readonly string[];
  /** The name in headings. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Parameters of `key:param=value`. */
  readonly parameters: readonly ParameterDefinition[];
  /** Where it comes from: `built-in`, or the path of a user's module. */
  readonly origin: string;
  /** Whether the language of the texts can change its scores. Default: no. */
  readonly takesLanguage?: boolean;
  /**
   * Makes the scorer.
   *
   * @param values All parameters, checked, defaults filled in.
   * @param context The run.
   * @param given The names of those parameters that the user set.
   */
  create(
    values: ParameterValues,
    context: ScorerContext & { readonly version: string },
    given: ReadonlySet<string>,
  ): Scorer | Promise<Scorer>;
}
