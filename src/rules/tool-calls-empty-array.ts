import { defineRule, type Explanation, isObject, own, silent } from '../core/index.ts'
import { setKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'A message without calls has no list of calls.',
  why: 'An empty list of calls is refused; leaving the key out is not.',
  refusals: [/\.tool_calls'?: empty array/i, /Empty tool_calls is not supported in message/i],
}

const KEYS = ['tool_calls', 'toolCalls']

/** Law: `keys` — where a message lists its calls (default `tool_calls`, `toolCalls`). */
export const toolCallsEmptyArray = defineRule({
  id: 'tool-calls-empty-array',
  repair: 'safe',
  quiet: (bound) => (bound.law['keys'] ? undefined : silent(bound)),
  messages: { empty: 'The list of calls is empty.' },
  checks: {
    message({ index, message }, bound, walk) {
      if (
        !isObject(message) ||
        (message['tool_calls'] === undefined && message['toolCalls'] === undefined && !bound.law['keys'])
      )
        return
      if (Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0) return
      for (const key of (bound.law['keys'] as readonly string[] | undefined) ?? KEYS) {
        const calls = own(message, key)
        if (!Array.isArray(calls) || calls.length > 0) continue
        walk.report(bound, 'empty', [index, key], {}, [setKey(index, key, undefined)])
      }
    },
  },
})
