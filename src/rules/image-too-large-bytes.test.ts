import { testRule } from '../testing/index.ts'
import { imageTooLargeBytes } from './image-too-large-bytes.ts'

const image = (length: number) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(length) },
})
const left = { type: 'text', text: '[Image left out: too large to be sent]' }
const history = (block: unknown) => [{ role: 'user', content: [{ type: 'text', text: 'look' }, block] }]
const round = (blocks: readonly unknown[]) => [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: blocks }] },
]

testRule(imageTooLargeBytes, {
  constraint: { max: 100 },
  valid: {
    'a small image': { before: history(image(100)), dialect: 'anthropic-messages' },
    'an image that is a link': {
      before: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `https://x.test/${'a'.repeat(200)}` } }] },
      ],
      dialect: 'openai-chat',
    },
    'a large document': {
      before: history({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(200) },
      }),
      dialect: 'anthropic-messages',
    },
    'an image in notation': `
      user: look | image`,
  },
  invalid: {
    'a large image': {
      before: history(image(101)),
      dialect: 'anthropic-messages',
      finds: ['large 101 100'],
      after: history(left),
    },
    'two large images in one result': {
      before: round([image(200), image(5), image(300)]),
      dialect: 'anthropic-messages',
      finds: ['large 200 100', 'large 300 100'],
      after: round([left, image(5), left]),
    },
    'in the shape of OpenAI': {
      before: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(101)}` } }],
        },
      ],
      dialect: 'openai-chat',
      finds: ['large 101 100'],
      after: [{ role: 'user', content: [left] }],
    },
    'in the shape of Gemini': {
      before: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(101) } }] }],
      dialect: 'gemini',
      finds: ['large 101 100'],
      after: [{ role: 'user', parts: [{ text: left.text }] }],
    },
    'in the shape of Bedrock': {
      before: [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: 'A'.repeat(101) } } }] }],
      dialect: 'bedrock-converse',
      finds: ['large 101 100'],
      after: [{ role: 'user', content: [{ text: left.text }] }],
    },
  },
})
