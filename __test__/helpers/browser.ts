import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll } from 'vitest';

/** Debian's Chromium, or the one that `CHROMIUM` names. */
const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether there is a browser. Without one, tests of pages are skipped; in CI that is a failure. */
export const hasBrowser = existsSync(EXECUTABLE);

if (!hasBrowser) {
  const advice = `no Chromium at ${EXECUTABLE} (apt-get install chromium, or set CHROMIUM)`;
  if (process.env['CI'] === 'true') throw new Error(advice);
  process.stderr.write(`Tests of report pages are skipped: ${advice}\n`);
}

let launched: Promise<Browser> | undefined;

afterAll(async () => {
  await (await launched)?.close();
});

/** A page as a test sees it. */
export interface OpenPage {
  readonly page: Page;
  /** Messages of the console that are warnings or errors, errors of scripts, and requests of anything but the page. */
  readonly complaints: string[];
}

/** How a page is opened. */
export interface OpenOptions {
  readonly javaScript?: boolean;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** What follows the name of the file: `#?q=tea`. */
  readonly fragment?: string;
}

/** Opens a file from disk, as a reader does. */
export async function openPage(path: string, options: OpenOptions = {}): Promise<OpenPage> {
  launched ??= chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
  const context = await (
    await launched
  ).newContext({
    javaScriptEnabled: options.javaScript ?? true,
    viewport: { width: options.width ?? 1280, height: 900 },
    colorScheme: options.scheme ?? 'light',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const url = pathToFileURL(path).href;
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const requested = request.url();
    if (!requested.startsWith(url) && !requested.startsWith('blob:')) complaints.push(`request: ${requested}`);
  });
  await page.goto(url + (options.fragment ?? ''));
  if (options.javaScript !== false && (await page.locator('#record-app').count()) > 0) {
    await page.locator('#record-app[data-ready]').waitFor();
  }
  return { page, complaints };
}
