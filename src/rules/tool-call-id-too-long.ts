import { defineRule, type Explanation } from '../core/index.ts'
import { watchId, watchPlain } from './id-watch.ts'
import { asRead } from './odd-keys.ts'
import { renamePair, renames } from './rename.ts'

export const explanation: Explanation = {
  says: 'A call id is not longer than its provider allows.',
  why: 'Ids of other providers, or ids that carry a signature, are refused for their length.',
  refusals: [
    /(?:tool_calls\[\w+\]\.id|tool_call_id|call_id)'?: string too long/i,
    /toolUseId'? failed to satisfy constraint: Member must have length less than or equal to/i,
  ],
}

/** Law: `max` — how many characters an id may have. */
export const toolCallIdTooLong = defineRule({
  id: 'tool-call-id-too-long',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { call: watchPlain }),
  messages: { long: 'The id {call} has {length} characters, more than {max}.' },
  checks: {
    call: watchId,
    end(walk, bound) {
      const max = (bound.law['max'] as number | undefined) ?? 40
      for (const [call] of renames(walk)) {
        const part = walk.pairing.callAt(call)
        const length = part.id?.length ?? 0
        if (length <= max) continue
        walk.report(asRead(bound, part, walk), 'long', part, { call: part.id, length, max }, renamePair(walk, call))
      }
    },
  },
})
