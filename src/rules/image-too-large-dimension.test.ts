import { testRule } from '../testing/index.ts'
import { imageTooLargeDimension } from './image-too-large-dimension.ts'

const gif = (width: number, height: number) =>
  Buffer.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, width & 255, width >> 8, height & 255, height >> 8]).toString(
    'base64',
  )
const image = (width: number, height: number) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/gif', data: gif(width, height) },
})
const left = { type: 'text', text: '[Image left out: too many pixels to be sent]' }
const history = (...content: readonly unknown[]) => [{ role: 'user', content }]

testRule(imageTooLargeDimension, {
  constraint: { max: 8000, maxMany: 2000, manyFrom: 3 },
  valid: {
    'a few large images': { before: history(image(8000, 10), image(10, 2001)), dialect: 'anthropic-messages' },
    'many small images': {
      before: history(image(2000, 10), image(10, 10), image(10, 2000)),
      dialect: 'anthropic-messages',
    },
    'data of another kind': {
      before: history({ type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'oops' } }),
      dialect: 'anthropic-messages',
    },
  },
  invalid: {
    'one too large': {
      before: history(image(10, 8001)),
      dialect: 'anthropic-messages',
      finds: ['large 10 8001 8000'],
      after: history(left),
    },
    'an old one that became too large when many came': {
      before: history(image(2001, 10), image(10, 10), image(10, 10)),
      dialect: 'anthropic-messages',
      finds: ['large 2001 10 2000'],
      after: history(left, image(10, 10), image(10, 10)),
    },
  },
})
