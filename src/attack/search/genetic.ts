import type { Asking } from '../asking.js';
import { randomOf } from '../../random.js';
import type { Random } from '../../random.js';
import { askOriginal, isOver, outcome } from './search-method.js';
import type { SearchMethod, SearchOutcome, SearchStart } from './search-method.js';
import { mixed, openWordSpace } from './word-edits.js';
import type { Member, Progress, WordSpace } from './word-edits.js';

/** Settings of {@link genetic}. */
export interface GeneticOptions {
  /** Members, from 2. Default 60. */
  readonly population?: number;
  /** Generations. Default 20. */
  readonly rounds?: number;
  /** Parents are drawn as likely as exp(score / temperature). Default 0.3. */
  readonly temperature?: number;
}

/** Key of the draws of this search. */
const DRAWS = 1;

/**
 * Genetic search (Alzantot et al. 2018, as in TextAttack 0.3.11).
 *
 * 1. Each member is the original with one improving change: a word is drawn as likely as it has candidates, and its best candidate is
 *    taken if it is better; else another word is drawn.
 * 2. A generation keeps the best member; all others are children: two parents are drawn by softmax(score / temperature), each word comes
 *    from one of them with equal chance, and one more improving change is made.
 * 3. Stop at the goal, at the end of the budget, or after the last generation.
 *
 * Difference: TextAttack draws parents by softmax(−score / temperature), which prefers those that serve the goal least. A child that
 * breaks a constraint is replaced by its first parent.
 */
export function genetic({ population = 60, rounds = 20, temperature = 0.3 }: GeneticOptions = {}): SearchMethod {
  return {
    name: `genetic:population=${population},rounds=${rounds},temperature=${temperature}`,
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
      if (space.counts.every((count) => count === 0)) return end();

      let members: Member[] = [];
      while (members.length < population) {
        members.push(await changed(space.original, space, random, isDone));
        if (isDone()) return end();
      }
      for (let round = 0; round < rounds; round += 1) {
        members = members.toSorted((a, b) => b.verdict.score - a.verdict.score);
        const [elite] = members;
        if (elite === undefined) break;
        const weights = members.map(({ verdict }) => Math.exp((verdict.score - elite.verdict.score) / temperature));
        const next = [elite];
        while (next.length < population) {
          const mother = members[random.weighted(weights)] ?? elite;
          const father = members[random.weighted(weights)] ?? elite;
          const words = mixed(mother.words, father.words, () => random.below(2) === 1);
          const child = (await space.memberOf(words)) ?? mother;
          if (isDone()) return end();
          next.push(await changed(child, space, random, isDone));
          if (isDone()) return end();
        }
        members = next;
      }
      return end();
    },
  };
}

/** The member with one more change that improves it; itself when no word has one. */
async function changed(member: Member, space: WordSpace, random: Random, isDone: () => boolean): Promise<Member> {
  const weights = space.counts.map((count, word) => (member.words.has(word) ? 0 : count));
  for (;;) {
    const word = random.weighted(weights);
    if (word === -1) return member;
    const best = await space.bestOf(member, word);
    if (best !== undefined && (best.verdict.reached || best.verdict.score > member.verdict.score)) return best;
    if (isDone()) return member;
    weights[word] = 0;
  }
}
