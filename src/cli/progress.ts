import type { RunOptions } from '../score/scorer.js';
import { visible } from '../visible.js';
import { terminalWidth } from './terminal-width.js';
import { writeStandardError } from './terminal.js';

/** Shorter runs show nothing. */
const QUIET_MS = 1000;

/** Time between two looks of the user. */
const INTERVAL_MS = 200;

/** A line on the terminal that says how far a run is. */
export interface Progress {
  /** To be given to the work. */
  readonly onProgress: NonNullable<RunOptions['onProgress']>;
  /** Removes the line; call it before anything else is printed. */
  readonly stop: () => void;
}

/** Options of {@link startProgress}. */
export interface ProgressOptions {
  /** What is counted, for example `lines`. */
  readonly unit: string;
  /** The total is estimated from the size of the files: it is used for the time left and not shown. */
  readonly totalIsEstimate?: boolean | undefined;
  /** Show nothing. */
  readonly quiet?: boolean | undefined;
  /** Added behind the numbers, for example the best score so far. */
  readonly detail?: () => string;
  /** Default stderr; nothing is shown unless it is a terminal. */
  readonly stream?: Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'> | undefined;
}

/**
 * Shows done/total, rate and time left on stderr, for runs over a second on a terminal.
 *
 * @example const progress = startProgress({ unit: 'lines', quiet }); try { await work(progress) } finally { progress.stop() }
 */
export function startProgress(options: ProgressOptions): Progress {
  const stream = options.stream ?? process.stderr;
  if (options.quiet === true || !stream.isTTY) return { onProgress: () => {}, stop: () => {} };
  const write = (text: string): unknown =>
    options.stream === undefined ? writeStandardError(text) : options.stream.write(text);
  const start = performance.now();
  let shown = start + QUIET_MS - INTERVAL_MS;
  let isShown = false;
  return {
    onProgress: (done, total) => {
      const now = performance.now();
      if (now - shown < INTERVAL_MS) return;
      shown = now;
      isShown = true;
      const { unit, totalIsEstimate } = options;
      const line = [describeProgress(done, total, now - start, { unit, totalIsEstimate }), options.detail?.()]
        .filter(Boolean)
        .join(' · ');
      write(`\r\u001B[K${visible(line).slice(0, terminalWidth(stream, 80) - 1)}`);
    },
    stop: () => {
      if (isShown) write('\r\u001B[K');
      isShown = false;
    },
  };
}

/**
 * The text of the line.
 *
 * @param elapsedMs Since the start.
 * @example describeProgress(500, 2000, 1000, { unit: 'lines' }); // '500/2,000 lines (25 %) · 500 lines/s · 3 s left'
 */
export function describeProgress(
  done: number,
  total: number | undefined,
  elapsedMs: number,
  { unit, totalIsEstimate }: Pick<ProgressOptions, 'unit' | 'totalIsEstimate'>,
): string {
  const rate = done / Math.max(elapsedMs / 1000, 1e-3);
  const count = (value: number): string => Math.round(value).toLocaleString('en-US');
  const speed = `${count(rate)} ${unit}/s`;
  if (total === undefined || total <= 0) return `${count(done)} ${unit} · ${speed}`;
  const left = rate > 0 ? ` · ${formatDuration(Math.max(0, total - done) / rate)} left` : '';
  const of = totalIsEstimate === true ? '' : `/${count(total)}`;
  return `${count(done)}${of} ${unit} (${Math.min(100, Math.floor((100 * done) / total))} %) · ${speed}${left}`;
}

function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
