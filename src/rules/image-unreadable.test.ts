import { testRule } from '../testing/index.ts'
import { imageUnreadable } from './image-unreadable.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
const JPEG = '/9j/4AAQSkZJRgABAQAAAQABAAD'
const WEBP = 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA='
const base64 = (text: string) => Buffer.from(text).toString('base64')
const image = (data: string, media_type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
})
const left = { type: 'text', text: '[Image left out: it cannot be read]' }
const history = (block: unknown) => [{ role: 'user', content: [{ type: 'text', text: 'Größe?' }, block] }]
const round = (...content: unknown[]) => [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
]
const chat = (url: string) => [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]
const dialect = 'anthropic-messages'

testRule(imageUnreadable, {
  constraint: {},
  valid: {
    'an image of its type': { before: history(image(PNG)), dialect },
    'a WebP': { before: history(image(WEBP, 'image/webp')), dialect },
    'data of an unknown format': { before: history(image('QUJDREVG')), dialect },
    'a type that is not known here': { before: history(image(PNG, 'image/x-icon')), dialect },
    'an image that is a link': { before: chat('https://x.test/a.png'), dialect: 'openai-chat' },
    'a document': {
      before: history({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: base64('<html>') },
      }),
      dialect,
    },
    'an image in notation': `
      user: look | image`,
  },
  invalid: {
    'a page in the place of an image': {
      before: history(image(base64('<!DOCTYPE html><p>404'))),
      dialect,
      finds: ['text'],
      after: history(left),
    },
    'a drawing as text, an error as JSON and an empty file in one result': {
      before: round(image(base64('<svg xmlns')), image(PNG), image(base64('{"error":404}')), image('')),
      dialect,
      finds: ['text', 'text', 'empty'],
      after: round(left, image(PNG), left, left),
    },
    'another type than the one that is named': {
      before: round(image(JPEG), image(PNG, 'image/jpeg')),
      dialect,
      finds: ['type image/png image/jpeg', 'type image/jpeg image/png'],
      after: round(image(JPEG, 'image/jpeg'), image(PNG)),
    },
    'a WebP that is named PNG': {
      before: history(image(WEBP)),
      dialect,
      finds: ['type image/png image/webp'],
      after: history(image(WEBP, 'image/webp')),
    },
    'in the shape of OpenAI': {
      before: chat(`data:image/png;base64,${JPEG}`),
      dialect: 'openai-chat',
      finds: ['type image/png image/jpeg'],
      after: chat(`data:image/jpeg;base64,${JPEG}`),
    },
    'in the shape of Gemini': {
      before: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/jpeg', data: PNG } }] }],
      dialect: 'gemini',
      finds: ['type image/jpeg image/png'],
      after: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] }],
    },
    'in the shape of Bedrock': {
      before: [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: JPEG } } }] }],
      dialect: 'bedrock-converse',
      finds: ['type image/png image/jpeg'],
      after: [{ role: 'user', content: [{ image: { format: 'jpeg', source: { bytes: JPEG } } }] }],
    },
  },
})
