import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  type NoParams,
  valueAt,
  withValueAt,
} from '../core/index.ts'
import { textBlock } from './lib/text-block.ts'

export const documentWithoutText = defineRule({
  id: 'document-without-text',
  phase: 'structure',
  about: () => ({ parts: ['media'] }),
  repair: 'lossy',
  messages: { alone: 'Message {index} has a document and no text; {rejects} that. {Repair} adds a short text.' },
  check(t, _constraint: Bound<NoParams>, report) {
    const messages = new Set(t.media.filter(({ type }) => type === 'document').map(({ message }) => message))
    for (const message of messages) {
      if (t.role(message) !== 'user') continue
      const isText = t
        .partsOf(message)
        .some(({ kind, body }) => kind === 'text' && typeof body === 'string' && body.trim() !== '')
      const native = t.history[message]
      const path = [t.contentKey]
      const list = valueAt(native, path)
      if (isText || !isObject(native) || !Array.isArray(list)) continue
      const value = withValueAt(native, path, [...list, textBlock(t, '(document attached)')])
      report('alone', [message], {}, [{ do: 'replace-message', message, value }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A message with a document also has a text block.',
  why: 'A document without any text in the same message is rejected.',
  repair: 'Repair adds the text `(document attached)`.',
}
