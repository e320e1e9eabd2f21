import { defineAfterRejection, type Explanation } from '../../core/index.ts'
import { imagesOf, leftOut } from '../lib/media.ts'

const LEFT = '[Image left out: the model does not accept images]'

export const imageUnsupported = defineAfterRejection({
  id: 'image-unsupported',
  phase: 'structure',
  about: () => ({ parts: ['media', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    image:
      '{provider} does not accept images for this model. {Repair} replaces the image in message {index} with a note.',
  },
  check(t, _constraint, report) {
    for (const image of imagesOf(t)) report('image', image.part, {}, leftOut(t, image, LEFT))
  },
})

export const explanation: Explanation = {
  summary: 'The model accepts images, or the history has none.',
  why: 'The history has images, and the model of this request takes text only. This happens after a change of model.',
  repair: 'Repair replaces every image by a line of text.',
}
