import { defineRule, type Explanation, own } from '../core/index.ts'
import { contentKey, isFor } from './content.ts'
import { saysOtherwise } from './otherwise.ts'
import { setKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'Content is not null, except beside calls where the provider takes that.',
  why: 'Null where a text belongs makes the request invalid.',
  refusals: [
    /Invalid value for '?content'?: expected a string, got null/i,
    /\.content'?: expected (?:a string or a list|one of a string or array of objects), but got null/i,
    /'NoneType' object is not iterable/i,
    /invalid message content type: <nil>/i,
  ],
}

/** Law: `roles` — whose null is refused (default all) · `calls` — true: also the null of a message that calls, the usual way to say nothing beside a call. */
export const contentNull = defineRule({
  id: 'content-null',
  odd: true,
  repair: 'safe',
  quiet: ({ law, refused }) => (refused ? undefined : { bare: (content) => content !== null || law['calls'] !== true }),
  messages: { null: 'The content of this message is null.' },
  checks: {
    message(view, bound, walk) {
      const key = contentKey(walk)
      if (own(view.message, key) !== null || !isFor(view, bound, ['system', 'user', 'assistant', 'tool'], walk)) return
      if (bound.law['calls'] !== true && !bound.refused && saysOtherwise(view, walk)) return
      walk.report(bound, 'null', [view.index, key], {}, [setKey(view.index, key, '')])
    },
  },
})
