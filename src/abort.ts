import { setMaxListeners } from 'node:events';

/**
 * Calls `listener` once when a signal aborts; at once when it has aborted already.
 *
 * However many listen, Node.js prints no warning: that many requests wait for one signal is no leak here.
 *
 * @returns A function that takes the listener away; it must be called when the work is done.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) listener();
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/**
 * Waits for work that may take long or never end: an abort ends the waiting, not the work.
 *
 * @returns What the work gives.
 * @throws What the work throws; the signal's reason when it aborts first.
 */
export async function unlessAborted<T>(work: T, signal: AbortSignal | undefined): Promise<Awaited<T>> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  let forget = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    forget = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}
