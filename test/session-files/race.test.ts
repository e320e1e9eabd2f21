/**
 * An agent that appends to a session while it is repaired loses nothing, in whatever way it writes. `SUTURE_LONG=1`:
 * 200 rounds at 5 and at 20 MB.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { readSessionFile, undoWrite, writePlan } from '../../src/session-files/node/index.ts'
import { tornSession } from '../cli/harness.ts'
import { LONG, runsOf } from '../long-runs.ts'
import { AppendingAgent, type Way } from './appending-agent.ts'

const SIZES = LONG ? [5, 20] : [1]
/** Writing 20 MB three times in each of 200 rounds, with syncs. */
const LONGEST_MS = 3_600_000
let folder: string
let agent: AppendingAgent

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'suture-race-'))
  agent = new AppendingAgent()
})
afterAll(() => {
  agent.end()
  rmSync(folder, { recursive: true, force: true })
})

/** A session with half a record in the middle, of this size. */
function large(megabytes: number): Buffer {
  const lines = tornSession('e0000000-2222-4333-8444-555555555555').trimEnd().split('\n')
  const title = `{"type":"summary","summary":"${'s'.repeat(500)}","leafUuid":"y"}`
  const titles = Array.from({ length: Math.round((megabytes * 1e6) / 540) }, () => title)
  return Buffer.from(`${[...lines.slice(0, 4), ...titles, ...lines.slice(4)].join('\n')}\n`)
}

/** What is in the file after its old or its new bytes. */
function tailOf(path: string, heads: readonly Uint8Array[]): string {
  const bytes = readFileSync(path)
  const head = heads.find((one) => bytes.subarray(0, one.length).equals(one))
  expect(head, 'neither the old bytes nor the new ones').toBeDefined()
  return bytes.subarray(head!.length).toString()
}

const recordsUpTo = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `${JSON.stringify({ type: 'summary', summary: `appended ${i + 1}`, leafUuid: 'x' })}\n`,
  ).join('')

/** Runs `write` while the agent appends. True if it wrote. */
async function raced(
  way: Way,
  path: string,
  heads: readonly Uint8Array[],
  after: number,
  write: () => unknown,
): Promise<boolean> {
  await agent.start(way, path, after)
  let hasWritten = true
  try {
    write()
  } catch (error) {
    expect(error).toMatchObject({ code: 'conflict' })
    hasWritten = false
  }
  const count = await agent.stop()
  expect(tailOf(path, heads) === recordsUpTo(count), 'a record is missing, or not in its place').toBe(true)
  expect(readdirSync(folder).filter((name) => name.startsWith('.suture-'))).toEqual([])
  return hasWritten
}

describe.each(SIZES)('%i MB', (megabytes) => {
  it.each<Way>(['each record', 'held open'])(
    '%s: nothing is lost by a repair and by its undo',
    async (way) => {
      const path = join(folder, 'session.jsonl')
      const state = join(folder, 'state')
      const before = large(megabytes)
      writeFileSync(path, before)
      const disk = await readSessionFile(path)
      const file = openSessionFile(disk.input)
      const plan = planRepair(file)
      expect(plan.bytes.length).toBeLessThan(before.length)
      const heads = [plan.bytes, before]
      let [repaired, undone, usual] = [0, 0, 0]
      const rounds = way === 'each record' ? runsOf(4, 200) : runsOf(1, 20)
      for (let i = 0; i < rounds; i++) {
        writeFileSync(path, before)
        const began = performance.now()
        const entry = writePlan(disk, plan, { state, format: file.format })
        usual = performance.now() - began
        // In every second round the agent begins while the file is written, each time at another moment.
        const after = i % 2 === 0 ? 0 : 1 + (usual * i) / rounds
        if (await raced(way, path, heads, after, () => undoWrite(state, entry))) undone++
        writeFileSync(path, before)
        if (await raced(way, path, heads, after, () => writePlan(disk, plan, { state, format: file.format })))
          repaired++
        rmSync(state, { recursive: true, force: true })
      }
      console.info(`${megabytes} MB, ${way}: 0 lost in ${rounds} rounds, ${repaired} repaired, ${undone} undone`)
      // An agent that held the file open before would go on writing to the old one: it stays.
      if (way === 'held open') expect(repaired + undone).toBeLessThanOrEqual(rounds)
      else expect(Math.min(repaired, undone)).toBeGreaterThan(rounds / 2)
    },
    LONGEST_MS,
  )
  it.each<Way>(['rewritten', 'renamed'])('%s: the version of the agent stays', async (way) => {
    const path = join(folder, 'document.jsonl')
    const state = join(folder, 'state')
    const before = large(megabytes)
    for (let i = 0; i < runsOf(2, 40); i++) {
      writeFileSync(path, before)
      const disk = await readSessionFile(path)
      const file = openSessionFile(disk.input)
      const plan = planRepair(file)
      await raced(way, path, [before, plan.bytes], 0, () => writePlan(disk, plan, { state, format: file.format }))
      rmSync(state, { recursive: true, force: true })
    }
  })
})
