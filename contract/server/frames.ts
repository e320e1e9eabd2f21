import { eventstreamFrame } from './eventstream.ts'
import type { IncomingRequest, WireEvent } from './types.ts'

/** One event with its bytes. */
export interface Frame {
  readonly bytes: Uint8Array
  readonly event: WireEvent
}

const encoder = new TextEncoder()

export function encode(text: string): Uint8Array {
  return encoder.encode(text)
}

export const CONTENT_TYPES = {
  sse: 'text/event-stream; charset=utf-8',
  array: 'application/json; charset=UTF-8',
  eventstream: 'application/vnd.amazon.eventstream',
} as const

/** Events as they go over the wire. */
export function frames(events: readonly WireEvent[], ask: IncomingRequest): Frame[] {
  return events.map((event, index) => ({ event, bytes: frame(event, ask, index, index === events.length - 1) }))
}

function frame(event: WireEvent, ask: IncomingRequest, index: number, last: boolean): Uint8Array {
  if (event.bare) return encode(text(event))
  switch (ask.framing) {
    case 'sse':
      return encode(sse(event, ask.endpoint === 'gemini' ? '\r\n' : '\n'))
    case 'array':
      return encode(`${index === 0 ? '[' : ',\r\n'}${text(event)}${last ? '\r\n]' : ''}`)
    case 'eventstream':
      return eventstreamFrame(event)
  }
}

// Google ends its lines with CR LF, all others with LF.
function sse(event: WireEvent, line: string): string {
  if (event.comment !== undefined) return `: ${event.comment}${line}${line}`
  const name = event.name === undefined ? '' : `event: ${event.name}${line}`
  return `${name}data: ${text(event)}${line}${line}`
}

function text({ data }: WireEvent): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}
