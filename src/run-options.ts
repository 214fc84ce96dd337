/** What every long-running function takes last. */
export interface RunOptions {
  /** Stops the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after every batch with the number of items done and, where it is known, the number of all items. */
  readonly onProgress?: (done: number, total: number | undefined) => void;
}
