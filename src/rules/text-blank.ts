import { defineRule, type Explanation, ROLE } from '../core/index.ts'

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
    text(part, bound, walk) {
      const text = part.body
      if (typeof text !== 'string' || isSaid(text)) return
      // An empty text may be there for the signature that it carries.
      if (bound.law['empty'] === true && (text !== '' || part.sign != null)) return
      const { space } = bound.law
      const one = text === ' ' && part.index >= 0 && walk.speaker === ROLE.assistant
      if (space !== undefined && one !== (space === 'refused')) return
      // An empty string in the place of the whole content is no block: that is the rule's for empty messages.
      if (text === '' && part.index < 0) return
      walk.report(bound, 'blank', part, {}, [{ do: 'remove', part }])
    },
  },
})

/** A first letter that is no white space settles it for nearly every text. */
function isSaid(text: string): boolean {
  const first = text.charCodeAt(0)
  return (first > 32 && first < 128) || text.trim() !== ''
}
