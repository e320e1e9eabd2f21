import { defineRule, type Explanation, silent } from '../core/index.ts'
import { gatherMarks, type Mark, marksOf, setMarks } from './cache-marks.ts'

export const explanation: Explanation = {
  says: 'A request has no more cache marks than the provider takes.',
  why: 'Client and gateway mark on their own, and together they are too many.',
  refusals: [/maximum of \d+ blocks with cache_control/i],
}

/** Law: `max` — how many marks a request may have, over tools, system and messages; 4 if not said. */
export const cacheControlTooMany = defineRule({
  id: 'cache-control-too-many',
  repair: 'safe',
  quiet: silent,
  aside: true,
  messages: { many: 'There are {count} cache marks, {max} are taken.' },
  checks: {
    message: gatherMarks,
    end(walk, bound) {
      const max = (bound.law['max'] ?? 4) as number
      const marks = marksOf(walk)
      if (marks.length <= max) return
      const kept = new Set(byWorth(marks).slice(0, max))
      const over = marks.filter((mark) => !kept.has(mark))
      const steps = setMarks(over, () => undefined, walk)
      walk.report(bound, 'many', whereIs(over), { count: marks.length, max }, steps)
      for (const mark of over) mark.gone = true
    },
  },
})

/** The last in messages, in system, in tools; then the others, from the end. */
function byWorth(marks: readonly Mark[]): readonly Mark[] {
  const back = marks.toReversed()
  const lists = ['messages', 'system', 'tools'].map((list) => back.filter((mark) => mark.list === list))
  return [...lists.flatMap((list) => list.slice(0, 1)), ...lists.flatMap((list) => list.slice(1))]
}

function whereIs(marks: readonly Mark[]): readonly number[] {
  const first = marks.find((mark) => mark.list === 'messages')
  return first ? [first.index] : []
}
