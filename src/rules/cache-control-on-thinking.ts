import { type Bound, defineRule, type Explanation, type NoParams, own } from '../core/index.ts'
import { aboutCacheMarks, markOf, movedMarks } from './lib/cache-marks.ts'

export const cacheControlOnThinking = defineRule({
  id: 'cache-control-on-thinking',
  phase: 'shape',
  repair: 'safe',
  about: aboutCacheMarks,
  neutral: true,
  messages: {
    wrong: 'A thinking block in message {index} has a cache mark; {rejects} that. {Repair} removes the mark.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const { part, fix } of movedMarks(t, ({ kind }) => kind === 'reasoning')) report('wrong', part, {}, fix)
    const key = t.dialect.cacheKey
    if (key === undefined) return
    // A field that marks nothing is rejected all the same.
    for (const part of t.reasoning)
      if (own(part.value, key) !== undefined && !markOf(t, part.value))
        report('wrong', part, {}, [{ do: 'set-part', part, key, value: undefined }])
  },
})

export const explanation: Explanation = {
  summary: 'No `cache_control` mark is on a thinking block.',
  why: 'Thinking blocks do not accept the mark; it is rejected as an unknown field.',
  repair: 'Repair moves the mark to the nearest block that may carry it, searching backward first.',
}
