import { defineRule, type Explanation, isObject, silent, valueAt, withValueAt } from '../core/index.ts'
import { contentKey, textBlock } from './content.ts'

export const explanation: Explanation = {
  says: 'A message with a document has a text beside it.',
  why: 'A document without a word about it is refused.',
  refusals: [/A text block must be included when using documents/i],
}

/** Law: `types` — native part types that are documents (default `document`). */
export const documentWithoutText = defineRule({
  id: 'document-without-text',
  repair: 'lossy',
  quiet: silent,
  messages: { alone: 'A document stands alone in this message.' },
  checks: {
    message({ index, role, parts }, bound, walk) {
      if (role !== 'user') return
      const types = (bound.law['types'] as readonly string[] | undefined) ?? ['document']
      if (!parts.some((part) => part.kind === 'media' && types.includes(part.type))) return
      if (parts.some(({ kind, body }) => kind === 'text' && typeof body === 'string' && body.trim() !== '')) return
      const path = [contentKey(walk)]
      const block = textBlock(walk, '(document attached)')
      walk.report(bound, 'alone', [index], {}, [
        {
          do: 'rewrite',
          message: index,
          with(now) {
            const list = valueAt(now, path)
            return isObject(now) && Array.isArray(list) ? withValueAt(now, path, [...list, block]) : now
          },
        },
      ])
    },
  },
})
