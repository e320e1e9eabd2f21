import type { Table } from '../table.ts'
import { assistant, call, calls, list, on, tool, user } from './chat.ts'

const MISSING =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
const ORPHAN =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
const long = 'ID'.padEnd(44, 'x')
const TOO_LONG = (limit: number, length: number) =>
  `Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`
const PATTERN = (param: string, pattern: string) =>
  `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`
const named = (name: string) => ({ type: 'function', function: { name } })

export const openaiPairing: Table = {
  to: { provider: 'openai' },
  accepted: {
    'calls answered in another order': list(user(), calls(call('IDa'), call('IDb')), tool('IDb'), tool('IDa')),
    'an id used again in a later turn': list(user(), calls(call('IDa')), tool('IDa'), calls(call('IDa')), tool('IDa')),
    'calls with no ids': list(user(), calls(call('')), tool('')),
    'an assistant last': list(user(), assistant('Well')),
  },
  rejected: {
    'no result': [list(user(), calls(call('IDa')), user()), 'tool-result-missing', `${MISSING}IDa`],
    'calls at the end': [list(user(), calls(call('IDa'))), 'tool-result-missing', `${MISSING}IDa`],
    'two of three': [
      list(user(), calls(call('IDa'), call('IDb'), call('IDc')), tool('IDb'), user()),
      'tool-result-missing',
      `${MISSING}IDa, IDc`,
    ],
    'a note between': [
      list(user(), calls(call('IDa')), { role: 'system', content: 'note' }, tool('IDa')),
      'tool-result-not-adjacent',
      `${MISSING}IDa`,
    ],
    'a result of nothing': [list(user(), tool('IDa')), 'tool-result-orphan', ORPHAN],
    'a result of another call': [list(user(), calls(call('IDa')), tool('IDx')), 'tool-result-orphan', ORPHAN],
    'one id on two calls': [
      list(user(), calls(call('IDa'), call('IDa')), tool('IDa')),
      'tool-call-id-duplicate',
      "Duplicate value for 'tool_call_id' of IDa in message[1]",
    ],
  },
}

export const openaiSchema: Table = {
  to: { provider: 'openai' },
  accepted: {
    'a call without text': list(user(), { ...calls(call('IDa')), content: null }, tool('IDa')),
    'tool_calls null': list(user(), assistant('ok', { tool_calls: null, function_call: null })),
    'an id of 44, model not named': list(user(), calls(call(long)), tool(long)),
    'an id of 44, gpt-5': on('gpt-5-mini', user(), calls(call(long)), tool(long)),
    'arguments that do not parse': list(user(), calls(call('IDa', { arguments: '{"a":' })), tool('IDa')),
    'a declared name with a dot, o4-mini': { ...on('o4-mini', user()), tools: [named('a.b')] },
  },
  rejected: {
    'no messages': [
      list(),
      'messages-empty',
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    'a part without a type': [
      list(user(), user([{ text: 'hi' }])),
      'content-shape',
      "Missing required parameter: 'messages[1].content[0].type'.",
    ],
    'an object for content': [
      list(user({ text: 'hi' })),
      'content-shape',
      "Invalid type for 'messages.[0].content': expected one of a string or array of objects, but got an object instead.",
    ],
    'user says null': [list(user(null)), 'content-null', "Invalid value for 'content': expected a string, got null."],
    'assistant says and calls nothing': [
      list(user(), assistant(null)),
      'content-null',
      "Invalid value for 'content': expected a string, got null.",
    ],
    'an unknown role': [
      list({ role: 'model', content: 'hi' }),
      'role-unknown',
      "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    ],
    'no calls in tool_calls': [
      list(user(), assistant('ok', { tool_calls: [] })),
      'tool-calls-empty-array',
      "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    'an id of 44, gpt-4o': [
      on('gpt-4o', user(), calls(call(long)), tool(long)),
      'tool-call-id-too-long',
      TOO_LONG(40, 44),
    ],
    'an id of 65': [list(user(), calls(call('x'.repeat(65)))), 'tool-call-id-too-long', TOO_LONG(64, 65)],
    'a name with a blank': [
      list(user(), calls(call('IDa', { name: 'look up' }))),
      'tool-call-name-invalid',
      PATTERN('messages[1].tool_calls[0].function.name', '^[a-zA-Z0-9_-]+$'),
    ],
    'an empty name': [
      list(user(), calls(call('IDa', { name: '' }))),
      'tool-call-name-invalid',
      "Invalid 'messages[1].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    ],
    'a user name with a blank': [
      list({ ...user(), name: 'Ada L' }),
      'message-name-invalid',
      PATTERN('messages[0].name', '^[^\\s<|\\\\/>]+$'),
    ],
    'too many tools': [
      { ...list(user()), tools: Array.from({ length: 129 }, (_, i) => named(`t${i}`)) },
      'tools-too-many',
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
    ],
    'a declared name with a dot, gpt-4o': [
      { ...on('gpt-4o', user()), tools: [named('a.b')] },
      'tool-declaration-name-invalid',
      PATTERN('tools[0].function.name', '^[a-zA-Z0-9_-]+$'),
    ],
    'a declared name with a blank, o4-mini': [
      { ...on('o4-mini', user()), tools: [named('a b')] },
      'tool-declaration-name-invalid',
      PATTERN('tools[0].function.name', '^[a-zA-Z0-9_\\.-]+$'),
    ],
  },
}

export const azureChat: Table = {
  to: { provider: 'azure' },
  accepted: { 'an id of 44, gpt-5': on('gpt-5', user(), calls(call(long)), tool(long)) },
  rejected: { 'an id of 44': [list(user(), calls(call(long)), tool(long)), 'tool-call-id-too-long', TOO_LONG(40, 44)] },
}

export const copilotChat: Table = {
  to: { provider: 'copilot' },
  accepted: { 'an assistant last': on('gpt-4.1', user(), assistant('Well')) },
  rejected: {
    'an assistant last, Claude': [
      on('claude-sonnet-4.6', user(), assistant('Well')),
      'last-assistant-prefill',
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    ],
  },
}
