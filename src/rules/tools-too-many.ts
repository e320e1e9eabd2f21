import { defineRule, type Explanation } from '../core/index.ts'
import { declarations } from './declared.ts'

export const explanation: Explanation = {
  says: 'A request declares no more tools than its provider takes.',
  why: 'The request is refused; no edit of the history helps.',
  refusals: [/Invalid '?tools'?: array too long/i],
}

/** Law: `max` — how many tools a request may declare. Needs the request body. */
export const toolsTooMany = defineRule({
  id: 'tools-too-many',
  repair: 'none',
  messages: { many: '{count} tools are declared, more than {max}.' },
  checks: {
    end(walk, bound) {
      const max = bound.law['max'] as number | undefined
      const count = walk.body && max !== undefined ? declarations(walk.body).length : 0
      if (max !== undefined && count > max) walk.report(bound, 'many', [], { count, max })
    },
  },
})
