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

/**
 * Bedrock Converse and ConverseStream (doc:
 * docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream).
 */
export const converse: Wire = { whole, events, failed }

const STOPS: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'content_filtered',
  overflow: 'model_context_window_exceeded',
}

function whole(reply: ComposedReply): JsonObject {
  return {
    output: { message: { role: 'assistant', content: reply.parts.map(block) } },
    stopReason: finish(reply),
    ...metadata(reply),
  }
}

function finish(reply: ComposedReply): string {
  return reply.finish ?? STOPS[reply.stop]
}

function events(reply: ComposedReply): WireEvent[] {
  return [
    { name: 'messageStart', data: { role: 'assistant' } },
    ...reply.parts.flatMap((part, index) => blockEvents(part, index, reply.chunk)),
    { name: 'messageStop', data: { stopReason: finish(reply) } },
    { name: 'metadata', data: metadata(reply) },
  ]
}

const EXCEPTIONS: Readonly<Record<number, string>> = {
  400: 'validationException',
  424: 'modelStreamErrorException',
  429: 'throttlingException',
  503: 'serviceUnavailableException',
}

function failed(failure: Failure, _ask: IncomingRequest): WireEvent {
  const name = EXCEPTIONS[failure.status] ?? 'internalServerException'
  return { name, data: { message: failure.message }, exception: true }
}

function metadata({ usage }: ComposedReply): JsonObject {
  const { input, output, cached } = usage
  return {
    usage: { inputTokens: input, outputTokens: output, totalTokens: input + output, cacheReadInputTokens: cached },
    metrics: { latencyMs: 1 },
  }
}

function block(part: ComposedPart): JsonObject {
  switch (part.kind) {
    case 'text':
      return { text: part.text }
    case 'reasoning':
      return {
        reasoningContent: part.redacted
          ? { redactedContent: base64(part.signature) }
          : { reasoningText: { text: part.text, signature: part.signature } },
      }
    case 'call':
      return { toolUse: { toolUseId: part.id, name: part.name, input: input(part.json) } }
  }
}

function blockEvents(part: ComposedPart, contentBlockIndex: number, chunk: number): WireEvent[] {
  const delta = (delta: JsonObject): WireEvent => ({ name: 'contentBlockDelta', data: { contentBlockIndex, delta } })
  const stop = { name: 'contentBlockStop', data: { contentBlockIndex } }
  switch (part.kind) {
    case 'text':
      return [...pieces(part.text, chunk).map((text) => delta({ text })), stop]
    case 'reasoning': {
      if (part.redacted) return [delta({ reasoningContent: { redactedContent: base64(part.signature) } }), stop]
      const deltas = pieces(part.text, chunk).map((text) => delta({ reasoningContent: { text } }))
      return [...deltas, delta({ reasoningContent: { signature: part.signature } }), stop]
    }
    case 'call': {
      // Only calls have a start event for their block; text and reasoning begin with their first delta.
      const start = { toolUse: { toolUseId: part.id, name: part.name } }
      const deltas = pieces(part.json, chunk).map((input) => {
        return { ...delta({ toolUse: { input } }), carries: input }
      })
      return [{ name: 'contentBlockStart', data: { contentBlockIndex, start } }, ...deltas, stop]
    }
  }
}

function base64(text: string): string {
  return btoa(text)
}

function input(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
