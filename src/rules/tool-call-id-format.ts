import { defineRule, type Explanation, type Part } from '../core/index.ts'
import { watchId, watchPlain } from './id-watch.ts'
import { asRead } from './odd-keys.ts'
import { hasIdField, renamePair, renames } from './rename.ts'

export const explanation: Explanation = {
  says: 'A call id is written in the letters its provider allows.',
  why: 'Ids of another provider (functions.bash:0) make the request invalid.',
  refusals: [
    /tool_use\.id: String should match pattern/i,
    /tool_result\.tool_use_id: String should match pattern/i,
    /Tool call id was .{0,200} but must be a-z, A-Z, 0-9/i,
    /Tool call IDs should be alphanumeric strings with length 9/i,
    /toolUseId'? failed to satisfy constraint: Member must satisfy regular expression pattern/i,
  ],
}

/** Law: `pattern` — RegExp an id must match, whole. */
export const toolCallIdFormat = defineRule({
  id: 'tool-call-id-format',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { call: watchPlain }),
  messages: { format: 'The id {call} is not one this provider takes.' },
  checks: {
    call: watchId,
    end(walk, bound) {
      const pattern = bound.law['pattern'] as RegExp | undefined
      const elsewhere = walk.plan.bounds.has('tool-call-id-empty')
      for (const [call] of renames(walk)) {
        const part = walk.pairing.callAt(call)
        const answer = walk.pairing.answerAt(call)
        // A call without an id is another rule's, unless its result has one that is not taken.
        const odd =
          part.id === undefined && answer?.id !== undefined && isRead(answer) && pattern?.test(answer.id) === false
        if (!odd && (part.id === undefined ? elsewhere || !hasIdField(part) : pattern?.test(part.id))) continue
        const data = { call: part.id ?? answer?.id ?? '(no id)' }
        walk.report(asRead(bound, part, walk), 'format', odd ? answer : part, data, renamePair(walk, call))
      }
    },
  },
})

/** Its id stands where the provider looks for it. */
function isRead({ type }: Part): boolean {
  return type !== 'odd'
}
