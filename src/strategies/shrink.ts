/**
 * Makes tool results shorter: the largest first, only as many as needed, JSON stays JSON, the original is kept.
 * Decided once for each result: what was shrunk in one request says the same bytes in the next.
 */
import { type Dialect, type Edit, type Part, type Patch, withValueAt } from '../core/index.ts'
import { type BodyOptions, shrinkBody, sizeOf } from './shrink-body.ts'
import { hashOf, type Memory, type Shrunk } from './shrink-memory.ts'
import { byBytes, type Estimate } from './shrink-text.ts'

export { hashOf, type Memory, type MemoryOptions, type Shrunk, shrinkMemory } from './shrink-memory.ts'
export { byBytes, type Estimate } from './shrink-text.ts'

export interface ShrinkOptions {
  readonly dialect: Dialect
  /** Tokens that must go in all. */
  readonly need: number
  /** Tokens that should go beside them, as far as no result gets very short for it. Default 0. */
  readonly room?: number | undefined
  readonly memory: Memory
  readonly estimate?: Estimate | undefined
  /** How to get at what was left out, one sentence of the notice; `{id}` is the call's. */
  readonly hint?: string | undefined
  /** Images and files in results may be replaced by a note. */
  readonly media?: boolean | undefined
  /** Only results of the messages from the first place up to the second. */
  readonly within?: readonly [from: number, to: number] | undefined
  /** Less than so many tokens saved is not worth it: then nothing changes. */
  readonly worth?: number | undefined
  /** No result is made shorter than this, in tokens. Default: a sixteenth of itself, 256 at least; and 64 where that is not enough. */
  readonly least?: number | undefined
}

export interface Shrinking {
  /** The history; the very same where nothing was shrunk. */
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
  const changes: { part: Part; body: unknown }[] = []
  const shrunk: { id: string; before: number; after: number }[] = []
  const decided: Shrunk[] = []
  for (const candidate of candidates) {
    const { size, target } = candidate
    if (target >= size) continue
    const found = cutTo(candidate, options)
    if (!found) continue
    decided.push(found.shrunk)
    changes.push({ part: candidate.part, body: found.shrunk.now })
    shrunk.push({ id: candidate.id, before: size, after: found.after })
  }
  const saved = shrunk.reduce((total, { before, after }) => total + before - after, 0)
  if (saved < (options.worth ?? 0)) return { history, patch: [], shrunk: [], saved: 0 }
  for (const one of decided) options.memory.remember(one)
  return { ...rewritten(history, options.dialect, changes), shrunk, saved }
}

/** One result within so many tokens, as it was decided before or anew; undefined: it is that short, or cannot be. Remembers nothing. */
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

/** What was shrunk before is shrunk again, to the same bytes. */
export function shrinkAgain(
  history: readonly unknown[],
  { dialect, memory }: Pick<ShrinkOptions, 'dialect' | 'memory'>,
): Pick<Shrinking, 'history' | 'patch'> & { readonly ids: readonly string[] } {
  const changes: { part: Part; body: unknown }[] = []
  const ids: string[] = []
  for (const part of resultsIn(history, dialect)) {
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

/** Whose decision it is. Gemini's calls may have no id; then it goes by the tool's name, and the hash tells one result from another. */
function idOf(part: Part): string {
  return part.id ?? part.name ?? '(no id)'
}

function bodyOptions(
  { dialect, estimate = byBytes, hint = HINT, media = false }: Omit<ShrinkOptions, 'need'>,
  id: string,
): BodyOptions {
  return { dialect, estimate, hint: hint.replaceAll('{id}', () => id), media }
}

function resultsIn(history: readonly unknown[], dialect: Dialect): readonly Part[] {
  const results: Part[] = []
  const parts: Part[] = []
  history.forEach((message, i) => {
    parts.length = 0
    dialect.read(message, i, parts)
    for (const part of parts) if (part.kind === 'result' && !part.server) results.push(part)
  })
  return results
}

/** The largest first; of two as large the older: the model is at work on the newer. */
function candidatesIn(history: readonly unknown[], options: ShrinkOptions): readonly Candidate[] {
  const [from, to] = options.within ?? [0, history.length]
  const results = resultsIn(history, options.dialect).filter(({ message }) => message >= from && message < to)
  const candidates = results.map((part) => candidateOf(part, options))
  return candidates.sort((a, b) => b.size - a.size)
}

function candidateOf(part: Part, options: Omit<ShrinkOptions, 'need'>): Candidate {
  const id = idOf(part)
  const size = sizeOf(part, part.body, bodyOptions(options, id))
  const hash = hashOf(part.body)
  // Shrunk a second time, it is cut from what it was, not from what was left.
  const known = options.memory.knows(id) ? options.memory.shrunk(id, hash) : undefined
  return { part, id, original: known?.original ?? part.body, hash: known?.hash ?? hash, size, target: size }
}

/** Says how short each must become so that all that is needed goes, from as few as possible. */
function aim(candidates: readonly Candidate[], { need, room = 0, least }: ShrinkOptions): void {
  if (least !== undefined) {
    lower(candidates, need + room, () => Math.max(least, 16))
    return
  }
  const gone = lower(candidates, need + room, (size) => Math.max(256, Math.ceil(size / 16)))
  lower(candidates, need - gone, () => 64)
}

/** Takes so much from the candidates in their order, down to a floor; gives how much it was. */
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
  const now = history.slice()
  for (const { part, body } of changes) {
    const path = part.index < 0 ? part.list : [...part.list, part.index]
    const value = dialect.write(part, part.value, { result: body })
    now[part.message] = withValueAt(now[part.message], path, value)
  }
  const places = [...new Set(changes.map(({ part }) => part.message))].sort((a, b) => b - a)
  const patch = places.map(
    (index): Edit => ({ op: 'splice', path: [], index, remove: [history[index]], insert: [now[index]] }),
  )
  return { history: now, patch }
}
