import { defineRule, type Explanation, own, type Step, speaksOf, type Walk } from '../core/index.ts'
import { countOf, isShared, troubled } from './count.ts'
import { isUnread } from './odd-keys.ts'
import { asSeen, faultsOf } from './seen.ts'

export const explanation: Explanation = {
  says: 'Every tool call has a result.',
  why: 'One unanswered call and the whole request is refused, on every later turn too.',
  refusals: [
    /tool_use`? ids were found without `?tool_result/i,
    /Did not find \d+ `?tool_result`? block/i,
    /assistant message with \W*tool_calls\W+must be followed by/i,
    /No tool output found for [\w ]{1,60} call/i,
    /Expected toolResult blocks at messages/i,
    /Tool results? (?:is|are) missing for tool calls?/i,
    /ToolInvocation must have a result/i,
    /Found AIMessages with tool_calls that do not have a corresponding ToolMessage/i,
    /tool call result does not follow tool call/i,
  ],
}

/** Law: `seen` — how the provider itself pairs (`seen.ts`) · `of: ['shared']` is about calls of an id that another call has too, and that one is answered. */
export const toolResultMissing = defineRule({
  id: 'tool-result-missing',
  repair: 'lossy',
  messages: {
    missing: 'Call {call} of {name} has no result.',
    unread: 'Call {call} of {name} has no result, and stands where this provider reads no calls.',
    counted: 'Call {call} of {name} has no result of its own, though its turn has as many results as calls.',
    twin: 'Call {call} of {name} has no result of its own: the one of its id went to another call of its turn.',
    shared: 'Call {call} of {name} has no result of its own: the one of its id went to another call.',
    apart: 'The results of these calls do not all stand where this provider looks for them.',
  },
  checks: {
    unanswered(call, bound, walk) {
      const part = walk.pairing.callAt(call)
      const steps =
        walk.policy.unanswered === 'omit' ? ({ do: 'remove', part } as const) : ({ do: 'settle', call } as const)
      const data = { call: part.id ?? '(no id)', name: part.name ?? '(no name)' }
      walk.report(asSeen(bound, walk, part.message), idOf(call, walk), part, data, [steps])
    },
    // A result that we find and the provider does not: behind a voice that is no tool's for it, or without the id it looks for.
    end(walk, bound) {
      // Each call has its result in its slot, as in nearly every history.
      if (walk.pairing.waiting.length === 0 && walk.pairing.strays.length === 0) return
      const { seen } = bound.law
      const isFaulty = seen === 'slot' || seen === 'number' ? faultsOf(walk) : null
      if (!isFaulty || !speaksOf(bound, 'apart')) return
      // What another mend touches is looked at again after it.
      const mended = new Set(walk.found.filter((found) => walk.mends(found)).map(({ at }) => at[0]))
      for (const from of troubled(walk)) {
        const steps = isFaulty(walk.pairing.messageOf(from)) ? together(from, mended, walk) : []
        if (steps.length > 0) walk.report(bound, 'apart', [walk.pairing.messageOf(from)], {}, steps)
      }
    },
  },
})

/**
 * Sets the results of a round behind its calls, each with its id. Nothing where a call has none, or one that the provider does
 * not read: other findings are about these, and mend them.
 */
function together(from: number, mended: ReadonlySet<unknown>, { pairing, history }: Walk): readonly Step[] {
  const steps: Step[] = [{ do: 'settle', call: from }]
  if (mended.has(pairing.messageOf(from))) return []
  for (let call = from; call < pairing.count && pairing.roundOf(call) === from; call++) {
    const answer = pairing.answerAt(call)
    if (!answer || mended.has(answer.message) || !isRead(history[answer.message], answer.id)) return []
    const { id } = pairing.callAt(call)
    if (answer.id === undefined && id !== undefined) steps.push({ do: 'write', part: answer, change: { id } })
  }
  return steps
}

/** Whether the provider sees a result here, and its id if it has one. */
function isRead(message: unknown, id: string | undefined): boolean {
  return own(message, 'role') === 'tool' && (id === undefined || own(message, 'tool_call_id') === id)
}

function idOf(call: number, walk: Walk): string {
  if (isUnread(walk.pairing.callAt(call), walk)) return 'unread'
  // Where the provider's own look finds fault in the turn, a result of this id is not where it looks, or one of another id is.
  if (faultsOf(walk)?.(walk.pairing.messageOf(call))) return 'missing'
  const { calls, results } = countOf(call, walk)
  if (results !== calls) return isShared(call, walk) ? 'shared' : 'missing'
  return isShared(call, walk) ? 'twin' : 'counted'
}
