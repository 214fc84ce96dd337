import { cleanUpNow } from '../at-exit.js';

const controller = new AbortController();

/** Aborts when the user presses Ctrl-C (or the process is told to end): hand it to everything that runs long. */
export const interruptSignal: AbortSignal = controller.signal;

/**
 * Starts watching for SIGINT, SIGTERM and SIGHUP (the terminal was closed). The first one asks the work to stop, a second
 * one ends the process at once: by force, since an orderly exit would wait for a read that may never return. Programs that run
 * for us are ended, and temporary files removed, either way.
 */
export function watchInterrupt(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) {
        cleanUpNow();
        process.kill(process.pid, 'SIGKILL');
      }
      controller.abort(new DOMException(`Stopped by ${name}.`, 'AbortError'));
    });
  }
}
