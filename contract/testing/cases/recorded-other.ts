/** Rejections that were recorded from the services (docs/rejections.md), other endpoints. */

import type { Table } from '../table.ts'
import { assistant, user } from './blocks.ts'
import * as chat from './chat.ts'

const { calls, tool } = chat

const item = (type: string, more: object = {}) => ({ type, call_id: 'IDa', ...more })
const asks = { role: 'user', content: 'hi' }
const calling = item('function_call', { name: 'look', arguments: '{}' })
const output = item('function_call_output', { output: 'done' })

export const responsesRecorded: Table = {
  to: { provider: 'openai-responses' },
  accepted: {
    'an empty output': { input: [asks, calling, { ...output, output: '' }] },
    'metadata of Codex': { input: [{ ...asks, internal_chat_message_metadata_passthrough: {} }] },
  },
  rejected: {
    'no output': [
      { input: [asks, calling, item('function_call_output')] },
      'tool-result-shape',
      "Missing required parameter: 'input[2].output'.",
    ],
    'an output of null': [
      { input: [asks, calling, { ...output, output: null }] },
      'tool-result-shape',
      "Missing required parameter: 'input[2].output'.",
    ],
    'an output without type': [
      { input: [asks, calling, { call_id: 'IDa', output: 'done' }] },
      'message-shape',
      "Missing required parameter: 'input[2].type'.",
    ],
    'an empty name': [
      { input: [asks, { ...calling, name: '' }, output] },
      'tool-call-name-invalid',
      "Invalid 'input[1].name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    ],
    'an id of a message without underscore': [
      { input: [{ type: 'message', id: 'msgIDa', role: 'assistant', content: 'hi' }, asks] },
      'item-id-prefix',
      "Invalid 'id': message id must be a string starting with 'msg_'",
    ],
  },
}

export const deepseekResponsesRecorded: Table = {
  to: { provider: 'deepseek', endpoint: 'responses' },
  accepted: {
    'two calls, two outputs': {
      input: [asks, calling, { ...calling, call_id: 'IDb' }, output, { ...output, call_id: 'IDb' }],
    },
  },
  rejected: {
    'a message between call and output': [
      { input: [asks, calling, { role: 'assistant', content: 'so' }, output] },
      'tool-result-not-adjacent',
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
    ],
  },
}

const says2 = { role: 'user', parts: [{ text: 'hi' }] }
const calls2 = { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }
const responds = (more: object = {}) => ({ functionResponse: { name: 'look', response: { output: 'done' }, ...more } })

export const geminiRecorded: Table = {
  to: { provider: 'gemini' },
  accepted: {
    'a call without arguments': {
      contents: [
        says2,
        { role: 'model', parts: [{ functionCall: { name: 'look' } }] },
        { role: 'user', parts: [responds()] },
      ],
    },
  },
  rejected: {
    'a response without name': [
      { contents: [says2, calls2, { role: 'user', parts: [responds({ name: '' })] }] },
      'tool-result-name-missing',
      '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.',
    ],
    'arguments as text': [
      { contents: [says2, { role: 'model', parts: [{ functionCall: { name: 'look', args: '{}' } }] }, says2] },
      'tool-arguments-not-object',
      "Invalid value at 'contents[1].parts[0].function_call.args' (type.googleapis.com/google.protobuf.Struct)",
    ],
    'a call and a response in one turn': [
      { contents: [says2, { role: 'model', parts: [...calls2.parts, responds()] }, says2] },
      'tool-result-mixed-with-other-parts',
      'Please ensure that function call turn contains at least one function_call part which can not be mixed with function_response parts.',
    ],
  },
}

const toolUse = { toolUse: { toolUseId: 'IDa', name: 'look', input: {} } }
const toolResult = (content: unknown) => ({ toolResult: { toolUseId: 'IDa', content: [content] } })
const turns = (...messages: unknown[]) => ({ messages, toolConfig: { tools: [{ toolSpec: { name: 'look' } }] } })
const hello = user({ text: 'hi' })

export const bedrockRecorded: Table = {
  to: { provider: 'bedrock' },
  accepted: { 'an object as json': turns(hello, assistant(toolUse), user(toolResult({ json: { ok: true } }))) },
  rejected: {
    'one id on two calls': [
      turns(hello, assistant(toolUse, toolUse), user(toolResult({ text: 'done' }))),
      'tool-call-id-duplicate',
      'The toolUse blocks at messages.1.content contain duplicate Ids: IDa',
    ],
    'a list as json': [
      turns(hello, assistant(toolUse), user(toolResult({ json: [1] }))),
      'tool-result-not-object',
      'The format of the value at messages.2.content.0.toolResult.content.0.json is invalid. Provide a json object for the field and try again.',
    ],
  },
}

const MINIMAX = 'invalid params, tool call result does not follow tool call (2013)'

export const minimax: Table = {
  to: { provider: 'minimax' },
  accepted: { 'a call and its result': chat.list(chat.user(), calls(chat.call('IDa')), tool('IDa')) },
  rejected: {
    'a note between': [
      chat.list(chat.user(), calls(chat.call('IDa')), chat.user(), tool('IDa')),
      'tool-result-not-adjacent',
      MINIMAX,
    ],
    'one id on two calls': [
      chat.list(chat.user(), calls(chat.call('IDa'), chat.call('IDa')), tool('IDa')),
      'tool-call-id-duplicate',
      MINIMAX,
    ],
  },
}

export const cerebrasRecorded: Table = {
  to: { provider: 'cerebras' },
  accepted: { 'a whole character': chat.list(chat.user('\u{1F600}')) },
  rejected: {
    'half a character': [
      chat.list(chat.user('cut \ud83d')),
      'lone-surrogate',
      'Invalid JSON: lone leading surrogate in hex escape at line 1 column 44',
    ],
  },
}
