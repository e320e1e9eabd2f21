import { defineRule, type Explanation, own, type Part, silent } from '../core/index.ts'
import { MARK, markOf, moveMarks } from './cache-marks.ts'
import { setPartKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'No cache mark stands on thinking.',
  why: 'Thinking blocks take no mark: it is refused as an unknown field.',
  refusals: [/thinking\.cache_control: Extra inputs are not permitted/i],
}

export const cacheControlOnThinking = defineRule({
  id: 'cache-control-on-thinking',
  repair: 'safe',
  quiet: silent,
  aside: true,
  messages: { wrong: 'A cache mark stands on thinking.' },
  checks: {
    message(view, bound, walk) {
      if (view.parts.some(isWrong)) moveMarks(view, bound, walk, isWrong)
      // A field that marks nothing is refused all the same.
      for (const part of view.parts)
        if (part.kind === 'reasoning' && own(part.value, MARK) !== undefined && !isWrong(part))
          walk.report(bound, 'wrong', part, {}, [setPartKey(part, MARK, undefined)])
    },
  },
})

function isWrong(part: Part): boolean {
  return part.kind === 'reasoning' && markOf(part.value) !== undefined
}
