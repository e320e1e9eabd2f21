import { type Bound, defineRule, type Explanation, type Part, type Walk } from '../core/index.ts'
import { base64In, leftOut, type Medium, mediaIn, saysSo } from './media.ts'

export const explanation: Explanation = {
  says: 'The documents of a request have no more pages than its provider takes.',
  why: 'The pages of all documents are counted together, and the request is refused.',
  refusals: [/maximum of \d+ PDF pages/i],
}

const LEFT = '[Document left out: too many pages to be sent]'

interface Memory {
  largest?: Medium
  length: number
  /** One was left out already: the refusal that asked for it is answered. */
  done: boolean
}

/** Law: no facts. Pages cannot be counted without decoding the document: only a refusal tells. */
export const pdfTooManyPages = defineRule({
  id: 'pdf-too-many-pages',
  repair: 'lossy',
  messages: { pages: 'The documents have too many pages; this is the largest of them.' },
  checks: {
    text: check,
    media: check,
    result: check,
    end(walk, bound) {
      const memory = walk.memory.get(bound.rule.id) as Memory | undefined
      if (!memory?.largest || memory.done) return
      walk.report(bound, 'pages', memory.largest.part, {}, leftOut(memory.largest, walk, LEFT))
    },
  },
})

function check(part: Part, bound: Bound, walk: Walk): void {
  if (!bound.refused) return
  const memory = walk.recall<Memory>(bound, () => ({ length: 0, done: false }))
  if (saysSo(part, LEFT)) memory.done = true
  if (part.kind === 'text') return
  for (const medium of mediaIn(part)) {
    const data = base64In(medium.value)
    const length = data?.text.startsWith('JVBER', data.from) ? data.text.length - data.from : 0
    if (length <= memory.length) continue
    memory.length = length
    memory.largest = medium
  }
}
