/** Rejections that were recorded from the services (docs/rejections.md): one table for each provider and endpoint. */

import type { Table } from '../table.ts'
import * as blocks from './blocks.ts'
import * as chat from './chat.ts'

const { assistant, call, hi, list, result, says, thinks, user } = blocks
const withResult = (content: unknown) => user({ ...result('IDa'), content })
const asked = [hi, assistant(call('IDa'))] as const

export const anthropicRecorded: Table = {
  to: { provider: 'anthropic' },
  accepted: {
    'text after a call: disputed, off by default': list(
      hi,
      assistant(call('IDa'), says('and so'), call('IDb')),
      user(result('IDa'), result('IDb')),
    ),
    'thinking, then a text': list(hi, assistant(thinks, says('ok')), hi),
    'a name of 200 characters': list(hi, assistant(call('IDa', { name: 'n'.repeat(200) })), user(result('IDa'))),
    'a result without content': list(...asked, user({ type: 'tool_result', tool_use_id: 'IDa' })),
    'an image in a result': list(...asked, withResult([blocks.image('aGk=')])),
  },
  rejected: {
    'thinking last': [
      list(hi, assistant(says('so'), thinks), hi),
      'thinking-last',
      'messages.1: The final block in an assistant message cannot be `thinking`.',
    ],
    'redacted thinking last': [
      list(hi, assistant({ type: 'redacted_thinking', data: 'c2VhbGVk' }), hi),
      'thinking-last',
      'messages.1: The final block in an assistant message cannot be `thinking`.',
    ],
    'no name': [
      list(hi, assistant(says('.'), call('IDa', { name: '' })), user(result('IDa'))),
      'tool-call-name-invalid',
      'messages.1.content.1.tool_use.name: String should have at least 1 character',
    ],
    'a name of 201 characters': [
      list(hi, assistant(call('IDa', { name: 'n'.repeat(201) })), user(result('IDa'))),
      'tool-call-name-invalid',
      'messages.1.content.0.tool_use.name: String should have at most 200 characters',
    ],
    'a name with a dot': [
      list(hi, assistant(call('IDa', { name: 'files.read' })), user(result('IDa'))),
      'tool-call-name-invalid',
      "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'",
    ],
    'an object for a result': [
      list(...asked, withResult({ ok: true })),
      'tool-result-shape',
      'messages.2.content.0.tool_result.content: Input should be a valid string',
    ],
    'a block without type in a result': [
      list(...asked, withResult([{ text: 'done' }])),
      'tool-result-shape',
      'messages.2.content.0.tool_result.content.0.type: Field required',
    ],
    'a text without text in a result': [
      list(...asked, withResult([{ type: 'text' }])),
      'tool-result-shape',
      'messages.2.content.0.tool_result.content.0.text.text: Field required',
    ],
    'annotations in a result': [
      list(...asked, withResult([says('done', { annotations: null })])),
      'tool-result-shape',
      'messages.2.content.0.tool_result.content.0.text.annotations: Extra inputs are not permitted',
    ],
    'a result in a result': [
      list(...asked, withResult([{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'done' }])),
      'tool-result-shape',
      "messages.2.content.0.tool_result.content.0: Input tag 'tool_result' found using 'type' does not match any of the expected tags: 'document', 'image', 'search_result', 'text', 'tool_reference'",
    ],
  },
}

export const anthropicDisputed: Table = {
  to: { provider: 'anthropic', disputed: true },
  accepted: { 'calls last': list(hi, assistant(says('so'), call('IDa')), user(result('IDa'))) },
  rejected: {
    'text after a call': [
      list(hi, assistant(call('IDa'), says('and so')), user(result('IDa'))),
      'text-after-tool-call',
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: IDa. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ],
  },
}

export const bedrockInvokeRecorded: Table = {
  to: { provider: 'bedrock', endpoint: 'messages' },
  accepted: { 'a user text after a message of results': list(...asked, user(result('IDa')), hi) },
  rejected: {
    'two user texts': [
      list(hi, hi),
      'role-order',
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    ],
  },
}

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }
const { calls, tool } = chat
const IMAGE =
  "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL."

export const openaiChatRecorded: Table = {
  to: { provider: 'openai' },
  accepted: {
    'an image in a result, gpt-5.2': chat.on('gpt-5.2', chat.user(), calls(chat.call('IDa')), tool('IDa', [image])),
    'an image in a result, model not named': chat.list(chat.user(), calls(chat.call('IDa')), tool('IDa', [image])),
    'an image of the user, gpt-4o': chat.on('gpt-4o', chat.user([image])),
  },
  rejected: {
    'two results of one id': [
      chat.list(chat.user(), calls(chat.call('IDa')), tool('IDa'), tool('IDa')),
      'tool-result-duplicate',
      "Invalid parameter: Duplicate value for 'tool_call_id' of 'IDa', in messages[2] and messages[3].",
    ],
    'arguments as an object': [
      chat.list(chat.user(), calls(chat.call('IDa', { arguments: { a: 1 } })), tool('IDa')),
      'tool-arguments-not-object',
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    ],
    'no arguments': [
      chat.list(chat.user(), calls({ id: 'IDa', type: 'function', function: { name: 'look' } }), tool('IDa')),
      'tool-arguments-not-object',
      "Missing required parameter: 'messages[1].tool_calls[0].function.arguments'.",
    ],
    'an image in a result, gpt-4o': [
      chat.on('gpt-4o', chat.user(), calls(chat.call('IDa')), tool('IDa', [image])),
      'tool-result-multimodal-unsupported',
      IMAGE,
    ],
    'an image in a result, gpt-5.1': [
      chat.on('gpt-5.1', chat.user(), calls(chat.call('IDa')), tool('IDa', [image])),
      'tool-result-multimodal-unsupported',
      IMAGE,
    ],
    'a call of Anthropic': [
      chat.list(chat.user(), chat.assistant([call('IDa')])),
      'content-shape',
      "Invalid value: 'tool_use'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
    ],
  },
}
