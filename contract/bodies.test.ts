import { describe, expect, it } from 'vitest'
import { type JudgeRequest, judge } from './judge.ts'

const user = { role: 'user', content: 'hi' }
const orphan = { messages: [user, { role: 'tool', tool_call_id: 'call_a', content: 'done' }] }
const noThinking = { messages: [{ role: 'assistant', content: 'hi' }] }
const first = 'messages: first message must use the "user" role'

function bodyOf(request: JudgeRequest): unknown {
  const verdict = judge(request)
  return verdict.accepted ? 'accepted' : verdict.body
}

describe('each provider has its own error body', () => {
  it('Anthropic', () => {
    expect(bodyOf({ provider: 'anthropic', body: noThinking })).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: first },
      request_id: expect.stringMatching(/^req_/),
    })
  })

  it('Vertex: the Anthropic body as a string', () => {
    const body = bodyOf({ provider: 'vertex', endpoint: 'messages', body: noThinking })
    expect(body).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
    const { message } = (body as { error: { message: string } }).error
    expect(JSON.parse(message)).toMatchObject({
      error: { message: first },
      request_id: expect.stringMatching(/^req_vrtx_/),
    })
  })

  it('Bedrock Invoke', () => {
    expect(bodyOf({ provider: 'bedrock', endpoint: 'messages', body: noThinking })).toEqual({ message: first })
  })

  it('OpenAI: param names the index at which a tool message was expected', () => {
    const call = { id: 'call_a', type: 'function', function: { name: 'look', arguments: '{}' } }
    const body = { messages: [user, { role: 'assistant', tool_calls: [call] }, user] }
    expect(bodyOf({ provider: 'openai', body })).toMatchObject({
      error: { type: 'invalid_request_error', param: 'messages.[2].role', code: null },
    })
  })

  it('OpenAI: schema faults have no dot before the index', () => {
    const body = { messages: [user, { role: 'assistant', content: 'ok', tool_calls: [] }] }
    expect(bodyOf({ provider: 'openai', body })).toMatchObject({
      error: { param: 'messages[1].tool_calls', code: 'empty_array' },
    })
  })

  it('Responses', () => {
    const body = { input: [{ type: 'function_call_output', call_id: 'call_a', output: '' }] }
    expect(bodyOf({ provider: 'openai-responses', body })).toMatchObject({ error: { param: 'input', code: null } })
  })

  it('Gemini: an object, and an array when streaming', () => {
    const body = { contents: [{ role: 'x', parts: [{ text: 'hi' }] }] }
    const error = { code: 400, message: 'Please use a valid role: user, model.', status: 'INVALID_ARGUMENT' }
    expect(bodyOf({ provider: 'gemini', body })).toEqual({ error })
    const errors = [{ message: error.message, domain: 'global', reason: 'badRequest' }]
    expect(bodyOf({ provider: 'gemini', body, stream: true })).toEqual([{ error: { ...error, errors } }])
  })

  it('Mistral: an order fault, and a schema fault', () => {
    expect(bodyOf({ provider: 'mistral', body: { messages: [user, { role: 'tool', content: 'done' }] } })).toEqual({
      object: 'error',
      message: "Unexpected role 'tool' after role 'user'",
      type: 'invalid_request_message_order',
      param: null,
      code: '3230',
    })
    const thinks = { role: 'assistant', content: 'ok', reasoning_content: 'hm' }
    expect(bodyOf({ provider: 'mistral', body: { messages: [user, thinks] } })).toMatchObject({
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
          msg: 'Extra inputs are not permitted',
        },
      ],
    })
  })

  it('DeepSeek repeats the type as code', () => {
    expect(bodyOf({ provider: 'deepseek', body: orphan })).toMatchObject({
      error: { type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
    })
  })

  it('GLM, xAI, Cerebras, llama.cpp, vLLM', () => {
    expect(bodyOf({ provider: 'zhipu', body: noThinking })).toMatchObject({ error: { code: '1214' } })
    const empty = { messages: [{ role: 'user', content: [] }] }
    expect(bodyOf({ provider: 'xai', body: empty })).toEqual({
      code: 'Client specified an invalid argument',
      error: 'Invalid request content: Each message must have at least one content element.',
    })
    const none = { messages: [{ role: 'user', content: null }] }
    expect(bodyOf({ provider: 'cerebras', body: none })).toMatchObject({ code: 'wrong_api_format' })
    const twice = { model: 'mistral-7b', messages: [user, user] }
    expect(bodyOf({ provider: 'vllm', body: twice })).toMatchObject({
      object: 'error',
      type: 'BadRequestError',
      code: 400,
    })
    expect(bodyOf({ provider: 'llamacpp', body: twice })).toMatchObject({ error: { code: 400 } })
  })

  it('Perplexity: its own type, and the status as a number', () => {
    const message = 'After the (optional) system message(s), user and assistant roles should be alternating.'
    expect(bodyOf({ provider: 'perplexity', body: { messages: [user, user] } })).toEqual({
      error: { message, type: 'invalid_message', code: 400 },
    })
  })

  it('MiMo: the reason is in `param`', () => {
    const silent = { messages: [user, { role: 'assistant', content: [] }, user] }
    const param = 'messages[1] assistant content must contain at least one part'
    expect(bodyOf({ provider: 'mimo', body: silent })).toEqual({
      error: { code: '400', message: 'Param Incorrect', param, type: '' },
    })
  })

  it('OpenRouter: the upstream body as a string', () => {
    const body = bodyOf({
      provider: 'openrouter',
      model: 'mistralai/mistral-small',
      body: { messages: [user, { role: 'tool' }] },
    })
    expect(body).toMatchObject({
      error: { message: 'Provider returned error', code: 400, metadata: { provider_name: 'Mistral' } },
    })
    const { raw } = (body as { error: { metadata: { raw: string } } }).error.metadata
    expect(JSON.parse(raw)).toMatchObject({ object: 'error', code: '3230' })
  })
})

describe('the headers, if they are given', () => {
  const body = { messages: [user], context_management: { edits: [] } }
  it('a beta field needs its header', () => {
    expect(judge({ provider: 'anthropic', body })).toEqual({ accepted: true })
    expect(
      judge({ provider: 'anthropic', body, headers: { 'Anthropic-Beta': 'context-management-2025-06-27' } }),
    ).toEqual({ accepted: true })
    expect(judge({ provider: 'anthropic', body, headers: {} })).toMatchObject({
      rule: 'beta-field-without-header',
      message: 'context_management: Extra inputs are not permitted',
    })
  })
})
