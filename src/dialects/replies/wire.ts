/** Error events as bytes. */
import { eventstreamFrame } from './eventstream.ts'

const encoder = new TextEncoder()

/** One server-sent event. */
export function sseEvent(event: string | undefined, data: unknown): Uint8Array {
  const name = event === undefined ? '' : `event: ${event}\n`
  return encoder.encode(`${name}data: ${JSON.stringify(data)}\n\n`)
}

/** One line of JSON. */
export function jsonLine(data: unknown): Uint8Array {
  return encoder.encode(`${JSON.stringify(data)}\n`)
}

/** The last element of a list that is not empty. */
export function lastElement(data: unknown): Uint8Array {
  return encoder.encode(`,\r\n${JSON.stringify(data)}\r\n]`)
}

/** An exception of Bedrock. A type that does not end with `Exception` becomes the general one. */
export function exception(message: string, type: string | undefined): Uint8Array {
  const name = type?.endsWith('Exception') ? type : 'internalServerException'
  return eventstreamFrame('exception', name, { message })
}

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
