/**
 * One request on its way: the body as it came, the body as it is now, and the bytes that say so.
 * What was not changed goes out as the very bytes that came in.
 */
import { type Finding, isObject, isSutureError, type JsonObject, own, repair, type Target } from '../core/index.ts'
import { rules } from '../rules/index.ts'
import type { Endpoint } from './endpoint.ts'
import type { Bytes, Counts } from './events.ts'
import type { Settings } from './options.ts'
import { splice } from './splice.ts'

/** A body as a caller has it: text that was not encoded yet, or bytes. */
export type Body = string | Uint8Array

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The parsed body, or why there is none. */
export function parsed(body: Body): JsonObject | 'not-json' | 'no-history' {
  let value: unknown
  try {
    value = JSON.parse(typeof body === 'string' ? body : decoder.decode(body))
  } catch {
    return 'not-json'
  }
  return isObject(value) ? value : 'no-history'
}

/** What repair and lint are told about this request. */
export function targetOf(endpoint: Endpoint, settings: Settings): Target {
  const { targets } = settings.seen
  let target = targets.get(endpoint)
  if (!target) {
    const { service, model = settings.model } = endpoint
    const { strict, policy, cause } = settings.repair ?? {}
    target = { service, rules, model, strict, policy, cause }
    targets.set(endpoint, target)
  }
  return target
}

export interface Mended {
  readonly body: JsonObject
  readonly edits: number
  readonly findings: readonly Finding[]
  readonly remaining: readonly Finding[]
}

/** The body as the provider takes it; undefined when there is no history in it. */
export function mended(body: JsonObject, target: Target): Mended | undefined {
  try {
    const { value, patch, findings, remaining } = repair(body, target)
    return { body: value, edits: patch.length, findings, remaining }
  } catch (error) {
    if (isSutureError(error, 'not-a-history')) return undefined
    throw error
  }
}

/** What is sent, and what it has in common with what came. */
export interface Written {
  readonly body: Body
  readonly bytes: Bytes
  readonly way: 'spliced' | 'anew'
}

/** The body as it is now, in the bytes of the body as it came. */
export function written(came: Body, was: JsonObject, now: JsonObject, key: string): Written {
  const source = typeof came === 'string' ? encoder.encode(came) : came
  const { bytes, prefix, rewritten } = splice(source, was, now, key)
  const given = source.length
  return {
    body: bytes,
    bytes: { given, sent: bytes.length, prefix, lost: given - prefix },
    way: rewritten ? 'anew' : 'spliced',
  }
}

/** Errors among findings, by rule. */
export function countsOf(findings: readonly Finding[]): Counts {
  const counts: Record<string, number> = {}
  for (const { rule, severity } of findings) if (severity === 'error') counts[rule] = (counts[rule] ?? 0) + 1
  return counts
}

/** Counts as the response header has them. */
export function headerOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([rule, count]) => (count === 1 ? rule : `${rule};n=${count}`))
    .join(', ')
}

/** What became of bytes that go out as they are. */
export function untouched(body: Body): Bytes {
  const length = typeof body === 'string' ? encoder.encode(body).length : body.length
  return { given: length, sent: length, prefix: length, lost: 0 }
}

/** Several answers to one question: then none of their events may be skipped. */
export function wantsSeveral(body: JsonObject | undefined): boolean {
  const count = body && (body['n'] ?? own(body['generationConfig'], 'candidateCount'))
  return count !== undefined && count !== 1
}
