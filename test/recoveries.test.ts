/**
 * Recoveries one by one, with emulated providers that have the real error texts and accept only what real ones would.
 */
import { describe, expect, it } from 'vitest'
import { valueAt } from '../src/core/index.ts'
import { type Attempt, fingerprint, type RecoveryOptions, reapply, recover } from '../src/guard/recoveries/index.ts'
import type { Rejection } from '../src/guard/rejections/index.ts'
import { shrinkMemory } from '../src/strategies/shrink.ts'
import { judged, type Provider, save, serviceOf } from './recover-until-accepted.ts'

const SECRET = 'SECRET'
type Sent = Readonly<Record<string, unknown>>
const says = (message: string, status = 400) => ({
  status,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error' } }),
})
/** Rejects until the request is as it should be; then the emulator decides. */
const until =
  (ready: (body: Sent, headers: Record<string, string>) => boolean, message: string, status = 400): Provider =>
  (request) =>
    ready(request.body as Sent, (request.headers ?? {}) as Record<string, string>)
      ? judged(request)
      : says(message, status)

const thinking = (signature: string) => ({ type: 'thinking', thinking: SECRET, signature })
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string, content: unknown = 'ok') => ({ type: 'tool_result', tool_use_id: id, content })
const reasoned = {
  max_tokens: 4096,
  thinking: { type: 'enabled', budget_tokens: 2048 },
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [thinking('sigA'), use('a')] },
    { role: 'user', content: [result('a')] },
    { role: 'assistant', content: [thinking('sigB'), { type: 'text', text: 'done' }] },
    { role: 'user', content: 'go on' },
  ],
}
const BOUND =
  'messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
const BETA = 'thinking-binding-controls-2026-08-01'
const dropsBlocks = (body: Sent) =>
  valueAt(body, ['thinking', 'block_binding', 'prefix_mismatch_behavior']) === 'drop_block'
const noThinking = (body: Sent) => !JSON.stringify(body['messages']).includes('"thinking"')

describe('reasoning that is not accepted', () => {
  it('is bound: a setting and its beta header ask Claude to drop what does not match', async () => {
    const provider = until(
      (body, headers) => dropsBlocks(body) && (headers['anthropic-beta'] ?? '').split(',').includes(BETA),
      BOUND,
    )
    const body = { ...reasoned, model: 'claude-opus-5-5' }
    const saved = await save({ provider: 'anthropic', body, headers: { 'anthropic-beta': 'other-2026' } }, { provider })
    expect(saved.accepted).toBe(true)
    expect(saved.done.map(({ id }) => id)).toEqual(['bind-reasoning'])
    expect(saved.headers['anthropic-beta']).toBe(`other-2026,${BETA}`)
    expect(saved.body['messages']).toBe(body.messages)
  })

  it('in the body on Bedrock', async () => {
    const provider = until(
      (body) => JSON.stringify(body).includes('drop_block') && JSON.stringify(body).includes(BETA),
      BOUND,
    )
    const signed = { reasoningContent: { reasoningText: { text: SECRET, signature: 'sig' } } }
    const messages = [
      { role: 'user', content: [{ text: 'hi' }] },
      { role: 'assistant', content: [signed, { text: 'yes' }] },
      { role: 'user', content: [{ text: 'go' }] },
    ]
    const body = { messages, additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } } }
    const saved = await save(
      { provider: 'bedrock', endpoint: 'converse', model: 'anthropic.claude-opus-5-5', body },
      { provider },
    )
    expect(saved).toMatchObject({ accepted: true, done: [{ id: 'bind-reasoning' }] })
    expect(saved.body['additionalModelRequestFields']).toMatchObject({ anthropic_beta: [BETA] })
  })

  it('is left alone if the caller asked for an error', async () => {
    const body = {
      ...reasoned,
      model: 'claude-opus-5-5',
      thinking: { type: 'enabled', budget_tokens: 2048, block_binding: { prefix_mismatch_behavior: 'error' } },
    }
    const saved = await save({ provider: 'anthropic', body }, { provider: () => says(BOUND) })
    expect(saved).toMatchObject({ accepted: false, done: [] })
  })

  it('is removed completely if a signature is wrong', async () => {
    const saved = await save(
      { provider: 'anthropic', body: { ...reasoned, model: 'claude-sonnet-4-5' } },
      { provider: until(noThinking, 'messages.1.content.0: Invalid `signature` in `thinking` block') },
    )
    expect(saved.accepted).toBe(true)
    expect(JSON.stringify(saved.body)).toContain('"tool_use"')
  })

  it('Responses: all reasoning items go, with the ids that depend on them', async () => {
    const input = [
      { role: 'user', content: 'hi' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ]
    const provider = until(
      (body) => !JSON.stringify(body).includes('reasoning'),
      'The encrypted content gAAA...x could not be verified.',
    )
    const saved = await save({ provider: 'openai-responses', body: { model: 'gpt-5', input } }, { provider })
    expect(saved.accepted).toBe(true)
    expect(JSON.stringify(saved.body)).toContain('call_1')
  })

  it('Gemini: the signature is replaced, the call stays', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'foreign' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'ok' } } }] },
    ]
    const provider = until((body) => !JSON.stringify(body).includes('foreign'), 'Corrupted thought signature.')
    const saved = await save({ provider: 'gemini', model: 'gemini-3-pro', body: { contents } }, { provider })
    expect(saved.accepted).toBe(true)
    expect(JSON.stringify(saved.body)).toContain('functionCall')
  })

  it('is required and missing: the request is sent without thinking', async () => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [result('a')] },
    ]
    const saved = await save({
      provider: 'deepseek',
      endpoint: 'messages',
      body: { model: 'deepseek-v4', max_tokens: 10, messages },
    })
    expect(saved.accepted).toBe(true)
  })
})

describe('unknown ids', () => {
  const items = [
    { role: 'user', content: 'hi' },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'yes', annotations: [] }],
    },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
  ]
  const without = (body: Sent) => !/"id":/.test(JSON.stringify(body['input']))

  it.each([
    ['openai-responses', 404, "Item with id 'msg_1' not found. Items are not persisted when `store` is set to false."],
    ['copilot', 401, 'input item ID does not belong to this connection'],
  ])('%s, %d: %s', async (provider, status, text) => {
    const request = { provider, endpoint: 'responses', body: { model: 'gpt-5', store: false, input: items } } as const
    const saved = await save(request, { provider: until(without, text, status) })
    expect(saved).toMatchObject({ accepted: true, done: [{ id: 'forget-ids' }] })
    expect(JSON.stringify(saved.body)).toContain('"call_id":"call_1"')
  })

  const GONE = "Previous response with id 'resp_1' not found."
  const alone = (body: Sent) => body['previous_response_id'] === undefined

  it('the previous response: only if the request has the history', async () => {
    const whole = { model: 'gpt-5', previous_response_id: 'resp_1', input: items }
    expect(await save({ provider: 'openai-responses', body: whole }, { provider: until(alone, GONE) })).toMatchObject({
      accepted: true,
    })
    const news = { model: 'gpt-5', previous_response_id: 'resp_1', input: [{ role: 'user', content: 'and?' }] }
    expect(await save({ provider: 'openai-responses', body: news }, { provider: until(alone, GONE) })).toMatchObject({
      accepted: false,
      done: [],
    })
  })
})

describe('tools that are used and not declared', () => {
  it.each([
    [
      'bedrock',
      'converse',
      {
        messages: [
          { role: 'user', content: [{ text: 'hi' }] },
          { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'look', input: {} } }] },
          { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'ok' }] } }] },
        ],
      },
      judged,
    ],
    [
      'anthropic',
      'messages',
      {
        max_tokens: 9,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: [use('a')] },
          { role: 'user', content: [result('a')] },
        ],
      },
      until((body) => Array.isArray(body['tools']), 'Assistant message uses tools, but tools are not declared', 422),
    ],
  ] as const)('%s', async (provider, endpoint, body, answers) => {
    const saved = await save({ provider, endpoint, model: 'claude-sonnet-4-5', body }, { provider: answers })
    expect(saved).toMatchObject({ accepted: true, done: [{ id: 'declare-tools' }] })
    expect(saved.body['messages']).toBe(body.messages)
  })
})

describe('an answer that is too long', () => {
  const chat = { messages: [{ role: 'user', content: 'hi' }] }
  it.each([
    [
      'openai',
      'chat',
      { ...chat, max_tokens: 100_000 },
      'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
      ['max_tokens'],
      16384,
    ],
    [
      'openai',
      'chat',
      { ...chat, max_completion_tokens: 100_000 },
      'max_completion_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
      ['max_completion_tokens'],
      16384,
    ],
    [
      'openai-responses',
      'responses',
      { input: 'hi', max_output_tokens: 100_000 },
      'max_output_tokens is too large: 100000. This model supports at most 16384 output tokens.',
      ['max_output_tokens'],
      16384,
    ],
    [
      'anthropic',
      'messages',
      { ...chat, max_tokens: 20_000 },
      'input length and `max_tokens` exceed context limit: 184915 + 20000 > 204648, decrease input length or `max_tokens` and try again',
      ['max_tokens'],
      19733,
    ],
    [
      'gemini',
      'gemini',
      { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 100_000 } },
      'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive).',
      ['generationConfig', 'maxOutputTokens'],
      65536,
    ],
    [
      'bedrock',
      'converse',
      { messages: [{ role: 'user', content: [{ text: 'hi' }] }], inferenceConfig: { maxTokens: 9000 } },
      'The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.',
      ['inferenceConfig', 'maxTokens'],
      4096,
    ],
    [
      'vllm',
      'chat',
      { ...chat, max_tokens: 8000 },
      "This model's maximum context length is 192 tokens. However, your request has 800 input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=800)",
      ['max_tokens'],
      7392,
    ],
  ] as const)('%s %s: %j', async (provider, endpoint, body, text, path, most) => {
    const at = (sent: unknown) => valueAt(sent, path) as number
    const saved = await save(
      { provider, endpoint, body },
      { provider: (request) => (at(request.body) > most ? says(text) : undefined) },
    )
    expect(saved).toMatchObject({ accepted: true, done: [{ id: 'lower-output', report: { to: most } }] })
    expect(at(saved.body)).toBe(most)
  })

  it('keeps the budget of thinking below it', async () => {
    const body = { ...chat, max_tokens: 20_000, thinking: { type: 'enabled', budget_tokens: 16_000 } }
    const saved = await save(
      { provider: 'anthropic', body },
      {
        provider: (request) =>
          (request.body as typeof body).max_tokens > 8192
            ? says('max_tokens: 20000 > 8192, which is the maximum allowed number of output tokens for x')
            : undefined,
      },
    )
    expect(saved.body).toMatchObject({ max_tokens: 8192, thinking: { budget_tokens: 4096 } })
  })

  it('does not ask for a useless few tokens: then the history has to be shorter', async () => {
    const text =
      'input length and `max_tokens` exceed context limit: 204600 + 20000 > 204648, decrease input length or `max_tokens` and try again'
    const saved = await save(
      { provider: 'anthropic', body: { ...chat, max_tokens: 20_000 } },
      { provider: () => says(text) },
    )
    expect(saved.done).toEqual([])
  })
})

describe('waiting and sending again', () => {
  const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'hi' }] }
  const busy = (headers: Record<string, string> = {}) => ({ ...says('Rate limit reached.', 429), headers })

  it('waits as long as requested and a little more, with the same bytes', async () => {
    let times = 0
    const saved = await save(
      { provider: 'openai', body },
      { provider: () => (times++ < 2 ? busy({ 'retry-after': '3' }) : undefined), options: { random: () => 1 } },
    )
    expect(saved.accepted).toBe(true)
    expect(saved.done.map(({ wait }) => wait)).toEqual([3250, 3250])
    expect(saved.body).toBe(body)
  })

  it('waits longer each time without a retry-after, and not forever', async () => {
    const saved = await save({ provider: 'openai', body }, { provider: () => busy(), options: { random: () => 0 } })
    expect(saved.done.map(({ wait }) => wait)).toEqual([500, 1000, 2000, 4000])
    expect(saved.accepted).toBe(false)
  })

  it('returns the error if the requested wait is too long', async () => {
    expect(
      (await save({ provider: 'openai', body }, { provider: () => busy({ 'retry-after': '3600' }) })).done,
    ).toEqual([])
    expect(
      (
        await save(
          { provider: 'openai', body },
          { provider: () => busy({ 'retry-after': '5' }), options: { maxWaitMs: 4000 } },
        )
      ).done,
    ).toEqual([])
  })

  it('sends again what the model spoilt itself, twice at most', async () => {
    const text = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details."
    const saved = await save({ provider: 'groq', body }, { provider: () => says(text) })
    expect(saved.done.map(({ id }) => id)).toEqual(['resend', 'resend'])
    expect(saved.body).toBe(body)
  })

  it('sends a valid request that is called broken again, before anything is changed', async () => {
    let times = 0
    const text = "Messages with role 'tool' must be a response to a preceeding message with 'tool_calls'"
    const messages = [
      ...body.messages,
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ]
    const saved = await save(
      { provider: 'cerebras', body: { model: 'x', messages } },
      { provider: (request) => (times++ < 1 ? says(text) : judged(request)) },
    )
    expect(saved).toMatchObject({ accepted: true, done: [{ id: 'wait' }] })
  })

  it('what names no cause: a small valid request once more, a large one shrunk once', async () => {
    const opaque = () => says('Request contains an invalid argument.')
    expect((await save({ provider: 'openai', body }, { provider: opaque })).done.map(({ id }) => id)).toEqual(['wait'])
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }]
    const messages = [
      ...body.messages,
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: 'w '.repeat(150_000) },
    ]
    const large = await save({ provider: 'openai', body: { model: 'gpt-5', messages } }, { provider: opaque })
    expect(large.done.map(({ id }) => id)).toEqual(['shrink'])
  })

  it.each([
    'Incorrect API key provided: sk-x.',
    'The model `x` does not exist.',
    'Your credit balance is too low to access the Anthropic API.',
    'An unknown error text',
  ])('leaves errors that are not about the history: %s', async (text) => {
    expect(await save({ provider: 'openai', body }, { provider: () => says(text) })).toMatchObject({
      accepted: false,
      done: [],
      body,
    })
  })
})

describe('a request of too many bytes', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(2000) } }
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [use('a')] },
    { role: 'user', content: [result('a', [{ type: 'text', text: 'seen' }, image])] },
  ]
  const body = { model: 'claude-sonnet-4-5', max_tokens: 9, messages }
  const provider: Provider = (request) =>
    JSON.stringify(request.body).length > 9000
      ? { status: 413, body: '{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}' }
      : judged(request)

  it('keeps its images, and its error by default', async () => {
    expect(await save({ provider: 'anthropic', endpoint: 'messages', body }, { provider })).toMatchObject({
      accepted: false,
      done: [],
    })
    const saved = await save(
      { provider: 'anthropic', endpoint: 'messages', body },
      { provider, options: { shrinkMedia: true } },
    )
    expect(saved).toMatchObject({ accepted: true, done: [{ id: 'shrink' }] })
    expect(JSON.stringify(saved.body)).toContain('seen')
  })
})

describe('no end to it', () => {
  const long = { role: 'user', content: [result('a', `${SECRET} ${'x'.repeat(9000)}`), { type: 'text', text: SECRET }] }
  const messages = [
    { role: 'user', content: SECRET },
    { role: 'assistant', content: [thinking('sigA'), use('a')] },
    long,
    { role: 'assistant', content: SECRET },
    { role: 'user', content: SECRET },
  ]
  const texts = [
    'prompt is too long: 213462 tokens > 200000 maximum',
    'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a.',
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    'input length and `max_tokens` exceed context limit: 184915 + 20000 > 204648, decrease input length or `max_tokens` and try again',
    'The text field in the ContentBlock object at messages.0.content.0 is blank.',
    BOUND,
    'Overloaded',
  ]
  const all: RecoveryOptions = { dropRounds: true, summarize: () => 'short' }

  it.each([[texts], [texts.toReversed()], [[texts[0]!, texts[1]!]], [[texts[0]!]], [[texts[2]!, texts[6]!]]])(
    'a provider that never has enough: %#',
    async (extra) => {
      let times = 0
      const prints: string[] = []
      const provider: Provider = (request) => {
        prints.push(fingerprint(request.body as Attempt['body'], (request.headers ?? {}) as Record<string, string>))
        return says(extra[times++ % extra.length]!)
      }
      const body = {
        model: 'claude-opus-5-5',
        max_tokens: 20_000,
        thinking: { type: 'enabled', budget_tokens: 2048 },
        messages,
      }
      const saved = await save({ provider: 'anthropic', endpoint: 'messages', body }, { provider, options: all })
      expect(saved.accepted).toBe(false)
      expect(saved.done.length).toBeLessThanOrEqual(6)
      const changed = prints.filter((_, i) => i === 0 || saved.done[i - 1]?.id !== 'wait')
      expect(new Set(changed).size).toBe(changed.length)
      for (const { report } of saved.done) expect(JSON.stringify(report)).not.toContain(SECRET)
    },
  )

  it('disabled recoveries do not run; the total is bounded', async () => {
    const body = { model: 'claude-sonnet-4-5', max_tokens: 20_000, messages }
    const run = (options: RecoveryOptions) =>
      save({ provider: 'anthropic', endpoint: 'messages', body }, { provider: () => says(texts[0]!), options })
    expect((await run({ disabled: ['shrink'] })).done).toEqual([])
    expect((await run({ ...all, maxRecoveries: 1 })).done).toHaveLength(1)
    expect((await run({ maxRecoveries: 0 })).done).toEqual([])
  })

  it('nothing is sent twice, but the next recovery is tried', async () => {
    const body = { model: 'claude-sonnet-4-5', max_tokens: 9, messages }
    const rejection: Rejection = {
      kind: 'size',
      confidence: 'certain',
      rule: 'prompt-too-long',
      ids: [],
      limit: 900,
      actual: 2600,
      text: '',
    }
    const service = serviceOf('anthropic', 'messages')
    const at = {
      body,
      headers: {},
      service,
      provider: 'anthropic',
      model: body.model,
      rejection,
      tried: [],
      options: all,
    }
    const first = await recover({ ...at, memory: shrinkMemory() })
    expect(first?.id).toBe('shrink')
    const sent = [fingerprint(body, {}), fingerprint(first!.body, {})]
    expect((await recover({ ...at, sent, memory: shrinkMemory() }))?.id).toBe('drop-round')
    expect(await recover({ ...at, sent, options: {}, memory: shrinkMemory() })).toBeUndefined()
  })

  describe('images that may be replaced by notes', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    const body = { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: [image, image, image] }] }
    const sent = (rule: string, kind: Rejection['kind'], shrinkMedia: boolean) =>
      recover({
        body,
        headers: {},
        service: serviceOf('anthropic', 'messages'),
        provider: 'anthropic',
        model: body.model,
        rejection: { kind, confidence: 'certain', rule, ids: [], text: '' },
        tried: [],
        options: { shrinkMedia },
        memory: shrinkMemory(),
      })
    const imagesOf = (found: Awaited<ReturnType<typeof sent>>) =>
      JSON.stringify(found?.body).split('"image/png"').length - 1

    it('all of them for a model that accepts none, and only if it is allowed', async () => {
      expect(await sent('image-unsupported', 'history', false)).toBeUndefined()
      const found = await sent('image-unsupported', 'history', true)
      expect([found?.id, imagesOf(found)]).toEqual(['drop-media', 0])
    })

    it('the older half of a request with too many bytes, and only if it is allowed', async () => {
      expect((await sent('request-too-large', 'size', false))?.id).not.toBe('drop-media')
      const found = await sent('request-too-large', 'size', true)
      expect([found?.id, imagesOf(found)]).toEqual(['drop-media', 2])
    })
  })

  it('a place without a known fault: only a repair of that message is sent', async () => {
    const blank = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'ok' },
        { type: 'text', text: '' },
      ],
    }
    const body = {
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user', content: 'a' }, blank, { role: 'user', content: 'b' }],
    }
    const sent = (message: number) =>
      recover({
        body,
        headers: {},
        service: serviceOf('anthropic', 'messages'),
        provider: 'anthropic',
        model: body.model,
        rejection: { kind: 'history', confidence: 'likely', ids: [], message, text: 'messages.1: vexing' },
        tried: [],
        options: {},
        memory: shrinkMemory(),
      })
    expect((await sent(1))?.id).toBe('repair')
    expect((await sent(0))?.id).not.toBe('repair')
  })

  it('a recovery that fails is passed over', async () => {
    const rejection: Rejection = { kind: 'size', confidence: 'certain', rule: 'prompt-too-long', ids: [], text: '' }
    const attempt = {
      body: { messages: 7 },
      headers: {},
      service: serviceOf('openai', 'chat'),
      provider: 'openai',
      model: undefined,
      rejection,
      tried: [],
      memory: shrinkMemory(),
      options: all,
    }
    expect(await recover(attempt)).toBeUndefined()
  })
})

describe('the next request of a conversation', () => {
  const service = serviceOf('anthropic', 'messages')
  const before = (body: Attempt['body'], memory = shrinkMemory()) => ({
    body,
    headers: {},
    service,
    provider: 'anthropic',
    model: body['model'] as string,
    memory,
    options: {},
  })
  const on = (body: Attempt['body']) => ({
    ...body,
    messages: [
      ...(body['messages'] as unknown[]),
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: 'more' },
    ],
  })
  const prefix = (body: Attempt['body'], of: Attempt['body']) =>
    JSON.stringify((body['messages'] as unknown[]).slice(0, (of['messages'] as unknown[]).length))

  it('sends the same bytes for a shrunk result', async () => {
    const memory = shrinkMemory()
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [use('a')] },
        { role: 'user', content: [result('a', 'x'.repeat(9000))] },
      ],
    }
    const size = (sent: unknown) => JSON.stringify(sent).length
    const provider: Provider = (request) =>
      size(request.body) > 3000 ? says('prompt is too long: 2300 tokens > 700 maximum') : judged(request)
    const saved = await save({ provider: 'anthropic', endpoint: 'messages', body }, { provider, memory })
    expect(saved.accepted).toBe(true)
    const next = reapply(before(on(body), memory))
    expect(prefix(next!.body, saved.body)).toBe(JSON.stringify(saved.body['messages']))
    expect(next!.report).toMatchObject({ shrunk: ['a'] })
    expect(memory.recall('a')).toEqual(['x'.repeat(9000)])
  })

  it('is cut at the same place, and its summary is not written again', async () => {
    const memory = shrinkMemory()
    const turn = (i: number) => [
      { role: 'user', content: `${i} ${'q'.repeat(2000)}` },
      { role: 'assistant', content: `${i} ${'a'.repeat(2000)}` },
    ]
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      messages: [0, 1, 2, 3].flatMap(turn).concat({ role: 'user', content: 'end' }),
    }
    let summaries = 0
    const summarize = () => `Summary ${summaries++}.`
    const provider: Provider = (request) =>
      JSON.stringify(request.body).length > 9000
        ? says('prompt is too long: 4000 tokens > 2200 maximum')
        : judged(request)
    const saved = await save(
      { provider: 'anthropic', endpoint: 'messages', body },
      { provider, memory, options: { summarize: summarize } },
    )
    expect(saved).toMatchObject({ accepted: true, done: [{ id: 'summarize' }] })
    const next = reapply(before(on(body), memory))
    expect(prefix(next!.body, saved.body)).toBe(JSON.stringify(saved.body['messages']))
    expect(summaries).toBe(1)
    const other = { ...body, messages: [{ role: 'user', content: 'else' }, ...body.messages.slice(1)] }
    expect(reapply(before(other, memory))).toBeUndefined()
  })

  it('is sent with the repairs that were accepted after a rejection, and only then', async () => {
    const memory = shrinkMemory()
    const body = { ...reasoned, model: 'claude-opus-5-5' }
    const saved = await save(
      { provider: 'anthropic', endpoint: 'messages', body },
      { provider: until(dropsBlocks, BOUND), memory },
    )
    expect(reapply(before(on(body), memory))).toBeUndefined()
    for (const { accepted } of saved.done) accepted?.()
    const next = reapply(before(on(body), memory))
    expect(dropsBlocks(next!.body)).toBe(true)
    expect(next!.headers).toMatchObject({ 'anthropic-beta': BETA })
    const other = {
      ...body,
      messages: [
        { role: 'user', content: 'new' },
        { role: 'assistant', content: [thinking('sigZ')] },
        { role: 'user', content: 'go' },
      ],
    }
    expect(reapply(before(other, memory))).toBeUndefined()
  })

  it('of a guard without recoveries is never read', () => {
    expect(reapply(before({ messages: [{ role: 'user', content: 'hi' }] }))).toBeUndefined()
  })

  it('shrinking before signed thinking asks Claude to drop what no longer matches', async () => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [thinking('s1'), use('a')] },
      { role: 'user', content: [result('a', 'x'.repeat(9000))] },
      { role: 'assistant', content: [thinking('s2'), { type: 'text', text: 'ok' }] },
      { role: 'user', content: 'go' },
    ]
    const body = { ...reasoned, model: 'claude-opus-5-5', messages }
    const provider: Provider = (request) =>
      JSON.stringify(request.body).length > 4000
        ? says('prompt is too long: 2500 tokens > 900 maximum')
        : dropsBlocks(request.body as Sent)
          ? judged(request)
          : says(BOUND)
    const saved = await save({ provider: 'anthropic', endpoint: 'messages', body }, { provider })
    expect(saved).toMatchObject({ accepted: true, done: [{ id: 'shrink' }] })
    expect(saved.headers['anthropic-beta']).toBe(BETA)
  })
})
