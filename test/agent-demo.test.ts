/**
 * The demonstration runs to its end: real processes, a real socket, SQLite on disk, and one of the processes is killed while a tool runs.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'agent-demo-'))
afterAll(() => rm(folder, { recursive: true }))

it('a killed process leaves a session that another one goes on with', async () => {
  const outfile = join(folder, 'demo.mjs')
  const external = ['better-sqlite3', 'pg', '@opentelemetry/api']
  await build({
    entryPoints: [join(ROOT, 'examples/agent-demo.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external,
    outfile,
    logLevel: 'error',
  })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { maxBuffer: 1e7 })
  expect(stdout).toContain('killed')
  expect(stdout).toMatch(/found: \[\{"id":"[^"]+","name":"deploy","cause":"crashed"\}\]/)
  expect(stdout).toContain('I would look before I try again.')
  expect(stdout).toContain('requests, 0 refused for their history')
  expect(stdout).not.toContain('hashes do not fit')
})
