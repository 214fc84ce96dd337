import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    include: ['__test__/**/*.test.ts'],
    testTimeout: 30_000,
    typecheck: {
      enabled: true,
      include: ['__test__/types/**/*.test-d.ts'],
      tsconfig: './tsconfig.test.json',
    },
  },
});
