import { defineRule, type Explanation } from '../core/index.ts'
import { watchId, watchPlain } from './id-watch.ts'
import { asRead } from './odd-keys.ts'
import { renamePair, renames } from './rename.ts'

export const explanation: Explanation = {
  says: 'No two calls have the same id.',
  why: 'Results are told apart by the id of their call; some providers refuse a request that uses one twice.',
  refusals: [/`?tool_use`? ids must be unique/i, /Duplicate value for '?tool_call_id'? of/i],
}

/** Law: `scope` — `message`: one id twice among the calls of one turn is refused · `request` (default): anywhere in the request. Both may be stated. */
export const toolCallIdDuplicate = defineRule({
  id: 'tool-call-id-duplicate',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { call: watchPlain }),
  messages: { duplicate: 'An earlier call has the id {call} too.' },
  checks: {
    call: watchId,
    end(walk, bound) {
      const scope = bound.law['scope'] ?? 'request'
      const others = walk.plan.bounds.get(bound.rule.id)!
      const shared = scope === 'request' && others.some(({ law }) => law['scope'] === 'message')
      for (const [call, { repeats }] of renames(walk)) {
        if (repeats === undefined || (scope === 'message' && repeats !== scope)) continue
        // Inside one turn the narrower law speaks, where there is one.
        if (shared && repeats === 'message') continue
        const part = walk.pairing.callAt(call)
        walk.report(asRead(bound, part, walk), 'duplicate', part, { call: part.id }, renamePair(walk, call))
      }
    },
  },
})
