import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { IdsBefore, renameCall } from './lib/call-ids.ts'

export interface ToolCallIdFormat {
  /** What an id must match, whole. Default: nine letters and digits, the narrowest format seen. */
  readonly pattern?: RegExp
}

const NARROWEST = /^[a-zA-Z0-9]{9}$/

export const toolCallIdFormat = defineRule({
  id: 'tool-call-id-format',
  phase: 'structure',
  about: () => ({ parts: ['calls', 'results'] }),
  repair: 'safe',
  messages: {
    format: 'The id {call} in message {index} has a format that {rejects}. {Repair} renames the call and its result.',
  },
  check(t, { pattern = NARROWEST }: Bound<ToolCallIdFormat>, report) {
    let ids: IdsBefore | undefined
    for (const call of t.calls) {
      const id = call.id ?? t.pairs.results[call.order]?.id
      if (id === undefined || pattern.test(id)) continue
      ids ??= new IdsBefore()
      report('format', call, { call: id }, renameCall(t, call, ids.hashed(id)))
    }
    for (const { part, call, outcome } of t.pairs.unmatched) {
      if (call >= 0 || outcome !== 'orphan' || part.id === undefined || pattern.test(part.id)) continue
      report('format', part, { call: part.id }, [
        { do: 'write', part, change: { id: new IdsBefore().hashed(part.id) } },
      ])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A call id has only characters that the provider allows.',
  why: 'Ids of another provider, such as functions.bash:0, make the request invalid.',
  repair: 'Repair replaces the id of the call and its result by nine letters and digits.',
}
