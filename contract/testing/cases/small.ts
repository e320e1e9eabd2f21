import type { Table } from '../table.ts'
import { assistant, call, calls, list, on, tool, user } from './chat.ts'

const open = list(user(), calls(call('IDa')), user())
const cut = list(user(), calls(call('IDa', { arguments: '{"a":' })), tool('IDa'))

export const zhipu: Table = {
  to: { provider: 'zhipu' },
  accepted: { 'no result': open },
  rejected: {
    'no user at all': [
      list({ role: 'system', content: 'x' }, assistant('ok')),
      'no-user-message',
      'The messages parameter is illegal. Please check the documentation.',
    ],
  },
}

export const bigmodel: Table = {
  to: { provider: 'zhipu', headers: { Host: 'open.bigmodel.cn' } },
  accepted: {},
  rejected: { 'no user at all': [list(assistant('ok')), 'no-user-message', 'messages 参数非法。请检查文档。'] },
}

export const xai: Table = {
  to: { provider: 'xai' },
  accepted: {
    'no result': open,
    'a call without text': list(user(), { role: 'assistant', tool_calls: [call('IDa')] }, tool('IDa')),
  },
  rejected: {
    'no parts': [
      list(user(), { ...calls(call('IDa')), content: [] }),
      'content-empty',
      'Invalid request content: Each message must have at least one content element.',
    ],
    'an empty string': [
      list(user(), assistant('')),
      'content-empty',
      'An empty message was provided. Every message needs at least one non-empty content element.',
    ],
  },
}

export const groq: Table = {
  to: { provider: 'groq' },
  accepted: {
    'no result': open,
    'no content beside calls': list(user(), { role: 'assistant', tool_calls: [call('IDa')] }),
  },
  rejected: {
    'no content': [
      list(user(), calls(call('IDa')), { role: 'tool', tool_call_id: 'IDa' }),
      'content-missing',
      "'messages.2' : for 'role:tool' the following must be satisfied[('messages.2.content' : property 'content' is missing)]",
    ],
  },
}

export const cerebras: Table = {
  to: { provider: 'cerebras' },
  accepted: { 'a result of nothing': list(user(), tool('IDa')) },
  rejected: {
    'content null': [
      list(user(), { ...calls(call('IDa')), content: null }, tool('IDa')),
      'content-null',
      "'NoneType' object is not iterable",
    ],
    'reasoning of another provider': [
      list(user(), assistant('ok', { reasoning_content: 'hm' })),
      'reasoning-content-forbidden',
      "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
    ],
  },
}

const SHOULD_ALTERNATE = 'After the (optional) system message(s), user and assistant roles should be alternating.'

export const perplexity: Table = {
  to: { provider: 'perplexity' },
  accepted: {
    'no result': open,
    'two system messages first': list({ role: 'system', content: 'x' }, { role: 'system', content: 'y' }, user()),
    'a tool round': list(user(), calls(call('IDa'), call('IDb')), tool('IDa'), tool('IDb'), assistant('ok'), user()),
  },
  rejected: {
    'two user turns': [list(user(), user()), 'role-order', SHOULD_ALTERNATE],
    'two assistant turns': [list(user(), assistant('a'), assistant('b'), user()), 'role-order', SHOULD_ALTERNATE],
  },
}

const SCREEN = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

export const mimo: Table = {
  to: { provider: 'mimo' },
  accepted: {
    'no result': open,
    'a call without text': list(user(), calls(call('IDa')), tool('IDa')),
    'an image of the user': list(user([{ type: 'text', text: 'see' }, SCREEN])),
    'a result in parts': list(user(), calls(call('IDa')), tool('IDa', [{ type: 'text', text: 'done' }])),
  },
  rejected: {
    'no parts': [
      list(user(), assistant('ok'), assistant([]), user()),
      'content-empty',
      'messages[2] assistant content must contain at least one part',
    ],
    'an image in a result': [
      list(user(), calls(call('IDa')), tool('IDa', [{ type: 'text', text: 'taken' }, SCREEN])),
      'tool-result-multimodal-unsupported',
      'text is not set',
    ],
    'an image alone in a result': [
      list(user(), calls(call('IDa')), tool('IDa', [SCREEN])),
      'tool-result-multimodal-unsupported',
      'text is not set',
    ],
  },
}

const ALTERNATE =
  'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...'

export const llamacpp: Table = {
  to: { provider: 'llamacpp' },
  accepted: {
    'no result': open,
    'an assistant last': list(user(), assistant('Well')),
    'two user turns': on('qwen3', user(), user()),
  },
  rejected: {
    'an assistant last, thinking': [
      { ...list(user(), assistant('Well')), chat_template_kwargs: { enable_thinking: true } },
      'last-assistant-prefill',
      'Assistant response prefill is incompatible with enable_thinking.',
    ],
    'two assistants last': [
      list(user(), assistant('a'), assistant('b')),
      'role-order',
      'Cannot have 2 or more assistant messages at the end of the list.',
    ],
    'arguments cut short': [cut, 'tool-arguments-not-json', 'Failed to parse tool call arguments as JSON', 500],
    'two user turns, Mistral': [on('mistral-7b-instruct', user(), user()), 'role-order', ALTERNATE],
  },
}

export const vllm: Table = {
  to: { provider: 'vllm' },
  accepted: {
    'arguments cut short': cut,
    'a tool round, Mistral': on(
      'mistral-7b',
      user(),
      calls(call('IDa000001')),
      tool('IDa000001'),
      assistant('ok'),
      user(),
    ),
    'ids of any kind, another model': on('qwen3', user(), calls(call('a.b:0')), user()),
  },
  rejected: {
    'two user turns, Mistral': [on('mistralai/Mistral-7B', user(), user()), 'role-order', ALTERNATE],
    'a foreign id, Mistral': [
      on('mistral-7b', user(), calls(call('IDa')), tool('IDa'), assistant('ok'), user()),
      'tool-call-id-format',
      'Tool call id was IDa but must be a-z, A-Z, 0-9, with a length of 9.',
    ],
    'a call too many, Mistral': [
      on('mistral-7b', user(), calls(call('IDa000001'), call('IDb000002')), tool('IDa000001'), assistant('ok'), user()),
      'tool-result-count-mismatch',
      'Not the same number of function calls and responses',
    ],
    'the assistant last, Mistral': [
      on('mistral-7b', user(), assistant('ok')),
      'last-assistant-prefill',
      'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    ],
  },
}

export const ollama: Table = {
  to: { provider: 'ollama' },
  accepted: { 'no result': open },
  rejected: {
    'two assistants last': [
      list(user(), assistant('a'), assistant('b')),
      'role-order',
      'Cannot have 2 or more assistant messages at the end of the list.',
    ],
  },
}

export const openrouter: Table = {
  to: { provider: 'openrouter' },
  accepted: { 'no reasoning, Kimi': on('moonshotai/kimi-k2.5', user(), calls(call('IDa')), tool('IDa')) },
  rejected: {
    'a result of nothing, Mistral': [
      on('mistralai/mistral-small', user(), tool('abcdefID1')),
      'tool-result-orphan',
      "Unexpected role 'tool' after role 'user'",
    ],
    'no result, DeepSeek': [
      on('deepseek/deepseek-chat', user(), calls(call('IDa')), user()),
      'tool-result-missing',
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
    ],
    'an assistant last, Claude': [
      on('anthropic/claude-sonnet-4.6', user(), assistant('Well')),
      'last-assistant-prefill',
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    ],
  },
}
