/**
 * Shortens tool results: the largest first, only as many as needed. JSON stays JSON, and the original is kept.
 * Each result is decided once: the next request sends the same bytes.
 */
import { type Dialect, diffMessages, type Part, type Patch, Transcript } from '../core/index.ts'
import { replaceParts } from './edit-parts.ts'
import type { Estimate } from './estimate.ts'
import { type BodyOptions, shrinkBody, sizeOf } from './shrink-body.ts'
import { hashOf, type Memory, type Shrunk } from './shrink-memory.ts'
import { byBytes } from './shrink-text.ts'

export { hashOf, type Memory, type MemoryOptions, type Shrunk, shrinkMemory } from './shrink-memory.ts'
export { byBytes } from './shrink-text.ts'

export interface ShrinkOptions {
  readonly dialect: Dialect
  /** Tokens to remove in total. */
  readonly need: number
  /** Tokens to remove beyond `need`, unless a result would become very short. Default 0. */
  readonly headroom?: number | undefined
  readonly memory: Memory
  readonly estimate?: Estimate | undefined
  /** One sentence that tells the model how to get what was left out; `{id}` is the id of the call. */
  readonly hint?: string | undefined
  /** Images and files in results may be replaced by a note. */
  readonly media?: boolean | undefined
  /** Only results of the messages [from, to). */
  readonly within?: readonly [from: number, to: number] | undefined
  /** Change nothing if fewer tokens than this would be saved. */
  readonly worth?: number | undefined
  /** Minimum tokens of a shortened result. Default: a sixteenth, at least 256; 64 if that is not enough. */
  readonly least?: number | undefined
}

export interface Shrinking {
  /** The same list if nothing was shortened. */
  readonly history: readonly unknown[]
  readonly patch: Patch
  readonly shrunk: readonly { readonly id: string; readonly before: number; readonly after: number }[]
  /** Tokens saved. */
  readonly saved: number
}

export const HINT = 'Ask for a smaller part of it to see more.'

interface Candidate {
  readonly part: Part
  readonly id: string
  /** The content as it was first seen, and its hash. */
  readonly original: unknown
  readonly hash: string
  readonly size: number
  target: number
}

export function shrink(history: readonly unknown[], options: ShrinkOptions): Shrinking {
  const candidates = candidatesIn(history, options)
  aim(candidates, options)
  const cuts = candidates.flatMap((candidate) => {
    const { part, id, size, target } = candidate
    const found = target < size ? cutTo(candidate, options) : undefined
    return found ? [{ part, id, before: size, ...found }] : []
  })
  const saved = cuts.reduce((total, { before, after }) => total + before - after, 0)
  if (saved < (options.worth ?? 0)) return { history, patch: [], shrunk: [], saved: 0 }
  for (const { shrunk } of cuts) options.memory.remember(shrunk)
  const changes = cuts.map(({ part, shrunk }) => ({ part, body: shrunk.now }))
  const shrunk = cuts.map(({ id, before, after }) => ({ id, before, after }))
  return { ...rewritten(history, options.dialect, changes), shrunk, saved }
}

/** Shortens one result, by an earlier or a new decision. Undefined: unchanged. Stores nothing. */
export function shrinkResult(part: Part, limit: number, options: Omit<ShrinkOptions, 'need'>): Shrunk | undefined {
  const candidate = candidateOf(part, options)
  const { size, id, hash } = candidate
  if (size <= limit) return undefined
  const known = options.memory.shrunk(id, hash)
  if (known && known.nowHash !== hashOf(part.body)) return known
  return cutTo({ ...candidate, target: limit }, options)?.shrunk
}

function cutTo(
  { part, id, original, hash, size, target }: Candidate,
  options: Omit<ShrinkOptions, 'need'>,
): { readonly shrunk: Shrunk; readonly after: number } | undefined {
  const body = bodyOptions(options, id)
  const now = shrinkBody(part, original, target, body)
  const after = sizeOf(part, now, body)
  if (now === original || after >= size) return undefined
  return { shrunk: { callId: id, hash, nowHash: hashOf(now), now, original }, after }
}

/** Applies earlier decisions again: the same bytes. */
export function shrinkAgain(
  history: readonly unknown[],
  { dialect, memory }: Pick<ShrinkOptions, 'dialect' | 'memory'>,
): Pick<Shrinking, 'history' | 'patch'> & { readonly ids: readonly string[] } {
  const changes: { part: Part; body: unknown }[] = []
  const ids: string[] = []
  for (const part of new Transcript(history, dialect).results) {
    const id = idOf(part)
    if (!memory.knows(id)) continue
    const hash = hashOf(part.body)
    const known = memory.shrunk(id, hash)
    if (!known || known.nowHash === hash) continue
    changes.push({ part, body: known.now })
    ids.push(id)
  }
  return { ...rewritten(history, dialect, changes), ids }
}

/** The key of a decision. Without an id (Gemini) the tool's name; the hash of the result tells them apart. */
function idOf(part: Part): string {
  return part.id ?? part.name ?? '(no id)'
}

function bodyOptions(
  { dialect, estimate = byBytes, hint = HINT, media = false }: Omit<ShrinkOptions, 'need'>,
  id: string,
): BodyOptions {
  return { dialect, estimate, hint: hint.replaceAll('{id}', () => id), media }
}

/** Largest first; of two equal ones the older first: the model is working with the newer. */
function candidatesIn(history: readonly unknown[], options: ShrinkOptions): readonly Candidate[] {
  const [from, to] = options.within ?? [0, history.length]
  const results = new Transcript(history, options.dialect).results.filter(
    ({ message }) => message >= from && message < to,
  )
  const candidates = results.map((part) => candidateOf(part, options))
  return candidates.sort((a, b) => b.size - a.size)
}

function candidateOf(part: Part, options: Omit<ShrinkOptions, 'need'>): Candidate {
  const id = idOf(part)
  const size = sizeOf(part, part.body, bodyOptions(options, id))
  const hash = hashOf(part.body)
  // A result that is shortened again is cut from the original.
  const known = options.memory.knows(id) ? options.memory.shrunk(id, hash) : undefined
  return { part, id, original: known?.original ?? part.body, hash: known?.hash ?? hash, size, target: size }
}

/** Sets the target length of each candidate, so that as few as possible change. */
function aim(candidates: readonly Candidate[], { need, headroom = 0, least }: ShrinkOptions): void {
  if (least !== undefined) {
    lower(candidates, need + headroom, () => Math.max(least, 16))
    return
  }
  const gone = lower(candidates, need + headroom, (size) => Math.max(256, Math.ceil(size / 16)))
  lower(candidates, need - gone, () => 64)
}

/** Lowers the targets in order, each down to a floor, until `need` is reached. Returns how much was removed. */
function lower(candidates: readonly Candidate[], need: number, floor: (size: number) => number): number {
  let rest = need
  for (const candidate of candidates) {
    if (rest <= 0) break
    const target = Math.max(floor(candidate.size), candidate.target - rest)
    if (target >= candidate.target) continue
    rest -= candidate.target - target
    candidate.target = target
  }
  return need - rest
}

function rewritten(
  history: readonly unknown[],
  dialect: Dialect,
  changes: readonly { readonly part: Part; readonly body: unknown }[],
): { history: readonly unknown[]; patch: Patch } {
  if (changes.length === 0) return { history, patch: [] }
  const values = changes.map(({ part, body }) => [part, dialect.write(part, part.value, { result: body })] as const)
  const now = replaceParts(history, new Map(values), dialect)
  return { history: now, patch: diffMessages(history, now) }
}
