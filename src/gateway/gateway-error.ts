/** Errors of the gateway itself, with codes. A provider's rejection is passed on as it came. */
import { isSutureError } from '../core/index.ts'
import { isNoResponse } from '../guard/transport.ts'

/** Every error of the gateway: its status and what it means. */
export const gatewayErrors = {
  'bad-target': [400, 'the request target is not allowed'],
  'bad-request': [400, 'the request cannot be read'],
  'bad-session': [400, 'the session cannot be named or used this way'],
  'key-missing': [401, 'a key of this gateway is needed'],
  'key-unknown': [401, 'the key is not known'],
  'wrong-origin': [403, 'web pages of other origins may not use a gateway without keys'],
  'no-such-upstream': [404, 'there is no upstream with this name'],
  'no-such-path': [404, 'no such path'],
  'no-such-session': [404, 'this key has no session with this id'],
  'wrong-method': [405, 'the method is not allowed for this path'],
  'request-timeout': [408, 'the request took too long to arrive'],
  conflict: [409, 'another write came first'],
  'body-too-large': [413, 'the body is larger than the limit'],
  'unknown-encoding': [415, 'the body has a content coding that this gateway cannot decode'],
  'wrong-host': [421, 'the Host header names another host'],
  'upgrade-required': [426, 'only HTTP is supported'],
  'rate-limited': [429, 'this key exceeded its rate limit'],
  'header-too-large': [431, 'the headers are larger than the limit'],
  'client-disconnected': [499, 'the client disconnected before the response began'],
  'not-configured': [501, 'the gateway was started without this feature'],
  'answer-too-large': [502, 'the response is too large to store'],
  'upstream-failed': [502, 'the upstream could not be reached or closed the connection before it answered'],
  'store-failed': [503, 'the store failed; nothing was sent'],
  overloaded: [503, 'the memory limit of the gateway is reached'],
  'shutting-down': [503, 'the gateway is shutting down'],
  'upstream-timeout': [504, 'the upstream did not answer in time'],
  internal: [500, 'the gateway failed'],
} as const satisfies Record<string, readonly [number, string]>

/** The codes of the gateway's own errors. */
export type GatewayErrorCode = keyof typeof gatewayErrors

/** An error of the gateway. Its message names the next step and never quotes the request. */
export class GatewayError extends Error {
  override readonly name = 'Problem'
  readonly code: GatewayErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: GatewayErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.status = gatewayErrors[code][0]
    this.headers = headers
  }
}

const STORE = new Set(['store-failed', 'store-busy', 'store-newer', 'unknown-outcome'])
const BAD = new Set(['no-such-turn', 'stale-cursor', 'nothing-to-undo', 'bad-option'])

/** The scope of a caller, which is the prefix of a session id in the store. Callers do not know it. */
const SCOPE = /\b[0-9a-f]{24}\//g

/** The error that the caller gets for anything that was thrown. */
export function gatewayErrorOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof Error && error.name === 'TimeoutError')
    return new GatewayError('upstream-timeout', error.message)
  if (isNoResponse(error))
    return new GatewayError('upstream-failed', 'The upstream closed the connection before it answered. Retry.')
  if (isSutureError(error)) {
    const { code } = error
    const message = error.message.replaceAll(SCOPE, '')
    if (STORE.has(code)) return new GatewayError('store-failed', message)
    if (BAD.has(code)) return new GatewayError('bad-session', message)
    if (code === 'conflict' || code === 'fenced') return new GatewayError('conflict', message)
  }
  return new GatewayError('internal', 'The gateway failed. Find the request id in its log.')
}

/** The body: both the shape of OpenAI's errors and that of Anthropic's, so that every client shows the message. */
export function errorBody({ code, message }: GatewayError, requestId: string): Uint8Array {
  const error = { type: 'suture_error', code, message, request_id: requestId }
  return Buffer.from(JSON.stringify({ type: 'error', error }))
}
