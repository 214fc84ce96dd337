import type { Asking } from '../asking.js';
import { randomOf } from '../../random.js';
import type { Random } from '../../random.js';
import { askOriginal, isOver, outcome } from './search-method.js';
import type { SearchMethod, SearchOutcome, SearchStart } from './search-method.js';
import { openWordSpace } from './word-edits.js';
import type { Member, Progress, WordSpace } from './word-edits.js';

/** Settings of {@link improvedGenetic}. */
export interface ImprovedGeneticOptions {
  /** The most members, from 2. Default 60. */
  readonly population?: number;
  /** Generations. Default 20. */
  readonly rounds?: number;
  /** Parents are drawn as likely as exp(score / temperature). Default 0.3. */
  readonly temperature?: number;
  /** How often a word may be changed. Default 5. */
  readonly changes?: number;
}

/** Key of the draws of this search. */
const DRAWS = 5;

/** A member, and how often each of its words may still be changed. */
interface Individual {
  readonly at: Member;
  readonly left: readonly number[];
}

/**
 * Improved genetic search (Wang et al. 2019, as in TextAttack 0.3.11).
 *
 * 1. For each word, the original with its best candidate, if that is better, else the original; at most `population` of them.
 * 2. A generation keeps the best member; all others are children: of two parents drawn by softmax(score / temperature), the words before a
 *    drawn place come from the first and the others from the second. Then a word is drawn as likely as it may still be changed, and its best
 *    candidate is taken if it is better; else another word is drawn.
 * 3. Stop at the goal, at the end of the budget, or after the last generation.
 *
 * Differences: TextAttack draws parents by softmax(−score / temperature), which prefers those that serve the goal least. A word that is
 * changed again gets a neighbour of the original's word, there of the word that stands in its place. A child that breaks a constraint is
 * replaced by its first parent, there it stays.
 */
export function improvedGenetic({
  population = 60,
  rounds = 20,
  temperature = 0.3,
  changes = 5,
}: ImprovedGeneticOptions = {}): SearchMethod {
  return {
    name: `improved-genetic:population=${population},rounds=${rounds},temperature=${temperature},changes=${changes}`,
    async search(start: SearchStart, asking: Asking): Promise<SearchOutcome> {
      const original = await askOriginal(start.text, asking);
      if (original === undefined) return outcome(undefined, undefined, 'budget', asking);
      if (isOver(original)) return outcome(original, original, 'exhausted', asking);
      const progress: Progress = { best: original, budgetEnded: false };
      const space = await openWordSpace(start, original, asking, progress);
      const random = randomOf(start.seed, start.item, DRAWS);
      const end = (): SearchOutcome =>
        outcome(original, progress.best, progress.budgetEnded ? 'budget' : 'exhausted', asking);
      const isDone = (): boolean => progress.budgetEnded || progress.best.verdict.reached;

      let members: Individual[] = [];
      const fresh: Individual = { at: space.original, left: space.counts.map(() => changes) };
      for (const [word, count] of space.counts.entries()) {
        if (count === 0 || members.length === population) continue;
        members.push((await changedAt(fresh, word, space)) ?? fresh);
        if (isDone()) return end();
      }
      if (members.length === 0) return end();
      for (let round = 0; round < rounds; round += 1) {
        members = members.toSorted((a, b) => b.at.verdict.score - a.at.verdict.score);
        const [elite] = members;
        if (elite === undefined) break;
        const weights = members.map(({ at }) => Math.exp((at.verdict.score - elite.at.verdict.score) / temperature));
        const next = [elite];
        while (next.length < members.length) {
          const mother = members[random.weighted(weights)] ?? elite;
          const father = members[random.weighted(weights)] ?? elite;
          const child = await crossed(mother, father, random.below(space.counts.length), space);
          if (isDone()) return end();
          next.push(await changed(child ?? mother, space, random, isDone));
          if (isDone()) return end();
        }
        members = next;
      }
      return end();
    },
  };
}

/** The words before a place from one member, the others from another. */
async function crossed(
  mother: Individual,
  father: Individual,
  place: number,
  space: WordSpace,
): Promise<Individual | undefined> {
  const words = new Map([
    ...[...mother.at.words].filter(([word]) => word < place),
    ...[...father.at.words].filter(([word]) => word >= place),
  ]);
  const at = await space.memberOf(words);
  const left = mother.left.map((own, word) => (word < place ? own : (father.left[word] ?? own)));
  return at === undefined ? undefined : { at, left };
}

/** The member with one more change that improves it; itself when no word has one. */
async function changed(
  member: Individual,
  space: WordSpace,
  random: Random,
  isDone: () => boolean,
): Promise<Individual> {
  const weights = member.left.map((left, word) => (space.counts[word] === 0 ? 0 : left));
  for (;;) {
    const word = random.weighted(weights);
    if (word === -1) return member;
    const better = await changedAt(member, word, space);
    if (better !== undefined) return better;
    if (isDone()) return member;
    weights[word] = 0;
  }
}

/** The member with the best candidate of a word, if that is better. */
async function changedAt(member: Individual, word: number, space: WordSpace): Promise<Individual | undefined> {
  const at = await space.bestOf(member.at, word);
  if (at === undefined || !(at.verdict.reached || at.verdict.score > member.at.verdict.score)) return undefined;
  return { at, left: member.left.map((left, position) => (position === word ? left - 1 : left)) };
}
