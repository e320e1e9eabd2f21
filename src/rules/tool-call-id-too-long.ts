import { type Bound, defineRule, type Explanation, type Part } from '../core/index.ts'
import { IdsBefore, renameCall } from './lib/call-ids.ts'

export interface ToolCallIdTooLong {
  /** How many characters an id may have. Default: 40, the shortest limit seen. */
  readonly max?: number
  /** Native types of calls that this is known for; other types are only a warning. Default: all. */
  readonly types?: readonly string[]
}

export const toolCallIdTooLong = defineRule({
  id: 'tool-call-id-too-long',
  phase: 'structure',
  about: () => ({ parts: ['calls', 'results'] }),
  repair: 'safe',
  messages: {
    long: 'The id {call} in message {index} has {length} characters; {provider} accepts at most {max}. {Repair} renames the call and its result.',
  },
  check(t, { max = 40, types, severity }: Bound<ToolCallIdTooLong>, report) {
    const levelOf = ({ type }: Part) => ((types?.includes(type.replace(/_output$/, '')) ?? true) ? severity : 'warning')
    for (const call of t.calls) {
      const { id } = call
      if (id === undefined || id.length <= max) continue
      const fix = renameCall(t, call, new IdsBefore().hashed(id))
      report('long', call, { call: id, length: id.length, max }, fix, { severity: levelOf(call) })
    }
    for (const { part, call } of t.pairs.unmatched) {
      const { id } = part
      if (call >= 0 || id === undefined || id.length <= max) continue
      const fix = [{ do: 'write', part, change: { id: new IdsBefore().hashed(id) } } as const]
      report('long', part, { call: id, length: id.length, max }, fix, { severity: levelOf(part) })
    }
  },
})

export const explanation: Explanation = {
  summary: 'A call id is not longer than the provider allows.',
  why: 'Ids of other providers, or ids that contain a signature, exceed the limit.',
  repair: 'Repair replaces the id of the call and its result by nine letters and digits.',
}
