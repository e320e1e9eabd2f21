import { type Bound, defineRule, type Explanation, type Part, type Walk } from '../core/index.ts'
import { base64In, holdsNoMedia, imagesIn, leftOut, type Medium } from './media.ts'
import { type Size, sizeOf } from './pixels.ts'

export const explanation: Explanation = {
  says: 'No side of an image is longer than its provider takes.',
  why: 'With many images the limit is lower: an old screenshot becomes illegal when the conversation grows.',
  refusals: [/image dimensions exceed max allowed size/i, /exceeds the dimension limit for many-image requests/i],
}

interface Memory {
  count: number
  /** Images over the smaller limit. */
  readonly large: (Medium & Size)[]
}

/**
 * Law: `max` — how many pixels each side may have · `maxMany` — the same when there are many images ·
 * `manyFrom` — how many images are many, all of them counted.
 */
export const imageTooLargeDimension = defineRule({
  id: 'image-too-large-dimension',
  repair: 'lossy',
  quiet: ({ refused }) => (refused ? undefined : { result: holdsNoMedia }),
  messages: { large: 'This image is {width} by {height} pixels; {max} is the most a side may have.' },
  checks: {
    media: check,
    result: check,
    end(walk, bound) {
      const memory = walk.memory.get(bound.rule.id) as Memory | undefined
      if (!memory) return
      const { max = 8000, maxMany = max, manyFrom = 1 / 0 } = bound.law as Facts
      const limit = memory.count >= manyFrom ? maxMany : max
      for (const image of memory.large) {
        const { width, height } = image
        if (width <= limit && height <= limit) continue
        const steps = leftOut(image, walk, '[Image left out: too many pixels to be sent]')
        walk.report(bound, 'large', image.part, { width, height, max: limit }, steps)
      }
    },
  },
})

interface Facts {
  readonly max?: number
  readonly maxMany?: number
  readonly manyFrom?: number
}

function check(part: Part, bound: Bound, walk: Walk): void {
  for (const image of imagesIn(part)) {
    const memory = walk.recall<Memory>(bound, () => ({ count: 0, large: [] }))
    memory.count++
    const data = base64In(image.value)
    const size = data && sizeOf(data.text, data.from)
    const { max = 8000, maxMany = max } = bound.law as Facts
    if (size && Math.max(size.width, size.height) > Math.min(max, maxMany)) memory.large.push({ ...image, ...size })
  }
}
