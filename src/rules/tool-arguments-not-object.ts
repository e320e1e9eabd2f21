import { type Bound, defineRule, type Explanation, isObject, type Part, type Walk } from '../core/index.ts'
import { asArguments, isJsonCall, isNothing, sortOf, toText } from './arguments.ts'

export const explanation: Explanation = {
  says: 'The arguments of a call are an object, written as its dialect writes one.',
  why: 'A string, a list or null where an object belongs makes the request invalid.',
  refusals: [
    /tool_use\.input: Input should be a valid dictionary/i,
    /tool_use\.input: Field required/i,
    /Invalid type for '?(?:messages|input)\[\w+\]\.(?:tool_calls\[\w+\]\.function\.)?arguments/i,
    /cannot unmarshal \w+ into Go struct field [\w.]*arguments/i,
    /toolUse\.input.{0,60}(?:must be a JSON object|is invalid)/i,
  ],
}

/**
 * Law: `as` — how this dialect writes arguments: `object` (default) or `string` · `emptyOk` — absent, null and empty arguments are accepted ·
 * `types` — native types of calls that have JSON arguments (default all but `custom...`) ·
 * `glance` — true: what begins with `{` and ends with `}` is not parsed (for a law that only warns).
 */
export const toolArgumentsNotObject = defineRule({
  id: 'tool-arguments-not-object',
  repair: 'safe',
  quiet: ({ law, refused }) => {
    if (refused || law['types']) return undefined
    if (law['as'] !== 'string') return { call: (_id, _name, body) => isObject(body) }
    return { call: (_id, _name, body, walk) => typeof body === 'string' && sortOf(walk, body, law) === 'object' }
  },
  messages: {
    object: 'The arguments of call {call} are not an object.',
    text: 'The arguments of call {call} are not written as text.',
    empty: 'Call {call} has no arguments, not even an empty object.',
  },
  checks: {
    call(part, bound, walk) {
      if (!isJsonCall(part, bound.law)) return
      const text = bound.law['as'] === 'string'
      const fault = text ? faultInText(part, bound, walk) : faultInObject(part, bound)
      if (fault === undefined) return
      const object = asArguments(part.body)
      const now = text ? toText(object) : object
      const data = { call: part.id ?? '(no id)' }
      if (now === undefined) walk.report(bound, fault, part, data)
      else walk.report(bound, fault, part, data, [{ do: 'write', part, change: { arguments: now } }])
    },
  },
})

function faultInObject({ body }: Part, bound: Bound): string | undefined {
  if (isObject(body)) return undefined
  if (!isNothing(body)) return 'object'
  return bound.law['emptyOk'] === true ? undefined : 'empty'
}

/** What does not parse is the rule's for broken JSON, where that one holds too. */
function faultInText(part: Part, bound: Bound, walk: Walk): string | undefined {
  const { body } = part
  const elsewhere = walk.plan.bounds.has('tool-arguments-not-json')
  if (isNothing(body)) return elsewhere || bound.law['emptyOk'] === true ? undefined : 'empty'
  if (typeof body !== 'string') return isObject(body) ? 'text' : 'object'
  const sort = sortOf(walk, body, bound.law)
  return sort === 'object' || (sort === 'broken' && elsewhere) ? undefined : 'object'
}
