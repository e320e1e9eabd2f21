import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'
import { imageFormat } from './lib/image-format.ts'
import { imagesOf, leftOut, swapped } from './lib/media.ts'

/** Only what the first bytes show: an image may be broken further on. */
export const imageUnreadable = defineRule({
  id: 'image-unreadable',
  phase: 'shape',
  about: () => ({ parts: ['media', 'results', 'serverParts'] }),
  repair: 'lossy',
  messages: {
    empty: 'An image in message {index} has no data; {rejects} it. {Repair} replaces it with a note.',
    text: 'An image in message {index} is not an image but text; {rejects} it. {Repair} replaces it with a note.',
    type: 'An image in message {index} is named {named}, but its data is {format}; {rejects} it. {Repair} names it {format}.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const image of imagesOf(t)) {
      const data = t.dialect.nativeMedia?.base64In(image.value)
      if (!data) continue
      const format = imageFormat(data.text, data.from)
      const declared = t.dialect.nativeMedia?.declaredType(image.value)
      if (data.text.length === data.from) report('empty', image.part, {}, leftOut(t, image, LEFT_OUT))
      else if (format === 'text') report('text', image.part, {}, leftOut(t, image, LEFT_OUT))
      else if (
        format !== undefined &&
        declared !== undefined &&
        TYPES.includes(declared.type) &&
        declared.type !== format
      )
        report('type', image.part, { named: declared.type, format }, swapped(image, declared.replaced(format)))
    }
  },
})

const LEFT_OUT = '[Image left out: it cannot be read]'
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export const explanation: Explanation = {
  summary: 'The data of an image is an image, of the type that it names.',
  why: 'One image that cannot be read makes the provider reject this request and every later one.',
  repair: 'Repair names the right type.',
}
