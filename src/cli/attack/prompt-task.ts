import type { AttackConfig } from '../../task/attack-config.js';
import type { Task, TaskPrompt } from '../../task/task.js';

/** The task of a run and who answers it. */
export interface PromptTask {
  readonly task: Task;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly workDir: string | undefined;
  readonly shot: number;
  readonly generateLen: number;
  readonly seed: number;
  /** The prompts of the preset. */
  readonly presetPrompts: readonly TaskPrompt[];
  readonly config: Partial<AttackConfig>;
  /** A path of the configuration, from its folder. */
  readonly fromConfig: (path: string | undefined) => string | undefined;
}
