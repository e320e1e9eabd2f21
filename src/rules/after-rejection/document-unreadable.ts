import { defineAfterRejection, type Explanation } from '../../core/index.ts'
import { documentsOf, leftOut, saysText } from '../lib/media.ts'

const LEFT = '[Document left out: it could not be read]'

/** Earlier documents were accepted before: the one that was added last is the cause. */
export const documentUnreadable = defineAfterRejection({
  id: 'document-unreadable',
  phase: 'structure',
  about: () => ({ parts: ['media', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    unreadable: '{provider} could not read a document. {Repair} replaces the latest, in message {index}, with a note.',
  },
  check(t, _constraint, report) {
    if ([...t.texts, ...t.results].some((part) => saysText(t, part, LEFT))) return
    const latest = documentsOf(t).at(-1)
    if (latest) report('unreadable', latest.part, {}, leftOut(t, latest, LEFT))
  },
})

export const explanation: Explanation = {
  summary: 'The provider can read every document of the history.',
  why: 'One document that is damaged, empty or protected by a password makes the provider reject this request and every later one.',
  repair: 'Repair replaces the latest document by a line of text.',
}
