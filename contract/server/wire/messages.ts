import { letters } from '../hash.ts'
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

/** Anthropic Messages (doc: platform.claude.com/docs/en/build-with-claude/streaming). */
export const messages: Wire = { whole, events, failed }

const STOPS: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  overflow: 'model_context_window_exceeded',
}

function whole(reply: ComposedReply, ask: IncomingRequest): JsonObject {
  return { ...head(ask), content: reply.parts.map(block), stop_reason: finish(reply), usage: usage(reply) }
}

function finish(reply: ComposedReply): string {
  return reply.finish ?? STOPS[reply.stop]
}

function events(reply: ComposedReply, ask: IncomingRequest): WireEvent[] {
  const start = { ...head(ask), content: [], stop_reason: null, usage: { ...usage(reply), output_tokens: 1 } }
  const blocks = reply.parts.flatMap((part, index) => blockEvents(part, index, reply.chunk))
  return [
    event('message_start', { message: start }),
    ...blocks.slice(0, 1),
    event('ping', {}),
    ...blocks.slice(1),
    event('message_delta', {
      delta: { stop_reason: finish(reply), stop_sequence: null },
      usage: { output_tokens: reply.usage.output },
    }),
    event('message_stop', {}),
  ]
}

function failed(failure: Failure): WireEvent {
  return event('error', { error: { details: null, type: failure.type ?? 'api_error', message: failure.message } })
}

function head(ask: IncomingRequest): JsonObject {
  const prefix = ask.provider === 'vertex' ? 'msg_vrtx_01' : 'msg_01'
  return {
    id: prefix + letters(`${ask.seed} message`, 22),
    type: 'message',
    role: 'assistant',
    model: ask.model,
    stop_sequence: null,
  }
}

function usage({ usage }: ComposedReply): JsonObject {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
    service_tier: 'standard',
  }
}

function block(part: ComposedPart): JsonObject {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return part.redacted
        ? { type: 'redacted_thinking', data: part.signature }
        : { type: 'thinking', thinking: part.text, signature: part.signature }
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: parsed(part.json) }
  }
}

// A script may have half an object as arguments: a complete answer then has the characters as they are.
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

function blockEvents(part: ComposedPart, index: number, chunk: number): WireEvent[] {
  const start = (content_block: JsonObject) => event('content_block_start', { index, content_block })
  const delta = (delta: JsonObject) => event('content_block_delta', { index, delta })
  const stop = event('content_block_stop', { index })
  switch (part.kind) {
    case 'text': {
      const deltas = pieces(part.text, chunk).map((text) => delta({ type: 'text_delta', text }))
      return [start({ type: 'text', text: '' }), ...deltas, stop]
    }
    case 'reasoning': {
      if (part.redacted) return [start(block(part)), stop]
      const deltas = pieces(part.text, chunk).map((thinking) => delta({ type: 'thinking_delta', thinking }))
      const signature = delta({ type: 'signature_delta', signature: part.signature })
      return [start({ type: 'thinking', thinking: '', signature: '' }), ...deltas, signature, stop]
    }
    case 'call': {
      const deltas = ['', ...pieces(part.json, chunk)].map((partial_json) => ({
        ...delta({ type: 'input_json_delta', partial_json }),
        ...(partial_json === '' ? {} : { carries: partial_json }),
      }))
      return [start({ type: 'tool_use', id: part.id, name: part.name, input: {} }), ...deltas, stop]
    }
  }
}

function event(name: string, rest: JsonObject): WireEvent {
  return { name, data: { type: name, ...rest } }
}
