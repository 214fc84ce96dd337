/** What must be undone when Node.js exits: a program that runs, a temporary file. */
const cleanUps = new Set<() => void>();

/**
 * Runs `cleanUp` when the process exits, unless the returned function was called before.
 *
 * @param cleanUp Synchronous work: kill a program, remove a file.
 */
export function onProcessExit(cleanUp: () => void): () => void {
  if (cleanUps.size === 0) process.on('exit', cleanUpNow);
  cleanUps.add(cleanUp);
  return () => {
    cleanUps.delete(cleanUp);
    if (cleanUps.size === 0) process.off('exit', cleanUpNow);
  };
}

/** Undoes everything now: for a process that ends itself by a signal, which no `exit` event reports. */
export function cleanUpNow(): void {
  for (const cleanUp of cleanUps) cleanUp();
}
