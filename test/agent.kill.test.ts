/**
 * A real process, a real SIGKILL, SQLite on disk: after the nth event of a turn, in every dialect. What was
 * reported is there, and the next prompt completes.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTurn } from '../src/agent/index.ts'
import { openStore } from '../src/session.ts'
import { contract, invalid, open, optionsOf, outline, setups, tool } from './agent-setup.ts'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'agent-kill-'))
const child = join(folder, 'child.mjs')
afterAll(() => rm(folder, { recursive: true }))

beforeAll(async () => {
  const entryPoints = [join(ROOT, 'test/agent-child.ts')]
  await build({ entryPoints, outfile: child, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})

/** Kills the process at this line of output; returns the output up to then. */
function killedAt(count: number, address: string, dialect: string): Promise<readonly string[]> {
  const process_ = spawn(process.execPath, [child, address, dialect], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let output = ''
    process_.stdout.on('data', (chunk: Buffer) => {
      output += String(chunk)
      // At the latest while the last tool hangs: how many pieces the text has is the dialect's own.
      if (output.split('\n').length > count || output.includes('progress')) process_.kill('SIGKILL')
    })
    process_.on('exit', (code, how) =>
      how ? resolve(output.trim().split('\n')) : reject(new Error(`It ended: ${code}\n${output}`)),
    )
  })
}

// Each dialect at two places, and all of them together at ten: before the prompt is stored, in text, at calls, at
// results, while the last tool hangs.
const places = [
  [1, 10],
  [2, 8],
  [3, 12],
  [5, 13],
  [6, 14],
] as const

describe.each(setups.map((setup, n) => [setup.dialect, setup, places[n]!] as const))('%s', (dialect, setup, at) => {
  it.each([...at])('killed at line %i', async (count) => {
    const address = `sqlite:${join(folder, `${dialect}-${count}.db`)}`
    const events = await killedAt(count, address, dialect)
    const tools = [tool('quick', () => ''), tool('slow', () => '')]
    const store = await openStore(address)
    const session = await open(setup, store)
    expect(await invalid(setup, session, tools)).toEqual([])
    const before = await outline(session)
    if (events.includes('prompt')) expect(before).toContain('user Go')
    const reported = events.filter((type) => type === 'result').length
    expect(before.split('Quick is done.').length - 1).toBeGreaterThanOrEqual(reported)
    const fetch = contract({ script: [{ text: 'Here again.' }] })
    const turn = runTurn(session, 'Still there?', optionsOf(setup, fetch, { tools }))
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'Here again.' })
    expect(fetch.requests.map(({ verdict }) => verdict)).toEqual([{ accepted: true }])
    expect((await session.verify()).valid).toBe(true)
    await store.close()
  })
})
