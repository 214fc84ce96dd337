const controller = new AbortController();

/** Aborts when the user presses Ctrl-C (or the process is told to end): hand it to everything that runs long. */
export const interruptSignal: AbortSignal = controller.signal;

/** Starts watching for SIGINT and SIGTERM. The first one asks the work to stop, a second one ends the process
 * at once: by force, since an orderly exit would wait for a read that may never return. */
export function watchInterrupt(): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.kill(process.pid, 'SIGKILL');
      controller.abort(new DOMException(`Stopped by ${name}.`, 'AbortError'));
    });
  }
}
