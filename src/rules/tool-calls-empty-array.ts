import { type Bound, defineRule, type Explanation, type NoParams, own } from '../core/index.ts'

export const toolCallsEmptyArray = defineRule({
  id: 'tool-calls-empty-array',
  phase: 'shape',
  repair: 'safe',
  about: (_constraint: object, { callLists = [] }) => ({ messageKeys: callLists }),
  messages: { empty: 'The list of calls in message {index} is empty; {rejects} that. {Repair} removes the list.' },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const key of t.dialect.callLists ?? []) {
      if (!t.keys.mayHaveOnMessage([key])) continue
      for (let i = 0; i < t.history.length; i++) {
        const calls = own(t.history[i], key)
        if (Array.isArray(calls) && calls.length === 0)
          report('empty', [i, key], {}, [{ do: 'set', message: i, key, value: undefined }], { harmless: true })
      }
    }
  },
})

export const explanation: Explanation = {
  summary: 'A message without calls has no `tool_calls` list.',
  why: 'An empty list is rejected; omitting the field is accepted.',
  repair: 'Repair removes the key.',
}
