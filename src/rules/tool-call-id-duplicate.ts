import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { IdsBefore, renameCall } from './lib/call-ids.ts'

export interface ToolCallIdDuplicate {
  /** `message`: one id twice among the calls of one turn is rejected. `request` (default): anywhere in the request. */
  readonly scope?: 'message' | 'request'
}

export const toolCallIdDuplicate = defineRule({
  id: 'tool-call-id-duplicate',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'safe',
  messages: {
    duplicate:
      'Call {call} in message {index} has the id of an earlier call; {rejects} that. {Repair} renames the later call and its result.',
  },
  check(t, { scope = 'request' }: Bound<ToolCallIdDuplicate>, report) {
    if (!hasRepeats(t.calls)) return
    const ids = new IdsBefore()
    /** The round in which each id was last used. */
    const rounds = new Map<string, number>()
    for (const call of t.calls) {
      if (call.id === undefined) continue
      const round = t.pairs.rounds[call.order]!
      const last = rounds.get(call.id)
      if (last !== undefined && (scope === 'request' || last === round))
        // Within one turn two calls of one id can only be a fault, and neither a model nor a person reads the id.
        report('duplicate', call, { call: call.id }, renameCall(t, call, ids.numbered(call.id)), {
          harmless: last === round,
        })
      rounds.set(call.id, round)
      ids.add(call.id)
    }
  },
})

/** Nearly every history has none: then nothing else is built. */
function hasRepeats(calls: readonly { readonly id: string | undefined }[]): boolean {
  const ids = new Set<string>()
  let count = 0
  for (const { id } of calls) {
    if (id === undefined) continue
    ids.add(id)
    if (ids.size < ++count) return true
  }
  return false
}

export const explanation: Explanation = {
  summary: 'No two calls have the same id.',
  why: 'Results are matched to calls by id; some providers reject a request that uses an id twice.',
  repair: 'Repair renames the later call and its result together (`<id>_2`).',
}
