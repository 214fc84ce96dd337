import { OutputFile } from '../output-file.js';
import { digest } from '../digest.js';
import type { Answer, AnswerOptions, Victim } from './victim.js';

/** A victim whose answers are written down. */
export interface AnswerRecording {
  /** The victim to ask; its kind, name and signature are those of the real one. */
  readonly victim: Victim;
  /** Completes the file; returns how many answers it holds. */
  commit(): Promise<number>;
  /** Gives the file up: nothing stays of it. Safe to call at any time, also after `commit`. */
  discard(): Promise<void>;
}

/**
 * Writes down what a victim answers, as a file for `--model replay:FILE`: one JSON object a line, each question once, in the order in which
 * the questions were first answered.
 *
 * Put it outside of the cache (`recordAnswers(cachedVictim(…))`), so that answers from the cache are recorded too: a run that was killed
 * gives the whole recording when it goes on.
 *
 * @throws {TeapotError} `ERR_TEAPOT_WRITE` when the file can't be written: at once, or from `answer` and `commit`.
 */
export async function recordAnswers(victim: Victim, path: string): Promise<AnswerRecording> {
  const file = await OutputFile.open(path);
  const written = new Set<string>();
  const record = async (input: string, repeat: number, answer: Answer): Promise<void> => {
    const key = digest([input, repeat]);
    if (written.has(key)) return;
    written.add(key);
    const row = { input, ...(repeat > 0 && { repeat }), ...answer, model: victim.name };
    await file.write(`${JSON.stringify(row)}\n`);
  };
  return {
    victim: {
      kind: victim.kind,
      name: victim.name,
      signature: victim.signature,
      async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
        const answers = await victim.answer(inputs, options);
        for (const [index, answer] of answers.entries()) await record(inputs[index] ?? '', options.repeat ?? 0, answer);
        return answers;
      },
      async close(): Promise<void> {
        await victim.close?.();
      },
    },
    async commit(): Promise<number> {
      await file.commit();
      return written.size;
    },
    async discard(): Promise<void> {
      await file.discard();
    },
  };
}
