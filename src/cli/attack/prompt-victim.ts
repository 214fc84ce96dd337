import { PARAPHRASE_TOKENS } from '../../attack/paraphrase.js';
import { createVictim } from '../../victim/create-victim.js';
import type { EndpointLimits, Victim, VictimContext } from '../../victim/victim.js';
import type { AttackConfig } from '../../task/attack-config.js';
import type { Note } from '../notes.js';
import type { PromptTask } from './prompt-task.js';

/**
 * Makes the victim that answers a task: flags and configuration say who, the task how long its answers may be.
 *
 * @throws {UsageError} as `createVictim`.
 */
export function promptVictim(
  loaded: Pick<PromptTask, 'task' | 'model' | 'baseUrl' | 'generateLen' | 'config'>,
  note: Note,
): Promise<Victim> {
  const { task, model, generateLen, config } = loaded;
  return createVictim(model, {
    ...(task.labels.length > 0 ? { labels: task.labels } : {}),
    ...contextOf(loaded, note),
    sampling: { maxTokens: generateLen, ...(config.system === undefined ? {} : { system: config.system }) },
  });
}

/**
 * Makes the model that writes other wordings of prompts; an endpoint is the one of the task.
 *
 * @throws {UsageError} as `createVictim`.
 */
export function paraphraseVictim(
  spec: string,
  loaded: Pick<PromptTask, 'baseUrl' | 'config'>,
  note: Note,
): Promise<Victim> {
  return createVictim(spec, { ...contextOf(loaded, note), sampling: { maxTokens: PARAPHRASE_TOKENS } });
}

function contextOf({ baseUrl, config }: Pick<PromptTask, 'baseUrl' | 'config'>, note: Note): VictimContext {
  return { baseUrl, limits: limitsOf(config.limits ?? {}), onNote: note };
}

function limitsOf(limits: NonNullable<AttackConfig['limits']>): EndpointLimits {
  const given = {
    concurrency: limits.concurrency,
    requestsPerMinute: limits.requests_per_minute,
    timeoutMs: limits.timeout_ms,
    retries: limits.retries,
    firstWaitMs: limits.first_wait_ms,
    maxWaitMs: limits.max_wait_ms,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
