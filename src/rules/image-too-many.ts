import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { imagesOf, leftOut, saysText } from './lib/media.ts'

export interface ImageTooMany {
  /** How many images a request may hold. After a rejection without it the older half goes. */
  readonly max?: number
}

const LEFT = '[Earlier image left out]'

export const imageTooMany = defineRule({
  id: 'image-too-many',
  phase: 'structure',
  about: () => ({ parts: ['media', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    many: 'The request has {count} images; {provider} accepts at most {max}. {Repair} replaces the oldest ones with notes, among them this one in message {index}.',
  },
  check(t, constraint: Bound<ImageTooMany>, report) {
    const images = imagesOf(t)
    if (images.length === 0) return
    // The mark of one that was left out says that the older half is gone already.
    const isDone = () => [...t.texts, ...t.results].some((part) => saysText(t, part, LEFT))
    const fewer = constraint.rejected && !isDone() ? Math.ceil(images.length / 2) : images.length
    const max = constraint.max ?? fewer
    // The newest is what the conversation is about.
    for (let i = 0; i < images.length - max; i++)
      report('many', images[i]!.part, { count: images.length, max }, leftOut(t, images[i]!, LEFT))
  },
})

export const explanation: Explanation = {
  summary: 'A request has no more images than the provider allows.',
  why: 'Screenshots accumulate until the request exceeds the limit.',
  repair: 'Repair replaces the oldest images by a line of text.',
}
