import { defineRule } from '../core/index.ts'

/** Law: `empty` — only an empty text is refused, white space is not. */
export const textBlank = defineRule({
  id: 'text-blank',
  says: 'A text block says something.',
  why: 'Some providers refuse a text of nothing but white space, which models themselves produce before a call.',
  repair: 'safe',
  refusals: [
    /text content blocks must contain non-whitespace text/i,
    /text content blocks must be non-empty/i,
    /text field in the ContentBlock object at [\w.]+ is blank/i,
  ],
  messages: { blank: 'This text is blank.' },
  checks: {
    text(part, bound, walk) {
      const text = part.body
      // A first letter that is no white space settles it for nearly every text.
      if (typeof text !== 'string' || (text.charCodeAt(0) > 32 && text.charCodeAt(0) < 128)) return
      if (text.trim() !== '' || (bound.law['empty'] === true && text !== '')) return
      walk.report(bound, 'blank', part, {}, [{ do: 'remove', part }])
    },
  },
})
