/**
 * Replies of OpenAI Responses (doc: platform.openai.com/docs/api-reference/responses-streaming).
 * An item is taken as `output_item.done` gives it; its deltas count only where that did not come.
 */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Reply, ReplyFailure, ReplyForm } from '../../core/reply.ts'
import { Assembly, isError, listAt, notAnAnswer, textAt, tokensAt, usageOf } from '../replies/assembly.ts'
import type { Calls } from '../replies/calls.ts'
import { joined, sseEvent } from '../replies/wire.ts'
import { Items } from './reply-drafts.ts'
import { partialMessages, wholeMessages } from './reply-items.ts'

export const openaiResponsesReply: ReplyForm = {
  dialect: 'openai-responses',
  json,
  stream: () => new Responses(),
  failure,
}

class Responses extends Assembly {
  readonly #items = new Items()
  /** The list that came with the end. */
  #output: readonly unknown[] = []

  protected take(value: JsonObject, event: string | undefined): void {
    const type = textAt(value, 'type') ?? event ?? ''
    switch (type) {
      case 'response.output_item.added':
        if (isObject(value['item'])) this.#added(value, value['item'])
        break
      case 'response.output_item.done':
        if (!isObject(value['item'])) break
        this.output = true
        this.#items.done(value, value['item'])
        break
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        this.#head(value['response'])
        break
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        if (isObject(value['response'])) this.whole(value['response'])
        else this.done = true
        // The event's own word stands where the response has none.
        if (type === 'response.failed' || type === 'response.cancelled') this.fail(value)
        break
      default:
        if (type.endsWith('.delta')) this.#delta(type, value)
        else if (type.endsWith('.done')) this.#items.settle(type, value)
        else if (isError(value)) this.fail(value)
    }
  }

  /** A response with its status, alone or at the end of its stream. */
  override whole(response: JsonObject): void {
    this.#head(response)
    const { status, usage } = response
    const ended = status !== 'in_progress' && status !== 'queued'
    this.done = ended
    this.stop = textAt(response['incomplete_details'], 'reason') ?? textAt(response, 'status')
    if (isObject(usage)) this.usage = usageIn(usage)
    this.#output = listAt(response, 'output')
    if (this.#output.length > 0) this.output = true
    if (status === 'failed' || status === 'cancelled') this.fail(response)
  }

  #head(response: unknown): void {
    this.id = textAt(response, 'id') ?? this.id
    this.model = textAt(response, 'model') ?? this.model
  }

  #added(value: JsonObject, item: JsonObject): void {
    if (item['type'] !== 'message') this.output = true
    this.#items.added(value, item)
  }

  #delta(type: string, value: JsonObject): void {
    this.output = true
    const { delta } = value
    if (typeof delta === 'string') this.#items.delta(type, value, delta)
  }

  protected settle(complete: boolean, calls: Calls): readonly unknown[] {
    const came = this.#items.list()
    // Some send an empty list with the end, some no items before it.
    const items = this.#output.length > this.#items.finished ? this.#output : came
    return complete ? wholeMessages(items, calls) : partialMessages(came.length > 0 ? came : items, calls)
  }
}

function usageIn(usage: JsonObject) {
  const details = usage['input_tokens_details']
  const cached = tokensAt(details, 'cached_tokens')
  return usageOf(
    tokensAt(usage, 'input_tokens'),
    tokensAt(usage, 'output_tokens'),
    cached,
    tokensAt(details, 'cache_write_tokens'),
  )
}

function json(body: unknown): Reply {
  if (!isObject(body) || !Array.isArray(body['output'])) return notAnAnswer(body)
  return new Responses().replyTo(body)
}

// Both, because clients differ: some wait for the failed response, and OpenAI's own library throws for an `error` only.
function failure({ message, type = 'server_error' }: ReplyFailure): Uint8Array {
  const response = { object: 'response', status: 'failed', error: { code: type, message }, output: [], usage: null }
  const failed = { type: 'response.failed', sequence_number: 0, response }
  const error = { type, code: type, message, param: null }
  return joined(
    sseEvent('response.failed', failed),
    sseEvent('error', { type: 'error', sequence_number: 1, code: type, message, param: null, error }),
  )
}
