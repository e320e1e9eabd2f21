import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { aboutCacheMarks, type Mark, marksOf, setMarks } from './lib/cache-marks.ts'

export interface CacheControlTooMany {
  /** How many marks a request may have, over tools, system and messages. */
  readonly max?: number
}

export const cacheControlTooMany = defineRule({
  id: 'cache-control-too-many',
  phase: 'structure',
  about: (constraint: object, dialect) => ({ ...aboutCacheMarks(constraint, dialect), request: true }),
  repair: 'safe',
  neutral: true,
  messages: {
    many: 'The request has {count} cache marks; {provider} accepts at most {max}. {Repair} removes the least useful ones.',
  },
  check(t, { max = 4 }: Bound<CacheControlTooMany>, report) {
    const marks = marksOf(t)
    if (marks.length <= max) return
    const kept = new Set(byWorth(marks, [undefined, ...[...(t.dialect.cachedLists ?? [])].reverse()]).slice(0, max))
    const over = marks.filter((mark) => !kept.has(mark))
    const first = over.find(({ list }) => list === undefined)
    const fix = setMarks(t, over, () => undefined)
    report('many', first ? [first.index] : [], { count: marks.length, max }, fix)
  },
})

/** The last in messages, in system, in tools; then the others, from the end. */
function byWorth(marks: readonly Mark[], order: readonly (string | undefined)[]): readonly Mark[] {
  const back = marks.toReversed()
  const lists = order.map((list) => back.filter((mark) => mark.list === list))
  return [...lists.flatMap((list) => list.slice(0, 1)), ...lists.flatMap((list) => list.slice(1))]
}

export const explanation: Explanation = {
  summary: 'A request has no more `cache_control` marks than the provider allows.',
  why: 'A client and a gateway may each add marks and exceed the limit together.',
  repair: 'Repair removes the marks that save least.',
}
