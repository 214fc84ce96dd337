const controller = new AbortController();

/** Aborts when the user presses Ctrl-C (or the process is told to end): hand it to everything that runs long. */
export const interruptSignal: AbortSignal = controller.signal;

/** Starts watching for SIGINT and SIGTERM. The first one asks the work to stop, a second one ends the process at once. */
export function watchInterrupt(): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort(new DOMException(`Stopped by ${name}.`, 'AbortError'));
    });
  }
}
