import {
  asArguments,
  type Bound,
  defineRule,
  type Explanation,
  isAbsent,
  isObject,
  tryJsonText,
} from '../core/index.ts'
import { type ArgumentParams, hasJsonArguments, kindOfArguments } from './lib/arguments.ts'

/** For dialects that write arguments as a string. */
export const toolArgumentsNotJson = defineRule({
  id: 'tool-arguments-not-json',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'safe',
  messages: {
    broken:
      'The arguments of call {call} in message {index} are not valid JSON; {rejects} them. {Repair} keeps them as text inside a JSON object.',
    empty: 'Call {call} in message {index} has no arguments; {rejects} that. {Repair} writes an empty object.',
    kind: 'The arguments of call {call} in message {index} are not a string; {rejects} them. {Repair} writes them as JSON text.',
  },
  check(t, { emptyOk, bracesOnly, textsOnly, severity, rejected }: Bound<ArgumentParams>, report) {
    for (const call of t.calls) {
      const { body } = call
      if (isObject(body) || !hasJsonArguments(t, call) || (textsOnly && typeof body !== 'string')) continue
      const isEmpty = isAbsent(body)
      if (isEmpty ? emptyOk : typeof body === 'string' && kindOfArguments(t, call, bracesOnly) !== 'broken') continue
      const text = tryJsonText(asArguments(body))
      const id = typeof body !== 'string' && !isEmpty ? 'kind' : isEmpty ? 'empty' : 'broken'
      // What is not a text at all was not seen rejected.
      const level = typeof body === 'string' || rejected ? severity : 'warning'
      const fix = text === undefined ? [] : [{ do: 'write', part: call, change: { arguments: text } } as const]
      report(id, call, { call: call.id ?? '(no id)' }, fix, { severity: level })
    }
  },
})

export const explanation: Explanation = {
  summary: 'The arguments of a call are valid JSON.',
  why: 'Arguments that a broken stream cut off are stored once and rejected on every later turn.',
  repair: 'Repair unwraps arguments that are encoded twice or fenced.',
}
