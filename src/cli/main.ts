#!/usr/bin/env node
// Nothing is imported before the first line runs: a process that may not open enough files says so in one line.
try {
  const { start } = await import('./start.js');
  await start(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'EMFILE')) throw error;
  process.stderr.write(
    'teapot: error: too many open files for this process: raise its limit (ulimit -n) [ERR_TEAPOT_READ]\n',
  );
  process.exitCode = 1;
}
