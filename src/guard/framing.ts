/**
 * How an answer is cut into frames, by its type and the path it was asked at.
 */
import type { Framing } from '../core/reply.ts'
import { framingOf } from '../dialects/replies/frames.ts'

/** Undefined where it is no stream. Gemini streams a JSON list where nobody asked for events. */
export function framingIn(path: string, type: string | null): Framing | undefined {
  return framingOf(type) ?? (/:streamGenerateContent$/i.test(path) && isJson(type) ? 'array' : undefined)
}

export function isJson(type: string | null): boolean {
  return type?.includes('json') ?? false
}
