import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { runsOf } from '../../test/long-runs.ts'
import type { JsonObject } from '../core/index.ts'
import { splice } from './splice.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function spliced(text: string, change: (body: JsonObject) => JsonObject, key = 'messages') {
  const bytes = encoder.encode(text)
  const was = JSON.parse(text) as JsonObject
  const now = change(was)
  const result = splice(bytes, was, now, { arrayKey: key })
  const out = decoder.decode(result.bytes)
  expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(now)))
  return { ...result, text: out }
}

const messages = (body: JsonObject) => body['messages'] as JsonObject[]

describe('splice', () => {
  it('keeps spaces, escapes and spellings of numbers around an inserted message', () => {
    const text =
      ' {"model" : "m", "messages":[ {"a":"\\u00e9\\/", "n":1.0e2},\n\t{"b":12345678901234567890} ] , "temperature":0.50}\n'
    const { text: out, prefix } = spliced(text, (body) => ({
      ...body,
      messages: [messages(body)[0], { new: true }, messages(body)[1]],
    }))
    expect(out).toBe(text.replace(',\n\t{"b"', ',{"new":true},\n\t{"b"'))
    expect(prefix).toBe(text.indexOf(',\n\t{"b"'))
  })

  it('encodes new text between kept bytes once, however many parts it has', () => {
    const parts = Array.from({ length: 500 }, (_, i) => ({ type: 'x', i }))
    const text = JSON.stringify({ messages: [{ role: 'user', content: parts }] })
    const encode = vi.spyOn(TextEncoder.prototype, 'encode')
    const { text: out } = spliced(text, (body) => ({
      messages: [{ ...messages(body)[0], content: parts.map(({ i }) => ({ text: `${i}` })) }],
    }))
    // The text as it was given, too.
    expect(encode.mock.calls.length).toBeLessThan(5)
    encode.mockRestore()
    expect(out).toBe(
      JSON.stringify({ messages: [{ role: 'user', content: parts.map(({ i }) => ({ text: `${i}` })) }] }),
    )
  })

  it('writes only the changed leaf of a changed message', () => {
    const text =
      '{"messages":[{"content":[{"type":"text","text":"a\\u0301"},{"input":{"id":12345678901234567890,"x":1.0}}],"role":"assistant"}]}'
    const { text: out } = spliced(text, (body) => {
      const message = messages(body)[0]!
      const content = message['content'] as JsonObject[]
      return { ...body, messages: [{ ...message, content: [{ ...content[0], text: 'b' }, content[1]] }] }
    })
    expect(out).toBe(text.replace('a\\u0301', 'b'))
  })

  it('drops and adds keys', () => {
    const { text } = spliced('{ "a": 1.0, "b": 2.0, "c": [ ] }', (body) => ({ b: body['b'], c: body['c'], d: 'new' }))
    expect(text).toBe('{"b": 2.0, "c": [ ],"d":"new" }')
    expect(spliced('{"a":1}', () => ({})).text).toBe('{}')
    expect(spliced('{"messages":[1,{}]}', () => ({ messages: [] })).text).toBe('{"messages":[]}')
    expect(spliced('{"messages":[]}', () => ({ messages: [1] })).text).toBe('{"messages":[1]}')
  })

  it('reports that an object with a repeated key was rewritten', () => {
    const twice = spliced('{"messages":[{"a":1}],"x":1.0,"messages":[{"b":2}]}', (body) => ({
      ...body,
      messages: [...messages(body), { c: 3 }],
    }))
    expect(twice).toMatchObject({ rewritten: true, text: '{"messages":[{"b":2},{"c":3}],"x":1}' })
    // Deeper down only what changed is.
    const inner = spliced('{"x":1.0,"messages":[{"a":1,"a":2},{"b":1,"b":1}]}', (body) => ({
      ...body,
      messages: [messages(body)[0], { ...messages(body)[1], c: 3 }],
    }))
    expect(inner).toMatchObject({ rewritten: true, text: '{"x":1.0,"messages":[{"a":1,"a":2},{"b":1,"c":3}]}' })
  })

  it('handles escaped keys, a byte order mark and bytes that are not text', () => {
    const escaped = spliced('{"mess\\u0061ges":[1.0,2.0]}', (body) => ({ messages: [...messages(body), 3] }))
    expect(escaped.text).toBe('{"mess\\u0061ges":[1.0,2.0,3]}')
    const bytes = new Uint8Array([
      0xef,
      0xbb,
      0xbf,
      ...encoder.encode('{"messages":["'),
      0xff,
      ...encoder.encode('"]}'),
    ])
    const was = JSON.parse(decoder.decode(bytes)) as JsonObject
    const out = splice(bytes, was, { messages: [...messages(was), 1] }, { arrayKey: 'messages' }).bytes
    expect([...out]).toEqual([...bytes.subarray(0, bytes.length - 2), ...encoder.encode(',1]}')])
  })

  it('gives the value after any change', () => {
    const seed = 20261116
    const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null))
    const { tree } = fc.letrec<{ tree: unknown; list: unknown[]; object: object }>((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, leaf, tie('list'), tie('object')),
      list: fc.array(tie('tree'), { maxLength: 5 }),
      object: fc.dictionary(fc.string({ maxLength: 4 }), tie('tree'), { maxKeys: 5 }),
    }))
    const body = fc.dictionary(fc.constantFrom('messages', 'tools', 'a', '1'), fc.array(tree, { maxLength: 6 }))
    fc.assert(
      fc.property(body, fc.infiniteStream(fc.nat()), fc.constantFrom(0, 1, '\t'), (value, dice, space) => {
        const roll = (sides: number) => (dice.next().value as number) % sides
        spliced(JSON.stringify(value, null, space), (was) => changed(was, roll) as JsonObject)
      }),
      { seed, numRuns: runsOf(600, 2000) },
    )
  })
})

/** A copy that shares most of what it was made from: elements moved, dropped, doubled, added, changed inside. */
function changed(value: unknown, roll: (sides: number) => number): unknown {
  if (Array.isArray(value)) {
    const list = value.flatMap((one) => [[one], [one], [changed(one, roll)], [], [one, 7], [{ new: 1 }, one]][roll(6)]!)
    return roll(4) === 0 ? list.reverse() : list
  }
  if (typeof value !== 'object' || value === null) return roll(2) === 0 ? value : 'other'
  const entries = Object.entries(value).flatMap(([key, one]) =>
    roll(5) === 0 ? [] : [[key, roll(2) === 0 ? one : changed(one, roll)] as const],
  )
  return Object.fromEntries(roll(3) === 0 ? [...entries, ['added', 1]] : entries)
}
