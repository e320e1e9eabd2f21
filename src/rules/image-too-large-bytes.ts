import { type Bound, defineRule, type Explanation, type Part, type Walk } from '../core/index.ts'
import { base64In, holdsNoMedia, imagesIn, leftOut } from './media.ts'

export const explanation: Explanation = {
  says: 'An image is not larger than its provider takes.',
  why: 'One image over the limit and the request is refused, on every later turn too.',
  refusals: [/image exceeds \d+(?:\.\d+)? MB maximum/i],
}

/** Law: `max` — how many characters of base64 an image may have. */
export const imageTooLargeBytes = defineRule({
  id: 'image-too-large-bytes',
  repair: 'lossy',
  quiet: ({ refused }) => (refused ? undefined : { result: holdsNoMedia }),
  messages: { large: 'This image has {bytes} bytes of base64, more than {max}.' },
  checks: { media: check, result: check },
})

function check(part: Part, bound: Bound, walk: Walk): void {
  const max = (bound.law['max'] as number | undefined) ?? 5_242_880
  for (const image of imagesIn(part)) {
    const data = base64In(image.value)
    const bytes = data ? data.text.length - data.from : 0
    if (bytes <= max) continue
    walk.report(bound, 'large', part, { bytes, max }, leftOut(image, walk, '[Image left out: too large to be sent]'))
  }
}
