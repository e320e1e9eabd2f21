/**
 * What a disk holds after a write is compared with the plan before a file is replaced.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { lastWrite, listBackups, readSessionFile, undoWrite, writePlan } from '../../src/session-files/node/index.ts'
import { tornSession } from '../cli/harness.ts'

/** Makes other bytes of those that are to be written to a session file. */
let damaged: ((bytes: Buffer) => Buffer) | undefined

vi.mock('../../src/session-files/node/appended.ts', async (original) => {
  const own = await original<typeof import('../../src/session-files/node/appended.ts')>()
  const isSession = (bytes: Uint8Array) => bytes.length > 200 && !Buffer.from(bytes).includes('"sha256"')
  return {
    ...own,
    writeAll: (file: number, bytes: Uint8Array, position?: number | null) =>
      own.writeAll(file, damaged && isSession(bytes) ? damaged(Buffer.from(bytes)) : bytes, position),
  }
})

const folder = mkdtempSync(join(tmpdir(), 'suture-written-'))
const state = join(folder, 'state')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => {
  damaged = undefined
})

const FAULTS: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  [
    'one other byte',
    (bytes) => Buffer.concat([bytes.subarray(0, 40), Buffer.from([bytes[40]! ^ 1]), bytes.subarray(41)]),
  ],
  ['a part is missing', (bytes) => bytes.subarray(0, bytes.length - 30)],
  ['zeros at the end', (bytes) => Buffer.concat([bytes.subarray(0, -8), Buffer.alloc(8)])],
  ['nothing', () => Buffer.alloc(0)],
]

const session = Buffer.from(tornSession('f1000000-2222-4333-8444-555555555555'))
const COMPRESSIONS: readonly (readonly [string, Buffer])[] = [
  ['session.jsonl', session],
  ['session.jsonl.gz', gzipSync(session)],
]

describe.each(COMPRESSIONS)('%s', (name, before) => {
  const path = join(folder, name)
  const write = async () => {
    const disk = await readSessionFile(path)
    const file = openSessionFile(disk.input, { format: 'claude-code' })
    return writePlan(disk, planRepair(file), { state, format: file.format })
  }

  it.each(FAULTS)('%s: a repair is not written, and leaves no backup', async (_name, fault) => {
    writeFileSync(path, before)
    const kept = listBackups(state).length
    const disk = await readSessionFile(path)
    const plan = planRepair(openSessionFile(disk.input, { format: 'claude-code' }))
    // The backup is whole: only the new file is damaged.
    damaged = (bytes) => (bytes.equals(before) ? bytes : fault(bytes))
    expect(() => writePlan(disk, plan, { state, format: 'claude-code' })).toThrow(
      /differs from the plan.*not replaced/s,
    )
    expect(readFileSync(path)).toEqual(before)
    expect(listBackups(state)).toHaveLength(kept)
    expect(readdirSync(folder).filter((one) => one.startsWith('.suture-'))).toEqual([])
  })

  it.each(FAULTS)('%s: an undo is not written', async (_name, fault) => {
    writeFileSync(path, before)
    await write()
    const repaired = readFileSync(path)
    damaged = (bytes) => (bytes.equals(before) ? fault(bytes) : bytes)
    const entry = lastWrite(state, path)!
    expect(() => undoWrite(state, entry)).toThrow(/differs from the backup.*not replaced/s)
    expect(readFileSync(path)).toEqual(repaired)
    damaged = undefined
    undoWrite(state, entry)
    expect(readFileSync(path)).toEqual(before)
  })
})
