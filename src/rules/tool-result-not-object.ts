import { type Bound, defineRule, type Explanation, isObject, type NoParams } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'The content of a result is an object.',
  why: 'A dialect that declares it as an object refuses a text or a list there.',
  refusals: [
    /FunctionResponse\.response\W{0,3} must be an object/i,
    /function_?response\.response'?[^\n]{0,40}(?:Proto field is not repeating|Invalid value)/i,
  ],
}

export const toolResultNotObject = defineRule({
  id: 'tool-result-not-object',
  phase: 'shape',
  repair: 'safe',
  messages: {
    object: 'The result of call {call} is not an object.',
    none: 'The result of call {call} has no content at all.',
  },
  check(t, { severity, rejected }: Bound<NoParams>, report) {
    for (const part of t.results) {
      if (isObject(part.body)) continue
      const isNone = part.body === undefined || part.body === null
      const fix = [{ do: 'write', part, change: { result: { result: part.body ?? null } } } as const]
      // No rejection of a result without any content was seen.
      const level = isNone && !rejected ? 'warning' : severity
      report(isNone ? 'none' : 'object', part, { call: part.id ?? part.name ?? '(no id)' }, fix, { severity: level })
    }
  },
})
