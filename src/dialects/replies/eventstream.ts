/**
 * AWS's binary event stream: length, length of headers, a CRC32 of those two, headers, body, a CRC32 of all before it;
 * numbers are big-endian (doc: AWS event stream encoding). After a wrong checksum the rest cannot be read.
 */
import type { Frame } from '../../core/reply.ts'
import { Held } from './bytes.ts'
import { crc32 } from './crc32.ts'
import type { Splitter } from './frames.ts'

const PRELUDE = 12
const SUM = 4
/** What AWS allows: 16 MB of body and 128 KB of headers. */
const LARGEST = 17 * 1024 * 1024
const NONE: readonly Frame[] = []
const BROKEN: Frame = { data: '', kind: 'broken' }
const decoder = new TextDecoder('utf-8')
const encoder = new TextEncoder()

export class EventstreamSplitter implements Splitter {
  whole = 0
  readonly #held = new Held()
  #lost = false
  #headers: Headers | undefined

  push(chunk: Uint8Array): readonly Frame[] {
    if (this.#lost) return NONE
    const bytes = this.#held.with(chunk)
    const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const frames: Frame[] = []
    let at = 0
    while (!this.#lost && bytes.length - at >= PRELUDE) {
      const length = numbers.getUint32(at)
      if (!isPrelude(bytes, numbers, at, length)) this.#lost = true
      else if (bytes.length - at < length) break
      else if (crc32(bytes, at, at + length - SUM) !== numbers.getUint32(at + length - SUM)) this.#lost = true
      else {
        frames.push(this.#frame(bytes, numbers, at, length))
        at += length
      }
    }
    if (this.#lost) frames.push(BROKEN)
    this.whole += at
    this.#held.keep(bytes, at)
    return frames
  }

  end(): readonly Frame[] {
    return NONE
  }

  #frame(bytes: Uint8Array, numbers: DataView, at: number, length: number): Frame {
    const begin = at + PRELUDE + numbers.getUint32(at + 4)
    // Consecutive deltas have the same headers: they are read once.
    if (!this.#headers || !startsWith(bytes, at + PRELUDE, begin, this.#headers.bytes)) {
      const names = readHeaders(bytes, numbers, at + PRELUDE, begin)
      if (!names) return BROKEN
      this.#headers = { bytes: bytes.slice(at + PRELUDE, begin), names }
    }
    return frameOf(this.#headers.names, decoder.decode(bytes.subarray(begin, at + length - SUM)))
  }
}

interface Headers {
  readonly bytes: Uint8Array
  readonly names: Readonly<Record<string, string>>
}

function startsWith(bytes: Uint8Array, from: number, to: number, sought: Uint8Array): boolean {
  if (to - from !== sought.length) return false
  for (let at = 0; at < sought.length; at++) if (bytes[from + at] !== sought[at]) return false
  return true
}

function isPrelude(bytes: Uint8Array, numbers: DataView, at: number, length: number): boolean {
  const headers = numbers.getUint32(at + 4)
  if (length < PRELUDE + SUM + headers || length > LARGEST) return false
  return crc32(bytes, at, at + 8) === numbers.getUint32(at + 8)
}

function frameOf(headers: Readonly<Record<string, string>>, data: string): Frame {
  switch (headers[':message-type']) {
    case 'exception':
      return { event: headers[':exception-type'] ?? 'exception', data, kind: 'exception' }
    case 'error': {
      const body = { message: headers[':error-message'] ?? '' }
      return { event: headers[':error-code'] ?? 'error', data: JSON.stringify(body), kind: 'exception' }
    }
    default:
      return { event: headers[':event-type'] ?? '', data }
  }
}

/** Length of the value of each header type. Types 6 and 7, bytes and text, start with their length. */
const SIZES: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]

/** The headers that are text; undefined if one is longer than the headers. */
function readHeaders(
  bytes: Uint8Array,
  numbers: DataView,
  from: number,
  to: number,
): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null)
  let at = from
  while (at < to) {
    const nameEnd = at + 1 + bytes[at]!
    if (nameEnd >= to) return
    const type = bytes[nameEnd]!
    const lengthed = type === 6 || type === 7
    if (lengthed && nameEnd + 3 > to) return
    const size = lengthed ? numbers.getUint16(nameEnd + 1) : SIZES[type]
    const begin = nameEnd + (lengthed ? 3 : 1)
    if (size === undefined || begin + size > to) return
    if (type === 7) headers[decoded(bytes, at + 1, nameEnd)] = decoded(bytes, begin, begin + size)
    at = begin + size
  }
  return headers
}

function decoded(bytes: Uint8Array, from: number, to: number): string {
  return decoder.decode(bytes.subarray(from, to))
}

/** One message of the stream: an event, or an exception, which may follow other events. */
export function eventstreamFrame(kind: 'event' | 'exception', name: string, body: unknown): Uint8Array {
  const headers = [
    ...header(`:${kind}-type`, name),
    ...header(':content-type', 'application/json'),
    ...header(':message-type', kind),
  ]
  const data = encoder.encode(JSON.stringify(body))
  const bytes = new Uint8Array(PRELUDE + headers.length + data.length + SUM)
  const numbers = new DataView(bytes.buffer)
  numbers.setUint32(0, bytes.length)
  numbers.setUint32(4, headers.length)
  numbers.setUint32(8, crc32(bytes, 0, 8))
  bytes.set(headers, PRELUDE)
  bytes.set(data, PRELUDE + headers.length)
  numbers.setUint32(bytes.length - SUM, crc32(bytes, 0, bytes.length - SUM))
  return bytes
}

function header(name: string, value: string): number[] {
  const key = encoder.encode(name)
  const text = encoder.encode(value)
  return [key.length, ...key, 7, text.length >> 8, text.length & 0xff, ...text]
}
