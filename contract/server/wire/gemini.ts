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
import { googleFailure } from './failure.ts'

/** Gemini generateContent (doc: ai.google.dev/api/generate-content). */
export const gemini: Wire = { whole, events, failed }

const STOPS: Readonly<Record<Stop, string>> = {
  end: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  overflow: 'MAX_TOKENS',
}

function whole(reply: ComposedReply, ask: IncomingRequest): JsonObject {
  const parts = reply.parts.flatMap((part) => partsOf(part, Number.POSITIVE_INFINITY))
  return chunk(parts, reply, ask, finish(reply))
}

function finish(reply: ComposedReply): string {
  return reply.finish ?? STOPS[reply.stop]
}

// Gemini has no separate event for the end: the last chunk has the finishReason.
function events(reply: ComposedReply, ask: IncomingRequest): WireEvent[] {
  const chunks = reply.parts.flatMap((part) => {
    const carries = part.kind === 'call' ? { carries: JSON.stringify(args(part.json)) } : {}
    return partsOf(part, reply.chunk).map((one) => ({ one, carries }))
  })
  if (chunks.length === 0) return [{ data: chunk([{ text: '' }], reply, ask, finish(reply)) }]
  return chunks.map(({ one, carries }, index) => ({
    data: chunk([one], reply, ask, index === chunks.length - 1 ? finish(reply) : undefined),
    ...carries,
  }))
}

function failed(failure: Failure): WireEvent {
  return { data: googleFailure(failure) }
}

function chunk(
  parts: readonly JsonObject[],
  reply: ComposedReply,
  ask: IncomingRequest,
  finishReason: string | undefined,
): JsonObject {
  const finish = finishReason === undefined ? {} : { finishReason }
  return {
    candidates: [{ content: { parts, role: 'model' }, ...finish, index: 0 }],
    usageMetadata: usage(reply),
    modelVersion: ask.model,
    responseId: letters(`${ask.seed} gemini`, 22),
  }
}

function usage({ usage }: ComposedReply): JsonObject {
  const output = usage.output - usage.reasoning
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: output,
    totalTokenCount: usage.input + usage.output,
    ...(usage.cached > 0 ? { cachedContentTokenCount: usage.cached } : {}),
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
  }
}

function partsOf(part: ComposedPart, chunk: number): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return textParts(part.text, chunk, part.signature)
    case 'reasoning':
      return pieces(part.text, chunk).map((text) => ({ text, thought: true }))
    case 'call': {
      const signature = part.signature === undefined ? {} : { thoughtSignature: part.signature }
      const id = part.id === '' ? {} : { id: part.id }
      return [{ functionCall: { ...id, name: part.name, args: args(part.json) }, ...signature }]
    }
  }
}

function textParts(text: string, chunk: number, signature: string | undefined): JsonObject[] {
  const parts = pieces(text, chunk)
  const last = parts.length - 1
  return parts.map((text, index) => (index === last && signature ? { text, thoughtSignature: signature } : { text }))
}

// Gemini sends only objects: arguments that are not one become an empty object.
function args(json: string): JsonObject {
  try {
    return asObject(JSON.parse(json))
  } catch {
    return {}
  }
}
