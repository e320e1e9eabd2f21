import { defineRule, type Explanation, HAS_RESULT, type Outline, roleOf, silent } from '../core/index.ts'
import { asUser } from './as-user.ts'
import { calls, merging, reportCounted } from './counted.ts'
import { BRIDGE } from './said.ts'

export const explanation: Explanation = {
  says: 'Roles follow each other as the provider wants them.',
  why: 'Some providers and chat templates refuse two turns of one role, or a user right after a tool.',
  refusals: [
    /roles must alternate/i,
    /conversation must alternate between user and assistant/i,
    /does not support successive user or assistant messages/i,
    /roles should be alternating/i,
    /message\(s\) should alternate with assistant/i,
    /Unexpected role '(?:user|system|assistant)' after role/i,
    /Cannot have 2 or more assistant messages at the end/i,
  ],
}

/**
 * Law: `merge` — roles of which two may not follow each other · `bridge` — the user may not speak right behind a result:
 * the assistant says a word between them, also where two user turns would otherwise be merged · `lead` — true: only one
 * system message is taken, at the beginning; a later one is said by the user, marked · `tail` — true: two turns of the assistant
 * are refused only where the history ends with them · `counted` — true: behind an optional system message user and assistant take
 * turns, the user first; turns that call and results do not count.
 */
export const roleOrder = defineRule({
  id: 'role-order',
  repair: 'lossy',
  quiet: (bound) => (bound.law['lead'] === true ? undefined : silent(bound)),
  messages: {
    lead: 'A system message stands behind others.',
    merge: 'Two turns of one role follow each other.',
    first: "The first turn that counts is not the user's.",
    bridge: 'A user turn follows a tool result without an answer between them.',
  },
  checks: {
    message(view, bound, walk) {
      if (bound.law['lead'] !== true) return
      const seen = walk.recall(bound, () => ({ others: false }))
      if (view.role === 'system' && seen.others && !calls(view.message))
        walk.report(bound, 'lead', [view.index], {}, asUser(view, 'system'))
      seen.others = true
    },
    junction(before, after, { law, refused }) {
      if (before === undefined || after === undefined) return undefined
      // Asked first: merging would put the user's words back beside the result.
      if (law['bridge'] === true && roleOf(after) === 'user' && isApart(before, after)) {
        return { do: 'insert', role: 'assistant', text: BRIDGE, message: 'bridge' }
      }
      const role = roleOf(before)
      const merge = (law['merge'] as readonly string[] | undefined) ?? (refused ? ['user', 'assistant'] : undefined)
      return role === roleOf(after) && merge?.includes(role) ? { do: 'merge', message: 'merge' } : undefined
    },
    end(walk, bound) {
      if (bound.law['counted'] === true) reportCounted(walk, bound)
      if (bound.law['tail'] !== true) return
      const { outlines, history } = walk
      const last = outlines.length - 1
      let first = last
      while (first > 0 && roleOf(outlines[first]!) === 'assistant' && roleOf(outlines[first - 1]!) === 'assistant')
        first--
      if (first >= last) return
      walk.report(bound, 'merge', [last], {}, merging(first, history.slice(first + 1), walk))
    },
  },
})

/** One is a result, the other is the user's own words. */
function isApart(before: Outline, after: Outline): boolean {
  const role = roleOf(before)
  return (role === 'user' || role === 'tool') && isResult(before) !== isResult(after)
}

function isResult(outline: Outline): boolean {
  return roleOf(outline) === 'tool' || (outline & HAS_RESULT) !== 0
}
