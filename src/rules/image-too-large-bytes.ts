import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { imagesOf, leftOut } from './lib/media.ts'

export interface ImageTooLargeBytes {
  /** How many characters of base64 an image may have. */
  readonly max?: number
}

export const imageTooLargeBytes = defineRule({
  id: 'image-too-large-bytes',
  phase: 'shape',
  about: () => ({ parts: ['media', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    large:
      'An image in message {index} has {bytes} bytes of base64; {provider} accepts at most {max}. {Repair} replaces it with a note.',
  },
  check(t, { max = 5_242_880 }: Bound<ImageTooLargeBytes>, report) {
    for (const image of imagesOf(t)) {
      const data = t.dialect.nativeMedia?.base64In(image.value)
      const bytes = data ? data.text.length - data.from : 0
      if (bytes > max)
        report('large', image.part, { bytes, max }, leftOut(t, image, '[Image left out: too large to be sent]'))
    }
  },
})

export const explanation: Explanation = {
  summary: 'An image is not larger than the provider allows.',
  why: 'One image over the limit makes the provider reject this request and every later one.',
  repair: 'Repair replaces the image by a line of text.',
}
