import { defineConfig } from 'vitest/config';

/** Where CI wants the results as JSON, beside what is printed. */
const results = process.env['TEAPOT_TEST_RESULTS'];

export default defineConfig({
  test: {
    pool: 'forks',
    // vitest leaves one core alone by default: on two cores nothing would run side by side.
    maxWorkers: '100%',
    include: ['__test__/**/*.test.ts'],
    // Tests that start many processes need it on a busy machine; none is judged by its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Some tests of signals and programs still depend on timing; until each is deterministic, CI tries a failed one again.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    ...(results !== undefined && { reporters: ['default', ['json', { outputFile: results }]] }),
    typecheck: {
      enabled: true,
      include: ['__test__/types/**/*.test-d.ts'],
      tsconfig: './tsconfig.test.json',
    },
  },
});
