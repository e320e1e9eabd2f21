/** Cache marks of a request, in the order in which they count: tools, system, messages. */
import {
  type About,
  type Dialect,
  isObject,
  type JsonObject,
  type Part,
  type Step,
  type Transcript,
  withKey,
} from '../../core/index.ts'

export interface Mark {
  /** The request key of the list that holds it; undefined: it is in a message. */
  readonly list: string | undefined
  /** Index in that list, or of the message. */
  readonly index: number
  readonly part: Part | undefined
  /** Index among the blocks of a result; -1: on the part itself. */
  readonly inner: number
  readonly value: JsonObject
}

const NONE: readonly Mark[] = []

/** A rule about marks on parts. */
export function aboutCacheMarks(_constraint: object, { cacheKey }: Dialect): About {
  return { keys: cacheKey === undefined ? [] : [cacheKey] }
}

export function markOf(t: Transcript, value: unknown): JsonObject | undefined {
  const key = t.dialect.cacheKey
  const mark = key !== undefined && isObject(value) ? value[key] : undefined
  return isObject(mark) ? mark : undefined
}

export function marksOf(t: Transcript): readonly Mark[] {
  return t.dialect.cacheKey === undefined ? NONE : t.derive(marksOf, () => findMarks(t))
}

function findMarks(t: Transcript): readonly Mark[] {
  const marks: Mark[] = []
  for (const list of t.dialect.cachedLists ?? []) {
    listOf(t, list).forEach((item, index) => {
      const value = markOf(t, item)
      if (value) marks.push({ list, index, part: undefined, inner: -1, value })
    })
  }
  if (!t.keys.mayHave([t.dialect.cacheKey!])) return marks
  for (const part of t.parts) {
    const value = markOf(t, part.value)
    if (value) marks.push({ list: undefined, index: part.message, part, inner: -1, value })
    if (part.kind === 'result' && Array.isArray(part.body)) addInner(t, part, part.body, marks)
  }
  return marks
}

function addInner(t: Transcript, part: Part, blocks: readonly unknown[], marks: Mark[]): void {
  for (let inner = 0; inner < blocks.length; inner++) {
    const value = markOf(t, blocks[inner])
    if (value) marks.push({ list: undefined, index: part.message, part, inner, value })
  }
}

/** Steps that change these marks; undefined removes a mark. */
export function setMarks(t: Transcript, marks: readonly Mark[], now: (mark: Mark) => JsonObject | undefined): Step[] {
  const key = t.dialect.cacheKey!
  const steps: Step[] = []
  const inner = new Map<Part, unknown[]>()
  for (const mark of marks) {
    if (!mark.part) continue
    if (mark.inner < 0) steps.push({ do: 'set-part', part: mark.part, key, value: now(mark) })
    else {
      const blocks = inner.get(mark.part) ?? [...(mark.part.body as readonly unknown[])]
      blocks[mark.inner] = withKey(blocks[mark.inner] as object, key, now(mark))
      inner.set(mark.part, blocks)
    }
  }
  for (const [part, result] of inner) steps.push({ do: 'write', part, change: { result } })
  for (const list of t.dialect.cachedLists ?? []) {
    const changed = new Map(marks.filter((mark) => mark.list === list).map((mark) => [mark.index, now(mark)]))
    if (changed.size === 0) continue
    const value = listOf(t, list).map((item, i) =>
      changed.has(i) ? withKey(item as object, key, changed.get(i)) : item,
    )
    steps.push({ do: 'set-request', key: list, value })
  }
  return steps
}

export interface MovedMark {
  readonly part: Part
  readonly fix: readonly Step[]
}

/**
 * Moves marks from blocks that may not have one to the nearest block of the message that may, backwards first, so that
 * nearly the same prefix is cached. A mark goes if there is no such block, or one with a mark of its own.
 */
export function movedMarks(t: Transcript, isWrong: (part: Part) => boolean): readonly MovedMark[] {
  const key = t.dialect.cacheKey
  if (key === undefined || !t.keys.mayHave([key])) return []
  const wrong = t.parts.filter((part) => isWrong(part) && markOf(t, part.value) !== undefined)
  const taken = new Set<Part>()
  return wrong.map((part) => {
    const remove: Step = { do: 'set-part', part, key, value: undefined }
    const target = targetFor(t, part)
    if (!target || taken.has(target) || markOf(t, target.value)) return { part, fix: [remove] }
    taken.add(target)
    return { part, fix: [remove, { do: 'set-part', part: target, key, value: markOf(t, part.value) }] }
  })
}

function targetFor(t: Transcript, part: Part): Part | undefined {
  const parts = t.partsOf(part.message)
  return parts.slice(0, parts.indexOf(part)).findLast(mayCarry) ?? parts.find(mayCarry)
}

function mayCarry({ kind, index, value, body }: Part): boolean {
  if (kind === 'reasoning' || kind === 'opaque' || index < 0 || !isObject(value)) return false
  return kind !== 'text' || (typeof body === 'string' && body.trim() !== '')
}

function listOf({ request }: Transcript, key: string): readonly unknown[] {
  const list = request?.[key]
  return Array.isArray(list) ? list : []
}
