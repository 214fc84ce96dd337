import type { Answer, AnswerOptions, Victim } from '../../src/victim/victim.js';

/** A victim that answers with the number of the call, so that no two calls give the same answer. */
export class CountingVictim implements Victim {
  readonly kind = 'module';
  readonly name = 'counting';
  readonly signature: string;
  /** Inputs as they were asked. */
  readonly asked: string[] = [];
  /** Thrown at this input. */
  failAt: string | undefined;
  delayMs = 0;

  constructor(signature = 'counting') {
    this.signature = signature;
  }

  async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const [index, input] of inputs.entries()) {
      this.asked.push(input);
      const number = this.asked.length;
      await new Promise((resolve) => setTimeout(resolve, this.delayMs));
      options.signal?.throwIfAborted();
      if (input === this.failAt) throw new Error(`no answer to ${input}`);
      const answer = { output: `call ${number}`, usage: { promptTokens: 2, completionTokens: 1 } };
      options.onAnswer?.(index, answer);
      answers.push(answer);
    }
    return answers;
  }
}
