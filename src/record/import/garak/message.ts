import { isObject } from '../common/json-lines.js';

/**
 * The text of a prompt or an output, as garak's releases write them: a string, a message `{text}`, a turn
 * `{role, content}`, or a conversation `{turns}` of which the last turn of the user counts (of the list's last otherwise).
 *
 * @returns null where there is none: the generator gave no answer, or no text.
 */
export function messageText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageText(lastOfUser(value));
  if (!isObject(value)) return null;
  if ('turns' in value) return messageText(value['turns']);
  return messageText(value['text'] ?? value['content'] ?? null);
}

/** How many messages a prompt has. */
export function messageCount(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) && Array.isArray(value['turns']) ? value['turns'].length : 1;
}

function lastOfUser(turns: readonly unknown[]): unknown {
  return turns.findLast((turn) => isObject(turn) && turn['role'] === 'user') ?? turns.at(-1) ?? null;
}
