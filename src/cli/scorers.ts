import { createScorer, listScorers, refuseUnusedFlags, scorerDefinition } from '../score/registry.js';
import type { Scorer } from '../score/scorer.js';
import type { ValuesOf } from './command.js';
import type { Note } from './notes.js';
import type { SCORERS } from './options/scorers.js';
import { invalid } from './values.js';

/** The arguments that say which scorers are used. */
export type ScorerArguments = Pick<
  ValuesOf<typeof SCORERS>,
  'sSrc' | 'sTgt' | 'srcLang' | 'tgtLang' | 'customScoresSource'
> & {
  readonly scorerFlags?: Readonly<Record<string, unknown>>;
};

/** Which scorers a command makes: their keys unless the arguments name others, undefined for a side that isn't measured. */
export interface WantedScorers {
  readonly sSrc?: string | undefined;
  readonly sTgt?: string | undefined;
  /** References a segment, for the signature. Default 1. */
  readonly references?: number;
}

/** Scorers by side. */
export interface OpenScorers<Wanted extends WantedScorers> {
  readonly sSrc: Wanted['sSrc'] extends string ? Scorer : Scorer | undefined;
  readonly sTgt: Wanted['sTgt'] extends string ? Scorer : Scorer | undefined;
}

/** The scorers of both sides unless others are named. */
export const BOTH_CHRF = { sSrc: 'chrf', sTgt: 'chrf' } as const;

/**
 * Makes the scorers that the arguments name, with their flags.
 *
 * @param note Is told what the user should know of them.
 * @throws {UsageError} for a scorer that is unknown or that an option doesn't fit, and for flags of scorers that aren't used.
 */
export async function openScorers<Wanted extends WantedScorers>(
  args: ScorerArguments,
  wanted: Wanted,
  note: Note,
): Promise<OpenScorers<Wanted>> {
  const source = wanted.sSrc === undefined ? undefined : (args.sSrc ?? wanted.sSrc);
  const target = wanted.sTgt === undefined ? undefined : (args.sTgt ?? wanted.sTgt);
  const flags = args.scorerFlags ?? {};
  refuseUnusedFlags(flags, {
    ...(source !== undefined && { 's-src': source }),
    ...(target !== undefined && { 's-tgt': target }),
  });
  refuseIdleLanguage('--src-lang', args.srcLang, source);
  refuseIdleLanguage('--tgt-lang', args.tgtLang, target);
  refuseIdleModules(args.customScoresSource ?? [], [source, target]);
  const context = { flags, onNote: note };
  const sSrc =
    source === undefined
      ? undefined
      : await createScorer(source, { ...context, side: 'source', language: args.srcLang });
  const sTgt =
    target === undefined
      ? undefined
      : await createScorer(target, {
          ...context,
          side: 'target',
          language: args.tgtLang,
          referenceCount: Math.max(1, wanted.references ?? 1),
        });
  return { sSrc, sTgt } as OpenScorers<Wanted>;
}

function refuseIdleLanguage(flag: string, language: string | undefined, spec: string | undefined): void {
  if (language === undefined) return;
  if (spec === undefined) throw invalid(`${flag} does nothing here: that side is not measured.`);
  if (scorerDefinition(spec)?.takesLanguage !== true) {
    throw invalid(`${flag} does nothing here: the scorer ${spec} takes no language.`);
  }
}

/** A module whose scorers aren't used was named in vain, most likely without `--s-src` or `--s-tgt`. */
function refuseIdleModules(sources: readonly string[], specs: readonly (string | undefined)[]): void {
  const used = new Set(specs.map((spec) => (spec === undefined ? undefined : scorerDefinition(spec)?.origin)));
  const idle = sources.find((source) => !used.has(source));
  if (idle === undefined) return;
  const keys = listScorers().flatMap(({ key, origin }) => (origin === idle ? [key] : []));
  throw invalid(
    `--custom-scores-source ${idle} does nothing here: none of its scorers is used (${keys.join(', ')}). Name one by --s-src or --s-tgt.`,
  );
}
