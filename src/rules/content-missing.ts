import { defineRule, type Explanation, own } from '../core/index.ts'
import { contentKey, isFor } from './content.ts'
import { fromElsewhere } from './elsewhere.ts'
import { saysOtherwise } from './otherwise.ts'
import { setKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'A message has a content, even an empty one.',
  why: 'Schemas that ask for the field refuse a message that only calls and leaves it out.',
  refusals: [
    /The content field is a required field/i,
    /property 'content' is missing/i,
    /messages\[\w+\]: missing field `?content/i,
    /Missing required parameter: '?(?:messages|input)\[\w+\]\.content'?(?![\w[])/i,
  ],
}

/** Law: `roles` — who must have a content (default all) · `calls` — false: a message that calls or refuses may leave it out. */
export const contentMissing = defineRule({
  id: 'content-missing',
  odd: true,
  repair: 'safe',
  quiet: ({ law, refused }) =>
    refused ? undefined : { bare: (content) => content !== undefined || law['calls'] === false },
  messages: { missing: 'This message has no content.' },
  checks: {
    message(view, bound, walk) {
      const key = contentKey(walk)
      if (own(view.message, key) !== undefined || !isFor(view, bound, ['system', 'user', 'assistant', 'tool'], walk))
        return
      if (bound.law['calls'] === false && !bound.refused && saysOtherwise(view, walk)) return
      const said = fromElsewhere(view, walk)
      walk.report(bound, 'missing', [view.index], {}, said.length > 0 ? said : [setKey(view.index, key, '')])
    },
  },
})
