import { type Bound, defineRule, type Explanation, type Part, type Walk } from '../core/index.ts'
import { isBlank, isSaid } from './blank.ts'

export const explanation: Explanation = {
  says: 'A text block says something.',
  why: 'Some providers refuse a text of nothing but white space, which models themselves produce before a call.',
  refusals: [
    /text content blocks must contain non-whitespace text/i,
    /text field in the ContentBlock object at [\w.<>{}]+ is blank/i,
  ],
}

/** Law: `empty` — true: only an empty text is refused, white space is not · `space` — `accepted`: an assistant's text of one space passes; `refused`: this law is about that alone. */
export const textBlank = defineRule({
  id: 'text-blank',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { text: isSaid }),
  messages: { blank: 'This text is blank.' },
  checks: {
    text: report,
    // Where only an empty text is refused, it is the field that is: a thought has it too.
    reasoning(part, bound, walk) {
      if (bound.law['empty'] === true) report(part, bound, walk)
    },
  },
})

function report(part: Part, bound: Bound, walk: Walk): void {
  if (isBlank(part, bound, walk)) walk.report(bound, 'blank', part, {}, [{ do: 'remove', part }])
}
