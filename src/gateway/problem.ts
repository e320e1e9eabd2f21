/**
 * What the gateway itself refuses, and in which words. What a provider refuses is passed on as the provider said it.
 */
import { isSutureError } from '../core/index.ts'
import { isUnanswered } from '../guard/core.ts'

/** Every refusal of the gateway's own: its status and what it means. */
export const problems = {
  'bad-target': [400, 'the address of the request is not one that is passed on'],
  'bad-request': [400, 'the request cannot be read'],
  'bad-session': [400, 'the session cannot be named or used this way'],
  'key-missing': [401, 'a key of this gateway is needed'],
  'key-unknown': [401, 'no such key'],
  'wrong-origin': [403, 'pages of other origins may not ask a gateway that needs no key'],
  'no-such-upstream': [404, 'no upstream of that name'],
  'no-such-path': [404, 'nothing is there'],
  'no-such-session': [404, 'no session of that id belongs to this key'],
  'wrong-method': [405, 'not a way to ask for this'],
  'request-timeout': [408, 'the request took too long to arrive'],
  conflict: [409, 'somebody else wrote first'],
  'body-too-large': [413, 'the body is larger than this gateway takes'],
  'unknown-encoding': [415, 'the body has a content coding that this gateway cannot decode'],
  'wrong-host': [421, 'the host header names somebody else'],
  'upgrade-required': [426, 'no other protocol than HTTP is spoken here'],
  'rate-limited': [429, 'this key asks too often'],
  'header-too-large': [431, 'the headers are larger than this gateway takes'],
  'client-left': [499, 'the client left before its answer began'],
  'not-wired': [501, 'this gateway was started without it'],
  'answer-too-large': [502, 'the answer is larger than this gateway can store'],
  'upstream-failed': [502, 'the upstream could not be reached or broke off before it answered'],
  'store-failed': [503, 'the store did not take it; nothing was sent'],
  overloaded: [503, 'this gateway holds as much as it may'],
  'shutting-down': [503, 'this gateway is going away'],
  'upstream-timeout': [504, 'the upstream did not answer in time'],
  internal: [500, 'a failure of the gateway itself'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof problems

/** A refusal of the gateway's own. Its message names the next step and never quotes the request. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.status = problems[code][0]
    this.headers = headers
  }
}

const STORE = new Set(['store-failed', 'store-busy', 'store-newer', 'unknown-outcome'])
const BAD = new Set(['no-such-turn', 'stale-cursor', 'nothing-to-undo', 'bad-option'])

/** Whose a session is, as it stands before its id in the store: callers never gave that name. */
const SCOPE = /\b[0-9a-f]{24}\//g

/** Whatever was thrown, as what the caller is told of it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof Error && error.name === 'TimeoutError') return new Problem('upstream-timeout', error.message)
  if (isUnanswered(error))
    return new Problem('upstream-failed', 'The upstream broke off before it answered. Try again.')
  if (isSutureError(error)) {
    const { code } = error
    const message = error.message.replaceAll(SCOPE, '')
    if (STORE.has(code)) return new Problem('store-failed', message)
    if (BAD.has(code)) return new Problem('bad-session', message)
    if (code === 'conflict' || code === 'fenced') return new Problem('conflict', message)
  }
  return new Problem('internal', 'The gateway failed; its log has the request id.')
}

/** The body: both the shape of OpenAI's errors and that of Anthropic's, so that every client shows the message. */
export function problemBody({ code, message }: Problem, requestId: string): Uint8Array {
  const error = { type: 'suture_error', code, message, request_id: requestId }
  return Buffer.from(JSON.stringify({ type: 'error', error }))
}
