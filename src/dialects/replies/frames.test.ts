import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../test/long-runs.ts'
import { crc32 } from './crc32.ts'
import { eventstreamFrame } from './eventstream.ts'
import { type Frame, type Framing, framingOf, splitter } from './frames.ts'

const SEED = 20261116
const encoder = new TextEncoder()

describe('server-sent events', () => {
  const piece = fc.oneof(
    fc.constantFrom('data: ', 'data:', 'data', 'event: ', 'event:', 'event', ': ', 'id: 1', 'retry: 3', ' ', 'x: y'),
    fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\n\r\n', '\r\r', '\n\r'),
    fc.constantFrom('é', '→', '😀', '{"a":1}', 'data: {"a":"😀"}\n\n', 'event: error\n', '\uFEFF'),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  )
  const stream = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

  it('are what eventsource-parser makes of them, however the chunks break', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 12 })), (text, sizes) => {
        const bytes = encoder.encode(text)
        const wanted = parsed(text)
        expect(plain(split('sse', [bytes]).frames)).toEqual(wanted)
        expect(plain(split('sse', chunks(bytes, sizes)).frames)).toEqual(wanted)
        expect(plain(split('sse', chunks(bytes, [1])).frames)).toEqual(wanted)
      }),
      { seed: SEED, numRuns: runsOf(600, 2_000) },
    )
  })

  it('are whole up to a place from which the rest reads the same', () => {
    fc.assert(
      fc.property(stream, fc.nat(), (text, cut) => {
        const bytes = encoder.encode(text)
        const at = cut % (bytes.length + 1)
        const first = splitter('sse')
        const before = first.push(bytes.subarray(0, at))
        const rest = bytes.subarray(first.whole)
        // A mark at the very beginning is one only there.
        fc.pre(rest[0] !== 0xef)
        const after = split('sse', [rest]).frames
        // After a CR the LF that belongs to it is an empty line, which says nothing.
        expect([...plain(before), ...plain(after)]).toEqual(plain(split('sse', [bytes]).frames))
      }),
      { seed: SEED, numRuns: runsOf(600, 2_000) },
    )
  })

  it('lose a byte order mark at the very beginning only, also in pieces', () => {
    const bytes = encoder.encode('\uFEFFdata: a\n\n\uFEFFdata: b\n\ndata: \uFEFFc\n\n')
    for (const sizes of [[], [1], [2]]) {
      expect(plain(split('sse', chunks(bytes, sizes)).frames)).toEqual([{ data: 'a' }, { data: '\uFEFFc' }])
    }
  })

  it('count comments and empty lines as whole, and no event that is open', () => {
    const it = splitter('sse')
    it.push(encoder.encode(': hello\n\n'))
    expect(it.whole).toBe(9)
    it.push(encoder.encode('event: a\r'))
    expect(it.whole).toBe(9)
    it.push(encoder.encode('\ndata: 1\r\n\r'))
    expect(it.whole).toBe(29)
    it.push(encoder.encode('\n: x'))
    expect(it.whole).toBe(30)
  })

  it('replace invalid bytes, and continue', () => {
    const bytes = Uint8Array.from([...encoder.encode('data: a'), 0xff, 0xc3, 10, 10, ...encoder.encode('data: b\n\n')])
    for (const sizes of [[], [1]]) {
      expect(plain(split('sse', chunks(bytes, sizes)).frames)).toEqual([{ data: 'a\uFFFD\uFFFD' }, { data: 'b' }])
    }
  })

  it('give JSON outside of the framing as a bare frame', () => {
    const text = 'data: 1\n\n{"error":\n  "x"}'
    const frames = [{ data: '1' }, { data: '{"error":\n  "x"}', kind: 'bare' }]
    expect(split('sse', [encoder.encode(text)]).frames).toEqual(frames)
    expect(split('sse', [encoder.encode(`${text}\n\n`)]).frames).toEqual(frames)
  })

  it('cost a long line in small chunks what it costs in one', () => {
    const line = encoder.encode(`data: ${'é'.repeat(200_000)}\n\n`)
    const { frames, whole } = split('sse', chunks(line, [3]))
    expect(frames[0]?.data.length).toBe(200_000)
    expect(whole).toBe(line.length)
  })
})

describe('event streams', () => {
  const frames = [
    eventstreamFrame('exception', 'throttlingException', { message: 'é' }),
    eventstreamFrame('exception', 'b', {}),
    eventstreamFrame('exception', 'c', 1),
  ]
  const bytes = Uint8Array.from(frames.flatMap((frame) => [...frame]))

  it('know their exceptions, however the chunks break', () => {
    const wanted = [
      { event: 'throttlingException', data: '{"message":"é"}', kind: 'exception' },
      { event: 'b', data: '{}', kind: 'exception' },
      { event: 'c', data: '1', kind: 'exception' },
    ]
    for (const sizes of [[], [1], [7], [100]]) {
      expect(split('eventstream', chunks(bytes, sizes))).toEqual({ frames: wanted, whole: bytes.length })
    }
  })

  it('end with a broken frame where one byte is wrong, wherever it is', () => {
    for (let at = 0; at < bytes.length; at++) {
      const bad = bytes.slice()
      bad[at]! ^= 0x10
      const got = split('eventstream', [bad]).frames
      const good = frames.findIndex((_, index) => at < frames.slice(0, index + 1).reduce((n, one) => n + one.length, 0))
      expect(got.slice(0, good).every((frame) => frame.kind === 'exception')).toBe(true)
      expect(got[good] === undefined || got[good].kind === 'broken').toBe(true)
      expect(got.length).toBeLessThanOrEqual(good + 1)
    }
  })

  it('sum as the standard does', () => {
    expect(crc32(encoder.encode('123456789'), 0, 9)).toBe(0xcbf43926)
  })
})

describe('lines and lists of JSON', () => {
  it('are split correctly with any content in their strings', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 }),
        fc.nat({ max: 9 }),
        (list, size) => {
          const parts = list.map((one) => JSON.stringify(one))
          const array = encoder.encode(`[${parts.join(',\r\n')}\r\n]`)
          const lines = encoder.encode(parts.map((part) => `${part}\r\n`).join(''))
          expect(split('array', chunks(array, [size])).frames.map((frame) => frame.data)).toEqual(parts)
          expect(split('ndjson', chunks(lines, [size])).frames.map((frame) => frame.data)).toEqual(parts)
        },
      ),
      { seed: SEED, numRuns: runsOf(100, 300) },
    )
  })

  it('take a last line without its end only when it is JSON', () => {
    expect(split('ndjson', [encoder.encode('{"a":1}\n{"b":2}')]).frames).toEqual([
      { data: '{"a":1}' },
      { data: '{"b":2}' },
    ])
    expect(split('ndjson', [encoder.encode('{"a":1}\n{"b":')])).toEqual({ frames: [{ data: '{"a":1}' }], whole: 8 })
  })
})

describe('framingOf', () => {
  it('goes by the content type alone', () => {
    expect(framingOf('text/event-stream; charset=utf-8')).toBe('sse')
    expect(framingOf('Application/Vnd.Amazon.EventStream')).toBe('eventstream')
    expect(framingOf('application/x-ndjson')).toBe('ndjson')
    expect(framingOf('application/json')).toBeUndefined()
    expect(framingOf(null)).toBeUndefined()
  })
})

function split(kind: Framing, all: readonly Uint8Array[]): { frames: Frame[]; whole: number } {
  const one = splitter(kind)
  const frames = all.flatMap((chunk) => [...one.push(chunk)])
  frames.push(...one.end())
  return { frames, whole: one.whole }
}

/** Chunks of these sizes in turn; an empty list is one chunk. */
function chunks(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const out: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes.length === 0 ? bytes.length : Math.max(1, sizes[turn % sizes.length]!)
    // A copy of its own, as a socket gives it: held bytes may not be the caller's.
    out.push(bytes.slice(at, at + size))
    at += size
  }
  return out
}

function plain(frames: readonly Frame[]): Frame[] {
  return frames.filter((frame) => frame.kind === undefined)
}

function parsed(text: string): Frame[] {
  const out: Frame[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => out.push(event === undefined ? { data } : { event, data }),
  })
  parser.feed(text.startsWith('\uFEFF') ? text.slice(1) : text)
  // It waits after a last CR for an LF that does not come; the standard does not.
  if (text.endsWith('\r')) parser.feed('\n')
  return out
}
