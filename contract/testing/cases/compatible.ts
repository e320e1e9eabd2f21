import type { Table } from '../table.ts'
import { assistant, call, calls, list, on, tool, user } from './chat.ts'

const open = list(user(), calls(call('IDa')), user())
const apart = list(user(), calls(call('IDa')), user(), tool('IDa'))
const orphan = list(user(), tool('IDa'))
const cut = call('IDa', { arguments: '{"a":' })
const thought = (...more: unknown[]) => [user(), ...more, tool('IDa')]

export const mistral: Table = {
  to: { provider: 'mistral' },
  accepted: {
    'an id of nine': list(user(), calls(call('abcdefID1')), tool('abcdefID1')),
    'no calls in tool_calls': list(user(), assistant('ok', { tool_calls: [] }), user()),
    'a prompt after a result': list(user(), calls(call('abcdefID1')), tool('abcdefID1'), user()),
    'a prefix last': list(user(), assistant('Well', { prefix: true })),
  },
  rejected: {
    'a foreign id': [
      list(user(), calls(call('38f04IDea1')), tool('38f04IDea1')),
      'tool-call-id-format',
      'Tool call id was 38f04IDea1 but must be a-z, A-Z, 0-9, with a length of 9.',
    ],
    'a result of nothing': [
      list(user(), tool('abcdefID1')),
      'tool-result-orphan',
      "Unexpected role 'tool' after role 'user'",
    ],
    'one result for two calls': [
      list(user(), calls(call('abcdefID1'), call('abcdefID2')), tool('abcdefID1')),
      'tool-result-count-mismatch',
      'Not the same number of function calls and responses',
    ],
    'no result': [
      list(user(), calls(call('abcdefID1')), user()),
      'tool-result-count-mismatch',
      'Not the same number of function calls and responses',
    ],
    'an assistant last': [
      list(user(), assistant('ok')),
      'last-assistant-prefill',
      'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    ],
    'reasoning of another provider': [
      list(user(), assistant('ok', { reasoning_content: 'hm' }), user()),
      'reasoning-content-forbidden',
      'Extra inputs are not permitted',
      422,
    ],
    'a name on a user': [list({ ...user(), name: 'Ada' }), 'unknown-field', 'Extra inputs are not permitted', 422],
  },
}

export const deepseek: Table = {
  to: { provider: 'deepseek' },
  accepted: {
    'empty reasoning, V4': on('deepseek-v4-flash', ...thought({ ...calls(call('IDa')), reasoning_content: '' })),
    'no reasoning, chat': on('deepseek-chat', ...thought(calls(call('IDa')))),
    'no reasoning, model not named': list(...thought(calls(call('IDa')))),
    'thinking switched off, V4': {
      ...on('deepseek-v4-flash', ...thought(calls(call('IDa')))),
      thinking: { type: 'disabled' },
    },
  },
  rejected: {
    'no result': [
      open,
      'tool-result-missing',
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
    ],
    'a result of nothing': [
      orphan,
      'tool-result-orphan',
      "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    ],
    'one id on two calls': [
      list(user(), calls(call('IDa'), call('IDa')), tool('IDa')),
      'tool-call-id-duplicate',
      "Duplicate value for 'tool_call_id' of IDa in message[1]",
    ],
    'two results': [
      list(user(), calls(call('IDa')), tool('IDa'), tool('IDa')),
      'tool-result-duplicate',
      "Duplicate value for 'tool_call_id' of IDa in message[3]",
    ],
    'no reasoning, V4': [
      on('deepseek-v4-pro', ...thought(calls(call('IDa')))),
      'reasoning-content-missing',
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
    ],
    'no reasoning, V3.2': [
      on('deepseek-reasoner', ...thought(calls(call('IDa')))),
      'reasoning-content-missing',
      'Missing `reasoning_content` field in the assistant message at message index 1. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls',
    ],
    'two user turns, R1': [
      on('deepseek-reasoner', user(), user()),
      'role-order',
      'deepseek-reasoner does not support successive user or assistant messages (messages[0] and messages[1] in your input). You should interleave the user/assistant messages in the message sequence.',
    ],
    'a role it does not know': [
      list({ role: 'function', content: 'done' }),
      'role-unknown',
      'Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `function`, expected one of `system`, `user`, `assistant`, `tool`',
      422,
    ],
  },
}

export const deepseekMessages: Table = {
  to: { provider: 'deepseek', endpoint: 'messages', model: 'deepseek-v4-pro' },
  accepted: { 'one prompt': list(user()) },
  rejected: {
    'calls without thinking': [
      list(
        user(),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'IDa', name: 'look', input: {} }] },
        user([{ type: 'tool_result', tool_use_id: 'IDa' }]),
      ),
      'reasoning-content-missing',
      'The content[].thinking in the thinking mode must be passed back to the API',
    ],
  },
}

export const moonshot: Table = {
  to: { provider: 'moonshot' },
  accepted: {
    'a result of nothing': orphan,
    'an id used again': list(user(), calls(call('look:0')), tool('look:0'), calls(call('look:0')), tool('look:0')),
  },
  rejected: {
    'no result': [
      open,
      'tool-result-missing',
      "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: IDa",
    ],
    'an empty turn': [
      list(user(), assistant('')),
      'content-empty',
      "Invalid request: the message at position 1 with role 'assistant' must not be empty",
    ],
    'no reasoning, K2.5': [
      on('kimi-k2.5', ...thought(calls(call('IDa')))),
      'reasoning-content-missing',
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
    ],
  },
}

const ALGO = '<400> InternalError.Algo.InvalidParameter: '
export const dashscope: Table = {
  to: { provider: 'dashscope' },
  accepted: { 'content null beside calls': list(user(), { ...calls(call('IDa')), content: null }, tool('IDa')) },
  rejected: {
    'no result': [
      open,
      'tool-result-missing',
      `${ALGO}An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[2].role`,
    ],
    'a prompt between': [
      apart,
      'tool-result-not-adjacent',
      `${ALGO}An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[2].role`,
    ],
    'a result of nothing': [
      orphan,
      'tool-result-orphan',
      `${ALGO}messages with role "tool" must be a response to a preceeding message with "tool_calls".`,
    ],
    'arguments cut short': [
      list(user(), calls(cut), tool('IDa')),
      'tool-arguments-not-json',
      `${ALGO}The "function.arguments" parameter of the code model must be in JSON format.`,
    ],
    'no content': [list({ role: 'user' }), 'content-missing', `${ALGO}The content field is a required field.`],
    'an object for content': [
      list(user({ text: 'hi' })),
      'content-shape',
      "Invalid type for 'messages.[0].content': expected one of a string or array of objects, but got an object instead.",
    ],
    'no calls in tool_calls': [
      list(user(), assistant('ok', { tool_calls: [] })),
      'tool-calls-empty-array',
      'Empty tool_calls is not supported in message',
    ],
  },
}
