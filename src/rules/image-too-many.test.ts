import { testRule } from '../testing/index.ts'
import { imageTooMany } from './image-too-many.ts'

testRule(imageTooMany, {
  constraint: { max: 2 },
  valid: {
    'as many as may be': `
      user: look | image
      assistant: and?
      user: image`,
  },
  invalid: {
    'the oldest go': {
      before: `
        user: look | image
        assistant: and?
        user: this | image
        assistant: and?
        user: image | image`,
      finds: ['many 4 2', 'many 4 2'],
      after: `
        user: look | [Earlier image left out]
        assistant: and?
        user: this | [Earlier image left out]
        assistant: and?
        user: image | image`,
    },
    'a rejection without a constraint: the older half goes': {
      before: `
        user: image
        user: image
        user: image
        user: image`,
      constraint: { max: undefined },
      options: { rejectedBy: ['image-too-many'] },
      finds: ['many 4 2', 'many 4 2'],
      after: `
        user: [Earlier image left out]
        user: [Earlier image left out]
        user: image
        user: image`,
    },
    'images of results count': {
      before: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [
                { type: 'image', source: { type: 'url', url: 'https://x.test/1' } },
                { type: 'text', text: 'x' },
                { type: 'image', source: { type: 'url', url: 'https://x.test/2' } },
              ],
            },
          ],
        },
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x.test/3' } }] },
      ],
      dialect: 'anthropic-messages',
      finds: ['many 3 2'],
      after: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [
                { type: 'text', text: '[Earlier image left out]' },
                { type: 'text', text: 'x' },
                { type: 'image', source: { type: 'url', url: 'https://x.test/2' } },
              ],
            },
          ],
        },
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x.test/3' } }] },
      ],
    },
  },
})
