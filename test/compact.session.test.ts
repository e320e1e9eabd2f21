/**
 * Compaction of sessions: one record or none, even if others write, fail or are killed meanwhile.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import {
  CircuitBreaker,
  type CompactSessionOptions,
  compactionsOf,
  compactSession,
  type SessionCompacted,
} from '../src/compact.ts'
import { lint, repair } from '../src/index.ts'
import { memoryStore, openSession, openStore, type Session, type Store } from '../src/session.ts'
import { turn } from './compact-turn.ts'
import { runsOf } from './long-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'compact-session-'))
afterAll(() => rmSync(folder, { recursive: true }))

const target = { provider: 'openai', model: 'gpt-5' } as const
const turns = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => turn(from + i)).flat()
const small: CompactSessionOptions = { budget: { limit: 600, goal: 500 }, strategies: { ladder: ['summary'] } }
const codes = ({ why }: SessionCompacted) => why.map(({ code }) => code)
const valid = (history: readonly unknown[]) => lint(history, { ...target })

let files = 0
const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => memoryStore(),
  sqlite: () => openStore(`sqlite:${join(folder, `${files++}.db`)}`),
}

describe.each(Object.entries(stores))('%s', (_name, open) => {
  it('is one record with its receipt, and undo restores the earlier view exactly', async () => {
    const session = await openSession(await open(), 's', target)
    await session.append(turns(0, 12))
    const before = await session.history()
    const done = await compactSession(session, small)
    expect(done).toMatchObject({
      changesAnything: true,
      position: 49,
      receipt: { strategies: ['summary'], fits: true },
    })
    const after = await session.history()
    expect(after.length).toBeLessThan(before.length)
    expect(valid(after)).toEqual([])
    expect(after.slice(1)).toEqual(before.slice(1 - after.length))
    expect(await compactionsOf(session)).toMatchObject([{ position: 49, receipt: done.receipt, undone: false }])
    await session.undo()
    expect(await session.history()).toEqual(before)
    expect(await compactionsOf(session)).toMatchObject([{ undone: true }])
    expect((await session.verify()).damage).toEqual([])
  })

  it('messages appended while the summary is written stay, from this object and from others', async () => {
    const store = await open()
    const session = await openSession(store, 's', target)
    await session.append(turns(0, 12))
    const other = await openSession(store, 's', target)
    const summarize = async () => {
      await session.append(turns(12, 13))
      await other.append(turns(13, 14), { expectedHead: 'any' })
      return 'Twelve files were read.'
    }
    const done = await compactSession(session, { ...small, summarize })
    expect(done.changesAnything).toBe(true)
    const after = await session.history()
    expect(after.slice(-8)).toEqual(turns(12, 14))
    expect(JSON.stringify(after[0])).toContain('Twelve files were read.')
    expect(await (await openSession(store, 's', target)).history()).toEqual(after)
    await session.undo()
    expect(await session.history()).toEqual(turns(0, 14))
  })

  it('two handles at once: one writes, the other changes nothing', async () => {
    const store = await open()
    const handles = [await openSession(store, 's', target)]
    await handles[0]!.append(turns(0, 12))
    handles.push(await openSession(store, 's', target))
    // `once` keeps them apart within a process; two stores on one file are as two processes.
    const [first, second] = await Promise.all(handles.map((one) => compactSession(one, { ...small, summarize: late })))
    expect([first!.changesAnything, second!.changesAnything]).toEqual([true, false])
    expect(codes(second!)).toEqual(['under-way'])
    expect(await second!.running).toBe(first)
    expect(await compactionsOf(handles[0]!)).toHaveLength(1)
  })

  it('a summary that fails, is empty, rejects, is larger or is aborted changes nothing', async () => {
    const session = await openSession(await open(), 's', target)
    await session.append(turns(0, 12))
    const before = await session.history()
    const { head } = session
    const control = new AbortController()
    const bad: [string, () => string | Promise<string>][] = [
      ['summary-failed', () => Promise.reject(new Error('no model'))],
      ['summary-empty', () => '  '],
      ['larger', () => 'word '.repeat(9000)],
      [
        'aborted',
        () => {
          control.abort()
          return 'Read.'
        },
      ],
    ]
    for (const [code, summarize] of bad) {
      const signal = code === 'aborted' ? { signal: control.signal } : {}
      const done = await compactSession(session, {
        ...small,
        ...signal,
        summarize,
        circuitBreaker: new CircuitBreaker(),
      })
      expect(codes(done)).toContain(code)
    }
    expect(session.head).toBe(head)
    expect(await session.history()).toEqual(before)
  })

  it('rests after three failures in a row, and never runs inside itself', async () => {
    const session = await openSession(await open(), 's', target)
    await session.append(turns(0, 12))
    let asked = 0
    const summarize = async () => {
      asked++
      const inner = await compactSession(session, small)
      expect(codes(inner)).toEqual(['under-way'])
      throw new Error('no model')
    }
    for (let i = 0; i < 5; i++)
      expect((await compactSession(session, { ...small, summarize })).changesAnything).toBe(false)
    expect(asked).toBe(3)
  })

  it('a call that is open stays open, and its late result is seen', async () => {
    const session = await openSession(await open(), 's', target)
    await session.append([...turns(0, 12), ...turn(12).slice(0, 2)])
    expect((await compactSession(session, small)).changesAnything).toBe(true)
    expect(session.open).toMatchObject([{ id: 'c12' }])
    await session.append(turn(12).slice(2))
    expect((await session.history()).slice(-4)).toEqual(turn(12))
  })

  it('the tenth compaction still has the pins and the ledger of the first', async () => {
    const session = await openSession(await open(), 's', target)
    const pins = ['Never push to main.']
    for (let i = 0; i < 10; i++) {
      await session.append(turns(i * 12, i * 12 + 12))
      const budget = { limit: 2400, goal: 1800 }
      const summarize = () => `Summary ${i}.`
      const done = await compactSession(session, {
        ...small,
        budget,
        force: true,
        summarize,
        ...(i > 0 ? {} : { pins }),
      })
      expect(done.changesAnything, String(codes(done))).toBe(true)
      expect(valid(await session.history())).toEqual([])
    }
    const note = JSON.stringify((await session.history())[0])
    expect(note).toContain('Never push to main.')
    expect(note).toContain('read: src/108.ts')
    expect(note).toContain('Summary 9.')
    const logged = await compactionsOf(session)
    expect(logged).toHaveLength(10)
    expect(logged.every(({ receipt }) => receipt.lostPins === 0)).toBe(true)
    for (let i = 0; i < 10; i++) await session.undo()
    expect(await session.history()).toEqual(turns(0, 120))
  })
})

describe('several processes', () => {
  it('two stores on one file: both summarize, the first to write counts', async () => {
    const address = `sqlite:${join(folder, 'two.db')}`
    const sessions: Session[] = []
    for (let i = 0; i < 2; i++) sessions.push(await openSession(await openStore(address), 's', target))
    await sessions[0]!.append(turns(0, 12))
    const done = await Promise.all(sessions.map((one) => compactSession(one, { ...small, summarize: late })))
    expect(done.map(({ changesAnything }) => changesAnything).sort()).toEqual([false, true])
    expect(codes(done.find(({ changesAnything }) => !changesAnything)!)).toContain('lost-race')
    for (const one of sessions) await one.refresh()
    expect(await sessions[0]!.history()).toEqual(await sessions[1]!.history())
    expect(await compactionsOf(sessions[0]!)).toHaveLength(1)
  })

  const kills = runsOf(25, 60, 'SUTURE_KILLS')
  const seed = Number(process.env['SUTURE_SEED'] ?? 20261118)

  it(`killed ${kills} times at any moment: each compaction is whole or absent (seed ${seed})`, {
    timeout: 300_000,
  }, async () => {
    const worker = await bundled()
    const address = `sqlite:${join(folder, 'kill.db')}`
    const random = generator(seed)
    let counts = { turns: 0, compacted: 0, undone: 0 }
    for (let kill = 0; kill < kills; kill++) {
      const words = 1 + Math.floor(random() * 10)
      const more = await killedAfter(worker, [address, 's', String(counts.turns)], words, random() * 12)
      const store = await openStore(address)
      counts = await checked(await openSession(store, 's', target), counts, more, kill % 10 === 9)
      await store.close()
    }
    expect(counts.compacted).toBeGreaterThan(kills)
  })
})

const late = async () => {
  await setTimeout(20)
  return 'Twelve files were read.'
}

async function bundled(): Promise<string> {
  const outfile = join(folder, 'worker.mjs')
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  const entryPoints = [join(import.meta.dirname, 'compact-worker.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  return outfile
}

/** What it acknowledged before it was killed: shortly after this many lines. */
async function killedAfter(
  worker: string,
  values: readonly string[],
  words: number,
  moment: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [worker, ...values], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  let killed: Promise<unknown> | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (lines.length >= words) killed ??= setTimeout(moment).then(() => child.kill('SIGKILL'))
  }
  await killed
  return lines
}

interface Known {
  readonly turns: number
  readonly compacted: number
  readonly undone: number
}

/** Everything acknowledged is there, at most one thing more of each kind, and what is there is valid. */
async function checked(session: Session, was: Known, lines: readonly string[], undoAll: boolean): Promise<Known> {
  const acknowledged = (word: string) => lines.filter((line) => line.startsWith(word)).length
  expect((await session.verify()).damage).toEqual([])
  const raw = await session.raw()
  const logged = await compactionsOf(session)
  const now = { turns: raw.length / 4, compacted: logged.length, undone: logged.filter((one) => one.undone).length }
  expect(raw).toEqual(turns(0, now.turns))
  expect([0, 1]).toContain(now.turns - was.turns - acknowledged('appended'))
  expect([0, 1]).toContain(now.compacted - was.compacted - acknowledged('compacted'))
  expect([0, 1]).toContain(now.undone - was.undone - acknowledged('undone'))
  for (const { receipt } of logged) expect(receipt.after).toBeLessThan(receipt.before)
  const history = await session.history()
  expect(valid(history)).toEqual([])
  expect(JSON.stringify(history).includes('Never push to main.')).toBe(
    logged.some(({ undone, receipt }) => !undone && receipt.cut),
  )
  if (!undoAll) return now
  for (let i = now.undone; i < now.compacted; i++) await session.undo()
  expect(await session.history()).toEqual(repair(turns(0, now.turns), { ...target }).value)
  return { ...now, undone: now.compacted }
}

/** Numbers from 0 to 1, the same ones each time. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 0) / 4294967296
  }
}
