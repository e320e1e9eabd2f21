/**
 * Replies of Anthropic Messages (doc: platform.claude.com/docs/en/build-with-claude/streaming).
 * A reply is complete with a stop reason, `message_stop` and no open block. Reads Bedrock's InvokeModel framing, too.
 */
import { isObject, type JsonObject, own, put } from '../../core/json.ts'
import type { Framing, Reply, ReplyFailure, ReplyForm } from '../../core/reply.ts'
import { tryParseJson } from '../../core/spelling.ts'
import { Assembly, isError, notAnAnswer, textAt, tokensAt, usageOf } from '../replies/assembly.ts'
import { append, type Block, inOrder } from '../replies/block.ts'
import type { Calls } from '../replies/calls.ts'
import { exception, sseEvent } from '../replies/wire.ts'
import { messagesOf } from './reply-blocks.ts'

export const anthropicMessagesReply: ReplyForm = {
  dialect: 'anthropic-messages',
  json,
  isPlain,
  usage: (body) => usageIn(own(body, 'usage')),
  stream: () => new Messages(),
  failure,
}

class Messages extends Assembly {
  readonly #blocks = new Map<number, Block>()
  #usage: JsonObject = {}
  #open = 0
  /** A body that is not streamed is complete even without a stop reason. */
  #whole = false

  protected override get settled(): boolean {
    return this.#whole || (this.#open === 0 && this.stop !== undefined)
  }

  protected take(value: JsonObject, event: string | undefined): void {
    const type = value['type'] ?? event
    switch (type) {
      case 'content_block_delta':
        this.#delta(value['index'], value['delta'])
        break
      case 'content_block_start':
        this.#start(value['index'], value['content_block'])
        break
      case 'content_block_stop':
        this.#stop(value['index'])
        break
      case 'message_start':
        if (isObject(value['message'])) this.#message(value['message'])
        break
      case 'message_delta':
        this.stop = textAt(value['delta'], 'stop_reason') ?? this.stop
        this.#count(value['usage'])
        break
      case 'message_stop':
        this.done = true
        break
      case 'chunk':
        this.#invoked(value['bytes'])
        break
      default:
        if (isError(value)) this.fail(value)
    }
  }

  override whole(body: JsonObject): void {
    this.#whole = true
    this.#message(body)
    this.stop = textAt(body, 'stop_reason')
    this.done = true
  }

  #message(message: JsonObject): void {
    this.id = textAt(message, 'id')
    this.model = textAt(message, 'model')
    this.#count(message['usage'])
    // A stream begins without content, but a relay may send blocks with the first event.
    const { content } = message
    if (!Array.isArray(content)) return
    for (const [index, block] of content.entries()) {
      if (!isObject(block)) continue
      this.output = true
      this.#blocks.set(index, { index, block: { ...block }, json: undefined, closed: true })
    }
  }

  #count(usage: unknown): void {
    if (!isObject(usage)) return
    // Each count is the total so far; a missing one has not changed.
    for (const key of COUNTS) if (typeof usage[key] === 'number') put(this.#usage, key, usage[key])
    this.usage = usageIn(this.#usage)
  }

  #start(at: unknown, content: unknown): void {
    const index = typeof at === 'number' ? at : this.#blocks.size
    const block = isObject(content) ? { ...content } : { type: 'text', text: '' }
    if (this.#blocks.get(index)?.closed !== false) this.#open++
    this.#blocks.set(index, { index, block, json: undefined, closed: false })
    if (!isSilent(block)) this.output = true
  }

  #stop(index: unknown): void {
    const block = this.#blocks.get(index as number)
    if (!block || block.closed) return
    block.closed = true
    this.#open--
  }

  #delta(index: unknown, delta: unknown): void {
    if (!isObject(delta)) return
    this.output = true
    const held = this.#blocks.get(index as number) ?? this.#unannounced(index, delta)
    const { block } = held
    switch (delta['type']) {
      case 'text_delta':
        append(block, 'text', delta['text'])
        break
      case 'thinking_delta':
        append(block, 'thinking', delta['thinking'])
        break
      case 'input_json_delta':
        if (typeof delta['partial_json'] === 'string') held.json = (held.json ?? '') + delta['partial_json']
        break
      case 'citations_delta':
        block['citations'] = [...(Array.isArray(block['citations']) ? block['citations'] : []), delta['citation']]
        break
      default:
        // Signatures, compactions and unknown deltas are not split into pieces.
        for (const key of Object.keys(delta)) if (key !== 'type') put(block, key, delta[key])
    }
  }

  #unannounced(index: unknown, delta: JsonObject): Block {
    const type = delta['type'] === 'thinking_delta' ? 'thinking' : delta['type'] === 'text_delta' ? 'text' : 'tool_use'
    this.#start(index, { type })
    return this.#blocks.get(typeof index === 'number' ? index : this.#blocks.size - 1)!
  }

  // InvokeModelWithResponseStream: the event is in Base64, in a binary frame.
  #invoked(bytes: unknown): void {
    const value = typeof bytes === 'string' ? tryParseJson(decoded(bytes)) : undefined
    if (isObject(value)) this.take(value, undefined)
    else this.malformed()
  }

  protected settle(complete: boolean, calls: Calls): readonly unknown[] {
    return messagesOf(inOrder(this.#blocks), complete, this.stop === 'max_tokens', calls)
  }
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

function usageIn(usage: unknown) {
  const cached = tokensAt(usage, 'cache_read_input_tokens')
  const written = tokensAt(usage, 'cache_creation_input_tokens')
  const fresh = tokensAt(usage, 'input_tokens')
  // Anthropic does not include cached tokens in `input_tokens`.
  const input = fresh === undefined ? undefined : fresh + (cached ?? 0) + (written ?? 0)
  return usageOf(input, tokensAt(usage, 'output_tokens'), cached, written)
}

/** A block without text so far. */
function isSilent(block: JsonObject): boolean {
  return (block['type'] === 'text' && !block['text']) || (block['type'] === 'thinking' && !block['thinking'])
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

/** A complete reply of text blocks only; others are read block by block. */
function isPlain(body: unknown): boolean {
  if (!isObject(body) || body['type'] !== 'message' || isError(body)) return false
  const { stop_reason: reason, content } = body
  return typeof reason === 'string' && reason !== '' && Array.isArray(content) && content.every(isText)
}

function isText(block: unknown): boolean {
  return isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
}

function json(body: unknown): Reply {
  if (!isObject(body) || !Array.isArray(body['content'])) return notAnAnswer(body)
  return new Messages().replyTo(body)
}

function failure({ message, type }: ReplyFailure, framing?: Framing): Uint8Array {
  if (framing === 'eventstream') return exception(message, type)
  return sseEvent('error', { type: 'error', error: { details: null, type: type ?? 'api_error', message } })
}
