/**
 * Replies of Gemini generateContent (doc: ai.google.dev/api/generate-content).
 * Every chunk has the shape of a reply. A reply is complete with a `finishReason`; there is no terminal event.
 */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Framing, Reply, ReplyFailure, ReplyForm } from '../../core/reply.ts'
import { Assembly, isError, listAt, notAnAnswer, textAt, tokensAt, usageOf } from '../replies/assembly.ts'
import type { Calls } from '../replies/calls.ts'
import { Others } from '../replies/others.ts'
import { lastElement, sseEvent } from '../replies/wire.ts'
import { Parts } from './reply-parts.ts'

export const geminiReply: ReplyForm = { dialect: 'gemini', json, stream: () => new Gemini(), failure }

/** Reasons that mean a failure; others (`STOP`, `MAX_TOKENS`, `SAFETY`, ...) are ends of an answer. */
const FAILED: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'OTHER',
])

class Gemini extends Assembly {
  readonly #parts = new Parts()
  readonly #others = new Others()
  #ended = false
  #whole = false
  #usage: JsonObject | undefined

  protected take(chunk: JsonObject): void {
    // Code Assist puts each chunk into a `response`.
    const value = isObject(chunk['response']) && !chunk['candidates'] ? chunk['response'] : chunk
    this.id ??= textAt(value, 'responseId')
    this.model ??= textAt(value, 'modelVersion')
    // Every chunk has the usage so far. The last one is read at the end.
    if (isObject(value['usageMetadata'])) this.#usage = value['usageMetadata']
    const { candidates } = value
    if (Array.isArray(candidates)) for (const one of candidates) this.#one(one)
    if (textAt(value['promptFeedback'], 'blockReason') !== undefined) this.#blocked(value)
    if (isError(value)) this.fail(value)
  }

  override whole(body: JsonObject): void {
    this.#whole = true
    this.take(body)
    // A body that is not streamed is complete even without a reason.
    this.done ||= this.output
  }

  #one(candidate: unknown): void {
    if (!isObject(candidate)) return
    const { index, finishReason } = candidate
    if (typeof index !== 'number' || index === 0) this.#candidate(candidate)
    else {
      // Another answer to the same request: not part of this one, but the stream is complete only with its end.
      this.output ||= !this.#whole
      if (this.#whole || isEnd(finishReason)) this.#others.ended(index)
      else this.#others.begun(index)
    }
    this.done = this.#ended && !this.#others.open
  }

  #candidate(candidate: JsonObject): void {
    for (const part of listAt(candidate['content'], 'parts')) {
      if (!isObject(part)) continue
      if (part['text'] !== '') this.output = true
      this.#parts.add(part, this.#whole)
    }
    const { finishReason } = candidate
    if (!isEnd(finishReason)) return
    this.stop = finishReason
    this.#ended = true
    if (FAILED.has(finishReason)) this.fail({ ...candidate, content: undefined })
  }

  // The prompt was blocked: the reply has no candidate.
  #blocked(value: JsonObject): void {
    this.#ended = true
    this.done = true
    this.stop ??= textAt(value['promptFeedback'], 'blockReason')
    this.fail(value)
  }

  protected settle(complete: boolean, calls: Calls): readonly unknown[] {
    this.usage = usageIn(this.#usage)
    const parts = this.#parts.settle(complete, calls)
    return parts.length === 0 ? [] : [{ role: 'model', parts }]
  }
}

function isEnd(reason: unknown): reason is string {
  return typeof reason === 'string' && reason !== 'FINISH_REASON_UNSPECIFIED'
}

function usageIn(usage: unknown) {
  const answered = tokensAt(usage, 'candidatesTokenCount')
  const thought = tokensAt(usage, 'thoughtsTokenCount')
  const output = answered === undefined && thought === undefined ? undefined : (answered ?? 0) + (thought ?? 0)
  const used = tokensAt(usage, 'toolUsePromptTokenCount')
  const prompt = tokensAt(usage, 'promptTokenCount')
  const input = prompt === undefined ? undefined : prompt + (used ?? 0)
  return usageOf(input, output, tokensAt(usage, 'cachedContentTokenCount'))
}

function json(body: unknown): Reply {
  // A stream without `alt=sse` is a list of chunks if it is read at once.
  if (Array.isArray(body)) return listed(body)
  if (!isObject(body)) return notAnAnswer(body)
  const inner = isObject(body['response']) ? body['response'] : body
  if (!Array.isArray(inner['candidates']) && !isObject(inner['promptFeedback'])) return notAnAnswer(body)
  return new Gemini().replyTo(body)
}

function listed(chunks: readonly unknown[]): Reply {
  const gemini = new Gemini()
  gemini.push({ data: JSON.stringify(chunks) })
  return gemini.end()
}

function failure({ message, type = 'UNAVAILABLE' }: ReplyFailure, framing?: Framing): Uint8Array {
  const error = { error: { code: CODES[type] ?? 500, message, status: type } }
  return framing === 'array' ? lastElement(error) : sseEvent(undefined, error)
}

// Google's library throws only for codes from 400 to 599.
const CODES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
}
