/**
 * The key of a call in the signature memory. An id that no other conversation has is enough. Others (`call_0`,
 * `functions.read:1`, no id at all) count together with the prompt before the call, its number since then, its name and
 * its arguments.
 */
import { type Part, sortedKeys, type Transcript } from '../../core/index.ts'
import { tryParseJson } from '../../core/spelling.ts'
import { hashOf } from '../../strategies/shrink.ts'

/** Where a call is in its conversation. */
export interface CallPlace {
  /** Hash of the last text of the user. */
  readonly prompt: string
  /** Calls since then. */
  readonly count: number
}

export const START: CallPlace = { prompt: '', count: 0 }

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MIN_RANDOM = 16
/** Ids end in their random part; only this many characters are checked. */
const MAX_RANDOM = 64

export function keyOf({ id, name, body }: Part, { prompt, count }: CallPlace): string {
  if (id !== undefined && isUnique(id)) return id
  // Arguments count independent of their spelling: JSON text as its value, keys sorted.
  const values = typeof body === 'string' ? (tryParseJson(body) ?? body) : body
  return `${prompt} ${count} ${hashOf(JSON.stringify([id ?? '', name ?? '', values], sortedKeys))}`
}

/** Ends in a UUID, or in 16 or more letters and digits of both kinds. */
function isUnique(id: string): boolean {
  const end = id.slice(-MAX_RANDOM)
  if (UUID.test(end)) return true
  const random = end.split(/[^A-Za-z0-9]/).at(-1) ?? ''
  return random.length >= MIN_RANDOM && /\d/.test(random) && /[A-Za-z]/.test(random)
}

/** The client-side calls of a transcript with their keys, and the place after the last message. */
export function keyedCalls(transcript: Transcript, from: CallPlace) {
  const calls: { readonly call: Part; readonly key: string }[] = []
  let place = from
  for (const part of transcript.parts) {
    if (part.kind === 'text' && transcript.role(part.message) === 'user')
      place = { prompt: hashOf(part.body), count: 0 }
    if (part.kind !== 'call' || part.server) continue
    calls.push({ call: part, key: keyOf(part, place) })
    place = { ...place, count: place.count + 1 }
  }
  return { calls, end: place }
}
