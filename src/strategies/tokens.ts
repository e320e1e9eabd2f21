/**
 * How many tokens a message has, and how many of them are in its results and in its reasoning. Read once, piece by piece; nothing is written as JSON.
 */
import { type Dialect, isObject, flagsOf, type Part, ROLE, type Role } from '../core/index.ts'
import type { Estimate } from './estimate.ts'
import { isNative } from './native.ts'
import { isNote } from './note.ts'

/** Tokens of one message, and how many of them are in its tool results and in its reasoning. */
export interface Cost {
  tokens: number
  results: number
  reasoning: number
  /** Its outline, and whether it may hold a note of ours, a compaction item of the provider's, or something that waits for the client. */
  flags: number
}

/** Bits above those of an outline. */
export const NOTED = 256
export const NATIVE = 512
export const WAITS = 1024

/** What stands around the words of a message. */
const MESSAGE = 4
const CALL = 8
/** A picture or a page, whatever its bytes: providers count areas, not characters. */
const MEDIA = 1600

/** A reader of messages that uses one object for all: what it says holds until the next one is read. */
export function meter(dialect: Dialect, estimate: Estimate): (message: unknown) => Cost {
  const parts: Part[] = []
  const cost: Cost = { tokens: 0, results: 0, reasoning: 0, flags: 0 }
  return (message) => {
    cost.tokens = MESSAGE
    cost.results = cost.reasoning = 0
    cost.flags = ROLE.unknown
    if (typeof message !== 'object' || message === null) return cost
    while (parts.length > 0) parts.pop()
    const role = dialect.read(message, 0, parts)
    cost.flags = flagsOf(role, parts)
    for (let i = 0; i < parts.length; i++) add(cost, role, parts[i]!, estimate)
    return cost
  }
}

function add(cost: Cost, role: Role, part: Part, estimate: Estimate): void {
  const { kind } = part
  const size = partTokens(part, estimate)
  cost.tokens += size
  if (kind === 'text') {
    if (role === 'user' && typeof part.body === 'string' && isNote(part.body)) cost.flags |= NOTED
  } else if (kind === 'result') {
    if (!part.server) cost.results += size
  } else if (kind === 'reasoning') cost.reasoning += size
  else if (kind === 'opaque') {
    if (isNative(part)) cost.flags |= NATIVE
    if (part.type.includes('approval')) cost.flags |= WAITS
  }
}

/** Tokens of one part. */
export function partTokens({ kind, body, value, signature, name }: Part, estimate: Estimate): number {
  if (kind === 'text') return valueTokens(body, estimate)
  if (kind === 'media') return MEDIA
  if (kind === 'call') return CALL + estimate(name ?? '') + valueTokens(body, estimate)
  if (kind === 'result') return CALL + valueTokens(body, estimate)
  if (kind === 'opaque') return valueTokens(value, estimate)
  // Of reasoning that nobody can read only the length of its seal is known.
  return body === undefined ? sealed(signature) : valueTokens(body, estimate)
}

function sealed(signature: unknown): number {
  return typeof signature === 'string' ? Math.ceil(signature.length / 6) : 0
}

/** Tokens of a JSON value as it would be written. */
export function valueTokens(value: unknown, estimate: Estimate): number {
  if (typeof value === 'string') return value.length > 400 && isBytes(value) ? MEDIA : estimate(value)
  const stack: unknown[] = [value]
  let sum = 0
  while (stack.length > 0) {
    const one = stack.pop()
    if (typeof one === 'string') sum += one.length > 400 && isBytes(one) ? MEDIA : estimate(one)
    else if (ArrayBuffer.isView(one)) sum += MEDIA
    else if (Array.isArray(one)) for (const inner of one) stack.push(inner)
    else if (isObject(one)) for (const key of Object.keys(one)) sum += keyTokens(key, one[key], stack, estimate)
    else if (one !== undefined) sum += 1
  }
  return sum
}

function keyTokens(key: string, value: unknown, stack: unknown[], estimate: Estimate): number {
  if (key === 'encrypted_content' || key === 'signature') return sealed(value)
  stack.push(value)
  return key === 'type' || key === 'text' ? 1 : estimate(key) + 1
}

/** Base64, or a data URL: the bytes of something that is not read as text. */
function isBytes(text: string): boolean {
  return text.startsWith('data:') || /^[A-Za-z0-9+/_-]{400}/.test(text)
}
