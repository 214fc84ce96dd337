/**
 * Words of the record that the command line offers as choices; kept apart from the schema, so that help loads no checker.
 */

/** What an attacking tool can say about one attack. */
export const RESULTS = ['successful', 'failed', 'skipped', 'error'] as const;

/** The four prompt types of PromptBench: zero-shot or few-shot, task- or role-oriented. */
export const PROMPT_TYPES = ['zs-task', 'zs-role', 'fs-task', 'fs-role'] as const;

/** What happens at a line or row that can't be read. */
export const ON_ERROR = ['stop', 'skip', 'collect'] as const;
