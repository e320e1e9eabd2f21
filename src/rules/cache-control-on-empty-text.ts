import { defineRule, type Explanation, type Part, silent, type Walk } from '../core/index.ts'
import { isBlank } from './blank.ts'
import { markOf, moveMarks } from './cache-marks.ts'

export const explanation: Explanation = {
  says: 'No cache mark stands on an empty text.',
  why: 'A mark that was stamped on the last block is refused when that block says nothing.',
  refusals: [/cache_control cannot be set for empty text blocks/i],
}

export const cacheControlOnEmptyText = defineRule({
  id: 'cache-control-on-empty-text',
  repair: 'safe',
  quiet: silent,
  aside: true,
  messages: { wrong: 'A cache mark stands on an empty text.' },
  checks: {
    message(view, bound, walk) {
      const isWrong = (part: Part) => part.kind === 'text' && markOf(part.value) !== undefined && isEmpty(part, walk)
      if (view.parts.some(isWrong)) moveMarks(view, bound, walk, isWrong)
    },
  },
})

/** Where blank texts are taken out, white space counts too: the mark must not go with the block. */
function isEmpty(part: Part, walk: Walk): boolean {
  return part.body === '' || (walk.plan.bounds.get('text-blank')?.some((law) => isBlank(part, law, walk)) ?? false)
}
