import type { AttackEdit } from '../../native.js';
import type { Asking } from '../asking.js';
import { randomOf } from '../../random.js';
import type { Random } from '../../random.js';
import { askOriginal, isOver, outcome } from './search-method.js';
import type { SearchMethod, SearchOutcome, SearchStart } from './search-method.js';
import { mixed, openWordSpace } from './word-edits.js';
import type { Member, Progress, WordSpace } from './word-edits.js';

/** Settings of {@link particleSwarm}. */
export interface ParticleSwarmOptions {
  /** Particles, from 1. Default 60. */
  readonly population?: number;
  /** Moves of the whole swarm. Default 20. */
  readonly rounds?: number;
}

/** Key of the draws of this search. */
const DRAWS = 2;

/** The largest velocity at the start, and the pull of each elite. */
const MAX_VELOCITY = 3;

/** Inertia, and the chance to turn to the own best, go from the first to the second; to the swarm's best, the other way. */
const [BEGIN, END] = [0.8, 0.2] as const;

interface Particle {
  /** Where it is. */
  at: Member;
  /** The best place it was at. */
  elite: Member;
  /** Of each word. */
  readonly velocity: number[];
}

/**
 * Particle swarm search (Zang et al. 2020, as in TextAttack 0.3.11).
 *
 * 1. Each particle is the original with one change, drawn among the best changes of all words by their gain.
 * 2. In each round a word's velocity is v ← ω·v + (1 − ω)·(±3 ± 3): minus where the particle agrees with its own best (the swarm's
 *    best), plus where it doesn't. With falling chance the particle turns to its own best, with rising chance to the swarm's: each
 *    word is taken over with the chance sigmoid(v). Then, with the chance 1 − 2 · share of changed words, it mutates as in step 1.
 * 3. Stop at the goal, at the end of the budget, or after the last round. ω and the first chance fall from 0.8 to 0.2, the second
 *    rises from 0.2 to 0.8.
 *
 * Difference: a turn that breaks a constraint is not made; ties are decided by position.
 */
export function particleSwarm({ population = 60, rounds = 20 }: ParticleSwarmOptions = {}): SearchMethod {
  return {
    name: `particle-swarm:population=${population},rounds=${rounds}`,
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

      const first = await neighboursOf(space.original, space, isDone);
      if (isDone()) return end();
      const swarm: Particle[] = Array.from({ length: population }, () => {
        const at = drawn(first, space.original, random);
        const velocity = (2 * random.fraction() - 1) * MAX_VELOCITY;
        return { at, elite: at, velocity: space.counts.map(() => velocity) };
      });
      let elite = best(swarm.map(({ at }) => at)) ?? space.original;
      for (let round = 0; round < rounds; round += 1) {
        const share = round / rounds;
        const inertia = BEGIN - share * (BEGIN - END);
        for (const particle of swarm) {
          steer(particle, elite, inertia);
          for (const [chance, goal] of [
            [inertia, particle.elite],
            [END + share * (BEGIN - END), elite],
          ] as const) {
            if (random.fraction() < chance) particle.at = await turned(particle, goal, space, random);
            if (isDone()) return end();
          }
        }
        for (const particle of swarm) {
          const changedShare = particle.at.words.size / Math.max(1, space.counts.length);
          if (random.fraction() < 1 - 2 * changedShare) {
            particle.at = drawn(await neighboursOf(particle.at, space, isDone), particle.at, random);
            if (isDone()) return end();
          }
          if (particle.at.verdict.score > particle.elite.verdict.score) particle.elite = particle.at;
        }
        elite = best([elite, ...swarm.map(({ at }) => at)]) ?? elite;
      }
      return end();
    },
  };
}

/** The best change of each word that has one, with its gain. */
async function neighboursOf(
  member: Member,
  space: WordSpace,
  isDone: () => boolean,
): Promise<{ readonly members: readonly Member[]; readonly gains: readonly number[] }> {
  const members: Member[] = [];
  for (const [word, count] of space.counts.entries()) {
    if (count === 0 || member.words.has(word)) continue;
    const neighbour = await space.bestOf(member, word);
    if (neighbour !== undefined) members.push(neighbour);
    if (isDone()) break;
  }
  return { members, gains: members.map(({ verdict }) => Math.max(0, verdict.score - member.verdict.score)) };
}

/** One of the neighbours, as likely as its gain; any of them when none gains; the member itself when there are none. */
function drawn({ members, gains }: Awaited<ReturnType<typeof neighboursOf>>, member: Member, random: Random): Member {
  const position = random.weighted(gains);
  return members[position === -1 ? random.below(members.length) : position] ?? member;
}

function steer({ at, elite: own, velocity }: Particle, elite: Member, inertia: number): void {
  const pull = (word: number, goal: Member): number =>
    isSame(at.words.get(word), goal.words.get(word)) ? -MAX_VELOCITY : MAX_VELOCITY;
  for (const [word, speed] of velocity.entries()) {
    velocity[word] = inertia * speed + (1 - inertia) * (pull(word, own) + pull(word, elite));
  }
}

async function turned({ at, velocity }: Particle, goal: Member, space: WordSpace, random: Random): Promise<Member> {
  const words = mixed(at.words, goal.words, (word) => random.fraction() < sigmoid(velocity[word] ?? 0));
  return (await space.memberOf(words)) ?? at;
}

function isSame(left: AttackEdit | undefined, right: AttackEdit | undefined): boolean {
  return left?.replacement === right?.replacement;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** The first of those with the highest score. */
function best(members: readonly Member[]): Member | undefined {
  return members.reduce<Member | undefined>(
    (top, member) => (top === undefined || member.verdict.score > top.verdict.score ? member : top),
    undefined,
  );
}
