import type { RunOptions } from '../run-options.js';
import { lostSpans, protectedSpans } from '../task/protected-text.js';
import type { Victim } from '../victim/victim.js';
import type { SourceOf } from './candidate-source.js';
import { NoCandidatesError } from './candidates.js';
import { fixedCandidates } from './prompt-recipes.js';

/** How many wordings a model is asked for. */
const WORDINGS = 20;

/** The longest answer of a model that writes {@link WORDINGS} wordings, in tokens. */
export const PARAPHRASE_TOKENS = 1024;

/** What may stand before a wording in a list: a number, a letter or a mark. */
const LIST_MARK = /^\s*(?:(?:\d{1,2}|[a-zA-Z])[.):]|[-*•])\s+/u;

/** Quotes around a whole line. */
const QUOTED = /^(["'“”«»`]{1,3})(.+?)["'“”«»`]{1,3}$/u;

/**
 * What a model is asked, to get other wordings of a prompt.
 *
 * @param phrases Labels and fixed words: those that the prompt holds, and its `{placeholders}`, are named as words to keep.
 */
export function paraphraseRequest(prompt: string, phrases: readonly string[]): string {
  const kept = [...new Set(protectedSpans(prompt, phrases).map(({ text }) => text))];
  const keep = kept.length === 0 ? '' : ` These words must stay exactly as they are: ${kept.join(', ')}.`;
  return (
    `Write the instruction below in ${WORDINGS} other ways. Each must ask for the same thing.${keep} ` +
    `Write one version a line and nothing else.\n\nInstruction: ${prompt}`
  );
}

/**
 * Reads the wordings out of what a model wrote: one a line, without list marks and quotes around the line.
 *
 * @returns Each once, in their order, without the prompt itself, without those that have lost a label or placeholder of it, and without lines
 *   that end in a colon, which announce a list.
 */
export function readParaphrases(output: string, prompt: string, phrases: readonly string[]): readonly string[] {
  const wordings = output.split('\n').map((line) => {
    const text = line.replace(LIST_MARK, '').trim();
    return QUOTED.exec(text)?.[2] ?? text;
  });
  return [...new Set(wordings)]
    .filter((text) => text !== '' && text !== prompt && !text.endsWith(':'))
    .filter((text) => lostSpans(prompt, text, phrases).length === 0)
    .slice(0, WORDINGS);
}

/**
 * Candidates that a model writes: it is asked once for each prompt that is attacked.
 *
 * @param model Should keep its answers: a run that goes on must see the same ones.
 * @throws {NoCandidatesError} when it writes no wording that can be used; what the model throws.
 */
export function paraphrasesOf(model: Victim, phrases: readonly string[], options: RunOptions = {}): SourceOf {
  return async (prompt, item) => {
    const [answer] = await model.answer([paraphraseRequest(prompt, phrases)], options);
    const wordings = readParaphrases(answer?.output ?? '', prompt, phrases);
    if (wordings.length === 0) {
      throw new NoCandidatesError(
        `${model.kind}:${model.name} wrote no other wording of the prompt "${prompt}" that keeps its labels and placeholders; ` +
          'ask another model, or give the wordings as a file',
      );
    }
    return fixedCandidates(wordings)(prompt, item);
  };
}
