/**
 * Physical damage to JSON Lines, each kind by itself and by the thread that reported it; the stream gives what the
 * whole file gives.
 */
import { describe, expect, it } from 'vitest'
import { SalvageStream, salvage } from '../../src/session-files/index.ts'
import { bytesOf, joined, textOf } from '../../src/session-files/salvage/bytes.ts'
import { DAMAGE, damage, randomFrom } from './damage.ts'
import { sample } from './samples.ts'

const A = '{"type":"user","id":"1","text":"a"}'
const B = '{"type":"user","id":"2","text":"b {\\"x\\":1} }{"}'
const C = '{"type":"user","id":"3","text":"c","inner":{"deep":[1,{"k":"v"}]}}'
const classify = () => ({ type: 'x', known: true })
const read = (text: string | Uint8Array) => salvage(typeof text === 'string' ? bytesOf(text) : text, classify)
const values = (text: string | Uint8Array) => read(text).records.map(({ value }) => (value as { id: string }).id)
const lost = (text: string | Uint8Array) =>
  read(text).salvage.quarantined.map(({ reason, line, offset, bytes }) => [reason, line, offset, textOf(bytes)])

describe('salvage', () => {
  it('of a whole file takes nothing out, with CRLF, blank lines and no last line break', () => {
    const file = read(`${A}\r\n\r\n${B}\n${C}`)
    expect(file.records.map(({ line, start, end }) => [line, start, end])).toEqual([
      [1, 0, A.length],
      [3, A.length + 4, A.length + 4 + B.length],
      [4, A.length + 5 + B.length, A.length + 5 + B.length + C.length],
    ])
    expect(file.salvage).toEqual({ quarantined: [], notes: [] })
  })

  it('github/copilot-cli#2217: NUL bytes after a power loss', () => {
    expect(values(`${A}\n${B}\n${'\0'.repeat(1206)}`)).toEqual(['1', '2'])
    expect(lost(`${A}\n\0\0${B}\n`)).toEqual([['nul-bytes', 2, A.length + 1, '\0\0']])
    expect(values(`${A}\0\0${B}\n`)).toEqual(['1', '2'])
    expect(lost(`${A}\n{"type":"us\0\0er","id":"9"}\n${B}`).map(([reason]) => reason)).toEqual([
      'torn-record',
      'nul-bytes',
      'not-json',
    ])
  })

  it('github/copilot-cli#2649: one record over three lines', () => {
    const file = read(`${A}\n{"type":"user","id":"2","text":"one\ntwo\nthree"}\n${C}\n`)
    expect(file.records.map(({ value }) => (value as { text: string }).text)).toEqual(['a', 'one\ntwo\nthree', 'c'])
    expect(textOf(file.records[1]!.rewritten!)).toBe('{"type":"user","id":"2","text":"one\\ntwo\\nthree"}')
    expect(file.records[2]!.line).toBe(5)
    expect(file.salvage.notes).toEqual([{ line: 2, kind: 'record-over-several-lines' }])
  })

  it('pretty-printed records', () => {
    expect(values(`${A}\n${JSON.stringify(JSON.parse(C), null, 2)}\n${B}\n`)).toEqual(['1', '3', '2'])
  })

  it('raw control characters in a string', () => {
    const file = read(`{"type":"user","id":"1","text":"a\tb\u0001"}\n`)
    expect(file.records[0]!.value).toMatchObject({ text: 'a\tb\u0001' })
    expect(file.salvage.notes).toEqual([{ line: 1, kind: 'raw-control-character' }])
  })

  it('anthropics/claude-code#20992: records of two writers in one line', () => {
    expect(values(`${A}${B}${C}\n`)).toEqual(['1', '2', '3'])
    expect(read(`${A}${B}\n`).salvage.notes).toEqual([{ line: 1, kind: 'glued-records' }])
  })

  it('github/copilot-cli#4098: a truncated record before a whole one, cut at every byte', () => {
    for (let cut = 1; cut < C.length; cut++) {
      const torn = C.slice(0, cut)
      expect(values(`${A}\n${torn}${B}\n${A}\n`), torn).toEqual(['1', '2', '1'])
      expect(lost(`${A}\n${torn}${B}\n`), torn).toEqual([['truncated-prefix', 2, A.length + 1, torn]])
    }
  })

  it('a torn tail, cut at every byte', () => {
    for (let cut = 1; cut < C.length; cut++) {
      expect(values(`${A}\n${C.slice(0, cut)}`)).toEqual(['1'])
      expect(lost(`${A}\n${C.slice(0, cut)}`)).toEqual([['torn-record', 2, A.length + 1, C.slice(0, cut)]])
    }
  })

  it('a byte order mark, and UTF-16 in both orders', () => {
    expect(lost(`\ufeff${A}\n`).map(([reason]) => reason)).toEqual(['byte-order-mark'])
    const lines = [A, B, C].map(bytesOf)
    for (const seed of [1, 2, 3, 4]) {
      const { bytes } = damage(lines, 'utf-16', seed)
      expect(values(bytes)).toEqual(['1', '2', '3'])
      expect(read(bytes).records[0]).toMatchObject({ start: 2, end: 2 + A.length * 2 })
    }
  })

  it('lines that are JSON, but no record', () => {
    expect(lost(`${A}\n{"0":"a","1":"b"}\n[1]\n"x"\n`).map(([reason, line]) => [reason, line])).toEqual([
      ['not-a-record', 2],
      ['not-a-record', 3],
      ['not-a-record', 4],
    ])
  })

  it('is safe with deep nesting and with __proto__', () => {
    const deep = `{"type":"user","id":"4","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    expect(values(`${A}\n${deep}\n${deep}${B}\n`)).toEqual(['1', '4', '4', '2'])
    expect(lost(`${A}\n${deep.slice(0, -1)}\n`)).toHaveLength(1)
    const odd = read('{"type":"user","id":"5","__proto__":{"polluted":true}}\n')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(Object.keys(odd.records[0]!.value as object)).toContain('__proto__')
  })

  it('takes time in proportion to lines that open objects and never close them', () => {
    expect(values(`${'{"a":\n'.repeat(30_000)}${A}\n`)).toEqual(['1'])
    expect(read(`${'{"a":'.repeat(30_000)}\n`).records).toEqual([])
  })
})

describe('the stream', () => {
  const lines = sample('codex').map((line) => bytesOf(JSON.stringify(line)))

  it.each(DAMAGE.filter((kind) => kind !== 'utf-16'))('gives the same for %s in chunks of any size', (kind) => {
    for (let seed = 1; seed <= 15; seed++) {
      const { bytes } = damage(lines, kind, seed)
      const whole = salvage(bytes, classify)
      const stream = new SalvageStream()
      const random = randomFrom(seed)
      const items = []
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + random(700)
        items.push(...stream.push(bytes.slice(at, at + size)))
        at += size
      }
      items.push(...stream.end())
      const spans = items.flatMap((item) => (item.kind === 'record' ? [[item.start, item.end, item.line]] : []))
      expect(spans, `${kind} ${seed}`).toEqual(whole.records.map(({ start, end, line }) => [start, end, line]))
      const out = items.flatMap((item) =>
        item.kind === 'quarantined' ? [[item.offset, item.reason, textOf(item.bytes)]] : [],
      )
      expect(out).toEqual(
        whole.salvage.quarantined.map(({ offset, reason, bytes: own }) => [offset, reason, textOf(own)]),
      )
    }
  })

  it('puts a line that is too long into quarantine unchanged, and continues after it', () => {
    const stream = new SalvageStream({ maxRecordBytes: 1000 })
    const items = [...stream.push(bytesOf(`${A}\n`))]
    for (let i = 0; i < 50; i++) items.push(...stream.push(bytesOf('x'.repeat(100))))
    items.push(...stream.push(bytesOf(`\n${B}\n`)), ...stream.end())
    expect(items.flatMap((item) => (item.kind === 'record' ? [(item.value as { id: string }).id] : []))).toEqual([
      '1',
      '2',
    ])
    const held = items.flatMap((item) => (item.kind === 'quarantined' ? [item.bytes] : []))
    expect(joined(held)).toHaveLength(5000)
  })
})
