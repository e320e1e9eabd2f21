/**
 * Rows from the worker, in chunks: those on screen before the thread is shown, then the first ones in order, and others
 * when they are near.
 */
import { type Accessor, createSignal, type Setter, untrack } from 'solid-js'
import type { Row } from '../worker/protocol.ts'
import { client } from './client.ts'

const CHUNK = 200
type Chunk = readonly Row[] | undefined

interface Slot {
  readonly get: Accessor<Chunk>
  readonly set: Setter<Chunk>
  requested: boolean
}

/** A signal, so that mounted rows change when another view replaces all of them. */
const [chunks, setChunks] = createSignal<readonly Slot[]>([])
let total = 0
let generation = 0

export function dropRows(): void {
  generation++
}

let onScreen: readonly [number, number] = [0, 0]

/** For a view that opens at its end: the last rows are loaded before it is shown. */
export function expectEnd(): void {
  onScreen = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
}

/** The first and the last row on screen. Another view is shown when these rows are loaded, so that nothing blinks. */
export function setOnScreen(from: number, to: number): void {
  onScreen = [from, to]
  const last = untrack(chunks).length - 1
  const nearest = Math.floor(from / CHUNK)
  for (let i = Math.max(0, nearest - 1); i <= Math.min(last, nearest + 2); i++) void loadChunk(i)
}

/** Resolves when the rows on screen are loaded, with the function that shows them. The other rows are loaded later. */
export async function loadRows(count: number): Promise<() => void> {
  const mine = generation
  const fresh: Slot[] = Array.from({ length: Math.ceil(count / CHUNK) }, () => {
    const [get, set] = createSignal<Chunk>()
    return { get, set, requested: false }
  })
  for (const i of needed(fresh.length)) {
    const slot = fresh[i]!
    slot.requested = true
    slot.set(await rowsOf(i))
  }
  return () => {
    if (mine !== generation) return
    total = count
    setChunks(fresh)
    void loadRest(generation)
  }
}

/** The first chunk, and those on screen. */
function needed(length: number): readonly number[] {
  const found = new Set<number>()
  if (length > 0) found.add(0)
  const [from, to] = onScreen.map((row) => Math.min(Math.floor(row / CHUNK), length - 1)) as [number, number]
  for (let i = from; i <= to; i++) if (i >= 0) found.add(i)
  return [...found]
}

/** An unchanged row stays the same object, so its mounted element and what was unfolded in it are kept. */
async function rowsOf(i: number): Promise<readonly Row[]> {
  const rows = await client.rows(i * CHUNK, (i + 1) * CHUNK)
  const known = untrack(() => chunks()[i]?.get()) ?? []
  return rows.map((row, at) => {
    const before = known[at]
    return before && JSON.stringify(before) === JSON.stringify(row) ? before : row
  })
}

/** Chunks that are loaded before the first scroll. Those of a longer session are loaded when they are near. */
const EAGER = 25

async function loadRest(mine: number): Promise<void> {
  for (let i = 0; i < Math.min(EAGER, untrack(chunks).length); i++) {
    if (mine !== generation) return
    await loadChunk(i)
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
}

async function loadChunk(i: number): Promise<void> {
  const chunk = untrack(chunks)[i]
  if (!chunk || chunk.requested) return
  chunk.requested = true
  chunk.set(await client.rows(i * CHUNK, (i + 1) * CHUNK))
}

/** A row, if it is loaded; loads it if not. */
export function rowAt(row: number): Row | undefined {
  const i = Math.floor(row / CHUNK)
  const chunk = chunks()[i]
  if (row < 0 || row >= total || !chunk) return undefined
  if (!chunk.requested) void loadChunk(i)
  return chunk.get()?.[row - i * CHUNK]
}
