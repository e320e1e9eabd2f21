import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { imagesOf, leftOut } from './lib/media.ts'
import { sizeOf } from './lib/pixels.ts'

export interface ImageTooLargeDimension {
  /** How many pixels each side may have. */
  readonly max?: number
  /** The same if there are many images. */
  readonly maxMany?: number
  /** How many images are many, all of them counted. */
  readonly manyFrom?: number
}

export const imageTooLargeDimension = defineRule({
  id: 'image-too-large-dimension',
  phase: 'structure',
  about: () => ({ parts: ['media', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    large:
      'An image in message {index} is {width} by {height} pixels; {provider} accepts at most {max} per side. {Repair} replaces it with a note.',
  },
  check(t, { max = 8000, maxMany = max, manyFrom = Number.POSITIVE_INFINITY }: Bound<ImageTooLargeDimension>, report) {
    const images = imagesOf(t)
    const limit = images.length >= manyFrom ? maxMany : max
    for (const image of images) {
      const data = t.dialect.nativeMedia?.base64In(image.value)
      const size = data && sizeOf(data.text, data.from)
      if (!size || Math.max(size.width, size.height) <= limit) continue
      const fix = leftOut(t, image, '[Image left out: too many pixels to be sent]')
      report('large', image.part, { width: size.width, height: size.height, max: limit }, fix)
    }
  },
})

export const explanation: Explanation = {
  summary: 'No side of an image is longer than the provider allows.',
  why: 'The limit is lower for requests with many images: an old screenshot can become too large when the conversation grows.',
  repair: 'Repair replaces the image by a line of text.',
}
