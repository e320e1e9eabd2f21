import type { Table } from '../table.ts'
import { assistant, call, hi, image, list, result, says, thinks, user } from './blocks.ts'

/** The first bytes of a PNG of this width. */
function png(width: number): string {
  const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\x01', 'latin1')
  head.writeUInt32BE(width, 16)
  return head.toString('base64')
}

/** More than 20 images: a request with many images. */
function many(data: string): readonly unknown[] {
  return Array.from({ length: 21 }, () => image(data))
}

export const anthropicSchema: Table = {
  to: { provider: 'anthropic' },
  accepted: {
    'an unknown kind of block': list(user({ type: 'search_result', more: 1 })),
    'who called, echoed back': list(hi, assistant(call('IDa', { caller: { type: 'direct' } })), user(result('IDa'))),
    'a small image': list(user(image(png(8000)))),
    'many small images': list(user(...many(png(2000)))),
  },
  rejected: {
    'no messages': [list(), 'messages-empty', 'messages: at least one message is required'],
    'a string for a message': [list('hi'), 'message-shape', 'messages.0: Input does not match the expected shape.'],
    'a string for a block': [
      list(user('hi')),
      'content-shape',
      'messages.0.content.0: Input does not match the expected shape.',
    ],
    'no content': [list({ role: 'user' }), 'content-missing', 'messages.0.content: Field required'],
    'a role of another dialect': [
      list(hi, { role: 'tool', content: 'done' }),
      'role-unknown',
      'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"',
    ],
    'an id of Kimi': [
      list(hi, assistant(says('.'), call('functions.bash:0'))),
      'tool-call-id-format',
      "messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    'an empty id': [
      list(hi, assistant(call(''))),
      'tool-call-id-empty',
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    'arguments as text': [
      list(hi, assistant(call('IDa', { input: '{"a":' }))),
      'tool-arguments-not-object',
      'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
    ],
    'thinking without signature': [
      list(hi, assistant({ type: 'thinking', thinking: 'hm' })),
      'thinking-signature-missing',
      'messages.1.content.0.thinking.signature: Field required',
    ],
    'thinking without text': [
      list(hi, assistant({ type: 'thinking', signature: 'c2tpcA==' })),
      'thinking-text-missing',
      'messages.1.content.0.thinking.thinking: Field required',
    ],
    'thinking with an empty signature': [
      list(hi, assistant({ ...thinks, signature: '' })),
      'thinking-signature-invalid',
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    'a field of the reply, echoed': [
      list(hi, assistant(call('IDa', { index: 0 })), user(result('IDa'))),
      'unknown-field',
      'messages.1.content.0.tool_use.index: Extra inputs are not permitted',
    ],
    'a field of the reply on the message': [
      list(hi, { ...assistant(says('ok')), stop_reason: 'end_turn' }, hi),
      'unknown-field',
      'messages.1.stop_reason: Extra inputs are not permitted',
    ],
    'half an emoji in a key': [
      { ...list(hi), metadata: { '\ud83d': 1 } },
      'lone-surrogate',
      'The request body is not valid JSON: no low surrogate in string: line 1 column 80 (char 79)',
    ],
    'the other half of an emoji': [
      list(user(says('a\udca9'))),
      'lone-surrogate',
      'The request body is not valid JSON: invalid high surrogate in string: line 1 column 64 (char 63)',
    ],
    'an image too wide': [
      list(user(image(png(8001)))),
      'image-too-large-dimension',
      'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    ],
    'an image without data': [
      list(user(image(''))),
      'image-unreadable',
      'messages.0.content.0.image.source.base64: image cannot be empty',
    ],
    'a page in the place of an image': [
      list(user(image(Buffer.from('<!DOCTYPE html>').toString('base64')))),
      'image-unreadable',
      'Could not process image',
    ],
    'a JPEG that is named PNG': [
      list(user(image('/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD'))),
      'image-unreadable',
      'messages.0.content.0.image.source.base64: The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
    ],
    'one of many images too wide': [
      list(user(...many(png(2001)))),
      'image-too-large-dimension',
      'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    ],
    'an image too large': [
      list(user(image('A'.repeat(5_242_881)))),
      'image-too-large-bytes',
      'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242881 bytes > 5242880 bytes',
    ],
  },
}
