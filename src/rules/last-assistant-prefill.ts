import {
  type Bound,
  defineRule,
  type Explanation,
  HAS_CALL,
  own,
  type Path,
  type Transcript,
  valueAt,
} from '../core/index.ts'
import { CONTINUE } from './lib/filler-texts.ts'
import { lastSpoken } from './lib/neighbors.ts'

export interface LastAssistantPrefill {
  /** The key by which a message asks to be continued. */
  readonly unless?: string
  /** Native types of a last part after which the provider itself paused and goes on. */
  readonly paused?: RegExp
  /** Native types of calls that the provider reads. Default: all. */
  readonly calls?: readonly string[]
  /** Path in the request: the constraint holds only if that is true. */
  readonly setting?: Path
}

export const lastAssistantPrefill = defineRule({
  id: 'last-assistant-prefill',
  phase: 'structure',
  repair: 'lossy',
  messages: {
    last: 'The history ends with the assistant, in message {index}; {rejects} that. {Repair} appends a user message that asks to continue.',
  },
  check(t, { unless, paused, calls, setting, rejected }: Bound<LastAssistantPrefill>, report) {
    const last = lastSpoken(t)
    if (t.inProgress || last < 0 || !t.isAssistant(last)) return
    if (setting !== undefined && valueAt(t.request, setting) !== true) return
    // Calls without a result get one first; the history then ends with that.
    if (setting === undefined && hasOpenCall(t, last, calls)) return
    if (unless !== undefined && own(t.history[last], unless) === true) return
    if (!rejected && paused?.test(t.partsOf(last).at(-1)?.type ?? '')) return
    const value = t.dialect.textMessage('user', CONTINUE)
    report('last', [last], {}, [{ do: 'insert', after: t.history.length - 1, value }])
  },
})

function hasOpenCall(t: Transcript, message: number, types: readonly string[] | undefined): boolean {
  if ((t.flags[message]! & HAS_CALL) === 0) return false
  return !types || t.partsOf(message).some(({ kind, type }) => kind === 'call' && types.includes(type))
}

export const explanation: Explanation = {
  summary: 'The last message of a request is not from the assistant.',
  why: 'Providers without prefill cannot continue an assistant message and reject the request.',
  repair: 'Repair adds a short user message at the end.',
}
