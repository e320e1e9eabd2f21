import { type Bound, defineRule, type Part, type Walk } from '../core/index.ts'
import { base64In, eachMedium, leftOut, type Medium } from './media.ts'

interface Largest extends Medium {
  readonly length: number
}

/** Law: no facts. Pages cannot be counted without decoding the document: only a refusal tells. */
export const pdfTooManyPages = defineRule({
  id: 'pdf-too-many-pages',
  says: 'The documents of a request have no more pages than its provider takes.',
  why: 'The pages of all documents are counted together, and the request is refused.',
  repair: 'lossy',
  refusals: [/maximum of \d+ PDF pages/i],
  messages: { pages: 'The documents have too many pages; this is the largest of them.' },
  checks: {
    media: check,
    result: check,
    end(walk, bound) {
      const largest = walk.memory.get(bound.rule.id) as Largest | undefined
      if (!largest) return
      const steps = leftOut(largest, walk, '[Document left out: too many pages to be sent]')
      walk.report(bound, 'pages', largest.part, {}, steps)
    },
  },
})

function check(part: Part, bound: Bound, walk: Walk): void {
  if (!bound.refused || (part.kind === 'result' && typeof part.body === 'string')) return
  eachMedium(part, (medium, value) => {
    const data = base64In(value)
    if (!data?.text.startsWith('JVBER', data.from)) return
    const length = data.text.length - data.from
    const largest = walk.memory.get(bound.rule.id) as Largest | undefined
    if (!largest || length > largest.length) walk.memory.set(bound.rule.id, { ...medium, length })
  })
}
