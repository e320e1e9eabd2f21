import { letters } from '../hash.ts'
import { asList } from '../json.ts'
import { pieces } from '../pieces.ts'
import type { ComposedPart, ComposedReply, Failure, IncomingRequest, JsonObject, Wire, WireEvent } from '../types.ts'

/** OpenAI Responses (doc: platform.openai.com/docs/api-reference/responses-streaming). */
export const responses: Wire = { whole, events, failed }

const CREATED = 1_760_000_000

type Event = { readonly type: string } & JsonObject & { readonly carries?: string }

function whole(reply: ComposedReply, ask: IncomingRequest): JsonObject {
  const ended = reply.stop === 'end' || reply.stop === 'calls' ? 'completed' : 'incomplete'
  const reason = reply.stop === 'refusal' ? 'content_filter' : 'max_output_tokens'
  return {
    ...response(ask, ended),
    incomplete_details: ended === 'incomplete' ? { reason } : null,
    output: reply.parts.map((part, index) => item(part, index, ask)),
    usage: usage(reply),
  }
}

function events(reply: ComposedReply, ask: IncomingRequest): WireEvent[] {
  const last = whole(reply, ask)
  return numbered([
    { type: 'response.created', response: response(ask, 'in_progress') },
    { type: 'response.in_progress', response: response(ask, 'in_progress') },
    ...reply.parts.flatMap((part, index) => itemEvents(part, index, reply.chunk, ask)),
    { type: `response.${last['status']}`, response: last },
  ])
}

// Two forms were reported: a rejected request sends `error` right after the response began, a broken one
// `response.failed`.
function failed(failure: Failure, ask: IncomingRequest, sequence_number: number): WireEvent {
  const { message, code = 'server_error' } = failure
  if (failure.status === 400) {
    const error = { type: 'invalid_request_error', code, message, param: failure.param ?? null }
    return { name: 'error', data: { type: 'error', sequence_number, error } }
  }
  const response_ = { ...response(ask, 'failed'), error: { code, message } }
  return { name: 'response.failed', data: { type: 'response.failed', sequence_number, response: response_ } }
}

function response(ask: IncomingRequest, status: string): JsonObject {
  const { body } = ask
  return {
    id: `resp_${letters(`${ask.seed} response`, 48)}`,
    object: 'response',
    created_at: CREATED,
    status,
    error: null,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    metadata: body['metadata'] ?? {},
    model: ask.model,
    output: [],
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: body['previous_response_id'] ?? null,
    reasoning: body['reasoning'] ?? { effort: null, summary: null },
    store: body['store'] ?? true,
    temperature: body['temperature'] ?? 1,
    text: body['text'] ?? { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    top_p: body['top_p'] ?? 1,
    truncation: 'disabled',
    usage: null,
  }
}

function usage({ usage }: ComposedReply): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  }
}

function itemId(prefix: string, index: number, ask: IncomingRequest): string {
  return `${prefix}_${letters(`${ask.seed} item ${index}`, 48)}`
}

function item(part: ComposedPart, index: number, ask: IncomingRequest): JsonObject {
  switch (part.kind) {
    case 'text':
      return {
        id: itemId('msg', index, ask),
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [textPart(part.text)],
      }
    case 'reasoning': {
      const open = asList(ask.body['include']).includes('reasoning.encrypted_content')
      const encrypted = open ? { encrypted_content: part.signature } : {}
      return { id: itemId('rs', index, ask), type: 'reasoning', summary: [summaryPart(part.text)], ...encrypted }
    }
    case 'call':
      return {
        id: itemId('fc', index, ask),
        type: 'function_call',
        status: 'completed',
        arguments: part.json,
        call_id: part.id,
        name: part.name,
      }
  }
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', annotations: [], logprobs: [], text }
}

function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text }
}

function itemEvents(part: ComposedPart, output_index: number, chunk: number, ask: IncomingRequest): Event[] {
  const done = item(part, output_index, ask)
  const at = { item_id: done['id'], output_index }
  const frame = (opened: JsonObject, inner: readonly Event[]): Event[] => [
    { type: 'response.output_item.added', output_index, item: { ...done, ...opened } },
    ...inner,
    { type: 'response.output_item.done', output_index, item: done },
  ]
  switch (part.kind) {
    case 'text':
      return frame({ status: 'in_progress', content: [] }, textEvents(part.text, chunk, { ...at, content_index: 0 }))
    case 'reasoning':
      return frame({ summary: [] }, summaryEvents(part.text, chunk, { ...at, summary_index: 0 }))
    case 'call':
      return frame({ status: 'in_progress', arguments: '' }, [
        ...pieces(part.json, chunk).map((delta): Event => {
          return { type: 'response.function_call_arguments.delta', ...at, delta, carries: delta }
        }),
        { type: 'response.function_call_arguments.done', ...at, name: part.name, arguments: part.json },
      ])
  }
}

function textEvents(text: string, chunk: number, at: JsonObject): Event[] {
  return [
    { type: 'response.content_part.added', ...at, part: textPart('') },
    ...pieces(text, chunk).map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part: textPart(text) },
  ]
}

function summaryEvents(text: string, chunk: number, at: JsonObject): Event[] {
  return [
    { type: 'response.reasoning_summary_part.added', ...at, part: summaryPart('') },
    ...pieces(text, chunk).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part: summaryPart(text) },
  ]
}

function numbered(events: readonly Event[]): WireEvent[] {
  return events.map(({ type, carries, ...rest }, sequence_number) => ({
    name: type,
    data: { type, sequence_number, ...rest },
    ...(carries ? { carries } : {}),
  }))
}
