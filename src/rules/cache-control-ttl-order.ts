import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'
import { aboutCacheMarks, type Mark, marksOf, setMarks } from './lib/cache-marks.ts'

export const cacheControlTtlOrder = defineRule({
  id: 'cache-control-ttl-order',
  phase: 'structure',
  about: (constraint: object, dialect) => ({ ...aboutCacheMarks(constraint, dialect), request: true }),
  repair: 'safe',
  neutral: true,
  messages: {
    order:
      'Cache marks with a long lifetime ({count}) come after one with a short lifetime; {rejects} that order. {Repair} shortens them.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    const isLong = (mark: Mark) => mark.value['ttl'] === '1h'
    const marks = marksOf(t)
    const first = marks.findIndex((mark) => !isLong(mark))
    const late = first < 0 ? [] : marks.slice(first).filter(isLong)
    if (late.length === 0) return
    // Lowered, not raised: what was asked to live for five minutes should not be paid for an hour.
    const fix = setMarks(t, late, (mark) => ({ ...mark.value, ttl: '5m' }))
    const place = late.find(({ list }) => list === undefined)
    report('order', place ? [place.index] : [], { count: late.length }, fix)
  },
})

export const explanation: Explanation = {
  summary: 'Cache marks with a longer lifetime come before those with a shorter one.',
  why: 'A long-lived mark after a short-lived one is rejected.',
  repair: 'Repair lowers the lifetime of the later mark.',
}
