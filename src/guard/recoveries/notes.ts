/**
 * What was accepted after a refusal, remembered by something only this conversation has: a signature, an item's id, a call's id,
 * and where it has none of them the model's first answer.
 * The next request of it is sent that way at once, instead of being refused first.
 */
import { isObject, type Part } from '../../core/index.ts'
import { hashOf } from '../../strategies/shrink.ts'
import { historyOf, type Stricter } from './mend.ts'
import type { Attempt } from './types.ts'

type Place = Pick<Attempt, 'body' | 'service' | 'memory'>
type Mark = (typeof marks)[number]
const marks = ['reasoning', 'item', 'call', 'answer'] as const

/** To be called when the request was accepted. */
export function remembering(attempt: Attempt, { refused, strict, service }: Stricter): () => void {
  const { kind } = attempt.refusal
  const mark: Mark = kind === 'reasoning' ? 'reasoning' : kind === 'stale-id' ? 'item' : 'call'
  const key = keyOf(mark, attempt) ?? keyOf('answer', attempt)
  return () => {
    if (key === undefined) return
    const known = (attempt.memory.note(key) ?? {}) as Partial<Stricter>
    const all = [...new Set([...(known.refused ?? []), ...refused])]
    const laws = lawsOf([known, { refused, ...(service ? { service } : {}) }])
    attempt.memory.keep(key, { refused: all, strict: strict === true || known.strict === true, ...laws })
  }
}

/** What was remembered of this conversation, all in one. */
export function remembered(place: Place): Stricter | undefined {
  if (place.memory.empty) return undefined
  const notes: Stricter[] = []
  for (const mark of marks) {
    const key = keyOf(mark, place)
    const note = key === undefined ? undefined : place.memory.note(key)
    if (note !== undefined) notes.push(note as Stricter)
  }
  if (notes.length === 0) return undefined
  return {
    refused: [...new Set(notes.flatMap(({ refused }) => refused))],
    strict: notes.some(({ strict }) => strict === true),
    ...lawsOf(notes),
  }
}

/** Other laws than the provider's own, of all notes together. */
function lawsOf(notes: readonly Partial<Stricter>[]): Pick<Stricter, 'service'> {
  const services = notes.flatMap(({ service }) => service ?? [])
  const [first] = services
  return first ? { service: { ...first, constraints: Object.assign({}, ...services.map(({ constraints }) => constraints)) } } : {}
}

function keyOf(mark: Mark, { body, service }: Pick<Attempt, 'body' | 'service'>): string | undefined {
  const found = firstOf(mark, { body, service })
  return found === undefined ? undefined : `${mark}:${service.dialect.id}:${hashOf(found)}`
}

function firstOf(mark: Mark, place: Pick<Attempt, 'body' | 'service'>): unknown {
  const parts: Part[] = []
  for (const [i, message] of historyOf(place).entries()) {
    if (mark === 'item') {
      if (place.service.dialect.items && isObject(message) && typeof message['id'] === 'string') return message['id']
      continue
    }
    parts.length = 0
    const role = place.service.dialect.read(message, i, parts)
    if (mark === 'answer') {
      if (role === 'assistant') return message
      continue
    }
    const part = parts.find((one) => (mark === 'call' ? one.kind === 'call' && one.id : one.kind === 'reasoning'))
    if (part) return mark === 'call' ? part.id : (part.signature ?? part.body)
  }
  return undefined
}
