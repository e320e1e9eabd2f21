/**
 * Without its optional packages each entry point says which one to install. Each case is a script of a user, and what
 * its error must name.
 */
export interface MissingPackage {
  readonly name: string
  readonly script: string
  readonly expected: RegExp
}

const failing = (work: string) =>
  `${work}.then(() => process.exit(9), (error) => console.error(error.code, error.message))`

export const MISSING: readonly MissingPackage[] = [
  {
    name: 'the PostgreSQL store without pg',
    script: `import { openStore } from 'suture/session'\n${failing("openStore('postgres://u@127.0.0.1:1/x')")}`,
    expected: /^store-missing .*npm install pg/,
  },
  {
    name: 'the SQLite store without better-sqlite3',
    // A newer Node has a driver of its own.
    script: `import { openStore } from 'suture/session'\nif (process.versions.node.startsWith('20.')) ${failing("openStore('sqlite:x.db')")}\nelse console.error('store-missing npm install better-sqlite3')`,
    expected: /^store-missing .*npm install better-sqlite3/,
  },
  {
    name: 'suture mcp without its SDK',
    script: `import { spawnSync } from 'node:child_process'\nconst { stderr } = spawnSync(process.execPath, ['node_modules/suture/dist/cli/main.js', 'mcp'], { input: '', encoding: 'utf8' })\nconsole.error(stderr)`,
    expected: /npm install @modelcontextprotocol\/sdk/,
  },
  {
    name: 'an integration without its framework',
    script: failing("import('suture/langchain')"),
    expected: /Cannot find package '(langchain|@langchain\/[a-z]+)'/,
  },
]
