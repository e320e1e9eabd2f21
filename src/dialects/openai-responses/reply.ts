/**
 * Replies of OpenAI Responses (doc: platform.openai.com/docs/api-reference/responses-streaming).
 * An item is read from `output_item.done`, or from its deltas if that event is missing.
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
  /** The items of the terminal event. */
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
        // The event's type counts if the response has no status.
        if (type === 'response.failed' || type === 'response.cancelled') this.fail(value)
        break
      default:
        if (type.endsWith('.delta')) this.#delta(type, value)
        else if (type.endsWith('.done')) this.#items.settle(type, value)
        else if (isError(value)) this.fail(value)
    }
  }

  /** Takes a response with its status: a body, or part of a terminal event. */
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
    // Some providers end with an empty list, some send no items before the end.
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

// Two events, because clients differ: some wait for the failed response, but OpenAI's library throws only for `error`.
function failure({ message, type = 'server_error' }: ReplyFailure): Uint8Array {
  const response = { object: 'response', status: 'failed', error: { code: type, message }, output: [], usage: null }
  const failed = { type: 'response.failed', sequence_number: 0, response }
  const error = { type, code: type, message, param: null }
  return joined(
    sseEvent('response.failed', failed),
    sseEvent('error', { type: 'error', sequence_number: 1, code: type, message, param: null, error }),
  )
}
