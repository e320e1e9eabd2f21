/**
 * Installs agents from npm into a cache folder outside the repository, one folder each, and a newer Node beside them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Agent } from './types.ts'

export function cacheFolder(): string {
  return process.env['SUTURE_AGENTS_DIR'] ?? join(tmpdir(), 'suture-agents')
}

/** Installs are shared, results are not: each checkout has a folder of its own. */
export function runsFolder(cache: string, root: string): string {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 8)
  return join(cache, 'runs', `${basename(root)}-${hash}`)
}

/** Some agents need a newer Node than this one; the npm package `node` brings it. */
export const NODE: Pick<Agent, 'id' | 'packages'> = { id: 'node24', packages: ['node@24'] }

/** npm does not install a package into a folder of the same name, hence the prefix. */
export function folderOf(
  { id, folder }: { readonly id: string; readonly folder?: string | undefined },
  cache: string,
): string {
  return join(cache, 'installed', `agent-${folder ?? id}`)
}

/** Installs missing packages, or returns why it cannot. */
export function install(agent: Pick<Agent, 'id' | 'packages' | 'folder'>, cache: string): string | undefined {
  const folder = folderOf(agent, cache)
  mkdirSync(folder, { recursive: true })
  if (versionOf(agent, cache) !== undefined) return undefined
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  // npm picks a version by the Node it runs on.
  const path = `${join(folderOf(NODE, cache), 'node_modules/node/bin')}:${process.env['PATH'] ?? ''}`
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...agent.packages]
  const { status, stderr } = spawnSync('npm', args, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, PATH: path },
  })
  if (status === 0 && versionOf(agent, cache) !== undefined) return undefined
  return `npm cannot install ${agent.packages.join(' ')}: ${stderr.trim().split('\n')[0] ?? status}`
}

export function versionOf(
  { id, folder, packages }: Pick<Agent, 'id' | 'packages' | 'folder'>,
  cache: string,
): string | undefined {
  const name = (packages[0] ?? '').replace(/(?<=.)@[^/]*$/, '')
  const file = join(folderOf({ id, folder }, cache), 'node_modules', name, 'package.json')
  if (!existsSync(file)) return undefined
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
