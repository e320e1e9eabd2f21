import { type Endpoint, judge, type Verdict } from '../judge.ts'
import { speak } from './compose-reply.ts'
import { damage } from './damage.ts'
import { failureOf, tooLarge } from './failures.ts'
import { type Faults, numberOf } from './faults.ts'
import { CONTENT_TYPES, encode, type Frame, frames } from './frames.ts'
import { overflow } from './overflow.ts'
import type { Answer, ContractOptions, Failure, IncomingRequest, Reply, Wire, WireEvent } from './types.ts'
import { chat } from './wire/chat.ts'
import { converse } from './wire/converse.ts'
import { failureBody } from './wire/failure.ts'
import { gemini } from './wire/gemini.ts'
import { messages } from './wire/messages.ts'
import { responses } from './wire/responses.ts'

export const WIRES: Readonly<Record<Endpoint, Wire>> = { messages, chat, responses, gemini, converse }

/** The answer with the model's reply. */
export function spoken(reply: Reply, faults: Faults, ask: IncomingRequest): Answer {
  const wire = WIRES[ask.endpoint]
  const composed = speak(reply, ask)
  const sent = ask.stream
    ? frames(brokenOff(wire.events(composed, ask), faults, ask), ask)
    : [wholeFrame(wire.whole(composed, ask))]
  const type = ask.stream ? CONTENT_TYPES[ask.framing] : JSON_TYPE
  return {
    status: 200,
    headers: headers(ask, 200, type, ask.stream ? undefined : sent[0]?.bytes.length),
    ...damage(sent, faults, reply.writeBytes),
    delay: numberOf(faults, 'slow-first-byte') ?? 0,
    pace: reply.paceMs ?? 0,
  }
}

/** The answer of a fault or a limit instead of the model's, if there is one. */
export function failed(
  faults: Faults,
  ask: IncomingRequest,
  options: ContractOptions,
  bytes: number,
): Answer | undefined {
  const delay = numberOf(faults, 'slow-first-byte') ?? 0
  const empty = numberOf(faults, 'empty')
  if (empty !== undefined) return bodyless(empty, ask, faults, delay)
  const status = failureStatus(faults, ask)
  if (status !== undefined) return errorAnswer(status, failureBody(failureOf(status, ask), ask), ask, faults, delay)
  if (faults.has('wrapped')) return errorAnswer(400, wrapped(faults.get('wrapped') ?? '', ask), ask, faults, delay)
  if (faults.has('too-large') || bytes > (options.byteLimit ?? Number.POSITIVE_INFINITY))
    return large(tooLarge(ask, options.byteLimit ?? bytes), ask, faults, delay)
  const limit = overflowLimit(faults, ask, options)
  const failure = limit === undefined ? undefined : overflow(ask, limit)
  if (failure) return tooLong(failure, ask, faults, delay)
  return faults.has('spurious-rejection') ? spurious(ask, faults, delay) : undefined
}

function large(failure: Failure, ask: IncomingRequest, faults: Faults, delay: number): Answer {
  return errorAnswer(failure.status, failureBody(failure, ask), ask, faults, delay)
}

// An error for the middle of a stream is the whole answer if no stream was requested.
function failureStatus(faults: Faults, ask: IncomingRequest): number | undefined {
  const inStream = faults.has('error-event') || faults.has('bare-error')
  if (inStream && ask.stream) return
  return numberOf(faults, 'status') ?? (inStream ? busy(ask) : undefined)
}

function busy(ask: IncomingRequest): number {
  return ask.endpoint === 'messages' ? 529 : 503
}

/** How many tokens would have fit, if the request did not fit. */
export function overflowLimit(faults: Faults, ask: IncomingRequest, options: ContractOptions): number | undefined {
  const limit =
    numberOf(faults, 'overflow') ?? (faults.has('overflow') ? Math.floor(ask.tokens / 2) : options.tokenLimit)
  return limit !== undefined && ask.tokens > limit ? limit : undefined
}

/** The answer to a request the judge rejected. */
export function rejectedAnswer(verdict: Verdict & { accepted: false }, ask: IncomingRequest, faults: Faults): Answer {
  return errorAnswer(verdict.status, verdict.body, ask, faults, 0)
}

/** A provider's answer to a body that is not a JSON object. */
export function notJson(ask: IncomingRequest): Verdict {
  const message = NOT_JSON[ask.endpoint]
  return {
    accepted: false,
    rule: 'body-not-json',
    status: 400,
    message,
    body: failureBody({ status: 400, message }, ask),
  }
}

const NOT_JSON: Readonly<Record<Endpoint, string>> = {
  messages: 'The request body is not valid JSON: expected an object: line 1 column 1 (char 0)',
  chat: 'We could not parse the JSON body of your request.',
  responses: 'We could not parse the JSON body of your request.',
  gemini: 'Invalid JSON payload received.',
  converse: 'Unable to parse the request body.',
}

const JSON_TYPE = 'application/json'

function wholeFrame(data: unknown): Frame {
  return { bytes: encode(JSON.stringify(data)), event: { data } }
}

function brokenOff(events: readonly WireEvent[], faults: Faults, ask: IncomingRequest): readonly WireEvent[] {
  const done = numberOf(faults, 'done-after-events')
  if (done !== undefined) return [...events.slice(0, done), { data: '[DONE]' }]
  const bare = faults.has('bare-error')
  if (!bare && !faults.has('error-event')) return events
  const place = numberOf(faults, bare ? 'bare-error' : 'error-event')
  const at = Math.min(place ?? Math.floor(events.length / 2), events.length)
  const failure = failureOf(numberOf(faults, 'status') ?? busy(ask), ask)
  const last = bare ? { bare: true, data: failureBody(failure, ask) } : WIRES[ask.endpoint].failed(failure, ask, at)
  return [...events.slice(0, at), last]
}

// Responses reports it inside the stream; Cerebras sends no text at all.
function tooLong(failure: Failure, ask: IncomingRequest, faults: Faults, delay: number): Answer {
  if (failure.message === '') return bodyless(failure.status, ask, faults, delay)
  if (ask.endpoint !== 'responses' || !ask.stream || failure.code !== 'context_length_exceeded')
    return errorAnswer(failure.status, failureBody(failure, ask), ask, faults, delay)
  const begun = responses.events(speak({}, ask), ask).slice(0, 2)
  const sent = frames([...begun, responses.failed(failure, ask, 2)], ask)
  const type = CONTENT_TYPES[ask.framing]
  return { status: 200, headers: headers(ask, 200, type), ...damage(sent, faults), delay, pace: 0 }
}

// The rejection of an orphan result, for a valid request: Cerebras was reported to send it.
function spurious(ask: IncomingRequest, faults: Faults, delay: number): Answer {
  const { provider, endpoint, model } = ask
  const verdict = judge({ provider, endpoint, model, body: ORPHANS[endpoint], stream: ask.stream })
  if (!verdict.accepted) return errorAnswer(verdict.status, verdict.body, ask, faults, delay)
  const message = SPURIOUS[provider] ?? 'Request contains an invalid argument.'
  return errorAnswer(400, failureBody({ status: 400, message }, ask), ask, faults, delay)
}

// Not in the judge: a retry is accepted.
const SPURIOUS: Readonly<Record<string, string>> = {
  cerebras: "Messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
}

const ORPHANS: Readonly<Record<Endpoint, unknown>> = {
  messages: { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: 'x' }] }] },
  chat: {
    messages: [
      { role: 'user', content: 'x' },
      { role: 'tool', tool_call_id: 'call12345', content: 'x' },
    ],
  },
  responses: { input: [{ type: 'function_call_output', call_id: 'call_1', output: 'x' }] },
  gemini: { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'x', response: { x: 1 } } }] }] },
  converse: {
    messages: [{ role: 'user', content: [{ toolResult: { toolUseId: 't', content: [{ text: 'x' }] } }] }],
    toolConfig: { tools: [] },
  },
}

function wrapped(raw: string, ask: IncomingRequest): unknown {
  const message = 'Request contains an invalid argument.'
  const inner = raw === '' ? JSON.stringify(failureBody({ status: 400, message }, { ...ask, provider: 'openai' })) : raw
  const metadata = { raw: inner, provider_name: 'Contract', is_byok: false }
  return { error: { message: 'Provider returned error', code: 400, metadata }, user_id: `user_${ask.seed}` }
}

function bodyless(status: number, ask: IncomingRequest, faults: Faults, delay: number): Answer {
  const extra = { ...headers(ask, status, undefined, 0), ...retryAfter(faults) }
  return { status, headers: extra, writes: [], ending: 'end', delay, pace: 0 }
}

function errorAnswer(status: number, body: unknown, ask: IncomingRequest, faults: Faults, delay: number): Answer {
  if (body === undefined || body === null || body === '') return bodyless(status, ask, faults, delay)
  const bytes = typeof body === 'string' ? encode(body) : encode(JSON.stringify(body))
  const type = typeof body === 'string' ? 'text/plain' : JSON_TYPE
  const extra = { ...headers(ask, status, type, bytes.length), ...retryAfter(faults) }
  return { status, headers: extra, writes: [bytes], ending: 'end', delay, pace: 0 }
}

function retryAfter(faults: Faults): Record<string, string> {
  const seconds = faults.get('retry-after')
  return seconds === undefined ? {} : { 'retry-after': seconds }
}

const AWS_ERRORS: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  404: 'ResourceNotFoundException',
  413: 'ValidationException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
}

function headers(ask: IncomingRequest, status: number, type?: string, length?: number): Record<string, string> {
  const id = `req_${ask.seed}`
  return {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(length === undefined ? { 'cache-control': 'no-cache' } : { 'content-length': String(length) }),
    ...(ask.endpoint === 'messages' ? { 'request-id': id } : {}),
    ...(ask.endpoint === 'messages' && status >= 500 ? { 'x-should-retry': 'true' } : {}),
    ...(ask.endpoint === 'chat' || ask.endpoint === 'responses' ? { 'x-request-id': id } : {}),
    ...(ask.endpoint === 'converse' ? { 'x-amzn-requestid': id } : {}),
    ...(ask.endpoint === 'converse' && status >= 400
      ? { 'x-amzn-errortype': AWS_ERRORS[status] ?? 'InternalServerException' }
      : {}),
  }
}
