import { defineRule, type Explanation, own, type Part, silent } from '../core/index.ts'
import { moveMarks } from './cache-marks.ts'

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
    },
  },
})

function isWrong(part: Part): boolean {
  return part.kind === 'reasoning' && own(part.value, 'cache_control') !== undefined
}
