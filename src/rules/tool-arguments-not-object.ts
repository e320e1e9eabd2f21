import {
  asArguments,
  type Bound,
  defineRule,
  type Explanation,
  isAbsent,
  isObject,
  type Part,
  type Transcript,
  tryJsonText,
} from '../core/index.ts'
import { type ArgumentParams, hasJsonArguments, kindOfArguments } from './lib/arguments.ts'

export interface ToolArgumentsNotObject extends ArgumentParams {
  /** How this dialect writes arguments. Default: `object`. */
  readonly as?: 'object' | 'string'
  /** Where arguments are text: what is no text, or is not there, is rejected. What the text holds is only a warning. */
  readonly text?: boolean
}

export const toolArgumentsNotObject = defineRule({
  id: 'tool-arguments-not-object',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'safe',
  messages: {
    object:
      'The arguments of call {call} in message {index} are not a JSON object; {rejects} them. {Repair} puts them into one.',
    text: 'The arguments of call {call} in message {index} are not a JSON string; {rejects} them. {Repair} writes them as one.',
    empty: 'Call {call} in message {index} has no arguments; {rejects} that. {Repair} writes an empty object.',
  },
  check(t, { as, emptyOk, bracesOnly, text, rejected }: Bound<ToolArgumentsNotObject>, report) {
    for (const call of t.calls) {
      if (!hasJsonArguments(t, call)) continue
      const fault = as === 'string' ? faultInText(t, call, bracesOnly, text) : faultInObject(call.body, emptyOk)
      if (!fault) continue
      const object = asArguments(call.body)
      const now = as === 'string' ? tryJsonText(object) : object
      const fix = now === undefined ? [] : [{ do: 'write', part: call, change: { arguments: now } } as const]
      const severity = text && fault === 'object' && !rejected ? 'warning' : undefined
      // The text of an object says what the object says.
      report(fault, call, { call: call.id ?? '(no id)' }, fix, { severity, harmless: fault === 'text' })
    }
  },
})

function faultInObject(body: unknown, emptyOk: boolean | undefined): 'object' | 'empty' | undefined {
  if (isObject(body)) return undefined
  if (!isAbsent(body)) return 'object'
  // An empty text is not the absence of an object.
  return emptyOk && typeof body !== 'string' ? undefined : 'empty'
}

/** What does not parse, and what is absent, has a rule of its own where arguments are text. */
function faultInText(
  t: Transcript,
  call: Part,
  bracesOnly: boolean | undefined,
  text: boolean | undefined,
): 'object' | 'text' | undefined {
  const { body } = call
  if (text && typeof body !== 'string') return 'text'
  if (isAbsent(body)) return undefined
  if (typeof body !== 'string') return isObject(body) ? 'text' : undefined
  return kindOfArguments(t, call, bracesOnly) === 'other' ? 'object' : undefined
}

export const explanation: Explanation = {
  summary: 'The arguments of a call are an object, in the form of the dialect.',
  why: 'A string, a list or null in place of an object makes the request invalid.',
  repair: 'Repair parses or writes them.',
}
