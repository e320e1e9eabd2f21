/**
 * Rejections reported in 2026, one case each: the contract has the provider's words, lint names the rule, a default
 * repair is accepted, and the words lead back to the rule.
 */
import { describe, expect, it } from 'vitest'
import { judge } from '../contract/judge.ts'
import { explain } from '../src/guard/index.ts'
import { dialects } from '../src/index.ts'
import { endpoints } from './dialect-table.ts'
import { chat, contents, converse, items, messages, PNG } from './fidelity-case.ts'
import { lint, repair } from './untyped-api.ts'

interface Row {
  readonly provider: string
  readonly dialect: string
  readonly history: readonly unknown[]
  readonly model?: string
  readonly rule: string
  /** The provider's text. */
  readonly says: RegExp
  /** The rule that the words lead to, where it is not the one that lint reports as an error. */
  readonly leads?: string
}

const go = { role: 'user', content: 'go' }
const call = (inner: object = {}) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run', arguments: '{}', ...inner } }],
})
const tool = { role: 'tool', tool_call_id: 'call_1', content: 'done' }
const use = (inner: object = {}) => ({ type: 'tool_use', id: 'a', name: 'run', input: {}, ...inner })
const used = { role: 'assistant', content: [use()] }
const result = (content: unknown) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] })
const item = { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: 'done' }
const asked = { role: 'user', parts: [{ text: 'go' }] }
const functionCall = { functionCall: { name: 'run', args: {} } }
const response = (inner: object = {}) => ({
  functionResponse: { name: 'run', response: { output: 'done' }, ...inner },
})
const hi = { role: 'user', content: [{ text: 'go' }] }
const toolUse = { toolUse: { toolUseId: 'a', name: 'run', input: {} } }
const toolResult = (content: unknown) => ({ toolResult: { toolUseId: 'a', content } })

const rows: Readonly<Record<string, Row>> = {
  'Anthropic: thinking is the last block': {
    ...messages(go, { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 'c2ln' }] }, go),
    rule: 'thinking-last',
    says: /final block in an assistant message cannot be `?thinking/,
  },
  'Anthropic: a call without a name': {
    ...messages(go, { role: 'assistant', content: [use({ name: '' })] }, result('done')),
    rule: 'tool-call-name-invalid',
    says: /tool_use\.name: String should have at least 1 character/,
  },
  'Anthropic: a name of 201 characters': {
    ...messages(go, { role: 'assistant', content: [use({ name: 'n'.repeat(201) })] }, result('done')),
    rule: 'tool-call-name-invalid',
    says: /tool_use\.name: String should have at most 200 characters/,
  },
  'Anthropic: a result that is an object': {
    ...messages(go, used, result({ a: 1 })),
    rule: 'tool-result-shape',
    says: /tool_result\.content: Input should be a valid string/,
  },
  'Anthropic: a block without a type in a result': {
    ...messages(go, used, result([{ text: 'done' }])),
    rule: 'tool-result-shape',
    says: /content\.0\.type: Field required/,
  },
  'Anthropic: a text block without text in a result': {
    ...messages(go, used, result([{ type: 'text' }])),
    rule: 'tool-result-shape',
    says: /text\.text: Field required/,
  },
  'Anthropic: annotations on a text in a result': {
    ...messages(go, used, result([{ type: 'text', text: 'done', annotations: null }])),
    rule: 'tool-result-shape',
    says: /text\.annotations: Extra inputs are not permitted/,
  },
  'OpenAI: two results of one call in a row': {
    ...chat(go, call(), tool, { ...tool, content: 'Tool execution aborted' }, go),
    rule: 'tool-result-duplicate',
    says: /Duplicate value for 'tool_call_id'/,
  },
  'OpenAI: arguments that are an object': {
    ...chat(go, call({ arguments: { a: 1 } }), tool, go),
    rule: 'tool-arguments-not-object',
    says: /expected a string, but got an object/,
  },
  'OpenAI: an image in a tool message': {
    ...chat(go, call(), {
      ...tool,
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
    }),
    model: 'gpt-4o',
    rule: 'tool-result-multimodal-unsupported',
    says: /Image URLs are only allowed for messages with role 'user'/,
  },
  'OpenAI: a call of the Messages API': {
    ...chat(go, call(), tool, { role: 'assistant', content: [use()] }, go),
    rule: 'foreign-message',
    says: /Invalid value: 'tool_use'\. Supported values/,
  },
  'Responses: an item without output': {
    ...items(go, item, { type: 'function_call_output', call_id: 'a' }),
    rule: 'tool-result-shape',
    says: /Missing required parameter: 'input\[2\]\.output'/,
  },
  'Responses: a call without a name': {
    ...items(go, { ...item, name: '' }, output),
    rule: 'tool-call-name-invalid',
    says: /Invalid 'input\[1\]\.name': empty string/,
  },
  'Responses: a message id of another kind': {
    ...items(go, { type: 'message', id: 'abc', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] }, go),
    rule: 'item-id-prefix',
    says: /msg/,
  },
  'Responses: reasoning without a summary': {
    ...items(go, { type: 'reasoning', encrypted_content: 'gAAAAB' }, item, output),
    rule: 'reasoning-summary-missing',
    says: /Missing required parameter: 'input\[1\]\.summary'/,
  },
  'Gemini: a response without a name': {
    ...contents(asked, { role: 'model', parts: [functionCall] }, { role: 'user', parts: [response({ name: '' })] }),
    rule: 'tool-result-name-missing',
    says: /function_response\.name: Name cannot be empty/,
  },
  'Gemini: arguments that are a text': {
    ...contents(
      asked,
      { role: 'model', parts: [{ functionCall: { name: 'run', args: '{"a":1}' } }] },
      { role: 'user', parts: [response()] },
    ),
    rule: 'tool-arguments-not-object',
    says: /args/,
  },
  'Gemini: a call and a response in one turn': {
    ...contents(asked, { role: 'model', parts: [functionCall, response()] }, asked),
    rule: 'tool-result-not-adjacent',
    says: /can not be mixed with function_response parts/,
    leads: 'tool-result-mixed-with-other-parts',
  },
  'Bedrock: two calls of one id': {
    ...converse(
      hi,
      { role: 'assistant', content: [toolUse, toolUse] },
      { role: 'user', content: [toolResult([{ text: 'x' }]), toolResult([{ text: 'y' }])] },
    ),
    rule: 'tool-call-id-duplicate',
    says: /contain duplicate Ids: a/,
  },
  'Bedrock: JSON that is no object': {
    ...converse(
      hi,
      { role: 'assistant', content: [toolUse] },
      { role: 'user', content: [toolResult([{ json: [1] }])] },
    ),
    rule: 'tool-result-not-object',
    says: /json is invalid\. Provide a json object/,
  },
  'MiniMax: a call without its result': {
    ...chat(go, call(), go),
    provider: 'minimax',
    rule: 'tool-result-missing',
    says: /tool call result does not follow tool call \(2013\)/,
  },
  'Cerebras: half a character': {
    ...chat({ role: 'user', content: 'cut \ud83d…' }),
    provider: 'cerebras',
    rule: 'lone-surrogate',
    says: /lone leading surrogate/,
  },
}

describe('rejections reported in 2026', () => {
  it.each(Object.entries(rows))('%s', (_name, { provider, dialect, history, model, rule, says, leads = rule }) => {
    const named = model === undefined ? {} : { model }
    const options = { provider, dialect, ...named }
    const { key } = dialects.find(({ id }) => id === dialect)!
    const declared = dialect === 'bedrock-converse' ? { toolConfig: { tools: [] } } : {}
    const ask = (list: unknown) =>
      judge({ provider, endpoint: endpoints[dialect]!, body: { [key]: list, ...declared }, ...named })
    const verdict = ask(history)
    expect(verdict).toMatchObject({ accepted: false, message: expect.stringMatching(says) })
    const errors = lint(history, options).filter(({ severity }) => severity === 'error')
    expect(errors.map((finding) => finding.rule)).toContain(rule)
    expect(ask(repair(history, options).value)).toEqual({ accepted: true })
    expect(explain((verdict as { message: string }).message).rule).toBe(leads)
  })

  it('Anthropic: a text after a call is only a warning, and accepted', () => {
    const { provider, dialect, history } = messages(
      go,
      { role: 'assistant', content: [use(), { type: 'text', text: 'later' }] },
      result('done'),
    )
    const [finding, ...rest] = lint(history, { provider, dialect })
    expect([finding?.rule, finding?.severity, rest]).toEqual(['text-after-tool-call', 'warning', []])
    expect(judge({ provider, endpoint: 'messages', body: { messages: history } })).toEqual({ accepted: true })
  })
})
