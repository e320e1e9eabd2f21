import { configDefaults, defineConfig } from 'vitest/config'

/**
 * Suites of pure functions share one module graph in each worker: loading it for each of some hundred small files
 * costs more than the tests. Not in here: what replaces globals, listens, starts processes or counts on fresh module
 * state.
 */
const shared = [
  'src/{core,dialects,providers,rules,strategies,testing,tools}/**/*.test.ts',
  'src/guard/rejections/{classify,corpus,explain}.test.ts',
  'src/json-bytes/*.test.ts',
  'contract/*.test.ts',
  'test/replies/{chunks,cut-streams,mutants,complete-replies}.test.ts',
  'test/{agreement,damaged-conversations,properties}.test.ts',
]

export default defineConfig({
  test: {
    // Only for what hangs: machines differ, and a loaded one may take twenty times as long.
    testTimeout: 900_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
    reporters: ['default', './test/skip-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['src/**/*.test.ts', 'contract/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...shared],
        },
      },
    ],
  },
})
