/**
 * Named cases: histories that were rejected, or lost content, after a default repair. Found by mutations of real
 * conversations that share no code with the kit. Each must be accepted by the contract, keep every marked word, and
 * keep its calls as calls.
 */
import { describe, it } from 'vitest'
import { type Case, chat, contents, converse, items, KEPT, keepsAll, messages, PNG } from './fidelity-case.ts'

const go = { role: 'user', content: 'go' }
const args = JSON.stringify({ text: KEPT })
const called = { role: 'assistant', content: null, tool_calls: [chatCall({ name: 'run', arguments: args })] }
const tool = { role: 'tool', tool_call_id: 'a', content: 'done' }
const item = { type: 'function_call', call_id: 'a', name: 'run', arguments: args }
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: { text: KEPT } }] }
const answer = (content: unknown) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] })
const hi = { role: 'user', content: [{ text: 'go' }] }
const toolUse = (inner: object) => ({
  role: 'assistant',
  content: [{ toolUse: { toolUseId: 'a', name: 'run', ...inner } }],
})
const toolResult = (content: unknown) => ({ role: 'user', content: [{ toolResult: { toolUseId: 'a', content } }] })
const asked = { role: 'user', parts: [{ text: 'go' }] }
const model = { role: 'model', parts: [{ functionCall: { name: 'run', args: { text: KEPT } } }] }
const response = { functionResponse: { name: 'run', response: { output: 'done' } } }

function chatCall(inner: unknown) {
  return { id: 'a', type: 'function', function: inner }
}

const cases: Readonly<Record<string, Case>> = {
  'the name of a call where its function belongs': {
    ...chat(go, { ...called, tool_calls: [{ id: 'a', function: 'run', arguments: args }] }, tool),
    rule: 'content-shape',
  },
  'arguments under a key that no API has': {
    ...chat(go, { ...called, tool_calls: [chatCall({ name: 'run', argumentsJson: args })] }, tool),
    rule: 'content-shape',
  },
  'calls as JSON text': {
    ...chat(go, { ...called, tool_calls: JSON.stringify(called.tool_calls) }, tool),
    rule: 'content-shape',
  },
  'calls under the role of a tool': { ...chat(go, { ...called, role: 'tool' }, tool), rule: 'tool-call-role' },
  'calls on a result': {
    ...chat(go, called, { ...tool, tool_calls: [chatCall({ name: 'other', arguments: '{"x":"EXTRA"}' })] }),
    words: [KEPT, 'EXTRA'],
    rule: 'tool-call-role',
  },
  'a result under another key': {
    ...chat(go, called, { role: 'tool', tool_call_id: 'a', data: KEPT }),
    rule: 'content-shape',
  },
  'content under a misspelled key': {
    ...chat(go, { role: 'user', contents: KEPT }),
    pairs: 0,
    rule: 'content-missing',
  },
  'content under a key that no API has': {
    ...chat(go, { role: 'user', said: KEPT }),
    pairs: 0,
    rule: 'content-missing',
  },
  'calls under a misspelled key': {
    ...chat(go, { role: 'assistant', content: null, tool_call: called.tool_calls }, go),
    rule: 'content-shape',
  },
  'calls under two names of their list': {
    ...chat(go, { ...called, toolCalls: called.tool_calls, tool_calls: [] }, tool),
    rule: 'content-shape',
  },
  'the function of a call in a list': {
    ...chat(go, { ...called, tool_calls: [chatCall([{ name: 'run', arguments: args }])] }, tool),
    provider: 'deepseek',
    rule: 'content-shape',
  },
  'two functions of one call': {
    ...chat(go, { ...called, tool_calls: [chatCall([{ name: 'run', arguments: args }, { name: 'OTHER' }])] }, tool),
    words: [KEPT, 'OTHER'],
    rule: 'content-shape',
  },
  'the function of a call as JSON text': {
    ...chat(go, { ...called, tool_calls: [chatCall(JSON.stringify({ name: 'run', arguments: args }))] }, tool),
    rule: 'content-shape',
  },
  'two outputs of a result without its call': {
    ...chat(go, { role: 'tool', tool_call_id: 'b', message: KEPT, content: 'SECOND output' }),
    words: [KEPT, 'SECOND output'],
    pairs: 0,
    rule: 'tool-result-orphan',
  },
  'two outputs of an item without its call': {
    ...items(go, { type: 'function_call_output', call_id: 'b', data: KEPT, output: [{}] }),
    pairs: 0,
    rule: 'tool-result-orphan',
  },
  'a call without an id, and its result too': {
    ...chat(go, { ...called, tool_calls: [{ ...called.tool_calls[0], id: null }] }, { role: 'tool', content: 'done' }),
    rule: 'tool-call-id-empty',
  },
  'the output of an item under another key': {
    ...items(go, item, { type: 'function_call_output', call_id: 'a', data: KEPT }),
    rule: 'content-shape',
  },
  'a reasoning item without a summary': {
    ...items(go, { type: 'reasoning', encrypted_content: 'gAAAAB' }, item, {
      type: 'function_call_output',
      call_id: 'a',
      output: '',
    }),
    rule: 'reasoning-summary-missing',
  },
  'a text part of the chat API in an item': {
    ...items({ role: 'user', content: [{ type: 'text', text: KEPT }] }),
    pairs: 0,
    rule: 'content-part-direction',
  },
  'an image of a tool server in an output': {
    ...items(go, item, {
      type: 'function_call_output',
      call_id: 'a',
      output: [
        { type: 'text', text: 'seen' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
      ],
    }),
    words: [KEPT, 'seen', PNG],
    rule: 'tool-result-shape',
  },
  'an image of a tool server in a result': {
    ...messages(go, use, answer([{ type: 'image', data: PNG, mimeType: 'image/png' }])),
    words: [KEPT, PNG],
    rule: 'tool-result-shape',
  },
  'an image of the chat API in a result': {
    ...messages(go, use, answer([{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }])),
    words: [KEPT, PNG],
    rule: 'tool-result-shape',
  },
  'a resource of a tool server in a result': {
    ...messages(go, use, answer([{ type: 'resource', resource: { uri: 'file:///a', text: 'READ words' } }])),
    words: [KEPT, 'READ words'],
    rule: 'tool-result-shape',
  },
  'results under a misspelled key': {
    ...messages(go, use, { role: 'user', contents: answer('RESULT').content }),
    words: [KEPT, 'RESULT'],
    rule: 'content-missing',
  },
  'a type that is a list': {
    ...messages(go, { role: 'assistant', content: [{ type: ['text'], text: KEPT }] }, go),
    pairs: 0,
    rule: 'content-shape',
  },
  'an answer first, Bedrock': {
    ...converse({ role: 'assistant', content: [{ text: KEPT }] }, hi),
    pairs: 0,
    rule: 'first-not-user',
  },
  'arguments as JSON text, Bedrock': {
    ...converse(hi, toolUse({ input: args }), toolResult([{ text: 'done' }])),
    rule: 'tool-arguments-not-object',
  },
  'a call without an id, Bedrock': {
    ...converse(hi, toolUse({ toolUseId: undefined, input: { text: KEPT } }), toolResult([{ text: 'done' }])),
    rule: 'tool-call-id-empty',
  },
  'a result that is a text, Bedrock': {
    ...converse(hi, toolUse({ input: { text: KEPT } }), toolResult('RESULT')),
    words: [KEPT, 'RESULT'],
    rule: 'tool-result-shape',
  },
  'a result that is a number, Bedrock': {
    ...converse(hi, toolUse({ input: { text: KEPT } }), toolResult(4217)),
    words: [KEPT, '4217'],
    rule: 'tool-result-shape',
  },
  'blocks of the Messages API in a Bedrock result': {
    ...converse(
      hi,
      toolUse({ input: { text: KEPT } }),
      toolResult([
        { type: 'text', text: 'RESULT' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ]),
    ),
    words: [KEPT, 'RESULT', PNG],
    rule: 'tool-result-shape',
  },
  'blocks with a type, Bedrock': {
    ...converse({ type: 'message', id: 'msg_1', role: 'user', content: [{ type: 'input_text', text: KEPT }] }),
    pairs: 0,
    rule: 'unknown-field',
  },
  'keys in snake case beside an image of the Messages API, Bedrock': {
    ...converse(
      hi,
      {
        role: 'assistant',
        content: [
          { tool_use: { tool_use_id: 'a', name: 'run', input: { text: KEPT } } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        ],
      },
      { role: 'user', content: [{ tool_result: { tool_use_id: 'a', content: [{ text: 'RESULT' }] } }] },
    ),
    words: [KEPT, 'RESULT', PNG],
    rule: 'content-shape',
  },
  'a call in a list, Bedrock': {
    ...converse(
      hi,
      { role: 'assistant', content: [{ toolUse: [toolUse({ input: { text: KEPT } }).content[0]!.toolUse] }] },
      toolResult([{ text: 'done' }]),
    ),
    rule: 'content-shape',
  },
  'a response in a list': {
    ...contents(asked, model, { role: 'user', parts: [{ functionResponse: [response.functionResponse] }] }),
    rule: 'content-shape',
  },
  'a response among the parts of the model': {
    ...contents(
      asked,
      {
        role: 'model',
        parts: [{ functionResponse: { name: 'x', response: { output: 'LATE words' } } }, ...model.parts],
      },
      { role: 'user', parts: [response] },
    ),
    words: [KEPT, 'LATE words'],
    rule: 'tool-result-orphan',
  },
  'a call without a name': {
    ...contents(
      asked,
      { role: 'model', parts: [{ functionCall: { name: '', args: { text: KEPT } } }] },
      { role: 'user', parts: [response] },
    ),
    rule: 'tool-call-name-invalid',
  },
  'an invalid text': {
    ...contents({ role: 'user', parts: [{ text: { value: KEPT } }] }),
    pairs: 0,
    rule: 'content-shape',
  },
}

describe('found by mutations of real conversations', () => {
  it.each(Object.entries(cases))('%s', (_name, one) => keepsAll(one))
})
