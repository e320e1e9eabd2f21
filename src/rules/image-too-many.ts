import { type Bound, defineRule, type Part, type Walk } from '../core/index.ts'
import { eachMedium, kindOf, leftOut, type Medium } from './media.ts'

/** Law: `max` — how many images a request may hold. */
export const imageTooMany = defineRule({
  id: 'image-too-many',
  says: 'A request holds no more images than its provider takes.',
  why: 'Screenshots pile up until one more is refused.',
  repair: 'lossy',
  refusals: [/(?:too many images|maximum of \d+ images|at most \d+ images?\b)/i],
  messages: { many: 'There are {count} images, {max} may be sent: this is one of the oldest.' },
  checks: {
    media: check,
    result: check,
    end(walk, bound) {
      const images = (walk.memory.get(bound.rule.id) as Medium[] | undefined) ?? []
      const max = (bound.law['max'] as number | undefined) ?? images.length - 1
      const data = { count: images.length, max }
      // The oldest go: the newest is what the talk is about.
      for (let i = 0; i < images.length - max; i++) {
        const steps = leftOut(images[i]!, walk, '[Earlier image left out]')
        walk.report(bound, 'many', images[i]!.part, data, steps)
      }
    },
  },
})

function check(part: Part, bound: Bound, walk: Walk): void {
  if (part.kind === 'result' && typeof part.body === 'string') return
  eachMedium(part, (medium, value) => {
    if (kindOf(value) === 'image') walk.recall<Medium[]>(bound, () => []).push(medium)
  })
}
