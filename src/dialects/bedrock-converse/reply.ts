/**
 * Replies of Bedrock Converse (doc: docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream).
 * A reply is complete with `messageStop`. Exceptions are separate frames. Only blocks of calls have a start event.
 */
import { orUndefined } from '../../core/index.ts'
import { isObject, type JsonObject, own, put } from '../../core/json.ts'
import type { Framing, Reply, ReplyFailure, ReplyForm } from '../../core/reply.ts'
import { Assembly, isError, listAt, notAnAnswer, textAt, tokensAt, usageOf } from '../replies/assembly.ts'
import { append, type Block, inOrder } from '../replies/block.ts'
import type { Calls } from '../replies/calls.ts'
import { exception, sseEvent } from '../replies/wire.ts'
import { messagesOf } from './reply-blocks.ts'

export const bedrockConverseReply: ReplyForm = {
  dialect: 'bedrock-converse',
  json,
  stream: () => new Converse(),
  failure,
}

/** Stop reasons that mean that the model's output is not valid. */
const FAILED: ReadonlySet<string> = new Set(['malformed_model_output', 'malformed_tool_use'])

class Converse extends Assembly {
  readonly #blocks = new Map<number, Block>()

  protected take(value: JsonObject, event: string | undefined): void {
    // The wire has the event's name in a header; relays that send JSON use it as a key.
    if (event === undefined) {
      for (const name of Object.keys(value)) this.take(isObject(value[name]) ? value[name] : {}, name)
      return
    }
    this.#event(event, value)
  }

  #event(name: string, data: JsonObject): void {
    switch (name) {
      case 'contentBlockDelta':
        this.#delta(data)
        break
      case 'contentBlockStart':
        this.#start(data)
        break
      case 'contentBlockStop':
        this.#block(data).closed = true
        break
      case 'messageStop':
        this.#finish(textAt(data, 'stopReason'))
        break
      case 'metadata':
        this.usage = usageIn(data['usage']) ?? this.usage
        break
      default:
        if (name.endsWith('Exception') || isError(data)) this.fail({ [name]: data })
    }
  }

  override whole(body: JsonObject): void {
    const content = listAt(own(body['output'], 'message'), 'content')
    for (const [index, block] of content.entries()) {
      if (isObject(block)) this.#blocks.set(index, { index, block, json: undefined, closed: true })
    }
    this.output = content.length > 0
    this.usage = usageIn(body['usage'])
    this.#finish(textAt(body, 'stopReason'))
  }

  #finish(reason: string | undefined): void {
    this.done = true
    this.stop = reason
    if (reason !== undefined && FAILED.has(reason)) this.malformed()
  }

  #block(data: JsonObject): Block {
    const index = typeof data['contentBlockIndex'] === 'number' ? data['contentBlockIndex'] : 0
    let block = this.#blocks.get(index)
    if (!block) {
      block = { index, block: {}, json: undefined, closed: false }
      this.#blocks.set(index, block)
    }
    return block
  }

  #start(data: JsonObject): void {
    const { start } = data
    const held = this.#block(data)
    if (!isObject(start)) return
    if (Object.keys(start).length > 0) this.output = true
    for (const key of Object.keys(start)) {
      put(held.block, key, isObject(start[key]) ? { ...start[key] } : start[key])
    }
  }

  #delta(data: JsonObject): void {
    const { delta } = data
    if (!isObject(delta)) return
    this.output = true
    const held = this.#block(data)
    for (const key of Object.keys(delta)) {
      const value = delta[key]
      if (key === 'text' && typeof value === 'string') append(held.block, key, value)
      else if (key === 'toolUse') held.json = (held.json ?? '') + (textAt(value, 'input') ?? '')
      else if (key === 'reasoningContent' && isObject(value)) reason(held.block, value)
      else if (key === 'citation') put(held.block, key, [...listAt(held.block, key), value])
      else if (key === 'toolResult' && Array.isArray(value)) addResults(held.block, value)
      else put(held.block, key, value)
    }
  }

  protected settle(complete: boolean, calls: Calls): readonly unknown[] {
    return messagesOf(inOrder(this.#blocks), complete, this.stop === 'max_tokens', calls)
  }
}

function reason(block: JsonObject, { text, signature, redactedContent }: JsonObject): void {
  const was = block['reasoningContent']
  if (typeof redactedContent === 'string') {
    const redacted = joinedBase64(textAt(was, 'redactedContent'), redactedContent)
    put(block, 'reasoningContent', { redactedContent: redacted })
    return
  }
  if (textAt(was, 'redactedContent') !== undefined) return
  const reasoningText: Record<string, unknown> = { text: '', ...(own(was, 'reasoningText') as object | undefined) }
  append(reasoningText, 'text', text)
  if (typeof signature === 'string') put(reasoningText, 'signature', signature)
  put(block, 'reasoningContent', { reasoningText })
}

/** Pieces of the result of a tool that Bedrock runs; the block names its call. */
function addResults(block: JsonObject, pieces: readonly unknown[]): void {
  const { toolResult } = block
  if (isObject(toolResult))
    put(block, 'toolResult', { ...toolResult, content: [...listAt(toolResult, 'content'), ...pieces] })
}

// Each piece is separately encoded in Base64, with padding.
function joinedBase64(first: string | undefined, second: string): string {
  if (first === undefined) return second
  return orUndefined(() => btoa(atob(first) + atob(second))) ?? first + second
}

function usageIn(usage: unknown) {
  const cached = tokensAt(usage, 'cacheReadInputTokens', 'cacheReadInputTokenCount')
  const written = tokensAt(usage, 'cacheWriteInputTokens', 'cacheWriteInputTokenCount')
  const fresh = tokensAt(usage, 'inputTokens')
  const input = fresh === undefined ? undefined : fresh + (cached ?? 0) + (written ?? 0)
  return usageOf(input, tokensAt(usage, 'outputTokens'), cached, written)
}

function json(body: unknown): Reply {
  const message = own(own(body, 'output'), 'message')
  if (!isObject(body) || !isObject(message)) return notAnAnswer(body)
  return new Converse().replyTo(body)
}

function failure({ message, type }: ReplyFailure, framing?: Framing): Uint8Array {
  if (framing === 'sse') return sseEvent(undefined, { internalServerException: { message } })
  return exception(message, type)
}
