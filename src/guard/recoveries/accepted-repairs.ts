/**
 * Remembers repairs that the provider accepted after a rejection, by something that only this conversation has: a
 * signature, an item id, a call id, or the first reply. Its next request is repaired the same way before it is sent.
 */
import type { Transcript } from '../../core/index.ts'
import { hashOf } from '../../strategies/shrink.ts'
import { repairStrictly, type Stricter, transcriptOf } from './stricter-repair.ts'
import type { Attempt, Recovered, RecoveryId } from './types.ts'

type Place = Pick<Attempt, 'body' | 'service' | 'memory'>
type Mark = (typeof marks)[number]
const marks = ['reasoning', 'item', 'call', 'answer'] as const

/** To be called when the request was accepted. */
export function rememberRepair(attempt: Attempt, stricter: Stricter): () => void {
  const { kind } = attempt.rejection
  const { memory } = attempt
  const mark: Mark = kind === 'reasoning' ? 'reasoning' : kind === 'stale-id' ? 'item' : 'call'
  const transcript = transcriptOf(attempt)
  const key = keyOf(mark, transcript) ?? keyOf('answer', transcript)
  return () => {
    if (key === undefined) return
    const known = memory.note(key) as Stricter | undefined
    memory.keep(key, merged(known ? [known, stricter] : [stricter]))
  }
}

/** A recovery by this repair, remembered if the provider accepts it. Undefined: nothing to repair. */
export function recoveredBy(
  id: RecoveryId,
  attempt: Attempt,
  stricter: Stricter,
  about: Recovered['report'],
): Recovered | undefined {
  const { body, rules, edits } = repairStrictly(attempt, stricter)
  if (body === attempt.body) return undefined
  return { id, body, report: { ...about, rules, edits }, accepted: rememberRepair(attempt, stricter) }
}

/** Everything that was remembered about this conversation, merged. */
export function rememberedRepairs(place: Place): Stricter | undefined {
  const { memory } = place
  if (memory.empty) return undefined
  const transcript = transcriptOf(place)
  const keys = marks.flatMap((mark) => keyOf(mark, transcript) ?? [])
  const notes = keys.flatMap((key) => (memory.note(key) as Stricter | undefined) ?? [])
  return notes.length === 0 ? undefined : merged(notes)
}

/** Fields that were rejected by name count once. Later constraints win. */
function merged(notes: readonly Stricter[]): Stricter {
  const services = notes.flatMap(({ service }) => service ?? [])
  const constraints = Object.assign({}, ...services.map((service) => service.constraints))
  const fields = new Map(notes.flatMap((note) => note.fields ?? []).map((path) => [path.join('.'), path]))
  return {
    rejectedBy: [...new Set(notes.flatMap(({ rejectedBy }) => rejectedBy))],
    strict: notes.some(({ strict }) => strict === true),
    ...(services[0] ? { service: { ...services[0], constraints } } : {}),
    ...(fields.size > 0 ? { fields: [...fields.values()] } : {}),
  }
}

function keyOf(mark: Mark, transcript: Transcript): string | undefined {
  const found = firstOf(mark, transcript)
  return found === undefined ? undefined : `${mark}:${transcript.dialect.id}:${hashOf(found)}`
}

function firstOf(mark: Mark, transcript: Transcript): unknown {
  const { history, dialect, parts } = transcript
  if (mark === 'item') return history.map((message) => dialect.itemId?.(message)).find((id) => id !== undefined)
  if (mark === 'answer') return history.find((_, i) => transcript.isAssistant(i))
  if (mark === 'call') return parts.find(({ kind, id }) => kind === 'call' && id)?.id
  const [reasoning] = transcript.reasoning
  return reasoning && (reasoning.signature ?? reasoning.body)
}
