import { defineRule, HAS_RESULT, type Outline, roleOf } from '../core/index.ts'

/** Laws: `merge` — roles of which two may not follow each other · `bridge` — a user may not follow a tool's result. */
export const roleOrder = defineRule({
  id: 'role-order',
  says: 'Roles follow each other as the provider wants them.',
  why: 'Some providers and chat templates refuse two turns of one role, or a user right after a tool.',
  repair: 'lossy',
  refusals: [
    /roles must alternate/i,
    /conversation must alternate between user and assistant/i,
    /does not support successive user or assistant messages/i,
    /roles should be alternating/i,
    /Unexpected role 'user' after role 'tool'/i,
    /Cannot have 2 or more assistant messages at the end/i,
  ],
  messages: {
    merge: 'Two turns of one role follow each other.',
    bridge: 'A user turn follows a tool result without an answer between them.',
  },
  checks: {
    junction(before, after, bound) {
      if (before === undefined || after === undefined) return undefined
      const merge = bound.law['merge'] as readonly string[] | undefined
      if (merge?.includes(roleOf(before)) && roleOf(before) === roleOf(after)) return { do: 'merge', message: 'merge' }
      if (bound.law['bridge'] === true && isResult(before) && roleOf(after) === 'user' && !isResult(after)) {
        return { do: 'insert', role: 'assistant', text: 'Understood.', message: 'bridge' }
      }
      return undefined
    },
  },
})

function isResult(outline: Outline): boolean {
  return roleOf(outline) === 'tool' || (outline & HAS_RESULT) !== 0
}
