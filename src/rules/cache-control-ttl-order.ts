import { defineRule, type Explanation, own, silent } from '../core/index.ts'
import { gatherMarks, type Mark, marksOf, setMarks } from './cache-marks.ts'

export const explanation: Explanation = {
  says: 'Cache marks that live longer come before those that live shorter.',
  why: 'A long-lived mark behind a short-lived one is refused.',
  refusals: [/ttl='1h' cache_control block must not come after/i],
}

/** Law: `long` — the time to live that must come first · `short` — the one it may not follow; 1h and 5m if not said. */
export const cacheControlTtlOrder = defineRule({
  id: 'cache-control-ttl-order',
  repair: 'safe',
  quiet: silent,
  aside: true,
  messages: { order: '{count} long-lived cache marks come after a short-lived one.' },
  checks: {
    message: gatherMarks,
    end(walk, bound) {
      const { long = '1h', short = '5m' } = bound.law as { long?: string; short?: string }
      const isLong = (mark: Mark) => own(mark.value, 'ttl') === long
      const marks = marksOf(walk)
      const first = marks.findIndex((mark) => !isLong(mark))
      const late = first < 0 ? [] : marks.slice(first).filter(isLong)
      if (late.length === 0) return
      // Lowered, not raised: what was asked to live for five minutes should not be paid for an hour.
      const steps = setMarks(late, (mark) => ({ ...mark.value, ttl: short }), walk)
      const place = late.find((mark) => mark.list === 'messages')
      walk.report(bound, 'order', place ? [place.index] : [], { count: late.length }, steps)
    },
  },
})
