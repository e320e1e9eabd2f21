/**
 * Rows as they arrive from the worker, in chunks: the first ones before the thread is shown, the others around the viewport first, then in order.
 */
import { type Accessor, createSignal, type Setter, untrack } from 'solid-js'
import type { Row } from '../worker/protocol.ts'
import { client } from './client.ts'

const CHUNK = 200
type Chunk = readonly Row[] | undefined

interface Slot {
  readonly get: Accessor<Chunk>
  readonly set: Setter<Chunk>
  asked: boolean
}

/** A signal: rows that are mounted change with it when another view replaces all of them. */
const [chunks, setChunks] = createSignal<readonly Slot[]>([])
let total = 0
let generation = 0

export function dropRows(): void {
  generation++
}

/** Resolves when the first chunk is here, with the step that shows it; the rest follows. */
export async function loadRows(around: number, count: number): Promise<() => void> {
  const mine = generation
  const first = Math.floor(around / CHUNK)
  const fresh: Slot[] = Array.from({ length: Math.ceil(count / CHUNK) }, () => {
    const [get, set] = createSignal<Chunk>()
    return { get, set, asked: false }
  })
  const ready = count === 0 ? [] : await client.rows(first * CHUNK, (first + 1) * CHUNK)
  return () => {
    if (mine === generation) replace(fresh, first, ready, count)
  }
}

function replace(fresh: readonly Slot[], first: number, ready: readonly Row[], count: number): void {
  total = count
  const slot = fresh[first]
  if (slot) {
    slot.asked = true
    slot.set(ready)
  }
  setChunks(fresh)
  void loadRest(generation)
}

async function loadRest(mine: number): Promise<void> {
  for (let i = 0; i < untrack(chunks).length; i++) {
    if (mine !== generation) return
    await loadChunk(i)
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
}

async function loadChunk(i: number): Promise<void> {
  const chunk = untrack(chunks)[i]
  if (!chunk || chunk.asked) return
  chunk.asked = true
  chunk.set(await client.rows(i * CHUNK, (i + 1) * CHUNK))
}

/** A row, if it is here; asks for it if not. */
export function rowAt(row: number): Row | undefined {
  const i = Math.floor(row / CHUNK)
  const chunk = chunks()[i]
  if (row < 0 || row >= total) return undefined
  if (!chunk) return undefined
  if (!chunk.asked) void loadChunk(i)
  return chunk.get()?.[row - i * CHUNK]
}
