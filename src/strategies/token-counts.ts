/**
 * Estimated tokens of a message, and how many of them are in its tool results and its reasoning.
 * A message is counted once per dialect and estimate: counts are kept by reference as long as the message lives.
 */
import { type Dialect, isObject, type Part, readMessage } from '../core/index.ts'
import type { Estimate } from './estimate.ts'

/** Tokens of one message. */
export interface MessageTokens {
  readonly total: number
  /** Of these, in results of client-side tools. */
  readonly results: number
  readonly reasoning: number
}

/** Tokens for the frame of a message and of a call or result. */
const MESSAGE = 4
const CALL = 8
/** A picture or a page, whatever its size in bytes: providers count pixels, not characters. */
const MEDIA = 1600

const NOT_A_MESSAGE: MessageTokens = { total: MESSAGE, results: 0, reasoning: 0 }
const counters = new WeakMap<Dialect, WeakMap<Estimate, TokenCounter>>()

/** The counter of a dialect and an estimate: there is one for each, so that all plans share its counts. */
export function counterFor(dialect: Dialect, estimate: Estimate): TokenCounter {
  const byEstimate = counters.get(dialect) ?? new WeakMap<Estimate, TokenCounter>()
  counters.set(dialect, byEstimate)
  const counter = byEstimate.get(estimate) ?? new TokenCounter(dialect, estimate)
  byEstimate.set(estimate, counter)
  return counter
}

export class TokenCounter {
  private readonly dialect: Dialect
  private readonly estimate: Estimate
  private readonly known = new WeakMap<object, MessageTokens>()

  constructor(dialect: Dialect, estimate: Estimate) {
    this.dialect = dialect
    this.estimate = estimate
  }

  /** `parts`: the parts of the message, if they were read before. */
  count(message: unknown, parts?: () => readonly Part[]): MessageTokens {
    if (typeof message !== 'object' || message === null) return NOT_A_MESSAGE
    const known = this.known.get(message)
    if (known) return known
    const counted = this.countParts(parts?.() ?? readMessage(message, this.dialect).parts)
    this.known.set(message, counted)
    return counted
  }

  /** Tokens of the messages from this place on. */
  sum(list: readonly unknown[], from = 0): number {
    let sum = 0
    for (let i = from; i < list.length; i++) sum += this.count(list[i]).total
    return sum
  }

  private countParts(parts: readonly Part[]): MessageTokens {
    let [total, results, reasoning] = [MESSAGE, 0, 0]
    for (const part of parts) {
      const size = partTokens(part, this.estimate)
      total += size
      if (part.kind === 'result' && !part.server) results += size
      else if (part.kind === 'reasoning') reasoning += size
    }
    return { total, results, reasoning }
  }
}

/** Tokens of one part. */
export function partTokens({ kind, body, value, signature, name }: Part, estimate: Estimate): number {
  if (kind === 'text') return valueTokens(body, estimate)
  if (kind === 'media') return MEDIA
  if (kind === 'call') return CALL + estimate(name ?? '') + valueTokens(body, estimate)
  if (kind === 'result') return CALL + valueTokens(body, estimate)
  if (kind === 'opaque') return valueTokens(value, estimate)
  // Encrypted reasoning: only its length is known.
  return body === undefined ? encryptedTokens(signature) : valueTokens(body, estimate)
}

function encryptedTokens(signature: unknown): number {
  return typeof signature === 'string' ? Math.ceil(signature.length / 6) : 0
}

/** Tokens of a JSON value as it would be written. */
export function valueTokens(value: unknown, estimate: Estimate): number {
  if (typeof value === 'string') return value.length > 400 && isBinary(value) ? MEDIA : estimate(value)
  const stack: unknown[] = [value]
  let sum = 0
  while (stack.length > 0) {
    const one = stack.pop()
    if (typeof one === 'string') sum += one.length > 400 && isBinary(one) ? MEDIA : estimate(one)
    else if (ArrayBuffer.isView(one)) sum += MEDIA
    else if (Array.isArray(one)) for (const inner of one) stack.push(inner)
    else if (isObject(one)) for (const key of Object.keys(one)) sum += keyTokens(key, one[key], stack, estimate)
    else if (one !== undefined) sum += 1
  }
  return sum
}

function keyTokens(key: string, value: unknown, stack: unknown[], estimate: Estimate): number {
  if (key === 'encrypted_content' || key === 'signature') return encryptedTokens(value)
  stack.push(value)
  return key === 'type' || key === 'text' ? 1 : estimate(key) + 1
}

/** Base64 or a data URL: a model does not read it as text. */
function isBinary(text: string): boolean {
  return text.startsWith('data:') || /^[A-Za-z0-9+/_-]{400}/.test(text)
}
