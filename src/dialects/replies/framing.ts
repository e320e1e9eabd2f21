/**
 * How a response is split into frames, by its content type and the path of the request.
 */
import type { Framing } from '../../core/reply.ts'
import { framingOf } from './frames.ts'

/** Undefined if the response is not a stream. Gemini streams a JSON array unless the request asks for events. */
export function framingFor(path: string, type: string | null): Framing | undefined {
  return framingOf(type) ?? (/:streamGenerateContent$/i.test(path) && isJson(type) ? 'array' : undefined)
}

export function isJson(type: string | null): boolean {
  return type?.includes('json') ?? false
}
