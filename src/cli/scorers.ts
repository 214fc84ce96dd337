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
  const orNone = (spec: string | undefined, named: string | undefined): readonly string[] =>
    spec === undefined ? [] : [named ?? spec];
  const { sSrc, sTgt } = await openScorerLists(
    args,
    { ...wanted, sSrc: orNone(wanted.sSrc, args.sSrc), sTgt: orNone(wanted.sTgt, args.sTgt) },
    note,
  );
  return { sSrc: sSrc[0], sTgt: sTgt[0] } as OpenScorers<Wanted>;
}

/**
 * Makes the scorers of lists of metrics, with the flags that the arguments give them.
 *
 * @param wanted The metrics of both sides; an empty list for a side that isn't measured.
 * @throws {UsageError} as {@link openScorers}.
 */
export async function openScorerLists(
  args: Omit<ScorerArguments, 'sSrc' | 'sTgt'>,
  wanted: { readonly sSrc: readonly string[]; readonly sTgt: readonly string[]; readonly references?: number },
  note: Note,
): Promise<{ readonly sSrc: readonly Scorer[]; readonly sTgt: readonly Scorer[] }> {
  const { sSrc: source, sTgt: target } = wanted;
  const flags = args.scorerFlags ?? {};
  refuseUnusedFlags(flags, {
    ...(source.length > 0 && { 's-src': source }),
    ...(target.length > 0 && { 's-tgt': target }),
  });
  refuseIdleLanguage('--src-lang', args.srcLang, source);
  refuseIdleLanguage('--tgt-lang', args.tgtLang, target);
  refuseIdleModules(args.customScoresSource ?? [], [...source, ...target]);
  const sSrc: Scorer[] = [];
  const sTgt: Scorer[] = [];
  try {
    for (const spec of source) {
      sSrc.push(
        await createScorer(spec, { flags, onNote: note, side: 'source', language: languageOf(spec, args.srcLang) }),
      );
    }
    for (const spec of target) {
      const referenceCount = Math.max(1, wanted.references ?? 1);
      const language = languageOf(spec, args.tgtLang);
      sTgt.push(await createScorer(spec, { flags, onNote: note, side: 'target', language, referenceCount }));
    }
  } catch (error) {
    await Promise.allSettled([...sSrc, ...sTgt].map(async (scorer) => scorer.close?.()));
    throw error;
  }
  return { sSrc, sTgt };
}

/** The language for a scorer that takes one. */
function languageOf(spec: string, language: string | undefined): string | undefined {
  return scorerDefinition(spec)?.takesLanguage === true ? language : undefined;
}

function refuseIdleLanguage(flag: string, language: string | undefined, specs: readonly string[]): void {
  if (language === undefined) return;
  if (specs.length === 0) throw invalid(`${flag} does nothing here: that side is not measured.`);
  if (specs.every((spec) => scorerDefinition(spec)?.takesLanguage !== true)) {
    throw invalid(`${flag} does nothing here: the scorer ${specs.join(',')} takes no language.`);
  }
}

/** A module whose scorers aren't used was named in vain, most likely without `--s-src` or `--s-tgt`. */
function refuseIdleModules(sources: readonly string[], specs: readonly string[]): void {
  const used = new Set(specs.map((spec) => scorerDefinition(spec)?.origin));
  const idle = sources.find((source) => !used.has(source));
  if (idle === undefined) return;
  const keys = listScorers().flatMap(({ key, origin }) => (origin === idle ? [key] : []));
  throw invalid(
    `--custom-scores-source ${idle} does nothing here: none of its scorers is used (${keys.join(', ')}). Name one by --s-src or --s-tgt.`,
  );
}
