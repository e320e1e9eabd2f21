import { defineRule, type Explanation, isObject } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'The content of a result is an object.',
  why: 'A dialect that declares it as an object refuses a text or a list there.',
  refusals: [
    /FunctionResponse\.response\W{0,3} must be an object/i,
    /function_?response\.response'?[^\n]{0,40}(?:Proto field is not repeating|Invalid value)/i,
  ],
}

/** Law: no facts. */
export const toolResultNotObject = defineRule({
  id: 'tool-result-not-object',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { result: (_id, body) => isObject(body) }),
  messages: {
    object: 'The result of call {call} is not an object.',
    none: 'The result of call {call} has no content at all.',
  },
  checks: {
    result(part, bound, walk) {
      if (isObject(part.body)) return
      walk.report(bound, part.body == null ? 'none' : 'object', part, { call: part.id ?? part.name ?? '(no id)' }, [
        { do: 'write', part, change: { result: { result: part.body ?? null } } },
      ])
    },
  },
})
