/** Answers of the gateway itself: text and JSON. */
import type { Outgoing } from '../types.ts'

export function text(body: string): Outgoing {
  return { status: 200, headers: ['content-type', 'text/plain; version=0.0.4; charset=utf-8'], body: Buffer.from(body) }
}

export function json(status: number, value: unknown): Outgoing {
  return { status, headers: ['content-type', 'application/json'], body: Buffer.from(JSON.stringify(value)) }
}
