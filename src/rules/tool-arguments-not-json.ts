import { defineRule, type Explanation, isObject } from '../core/index.ts'
import { asArguments, isJsonCall, isNothing, sortOf, toText } from './arguments.ts'
import { isFlat, isUnread } from './odd-keys.ts'

export const explanation: Explanation = {
  says: 'The arguments of a call are JSON.',
  why: 'Arguments that a stream cut off are stored once and refused on every later turn.',
  refusals: [
    /function\.arguments\W+parameter of the code model must be in JSON format/i,
    /Failed to parse tool call arguments as JSON/i,
    /`?arguments`? must be valid JSON/i,
  ],
}

/**
 * For dialects that write arguments as a string.
 * Law: `emptyOk` — absent, null and empty arguments are accepted · `types` — native types of calls that have JSON arguments
 * (default all but `custom...`) · `glance` — true: what begins with `{` and ends with `}` is not parsed (for a law that only warns).
 */
export const toolArgumentsNotJson = defineRule({
  id: 'tool-arguments-not-json',
  repair: 'safe',
  quiet: ({ law, refused }) => {
    if (refused || law['types']) return undefined
    return { call: (_id, _name, body, walk) => typeof body === 'string' && sortOf(walk, body, law) !== 'broken' }
  },
  messages: {
    broken: 'The arguments of call {call} are not JSON.',
    empty: 'Call {call} has no arguments, not even an empty object.',
    none: 'Call {call} has no arguments at all.',
    kind: 'The arguments of call {call} are no text.',
    object: 'The arguments of call {call} are an object, not its text.',
  },
  checks: {
    call(part, bound, walk) {
      const { body } = part
      if (!isJsonCall(part, bound.law)) return
      if (bound.severity === 'error' && (isUnread(part, walk) || isFlat(part))) return
      const empty = isNothing(body)
      const id = idOf(body, empty)
      if (id === 'object' && walk.plan.bounds.has('tool-arguments-not-object')) return
      if (
        empty ? bound.law['emptyOk'] === true : typeof body === 'string' && sortOf(walk, body, bound.law) !== 'broken'
      )
        return
      const text = toText(asArguments(body))
      const data = { call: part.id ?? '(no id)' }
      if (text === undefined) walk.report(bound, id, part, data)
      else walk.report(bound, id, part, data, [{ do: 'write', part, change: { arguments: text } }])
    },
  },
})

function idOf(body: unknown, empty: boolean): string {
  if (typeof body === 'string') return empty ? 'empty' : 'broken'
  return empty ? 'none' : isObject(body) ? 'object' : 'kind'
}
