import { defineAfterRejection, type Explanation } from '../../core/index.ts'
import { leftOut, type Medium, mediaOf, saysText } from '../lib/media.ts'

const LEFT = '[Document left out: too many pages to be sent]'

/** Pages cannot be counted without decoding the document. */
export const pdfTooManyPages = defineAfterRejection({
  id: 'pdf-too-many-pages',
  phase: 'structure',
  about: () => ({ parts: ['media', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    pages:
      '{provider} rejected the documents for their number of pages. {Repair} replaces the largest, in message {index}, with a note.',
  },
  check(t, _constraint, report) {
    if ([...t.texts, ...t.results].some((part) => saysText(t, part, LEFT))) return
    let largest: Medium | undefined
    let most = 0
    for (const medium of mediaOf(t)) {
      const data = t.dialect.nativeMedia?.base64In(medium.value)
      const length = data?.text.startsWith('JVBER', data.from) ? data.text.length - data.from : 0
      if (length <= most) continue
      most = length
      largest = medium
    }
    if (largest) report('pages', largest.part, {}, leftOut(t, largest, LEFT))
  },
})

export const explanation: Explanation = {
  summary: 'The documents of a request have no more pages than the provider allows.',
  why: 'The pages of all documents are counted together.',
  repair: 'Repair replaces the largest document by a line of text.',
}
