/**
 * Rejections of every kind, in the shapes they come in. Texts are the providers' wordings; bodies are wrapped as
 * services and relays wrap them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../test/long-runs.ts'
import type { Finding } from '../../core/index.ts'
import { classify } from './index.ts'
import type { Rejection } from './types.ts'

const SEED = 20261116
const clean = () => []
const dirty = (rule: string) => () => [{ rule } as Finding]

function of(body: unknown, { status = 400, headers = {}, lint = clean as () => readonly Finding[] } = {}): Rejection {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return classify({ status, headers: new Headers(headers), body: text }, lint, () => Date.UTC(2026, 10, 16))
}

const MISSING =
  'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A, toolu_01B. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
const anthropic = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } })

describe('every layer of a body', () => {
  const found = {
    rule: 'tool-result-missing',
    kind: 'history',
    ids: ['toolu_01A', 'toolu_01B'],
    message: 3,
    text: expect.stringContaining(MISSING),
  }
  const raw = JSON.stringify(anthropic(MISSING))
  const bodies: Readonly<Record<string, unknown>> = {
    'plain text': MISSING,
    'its own': anthropic(MISSING),
    'a list of one (Gemini)': [{ error: { code: 400, message: MISSING, status: 'INVALID_ARGUMENT' } }],
    'flat (Bedrock)': { message: MISSING },
    'Bedrock, with what boto says before': `An error occurred (ValidationException) when calling the ConverseStream operation: The model returned the following errors: ${MISSING}`,
    'JSON in a Google message (Vertex)': { error: { code: 400, message: raw, status: 'INVALID_ARGUMENT' } },
    'JSON in metadata.raw (OpenRouter)': {
      error: { message: 'Provider returned error', code: 400, metadata: { raw } },
      user_id: 'u',
    },
    'the same, without the outer error': { message: 'Provider returned error', code: 400, metadata: { raw } },
    'text in metadata.raw': { error: { message: 'Provider returned error', code: 400, metadata: { raw: MISSING } } },
    'three deep (LiteLLM, LiteLLM, OpenRouter)': {
      error: {
        message: `litellm.BadRequestError: OpenrouterException - ${JSON.stringify({ error: { message: `litellm.BadRequestError: ${JSON.stringify({ error: { message: 'Provider returned error', metadata: { raw } } })}. Received Model Group=x` } })}`,
      },
    },
    'after a sentence': `上游返回错误 (status 400): ${raw}`,
    'after a status': `400 ${raw}`,
    "in Python's words": `Error code: 400 - {'type': 'error', 'error': {'type': 'invalid_request_error', 'message': '${MISSING}'}, 'x': None}`,
    'in a stream': `event: error\ndata: ${raw}\n\n`,
    'in a failed response': {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'x', message: MISSING } },
    },
    'a pydantic detail': {
      detail: [{ type: 'value_error', loc: ['body'], msg: MISSING, input: 'prompt is too long: 9 tokens > 8 maximum' }],
    },
    'detail as text': { detail: MISSING },
    'message as an object (Mistral)': {
      object: 'error',
      message: { detail: [{ msg: MISSING, loc: ['body'] }] },
      type: 'x',
    },
    'cut off': raw.slice(0, -2),
    'with the mark of a relay': { error: { message: `${MISSING} (request id: 2026abc)` } },
    'wrapped lines': { message: MISSING.replaceAll('. ', '.\n   ') },
    'under a key no one knows': { oops: { upstream_says: raw } },
  }
  it.each(Object.entries(bodies))('%s', (_name, body) => {
    expect(of(body)).toMatchObject(found)
  })

  it.each([200, 401, 404, 413, 422, 429, 500, 502])('whatever the status: %d', (status) => {
    expect(of(anthropic(MISSING), { status })).toMatchObject(found)
    expect(of(`All accounts exhausted. Last error: HTTP 400: ${MISSING}`, { status })).toMatchObject({
      rule: found.rule,
    })
  })

  it('does not read what a body echoes', () => {
    const detail = [
      { type: 'extra_forbidden', loc: ['body', 'x'], msg: 'Extra inputs are not permitted', input: MISSING },
    ]
    expect(of({ detail }, { status: 422 }).rule).not.toBe('tool-result-missing')
    const failed = {
      error: {
        message: 'Failed to call a function. Please adjust your prompt.',
        code: 'tool_use_failed',
        failed_generation: MISSING,
      },
    }
    expect(of(failed)).toMatchObject({ kind: 'model-output', rule: 'model-tool-call-failed' })
  })

  it('a schema fault, cut off', () => {
    const detail =
      '{"detail":[{"type":"extra_forbidden","loc":["body","messages",2,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted","inp'
    expect(of(detail, { status: 422 })).toMatchObject({ rule: 'reasoning-content-forbidden', message: 2 })
  })

  it('accepts any input', () => {
    for (const body of [
      '',
      ' ',
      'null',
      '[]',
      '{}',
      '""',
      '{',
      '[{',
      '<html>',
      '\u0000',
      '{"error":{"error":{"error":1}}}',
      '['.repeat(50_000),
      `{"message":"${'\\\\"'.repeat(50_000)}`,
    ])
      expect(() => of(body)).not.toThrow()
  })
})

const wrappers: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(anthropic(text)),
  (text) => JSON.stringify({ error: { message: 'Provider returned error', code: 400, metadata: { raw: text } } }),
  (text) => JSON.stringify({ error: { code: 400, message: text, status: 'INVALID_ARGUMENT' } }),
  (text) =>
    JSON.stringify([{ error: { code: 400, message: text, errors: [{ message: text, reason: 'badRequest' }] } }]),
  (text) => JSON.stringify({ code: 'Client specified an invalid argument', error: text }),
  (text) => JSON.stringify({ message: text }),
  (text) => JSON.stringify({ detail: [{ type: 'x', loc: ['body'], msg: text, input: 'Overloaded' }] }, undefined, 2),
  (text) => `litellm.BadRequestError: XException - ${text}`,
  (text) => `HTTP 400: ${text} (request id: 2026)`,
  (text) => `data: ${text}\n\n`,
]

const histories: readonly (readonly [rule: string, text: string, more?: Partial<Rejection> | undefined])[] = [
  [
    'tool-result-missing',
    "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: Agent:0",
    { ids: ['Agent:0'] },
  ],
  ['tool-result-missing', 'No tool output found for function call call_abc1.', { ids: ['call_abc1'] }],
  [
    'tool-result-missing',
    'Expected toolResult blocks at messages.4.content for the following Ids: tooluse_H9',
    { ids: ['tooluse_H9'], message: 4 },
  ],
  ['tool-result-orphan', 'No tool call found for function call output with call_id call_x0.', { ids: ['call_x0'] }],
  [
    'tool-call-id-duplicate',
    "Duplicate value for 'tool_call_id' of call_00_abc in message[2]",
    { ids: ['call_00_abc'], message: 2 },
  ],
  [
    'tool-call-id-format',
    'Tool call id was 38f04d9ea185 but must be a-z, A-Z, 0-9, with a length of 9.',
    { ids: ['38f04d9ea185'] },
  ],
  [
    'tool-call-id-too-long',
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 83 instead.",
    { message: 2 },
  ],
  [
    'tool-call-id-too-long',
    "litellm.ContextWindowExceededError: Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string with length 116 instead.",
    { message: 95 },
  ],
  ['pdf-too-many-pages', 'A maximum of 100 PDF pages may be provided.'],
  [
    'image-too-large-bytes',
    'messages.2.content.0.image.source.base64: image exceeds 5 MB maximum: 8259148 bytes > 5242880 bytes',
    { message: 2 },
  ],
  ['role-order', "Unexpected role 'user' after role 'tool'"],
  [
    'content-empty',
    "Invalid request: the message at position 5 with role 'assistant' must not be empty",
    { message: 5 },
  ],
]
const kinds: readonly (readonly [
  kind: Rejection['kind'],
  rule: string,
  text: string,
  more?: Partial<Rejection> | undefined,
])[] = [
  ...histories.map(([rule, text, more]) => ['history', rule, text, more] as const),
  [
    'reasoning',
    'thinking-signature-invalid',
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    { message: 1 },
  ],
  [
    'reasoning',
    'thinking-bound-to-other-prefix',
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  ],
  [
    'reasoning',
    'reasoning-encrypted-content-invalid',
    'The encrypted content for item rs_0f26 could not be verified.',
    { ids: ['rs_0f26'] },
  ],
  [
    'reasoning',
    'reasoning-content-missing',
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ],
  [
    'reasoning',
    'item-without-reasoning',
    "Item 'fc_1a' of type 'function_call' was provided without its required 'reasoning' item: 'rs_2b'.",
    { ids: ['fc_1a', 'rs_2b'] },
  ],
  [
    'stale-id',
    'item-id-not-persisted',
    "Item with id 'rs_04' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    { ids: ['rs_04'] },
  ],
  ['stale-id', 'previous-response-not-found', "Previous response with id 'resp_0f' not found.", { ids: ['resp_0f'] }],
  ['stale-id', 'previous-response-not-found', 'Invalid `previous_response_id`.'],
  ['stale-id', 'item-id-other-connection', 'input item ID does not belong to this connection'],
  [
    'undeclared-tool',
    'tools-undeclared-with-history',
    'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
  ],
  ['size', 'prompt-too-long', 'prompt is too long: 213462 tokens > 200000 maximum', { actual: 213462, limit: 200000 }],
  [
    'size',
    'prompt-too-long',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
    { actual: 204308, limit: 128000 },
  ],
  [
    'size',
    'prompt-too-long',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 301000 tokens.',
    { actual: 301000, limit: 272000 },
  ],
  [
    'size',
    'prompt-too-long',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    { actual: 1200000, limit: 1048576 },
  ],
  [
    'size',
    'prompt-too-long',
    'The input token count exceeds the maximum number of tokens allowed (1048576).',
    { limit: 1048576 },
  ],
  [
    'size',
    'prompt-too-long',
    'This endpoint\'s maximum context length is 1000000 tokens. However, you requested about 1284668 tokens (1284668 of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
    { actual: 1284668, limit: 1000000 },
  ],
  [
    'size',
    'prompt-too-long',
    'prompt token count of 65446 exceeds the limit of 64000',
    { actual: 65446, limit: 64000 },
  ],
  [
    'size',
    'prompt-too-long',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
    { actual: 537812, limit: 131072 },
  ],
  [
    'size',
    'prompt-too-long',
    'Prompt contains 300000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
  ],
  [
    'size',
    'prompt-too-long',
    'Prompt contains 300000 tokens, too large for model with 131072 maximum context length',
    { actual: 300000, limit: 131072 },
  ],
  [
    'size',
    'prompt-too-long',
    'Prompt has 300,000 tokens, but the configured context size is 131,072 tokens',
    { actual: 300000, limit: 131072 },
  ],
  [
    'size',
    'prompt-too-long',
    'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
    { actual: 291351, limit: 262144 },
  ],
  [
    'size',
    'prompt-too-long',
    '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]',
    { limit: 983616 },
  ],
  [
    'size',
    'prompt-too-long',
    "The input (300000 tokens) is longer than the model's context length (262144 tokens).",
    { actual: 300000, limit: 262144 },
  ],
  [
    'size',
    'prompt-too-long',
    'Input length 265330 exceeds the maximum allowed input length of 262144 tokens.',
    { actual: 265330, limit: 262144 },
  ],
  [
    'size',
    'prompt-too-long',
    "Input length (265330) exceeds model's maximum context length (262144).",
    { actual: 265330, limit: 262144 },
  ],
  ['size', 'prompt-too-long', 'prompt too long; exceeded max context length by 512 tokens', { actual: 512, limit: 0 }],
  ['size', 'prompt-too-long', 'invalid params, context window exceeds limit'],
  ['size', 'prompt-too-long', 'Input is too long for requested model.'],
  [
    'size',
    'prompt-too-long',
    "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    { actual: 112946, limit: 16384 },
  ],
  ['size', 'prompt-too-long', 'max_tokens must be at least 1, got -186.'],
  ['size', 'request-too-large', 'Request payload size exceeds the limit: 20971520 bytes.'],
  [
    'size',
    'rate-tier-too-small',
    'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully.',
    { limit: 30000, actual: 40000 },
  ],
  ['size', 'rate-tier-too-small', 'Extra usage is required for long context requests.'],
  [
    'output-limit',
    'max-tokens-overflow',
    'input length and `max_tokens` exceed context limit: 184915 + 20000 > 204648, decrease input length or `max_tokens` and try again',
    { output: 19733 },
  ],
  [
    'output-limit',
    'max-tokens-overflow',
    "This model's maximum context length is 4097 tokens. However, you requested 4431 tokens (3431 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
    { output: 666 },
  ],
  [
    'output-limit',
    'max-tokens-overflow',
    'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022',
    { output: 8192 },
  ],
  [
    'output-limit',
    'max-tokens-overflow',
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
    { output: 16384 },
  ],
  [
    'output-limit',
    'max-tokens-overflow',
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (4096 > 8192 - 5000).",
    { output: 3192 },
  ],
  [
    'output-limit',
    'max-tokens-overflow',
    'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    { output: 8192 },
  ],
  [
    'output-limit',
    'max-tokens-overflow',
    '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    { output: 8192 },
  ],
  [
    'output-limit',
    'max-tokens-overflow',
    'The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.',
    { output: 4096 },
  ],
  [
    'output-limit',
    'max-tokens-overflow',
    'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.',
    { output: 65536 },
  ],
  [
    'model-output',
    'model-tool-call-failed',
    "tool call validation failed: attempted to call tool 'x' which was not in request.tools",
  ],
  [
    'model-output',
    'model-tool-call-failed',
    'Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide.',
  ],
  ['retryable', 'rate-limited', 'Too many tokens, please wait before trying again.'],
  [
    'retryable',
    'rate-limited',
    'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.',
    { wait: 2000 },
  ],
  [
    'retryable',
    'rate-limited',
    'Your account org-x<ak-y> request reached organization max RPM: 3, please try again after 1 seconds',
  ],
  ['retryable', 'overloaded', 'The model is overloaded. Please try again later.'],
  ['retryable', 'overloaded', 'Bedrock is unable to process your request.'],
  ['retryable', 'server-error', 'The server had an error while processing your request. Sorry about that!'],
  ['retryable', 'stream-truncated', 'stream disconnected before completion: stream closed before response.completed'],
  [
    'other',
    'auth',
    'Incorrect API key provided: sk-abc. You can find your API key at https://platform.openai.com/account/api-keys.',
  ],
  ['other', 'auth', 'invalid x-api-key'],
  ['other', 'unknown-model', 'The model `gpt-9` does not exist or you do not have access to it.'],
  [
    'other',
    'content-policy',
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  ],
  [
    'other',
    'billing',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  ],
  ['other', 'billing', 'You exceeded your current quota, please check your plan and billing details.'],
  [
    'other',
    'bad-parameter',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ],
  [
    'other',
    'tools-too-many',
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 132 instead.",
  ],
  [
    'other',
    'messages-empty',
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  ],
]

/** A status that fits: a word alone does not show that a rejection is for a time. */
const statusFor = (kind: Rejection['kind']): number => (kind === 'retryable' ? 503 : 400)

describe('every kind', () => {
  for (const [kind, rule, text, more] of kinds) {
    it(`${kind}, ${rule}: ${text}`, () => {
      const body = { error: { message: text, type: 'invalid_request_error', param: null, code: null } }
      const sent = { status: statusFor(kind), lint: dirty(rule) }
      expect(of(text, sent)).toMatchObject({ kind, rule, ...more })
      expect(of(body, sent)).toMatchObject({ kind, rule, text, ...more })
      expect(of(text.replaceAll('`', ''), sent)).toMatchObject({ kind, rule })
    })
  }

  it(`whatever is wrapped around it, three deep (seed ${SEED})`, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.array(fc.constantFrom(...wrappers), { maxLength: 3 }),
        (one, layers) => {
          const [kind, rule, text] = one
          const body = layers.reduce((inner, wrap) => wrap(inner), text)
          expect(of(body, { status: statusFor(kind), lint: dirty(rule) }), body).toMatchObject({ kind, rule })
        },
      ),
      { seed: SEED, numRuns: runsOf(500, 1500) },
    )
  })

  it('is recognized by a code if the text does not tell it', () => {
    expect(of({ error: { message: 'Too big.', code: 'context_length_exceeded' } })).toMatchObject({ kind: 'size' })
    expect(of({ error: { type: 'request_too_large', message: 'No.' } }, { status: 413 })).toMatchObject({
      rule: 'request-too-large',
    })
    expect(of({ error: { message: 'Slow down', type: 'rate_limit_error' } }, { status: 429 })).toMatchObject({
      kind: 'retryable',
    })
    expect(of({ __type: 'com.amazon#ThrottlingException', message: 'x' }, { status: 429 })).toMatchObject({
      kind: 'retryable',
    })
  })

  it('is `other` if nothing is known about it', () => {
    expect(of('The moon is in the wrong house.')).toEqual({
      kind: 'other',
      confidence: 'unknown',
      ids: [],
      text: 'The moon is in the wrong house.',
    })
  })

  it('HTML of a proxy', () => {
    const page = (title: string) =>
      `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>nginx</body></html>`
    expect(of(page('413 Request Entity Too Large'), { status: 413 })).toMatchObject({
      kind: 'size',
      rule: 'request-too-large',
    })
    expect(of(page('502 Bad Gateway'), { status: 502 })).toMatchObject({ kind: 'retryable' })
    expect(of(page('401 Unauthorized'), { status: 401 })).toMatchObject({ kind: 'other', rule: 'auth' })
  })
})

describe('texts that mean two things', () => {
  it('arguments: the call that was made now, or one of the history', () => {
    const text = 'Failed to parse tool call arguments as JSON'
    expect(of(text)).toMatchObject({ kind: 'model-output' })
    expect(of(text, { lint: dirty('tool-arguments-not-json') })).toMatchObject({
      kind: 'history',
      rule: 'tool-arguments-not-json',
    })
    expect(of(text, { status: 500 })).toMatchObject({ kind: 'history' })
    expect(
      of({ error: { message: text, code: 'tool_use_failed' } }, { lint: dirty('tool-arguments-not-json') }),
    ).toMatchObject({ kind: 'model-output' })
  })

  it('a rejection of an orphan for a valid history', () => {
    const text = "Messages with role 'tool' must be a response to a preceeding message with 'tool_calls'"
    expect(of(text)).toMatchObject({ kind: 'retryable', rule: 'tool-result-orphan' })
    expect(of(text, { lint: dirty('tool-result-orphan') })).toMatchObject({
      kind: 'history',
      rule: 'tool-result-orphan',
    })
  })

  it('a rejection of a last assistant message for a history without one', () => {
    const text = 'Requests ending with a model turn are not supported.'
    expect(of(text)).toMatchObject({ rule: 'tool-result-mixed-with-other-parts' })
    expect(of(text, { lint: dirty('last-assistant-prefill') })).toMatchObject({ rule: 'last-assistant-prefill' })
  })

  it('the reason is in `param` (MiMo)', () => {
    const body = {
      error: { message: 'Param Incorrect', param: 'messages[2] assistant content must contain at least one part' },
    }
    expect(of(body)).toMatchObject({ kind: 'history', rule: 'content-empty', message: 2 })
  })

  it.each(['text is not set', '`text` is not set'])('a medium in a result, in `param` (MiMo): %s', (param) => {
    const body = { error: { code: '400', message: 'Param Incorrect', param, type: '' } }
    expect(of(body)).toMatchObject({ kind: 'history', rule: 'tool-result-multimodal-unsupported' })
  })

  it('reasoning that did not come back, in `param` (MiMo)', () => {
    const param = 'The reasoning_content in the thinking mode must be passed back to the API.'
    const body = { error: { code: '400', message: 'Param Incorrect', param, type: '' } }
    expect(of(body)).toMatchObject({ kind: 'reasoning', rule: 'reasoning-content-missing' })
  })

  it.each([
    'After the (optional) system message(s), user and assistant roles should be alternating.',
    'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
  ])('turns of one role (Perplexity): %s', (message) => {
    const body = { error: { message, type: 'invalid_message', code: 400 } }
    expect(of(body)).toMatchObject({ kind: 'history', rule: 'role-order' })
  })

  it('words no one has seen about a place in the history: what a lint finds there', () => {
    const text = 'messages.4.content: this vexes us'
    const lint = () =>
      [
        { rule: 'role-order', at: ['messages', 1] },
        { rule: 'content-null', at: ['messages', 4] },
      ] as unknown as Finding[]
    expect(of(text, { lint })).toMatchObject({ kind: 'history', rule: 'content-null', message: 4 })
    expect(of(text)).toMatchObject({ kind: 'history', confidence: 'likely', message: 4, part: 'content' })
  })

  it.each([
    'Request contains an invalid argument.',
    'Improperly formed request.',
    'Provider returned error',
    'messages 参数非法。请检查文档。',
    '',
  ])('names no cause: %s', (text) => {
    expect(of(text)).toMatchObject({ kind: 'other', rule: 'invalid-argument-opaque' })
    expect(of({ error: { message: text, code: 400 } })).toMatchObject({ rule: 'invalid-argument-opaque' })
    expect(of(text, { lint: dirty('role-order') })).toMatchObject({ kind: 'history', rule: 'invalid-argument-opaque' })
  })

  it('no text at all', () => {
    expect(of('', { status: 413 })).toMatchObject({ kind: 'size' })
    expect(of('', { status: 429 })).toMatchObject({ kind: 'retryable' })
    expect(of('', { status: 503 })).toMatchObject({ kind: 'retryable' })
    expect(of('', { status: 401 })).toMatchObject({ kind: 'other', rule: 'auth' })
  })
})

describe('how long to wait', () => {
  const limited = { error: { message: 'Rate limit reached.', type: 'rate_limit_error' } }
  const waitOf = (headers: Record<string, string>, body: unknown = limited) => of(body, { status: 429, headers }).wait

  it('by headers', () => {
    expect(waitOf({ 'retry-after': '7' })).toBe(7000)
    expect(waitOf({ 'retry-after': '0.5' })).toBe(500)
    expect(waitOf({ 'retry-after': '7', 'retry-after-ms': '120' })).toBe(120)
    expect(waitOf({ 'retry-after': 'Mon, 16 Nov 2026 00:00:09 GMT' })).toBe(9000)
    expect(waitOf({ 'retry-after': 'Mon, 16 Nov 2026 09:00:09 GMT', date: 'Mon, 16 Nov 2026 09:00:00 GMT' })).toBe(9000)
    expect(waitOf({ 'retry-after': 'Sun, 15 Nov 2026 00:00:00 GMT' })).toBe(0)
    expect(waitOf({ 'retry-after': 'soon' })).toBeUndefined()
    expect(waitOf({})).toBeUndefined()
  })

  it.each([
    ['Please try again in 20s.', 20_000],
    ['Please try again in 1.25s. Visit', 1250],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in 120ms.', 120],
    ['Please retry in 38.9s.', 38_900],
    ['Try again after 5 seconds', 5000],
    ['Please wait 2 minutes', 120_000],
    ['Rate limited (reset after 30s)', 30_000],
  ])('by words: %s', (words, wait) => {
    expect(waitOf({}, { error: { message: `Rate limit reached. ${words}`, type: 'rate_limit_error' } })).toBe(wait)
  })

  it('by a field', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '38s' }]
    const error = {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'You exceeded your current quota, please check your plan and billing details.',
      details,
    }
    expect(of({ error }, { status: 429 })).toMatchObject({ kind: 'retryable', wait: 38_000 })
  })
})
