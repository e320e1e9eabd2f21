/**
 * Settings of a request that a provider took only after a refusal, remembered so that the next request has them at once:
 * how long an answer may be, by how the conversation begins, and thinking that is off, for as long as the turn lasts that lacks its reasoning.
 */
import { own, type Part, turns, withKey } from '../../core/index.ts'
import { hashOf } from '../../strategies/shrink.ts'
import { historyOf } from './mend.ts'
import { loweredTo, mostAsked } from './output.ts'
import { totalOf } from './sizes.ts'
import type { Attempt } from './types.ts'

type Place = Pick<Attempt, 'body' | 'service' | 'provider' | 'model' | 'memory'> & Partial<Pick<Attempt, 'options'>>

/** What the provider gives at most; `beside`: tokens of the request beside which it fits, where the two share a limit. */
interface Output {
  readonly most: number
  readonly beside?: number
}

/** To be called when the request was accepted. */
export function rememberingOutput(attempt: Attempt, most: number): () => void {
  const key = outputKey(attempt)
  const shared = attempt.refusal.output === undefined || attempt.refusal.limit !== undefined
  const output: Output = shared ? { most, beside: totalOf(attempt) } : { most }
  return () => key !== undefined && attempt.memory.keep(key, output)
}

/** To be called when the request was accepted. */
export function rememberingThinking(attempt: Attempt): () => void {
  const key = turnKey(attempt)
  return () => key !== undefined && attempt.memory.keep(key, true)
}

export interface Settled {
  readonly body: Attempt['body']
  /** What was set, for the report. */
  readonly report: Readonly<Record<string, unknown>>
}

/** The body with the settings that were remembered of this conversation. */
export function setAgain(place: Place): Settled {
  const { body, report } = shorter(place)
  const key = own(body['thinking'], 'type') === 'disabled' ? undefined : turnKey(place)
  if (key === undefined || place.memory.note(key) !== true) return { body, report }
  return { body: withoutThinking(body), report: { ...report, thinking: 'disabled' } }
}

export function withoutThinking(body: Attempt['body']): Attempt['body'] {
  return withKey(body, 'thinking', { type: 'disabled' })
}

function shorter(place: Place): Settled {
  const { body } = place
  const asked = mostAsked(body)
  const key = asked === undefined ? undefined : outputKey(place)
  const known = key === undefined ? undefined : (place.memory.note(key) as Output | undefined)
  if (!known || asked === undefined) return { body, report: {} }
  // What the conversation has grown by, the answer has to be shorter.
  const grown = known.beside === undefined ? 0 : totalOf({ body, options: place.options ?? {} }) - known.beside
  const most = Math.floor(known.most - grown)
  const lowered = most < asked ? loweredTo(body, most) : undefined
  return lowered ? { body: lowered, report: { output: most } } : { body, report: {} }
}

function outputKey({ body, service, provider, model }: Place): string | undefined {
  const parts: Part[] = []
  const first = historyOf({ body, service }).find((one, i) => service.dialect.read(one, i, parts) !== 'system')
  return first === undefined ? undefined : `output:${service.dialect.id}:${provider}:${model ?? ''}:${hashOf(first)}`
}

/** By the prompt that began the turn, and how much was said before it. */
function turnKey({ body, service }: Place): string | undefined {
  const history = historyOf({ body, service })
  const last = turns(history, service.dialect).at(-1)
  return last && `turn:${service.dialect.id}:${last.start}:${hashOf(history[last.start])}`
}
