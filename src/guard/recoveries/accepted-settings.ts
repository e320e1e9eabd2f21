/**
 * Remembers settings that a provider accepted only after a rejection: the maximum length of a reply, by the beginning
 * of the conversation, and disabled thinking, for the rest of the turn that lacks its reasoning.
 */
import { turns } from '../../core/index.ts'
import { outputLimit, withOutputLimit } from '../../dialects/output-limit.ts'
import { isThinkingDisabled, withThinkingDisabled } from '../../dialects/request-fields.ts'
import { hashOf } from '../../strategies/shrink.ts'
import { withoutSystem } from './cut-history.ts'
import { historyOf } from './stricter-repair.ts'
import { tokensOfRequest } from './token-budget.ts'
import type { Attempt, Recovered, RequestToSend } from './types.ts'

type Place = Omit<RequestToSend, 'headers'>

/** The maximum output; `beside`: tokens of the request with which it fits, if the two share a limit. */
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

type AppliedSettings = Pick<Recovered, 'body' | 'report'>

/** The body with the settings that were remembered for this conversation; the report names them. */
export function reapplySettings(place: Place): AppliedSettings {
  const { body, report } = shorter(place)
  const key = isThinkingDisabled(body) ? undefined : turnKey(place)
  if (key === undefined || place.memory.note(key) !== true) return { body, report }
  return { body: withThinkingDisabled(body), report: { ...report, thinking: 'disabled' } }
}

function shorter(place: Place): AppliedSettings {
  const { body } = place
  const requested = outputLimit(body)
  const key = requested === undefined ? undefined : outputKey(place)
  const known = key === undefined ? undefined : (place.memory.note(key) as Output | undefined)
  if (!known || requested === undefined) return { body, report: {} }
  // The output has to be shorter by what the conversation has grown.
  const grown = known.beside === undefined ? 0 : tokensOfRequest(place) - known.beside
  const most = Math.floor(known.most - grown)
  const lowered = most < requested ? withOutputLimit(body, most) : undefined
  return lowered ? { body: lowered, report: { output: most } } : { body, report: {} }
}

function outputKey({ body, service, provider, model }: Place): string | undefined {
  const [first] = withoutSystem(historyOf({ body, service }), service.dialect)
  return first === undefined ? undefined : `output:${service.dialect.id}:${provider}:${model ?? ''}:${hashOf(first)}`
}

/** By the prompt that began the turn, and the number of messages before it. */
function turnKey({ body, service }: Place): string | undefined {
  const history = historyOf({ body, service })
  const last = turns(history, service.dialect).at(-1)
  return last && `turn:${service.dialect.id}:${last.start}:${hashOf(history[last.start])}`
}
