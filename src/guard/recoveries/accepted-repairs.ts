/**
 * Remembers repairs that the provider accepted after a rejection, by something that only this conversation has: a signature, an item id,
 * a call id, or the first reply. Its next request is repaired the same way before it is sent.
 */
import { Transcript } from '../../core/index.ts'
import { hashOf } from '../../strategies/shrink.ts'
import { historyOf, type Stricter } from './stricter-repair.ts'
import type { Attempt } from './types.ts'

type Place = Pick<Attempt, 'body' | 'service' | 'memory'>
type Mark = (typeof marks)[number]
const marks = ['reasoning', 'item', 'call', 'answer'] as const

/** To be called when the request was accepted. */
export function rememberRepair(attempt: Attempt, { rejectedBy, strict, service, fields = [] }: Stricter): () => void {
  const { kind } = attempt.rejection
  const mark: Mark = kind === 'reasoning' ? 'reasoning' : kind === 'stale-id' ? 'item' : 'call'
  const transcript = transcriptOf(attempt)
  const key = keyOf(mark, transcript) ?? keyOf('answer', transcript)
  return () => {
    if (key === undefined) return
    const known = (attempt.memory.note(key) ?? {}) as Partial<Stricter>
    const all = [...new Set([...(known.rejectedBy ?? []), ...rejectedBy])]
    const constraints = constraintsOf([known, { rejectedBy, ...(service ? { service } : {}) }])
    const named = fieldsOf([known, { fields }])
    attempt.memory.keep(key, {
      rejectedBy: all,
      strict: strict === true || known.strict === true,
      ...constraints,
      ...named,
    })
  }
}

/** Everything that was remembered about this conversation, merged. */
export function rememberedRepairs(place: Place): Stricter | undefined {
  if (place.memory.empty) return undefined
  const transcript = transcriptOf(place)
  const notes: Stricter[] = []
  for (const mark of marks) {
    const key = keyOf(mark, transcript)
    const note = key === undefined ? undefined : place.memory.note(key)
    if (note !== undefined) notes.push(note as Stricter)
  }
  if (notes.length === 0) return undefined
  return {
    rejectedBy: [...new Set(notes.flatMap(({ rejectedBy }) => rejectedBy))],
    strict: notes.some(({ strict }) => strict === true),
    ...constraintsOf(notes),
    ...fieldsOf(notes),
  }
}

/** Fields that were rejected by name, each once. */
function fieldsOf(notes: readonly Partial<Stricter>[]): Pick<Stricter, 'fields'> {
  const named = new Map(notes.flatMap(({ fields = [] }) => fields).map((path) => [path.join('.'), path]))
  return named.size > 0 ? { fields: [...named.values()] } : {}
}

/** Constraints other than the provider's own. */
function constraintsOf(notes: readonly Partial<Stricter>[]): Pick<Stricter, 'service'> {
  const services = notes.flatMap(({ service }) => service ?? [])
  const [first] = services
  return first
    ? { service: { ...first, constraints: Object.assign({}, ...services.map(({ constraints }) => constraints)) } }
    : {}
}

function transcriptOf(place: Pick<Attempt, 'body' | 'service'>): Transcript {
  return new Transcript(historyOf(place), place.service.dialect)
}

function keyOf(mark: Mark, transcript: Transcript): string | undefined {
  const found = firstOf(mark, transcript)
  return found === undefined ? undefined : `${mark}:${transcript.dialect.id}:${hashOf(found)}`
}

function firstOf(mark: Mark, transcript: Transcript): unknown {
  const { history, dialect, parts } = transcript
  if (mark === 'item') return firstDefined(history, (message) => dialect.itemId?.(message))
  if (mark === 'answer') return history.find((_, i) => transcript.isAssistant(i))
  if (mark === 'call') return parts.find(({ kind, id }) => kind === 'call' && id)?.id
  const [reasoning] = transcript.reasoning
  return reasoning && (reasoning.signature ?? reasoning.body)
}

function firstDefined<T>(list: readonly unknown[], read: (one: unknown) => T | undefined): T | undefined {
  for (const one of list) {
    const found = read(one)
    if (found !== undefined) return found
  }
  return undefined
}
