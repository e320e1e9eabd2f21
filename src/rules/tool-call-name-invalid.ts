import { type Bound, defineRule, type Explanation, type Fix, type Part, type Transcript } from '../core/index.ts'
import { isLegalName, legalName, type NameParams } from './lib/legal-name.ts'

export interface ToolCallNameInvalid extends NameParams {
  /** Also the names of tools that the provider runs. */
  readonly served?: boolean
}

export const toolCallNameInvalid = defineRule({
  id: 'tool-call-name-invalid',
  phase: 'structure',
  about: () => ({ parts: ['calls', 'serverParts'] }),
  repair: 'safe',
  messages: {
    name: 'Call {call} in message {index} has the name "{name}", which {rejects}. {Repair} replaces the characters that are not allowed.',
    none: 'Call {call} in message {index} has no tool name; {rejects} it. {Repair} writes a placeholder name.',
  },
  check(t, constraint: Bound<ToolCallNameInvalid>, report) {
    const check = (call: Part) => {
      if (isLegalName(call.name, constraint)) return
      const id = call.name === undefined ? 'none' : 'name'
      if (id === 'none' && t.dialect.callForm?.(call) === 'built-in' && !constraint.rejected) return
      const data = { call: call.id ?? '(no id)', name: call.name ?? '' }
      report(id, call, data, rename(t, call, constraint))
    }
    for (const call of t.calls) check(call)
    if (constraint.served) for (const part of t.serverParts) if (part.kind === 'call') check(part)
  },
})

/** A result's own name that is legal stays, and is the name of a call that has none. */
function rename(t: Transcript, call: Part, constraint: NameParams): Fix {
  const result = call.server ? undefined : t.pairs.results[call.order]
  const own = isLegalName(result?.name, constraint) ? result?.name : undefined
  const name = legalName(call.name ?? own ?? '', constraint) ?? 'unknown_tool'
  const parts = result?.name === undefined || own !== undefined ? [call] : [call, result]
  return parts.map((part) => ({ do: 'write', part, change: { name } }))
}

export const explanation: Explanation = {
  summary: 'The tool name of a call has only characters that the provider allows.',
  why: 'A name that the model invented is stored once and rejected on every later turn.',
  repair: 'Repair replaces invalid characters by `_`.',
}
