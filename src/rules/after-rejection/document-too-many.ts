import { defineAfterRejection, type Explanation } from '../../core/index.ts'
import { documentsOf, leftOut } from '../lib/media.ts'

/** The limit of Bedrock, the lowest that is known. */
const MOST = 5
const LEFT = '[Earlier document left out]'

export const documentTooMany = defineAfterRejection({
  id: 'document-too-many',
  phase: 'structure',
  about: () => ({ parts: ['media', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    many: '{provider} rejected the number of documents ({count}). {Repair} replaces the oldest ones with notes, among them this one in message {index}.',
  },
  check(t, _constraint, report) {
    const documents = documentsOf(t)
    for (const one of documents.slice(0, Math.max(0, documents.length - MOST)))
      report('many', one.part, { count: documents.length }, leftOut(t, one, LEFT))
  },
})

export const explanation: Explanation = {
  summary: 'A request has no more documents than the provider allows.',
  why: 'Documents of all turns accumulate until the request exceeds the limit.',
  repair: 'Repair keeps the five latest documents and replaces earlier ones by a line of text.',
}
