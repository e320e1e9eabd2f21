/**
 * Runs the tests of the integrations with the newest frameworks on a newer Node, and prints their versions: `npm run
 * frameworks`.
 * Installs from the package registry into a cache folder outside the repository; the tests themselves only use
 * loopback.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const folder = process.env['SUTURE_FRAMEWORKS_DIR'] ?? join(tmpdir(), 'suture-frameworks')

const FRAMEWORKS = [
  'ai',
  '@ai-sdk/openai',
  '@ai-sdk/anthropic',
  '@mastra/core',
  'langchain',
  '@langchain/core',
  '@langchain/openai',
  '@langchain/anthropic',
  '@openai/agents',
]
/** The newest version of LangGraph names a dependency that is not in the registry. */
const OTHERS = ['@langchain/langgraph@1.4.17', 'openai', 'zod@4', 'vitest@4']
/** What the npm package `node` installs, without its install script. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

function install(): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const packages = [`${NODE}@24`, ...FRAMEWORKS.map((name) => `${name}@latest`), ...OTHERS]
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--legacy-peer-deps', '--ignore-scripts', '--force']
  run('npm', ['install', '--prefix', folder, ...flags, ...packages])
}

/** Copies, not links: an import is resolved from where a file really is. */
function copySources(): void {
  for (const name of ['src', 'contract', 'test/integrations', 'tsconfig.json']) {
    rmSync(join(folder, name), { recursive: true, force: true })
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  return `${name} ${version}`
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status ?? error?.message}.`)
}

install()
copySources()
const node = [join(folder, 'node_modules', NODE, 'bin/node'), join(folder, 'node_modules', NODE, 'bin/node.exe')]
run(node.find((path) => existsSync(path)) ?? process.execPath, [
  'node_modules/vitest/vitest.mjs',
  'run',
  'test/integrations',
])
console.log([NODE, ...FRAMEWORKS, '@langchain/langgraph'].map(versionOf).join('\n'))
