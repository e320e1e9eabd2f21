import { type Bound, defineRule, type Explanation, type Part, type Walk } from '../core/index.ts'
import { holdsNoMedia, imagesIn, leftOut, type Medium, saysSo } from './media.ts'

export const explanation: Explanation = {
  says: 'A request holds no more images than its provider takes.',
  why: 'Screenshots pile up until one more is refused.',
  refusals: [/(?:too many images|maximum of \d+ images|at most \d+ images?\b)/i],
}

const LEFT = '[Earlier image left out]'

/** Law: `max` — how many images a request may hold. After a refusal without it the older half goes. */
export const imageTooMany = defineRule({
  id: 'image-too-many',
  repair: 'lossy',
  quiet: ({ refused }) => (refused ? undefined : { result: holdsNoMedia }),
  messages: { many: 'There are {count} images, {max} may be sent: this is one of the oldest.' },
  checks: {
    text(part, bound, walk) {
      if (bound.refused) check(part, bound, walk)
    },
    media: check,
    result: check,
    end(walk, bound) {
      const images = walk.recall<Medium[]>(bound, () => [])
      const max = (bound.law['max'] as number | undefined) ?? fewer(images, walk)
      const data = { count: images.length, max }
      // The oldest go: the newest is what the talk is about.
      for (let i = 0; i < images.length - max; i++) {
        const steps = leftOut(images[i]!, walk, LEFT)
        walk.report(bound, 'many', images[i]!.part, data, steps)
      }
    },
  },
})

/** A refusal without a law: the older half goes, once. The mark of one that went says that it was done. */
function fewer(images: readonly Medium[], walk: Walk): number {
  return walk.memory.has(LEFT) ? images.length : Math.ceil(images.length / 2)
}

function check(part: Part, bound: Bound, walk: Walk): void {
  if (bound.refused && saysSo(part, LEFT)) walk.memory.set(LEFT, true)
  if (part.kind !== 'text') for (const image of imagesIn(part)) walk.recall<Medium[]>(bound, () => []).push(image)
}
