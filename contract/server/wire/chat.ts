import { letters } from '../hash.ts'
import { asObject } from '../json.ts'
import { pieces } from '../pieces.ts'
import type {
  ComposedPart,
  ComposedReply,
  Failure,
  IncomingRequest,
  JsonObject,
  Stop,
  Wire,
  WireEvent,
} from '../types.ts'
import { manners } from './chat-variants.ts'
import { chatFailure } from './failure.ts'

/** OpenAI chat completions, and the variants of other providers (doc: platform.openai.com/docs/api-reference/chat). */
export const chat: Wire = { whole, events, failed }

// Constant: the same request gets the same bytes.
const CREATED = 1_760_000_000

const STOPS: Readonly<Record<Stop, string>> = {
  end: 'stop',
  calls: 'tool_calls',
  length: 'length',
  refusal: 'content_filter',
  overflow: 'model_context_window_exceeded',
}

type Call = ComposedPart & { kind: 'call' }

function whole(reply: ComposedReply, ask: IncomingRequest): JsonObject {
  const calls = reply.parts.filter((part): part is Call => part.kind === 'call')
  const message = {
    role: 'assistant',
    ...content(reply, ask, calls.length > 0),
    ...(calls.length > 0
      ? { tool_calls: calls.map((call, index) => ({ ...toolCall(call, ask, index, call.json) })) }
      : {}),
  }
  return {
    ...head(ask, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish(reply) }],
    usage: usage(reply),
  }
}

function finish(reply: ComposedReply): string {
  return reply.finish ?? STOPS[reply.stop]
}

function events(reply: ComposedReply, ask: IncomingRequest): WireEvent[] {
  const way = manners(ask.provider)
  const asked = asObject(ask.body['stream_options'])['include_usage'] === true
  const usageChunk = asked && way.usage === 'asked' ? { usage: null } : {}
  const chunk = (delta: JsonObject, finish_reason: string | null = null, rest: JsonObject = usageChunk): WireEvent => ({
    data: {
      ...head(ask, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...rest,
    },
  })
  const last = way.usage === 'last' ? { usage: usage(reply) } : usageChunk
  const total = { data: { ...head(ask, 'chat.completion.chunk'), choices: [], usage: usage(reply) } }
  return [
    ...way.before.map((event) => (event.data ? { data: { ...head(ask, ''), ...asObject(event.data) } } : event)),
    chunk({ role: 'assistant', content: '' }),
    ...deltas(reply, ask).map(({ delta, carries }) => ({ ...chunk(delta), ...(carries ? { carries } : {}) })),
    chunk({}, finish(reply), last),
    ...(way.usage === 'always' || (asked && way.usage === 'asked') ? [total] : []),
    { data: '[DONE]' },
  ]
}

function failed(failure: Failure, ask: IncomingRequest): WireEvent {
  const body = chatFailure(failure, ask)
  if (ask.provider !== 'openrouter') return { data: body }
  const choices = [{ index: 0, delta: { content: '' }, finish_reason: 'error' }]
  const error = { code: failure.status, message: failure.message, metadata: { error_type: 'provider_unavailable' } }
  return { data: { ...head(ask, 'chat.completion.chunk'), choices, error } }
}

interface Delta {
  readonly delta: JsonObject
  readonly carries?: string
}

function deltas(reply: ComposedReply, ask: IncomingRequest): Delta[] {
  const calls = reply.parts.filter((part) => part.kind === 'call')
  return reply.parts.flatMap((part) => {
    if (part.kind === 'call') return callDeltas(part, calls.indexOf(part), ask, reply.chunk)
    const delta = part.kind === 'text' ? (content: string) => ({ content }) : manners(ask.provider).reasoningDelta
    return pieces(part.text, reply.chunk).map((text) => ({ delta: delta(text) }))
  })
}

function callDeltas(call: Call, index: number, ask: IncomingRequest, chunk: number): Delta[] {
  if (manners(ask.provider).wholeCalls)
    return [{ delta: { tool_calls: [{ ...toolCall(call, ask, index, call.json), index }] }, carries: call.json }]
  const rest = pieces(call.json, chunk).map((text): Delta => {
    return { delta: { tool_calls: [{ index, function: { arguments: text } }] }, carries: text }
  })
  return [{ delta: { tool_calls: [{ index, ...toolCall(call, ask, index, '') }] } }, ...rest]
}

function toolCall(call: Call, ask: IncomingRequest, index: number, json: string): JsonObject {
  const { id, name } = call
  const place = ask.provider === 'mistral' || ask.provider === 'deepseek' ? { index } : {}
  return { ...place, id, type: 'function', function: { name, arguments: json } }
}

function content(reply: ComposedReply, { provider }: IncomingRequest, calls: boolean): JsonObject {
  const way = manners(provider)
  const text = reply.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const reasoning = reply.parts.map((part) => (part.kind === 'reasoning' ? part.text : '')).join('')
  const plain = { content: text === '' && calls ? way.noContent : text }
  return reasoning === '' ? plain : { ...plain, ...way.reasoningMessage(reasoning, text) }
}

function head(ask: IncomingRequest, object: string): JsonObject {
  const id = `chatcmpl-${letters(`${ask.seed} chat`, 29)}`
  return { id, object, created: CREATED, model: ask.model, ...manners(ask.provider).head }
}

function usage({ usage }: ComposedReply): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}
