import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import type { Victim, VictimContext } from './victim.js';

/** A kind of victim: what `teapot list` shows, and how it is made. */
export interface VictimKind {
  /** What stands before the colon in `--model KIND:NAME`. */
  readonly kind: string;
  /** What stands after it, as an example. */
  readonly example: string;
  /** One sentence. */
  readonly description: string;
  /** Whether NAME may be left out. */
  readonly isNameOptional?: boolean;
  /** Makes the victim; what it needs is loaded here and not before. */
  create(name: string, context: VictimContext): Promise<Victim>;
}

/** Every kind of victim, the default first. */
export const VICTIM_KINDS: readonly VictimKind[] = [
  {
    kind: 'lexicon',
    example: 'lexicon',
    description: 'Sentiment by the VADER lexicon, in the process: no server, no key. lexicon:0,1 names its labels.',
    isNameOptional: true,
    async create(name, context) {
      const { createLexiconVictim } = await import('./lexicon.js');
      return createLexiconVictim(name, context.labels);
    },
  },
  {
    kind: 'openai',
    example: 'openai:gpt-4o-mini',
    description: 'A model behind an OpenAI-compatible endpoint; the key comes from the environment.',
    async create(name, context) {
      const { createOpenaiVictim } = await import('./openai.js');
      return createOpenaiVictim(name, context);
    },
  },
  {
    kind: 'command',
    example: 'command:python3 victim.py',
    description: 'A program that reads {"input": "…"} and writes {"output": "…"}, one JSON object a line.',
    async create(name, context) {
      const { createCommandVictim } = await import('./command.js');
      return createCommandVictim(name, context);
    },
  },
  {
    kind: 'module',
    example: 'module:./victim.mjs',
    description: 'An ES module that exports answer(input) or answerBatch(inputs).',
    async create(name, { silenceMs }) {
      const { loadModuleVictim } = await import('./module.js');
      return loadModuleVictim(name, silenceMs);
    },
  },
  {
    kind: 'replay',
    example: 'replay:answers.jsonl',
    description: 'Recorded answers, {"input": "…", "output": "…"} a line.',
    async create(name) {
      const { loadReplayVictim } = await import('./replay.js');
      return loadReplayVictim(name);
    },
  },
];

/**
 * Makes the victim that `--model KIND:NAME` names.
 *
 * @param spec For example `openai:gpt-4o-mini`, `command:python3 victim.py`; NAME begins after the first colon. `lexicon`
 *   needs no NAME.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an unknown kind (with the nearest one) or a missing NAME, and as the kinds
 *   say: a module or recording that can't be read, a command or base URL that is none, a key that is not there.
 */
export async function createVictim(spec: string, context: VictimContext = {}): Promise<Victim> {
  const colon = spec.indexOf(':');
  const kind = (colon === -1 ? spec : spec.slice(0, colon)).trim();
  const name = colon === -1 ? '' : spec.slice(colon + 1).trim();
  const known = VICTIM_KINDS.find((one) => one.kind === kind.toLowerCase());
  if (known === undefined) {
    const kinds = VICTIM_KINDS.map((one) => one.kind);
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `the option \`model\` ${spec}: there is no kind of victim "${kind}".${didYouMean(kind, kinds)} Expected KIND:NAME with one of ` +
        `${kinds.join(', ')}, for example ${VICTIM_KINDS[1]?.example ?? 'lexicon'}`,
    );
  }
  if (name === '' && known.isNameOptional !== true) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `the option \`model\` ${spec}: the name is missing, expected for example ${known.example}`,
    );
  }
  return known.create(name, context);
}
