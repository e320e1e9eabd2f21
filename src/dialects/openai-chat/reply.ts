/**
 * Replies of OpenAI chat completions and of compatible providers (doc:
 * platform.openai.com/docs/api-reference/chat-streaming). `finish_reason` ends a reply: some providers send `[DONE]`
 * after a cut, and some never send it.
 */
import { wordOf } from '../../core/index.ts'
import { isObject, type JsonObject, own, put } from '../../core/json.ts'
import type { Framing, Reply, ReplyFailure, ReplyForm } from '../../core/reply.ts'
import { Assembly, isError, listAt, notAnAnswer, textAt, tokensAt, usageOf } from '../replies/assembly.ts'
import { argumentsOf, type Calls, sort } from '../replies/calls.ts'
import { Others } from '../replies/others.ts'
import { jsonLine, sseEvent } from '../replies/wire.ts'
import { type ChatCall, ChatCalls, callOf } from './reply-calls.ts'
import { addField, addParts, TEXTS } from './reply-fields.ts'

export const openaiChatReply: ReplyForm = {
  dialect: 'openai-chat',
  json,
  isPlain,
  usage: reported,
  stream: () => new Chat(),
  failure,
}

/** Reasons that mean that the provider broke off: OpenRouter, DeepSeek, GLM, vLLM. */
const FAILED: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource', 'network_error', 'abort'])

class Chat extends Assembly {
  #text = ''
  #content: null | '' | undefined
  /** Content in parts, from the first part on. */
  #parts: unknown[] | undefined
  readonly #fields: JsonObject = {}
  readonly #calls = new ChatCalls()
  readonly #others = new Others()
  #ended = false
  /** MiniMax repeats the whole message after its deltas; it is ignored then. */
  #streamed = false
  /** Ollama's own endpoint, with arguments as objects and without ids. */
  #native = false

  protected take(value: JsonObject): void {
    this.id ??= textAt(value, 'id')
    this.model ??= textAt(value, 'model')
    const { choices } = value
    if (Array.isArray(choices)) for (const choice of choices) this.#choice(choice, value)
    else if (isObject(value['message'])) this.#ollama(value, value['message'])
    if (isError(value)) this.fail(value)
    this.usage = reported(value) ?? this.usage
  }

  #choice(choice: unknown, value: JsonObject): void {
    if (!isObject(choice)) return
    const { index, delta, message, finish_reason } = choice
    if (typeof index === 'number' && index > 0) {
      this.#other(index, choice, value)
      return
    }
    if (isObject(delta)) {
      this.#streamed = true
      this.#delta(delta, false)
    } else if (isObject(message) && !this.#streamed) {
      this.#delta(message, true)
      this.#end()
    }
    if (typeof finish_reason === 'string' && finish_reason !== '') this.#finish(finish_reason, value)
    if (isObject(choice['error'])) this.fail(value)
  }

  #finish(reason: string, value: JsonObject): void {
    this.stop = reason
    this.#end()
    if (FAILED.has(reason)) this.fail(value)
  }

  /** Another answer to the same request: not part of this one, but the stream is complete only with its end. */
  #other(index: number, choice: JsonObject, value: JsonObject): void {
    const { delta, finish_reason: reason } = choice
    if (isObject(delta)) {
      this.output = true
      this.#others.begun(index)
    }
    if (typeof reason === 'string' && reason !== '') this.#others.ended(index)
    if (isObject(choice['error']) || FAILED.has(wordOf(reason))) this.fail(value)
    this.done = this.#ended && !this.#others.open
  }

  #end(): void {
    this.#ended = true
    this.done = !this.#others.open
  }

  // Each line of Ollama has a piece of the message; the last one has `done`.
  #ollama(value: JsonObject, message: JsonObject): void {
    this.#native = true
    this.#delta(message, false)
    const { prompt_eval_count, eval_count } = value
    if (value['done'] !== true) return
    this.#finish(textAt(value, 'done_reason') ?? 'stop', value)
    this.usage = usageOf(
      tokensAt({ prompt_eval_count }, 'prompt_eval_count'),
      tokensAt({ eval_count }, 'eval_count'),
      undefined,
    )
  }

  #delta(delta: JsonObject, whole: boolean): void {
    for (const key of Object.keys(delta)) {
      const value = delta[key]
      if (key === 'content') this.#addContent(value, whole)
      else if (key === 'tool_calls') this.#call(value, whole)
      else if (key === 'function_call') this.#legacy(value)
      else if (key !== 'role') this.#field(key, value)
    }
  }

  #addContent(content: unknown, whole: boolean): void {
    if (typeof content === 'string') {
      this.#content = ''
      if (content === '') return
      this.output = true
      if (this.#parts) addParts(this.#parts, [{ type: 'text', text: content }], whole)
      else this.#text += content
    } else if (Array.isArray(content)) {
      this.#parts ??= this.#text === '' ? [] : [{ type: 'text', text: this.#text }]
      addParts(this.#parts, content, whole)
      if (content.length > 0) this.output = true
    } else if (this.#content === undefined) this.#content = null
  }

  #call(deltas: unknown, whole: boolean): void {
    if (!Array.isArray(deltas)) return
    for (const delta of deltas) {
      if (!isObject(delta)) continue
      this.output = true
      this.#calls.add(delta, whole || this.#native)
    }
  }

  // The legacy call has no id. Its arguments are streamed in pieces.
  #legacy(value: unknown): void {
    if (!isObject(value)) return
    this.output = true
    const was = this.#fields['function_call']
    const text = (textAt(was, 'arguments') ?? '') + (textAt(value, 'arguments') ?? '')
    put(this.#fields, 'function_call', { name: textAt(value, 'name') || textAt(was, 'name'), arguments: text })
  }

  #field(key: string, value: unknown): void {
    if (value === null || value === '') return
    this.output = true
    addField(this.#fields, key, value)
  }

  protected settle(complete: boolean, calls: Calls): readonly unknown[] {
    const cutShort = this.stop === 'length'
    const { list } = this.#calls
    const kept = list.filter((call, index) => {
      const last = cutShort && index === list.length - 1
      return sort(this.#draft(call, complete, last), calls)
    })
    const legacy = this.#fields['function_call']
    if (isObject(legacy)) {
      const text = textAt(legacy, 'arguments') ?? ''
      sort({ id: undefined, name: legacy['name'], text, arguments: undefined, ended: complete }, calls)
    }
    return complete ? this.#whole(kept) : this.#partial()
  }

  #draft(call: ChatCall, ended: boolean, cutShort: boolean) {
    const { id, name, text, object } = call
    // An empty text at the token limit is not a call without arguments.
    const none = cutShort && text === '' && !object
    const input = object ?? (call.custom ? text : none ? undefined : argumentsOf(text))
    return { id, name, text: object ? JSON.stringify(object) : text, arguments: input, ended, idless: this.#native }
  }

  #whole(calls: readonly ChatCall[]): readonly unknown[] {
    const text = this.#parts ?? this.#text
    const hasFields = Object.keys(this.#fields).some(
      (key) => key === 'refusal' || !(TEXTS.has(key) || key === 'reasoning_details'),
    )
    if (calls.length === 0 && text.length === 0 && !hasFields) return []
    const content = text.length > 0 ? text : calls.length > 0 || hasFields ? (this.#content ?? null) : ''
    const tool_calls = calls.map((call) => (this.#native ? nativeCall(call) : callOf(call)))
    return [{ role: 'assistant', content, ...this.#fields, ...(calls.length > 0 ? { tool_calls } : {}) }]
  }

  /** The text and the plain reasoning so far. Signed reasoning may be cut off, so it is dropped. */
  #partial(): readonly unknown[] {
    const text = this.#parts?.filter((part) => own(part, 'type') === 'text') ?? this.#text
    const fields = Object.keys(this.#fields).filter((key) => TEXTS.has(key))
    if (text.length === 0 && !fields.includes('refusal')) return []
    const message = { role: 'assistant', content: text.length === 0 ? null : text }
    for (const key of fields) put(message, key, this.#fields[key])
    return [message]
  }
}

function nativeCall(call: ChatCall): JsonObject {
  const { type: _, ...rest } = callOf(call)
  return rest
}

function reported(value: unknown) {
  const usage = own(value, 'usage') ?? own(own(value, 'x_groq'), 'usage')
  return isObject(usage) ? usageIn(usage) : undefined
}

function usageIn(usage: JsonObject) {
  const details = usage['prompt_tokens_details']
  const cached = tokensAt(details, 'cached_tokens') ?? tokensAt(usage, 'prompt_cache_hit_tokens', 'cached_tokens')
  const written = tokensAt(details, 'cache_write_tokens')
  return usageOf(tokensAt(usage, 'prompt_tokens'), tokensAt(usage, 'completion_tokens'), cached, written)
}

function json(body: unknown): Reply {
  if (!isObject(body)) return notAnAnswer(body)
  const answered = listAt(body, 'choices').length > 0 || isObject(body['message'])
  if (!answered) return notAnAnswer(body)
  return new Chat().replyTo(body)
}

/** A complete reply of one text. Calls and several answers are read one by one. */
function isPlain(body: unknown): boolean {
  if (!isObject(body) || isError(body)) return false
  const { choices } = body
  return Array.isArray(choices) && choices.length === 1 && isPlainChoice(choices[0])
}

function isPlainChoice(choice: unknown): boolean {
  if (!isObject(choice) || choice['error'] !== undefined || !isObject(choice['message'])) return false
  if (choice['index'] !== 0) return false
  const { finish_reason: reason, message } = choice
  if (typeof reason !== 'string' || reason === '' || FAILED.has(reason)) return false
  const { content, tool_calls, function_call } = message as JsonObject
  return typeof content === 'string' && (tool_calls ?? function_call ?? undefined) === undefined
}

function failure({ message, type = 'server_error' }: ReplyFailure, framing?: Framing): Uint8Array {
  if (framing === 'ndjson') return jsonLine({ error: message })
  return sseEvent(undefined, { error: { message, type, param: null, code: null } })
}
