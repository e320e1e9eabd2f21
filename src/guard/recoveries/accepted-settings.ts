/**
 * Settings of a request that a provider took only after a rejection, remembered so that the next request has them at once:
 * how long an answer may be, by how the conversation begins, and thinking that is off, for as long as the turn lasts that lacks its reasoning.
 */
import { turns } from '../../core/index.ts'
import { outputLimit, withOutputLimit } from '../../dialects/output-limit.ts'
import { isThinkingDisabled, withThinkingDisabled } from '../../dialects/request-fields.ts'
import { hashOf } from '../../strategies/shrink.ts'
import { withoutSystem } from './cut-history.ts'
import { historyOf } from './stricter-repair.ts'
import { tokensOfRequest } from './token-budget.ts'
import type { Attempt } from './types.ts'

type Place = Pick<Attempt, 'body' | 'service' | 'provider' | 'model' | 'memory'> & Partial<Pick<Attempt, 'options'>>

/** What the provider gives at most; `beside`: tokens of the request beside which it fits, where the two share a limit. */
interface Output {
  readonly most: number
  readonly beside?: number
}

/** To be called when the request was accepted. */
export function rememberOutput(attempt: Attempt, most: number): () => void {
  const key = outputKey(attempt)
  const shared = attempt.rejection.output === undefined || attempt.rejection.limit !== undefined
  const output: Output = shared ? { most, beside: tokensOfRequest(attempt) } : { most }
  return () => key !== undefined && attempt.memory.keep(key, output)
}

/** To be called when the request was accepted. */
export function rememberThinking(attempt: Attempt): () => void {
  const key = turnKey(attempt)
  return () => key !== undefined && attempt.memory.keep(key, true)
}

export interface AppliedSettings {
  readonly body: Attempt['body']
  /** What was set, for the report. */
  readonly report: Readonly<Record<string, unknown>>
}

/** The body with the settings that were remembered of this conversation. */
export function reapplySettings(place: Place): AppliedSettings {
  const { body, report } = shorter(place)
  const key = isThinkingDisabled(body) ? undefined : turnKey(place)
  if (key === undefined || place.memory.note(key) !== true) return { body, report }
  return { body: withThinkingDisabled(body), report: { ...report, thinking: 'disabled' } }
}

function shorter(place: Place): AppliedSettings {
  const { body } = place
  const asked = outputLimit(body)
  const key = asked === undefined ? undefined : outputKey(place)
  const known = key === undefined ? undefined : (place.memory.note(key) as Output | undefined)
  if (!known || asked === undefined) return { body, report: {} }
  // What the conversation has grown by, the answer has to be shorter.
  const grown = known.beside === undefined ? 0 : tokensOfRequest({ body, options: place.options ?? {} }) - known.beside
  const most = Math.floor(known.most - grown)
  const lowered = most < asked ? withOutputLimit(body, most) : undefined
  return lowered ? { body: lowered, report: { output: most } } : { body, report: {} }
}

function outputKey({ body, service, provider, model }: Place): string | undefined {
  const [first] = withoutSystem(historyOf({ body, service }), service.dialect)
  return first === undefined ? undefined : `output:${service.dialect.id}:${provider}:${model ?? ''}:${hashOf(first)}`
}

/** By the prompt that began the turn, and how much was said before it. */
function turnKey({ body, service }: Place): string | undefined {
  const history = historyOf({ body, service })
  const last = turns(history, service.dialect).at(-1)
  return last && `turn:${service.dialect.id}:${last.start}:${hashOf(history[last.start])}`
}
