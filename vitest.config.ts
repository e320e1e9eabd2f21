import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'contract/**/*.test.ts', 'test/**/*.test.ts'],
    // Only for what hangs: machines differ, and a loaded one may take twenty times as long.
    testTimeout: 900_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
})
