/**
 * Conformance of a dialect: it reads anything without throwing, its parts point at the native values, it never writes
 * in place, and what it writes can be read back.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Dialect,
  type JsonObject,
  type MessageReading,
  type Part,
  placeOf,
  readMessage,
  valueAt,
  withValueAt,
} from '../core/index.ts'
import { frozen } from './frozen.ts'

/** What `testDialect` tries. */
export interface DialectTable {
  /** Native histories to try, on top of arbitrary JSON. */
  readonly histories: fc.Arbitrary<unknown[]>
  /** A native image that a user message can have, if the format has one. */
  readonly media?: JsonObject
  /** The format can mark a result as failed. */
  readonly marksFailure?: boolean
  /** Types of calls and results that have no id in this format. */
  readonly anonymous?: readonly string[]
  /** Random histories per check. */
  readonly runs?: number
  readonly seed?: number
}

/** Tests what every dialect promises, on given and random histories. */
export function testDialect(dialect: Dialect, table: DialectTable): void {
  const check = (name: string, arbitrary: fc.Arbitrary<unknown[]>, holds: (history: unknown[]) => void) =>
    it(name, () => {
      const property = fc.property(arbitrary, (history) => holds(frozen(history)))
      fc.assert(property, { numRuns: table.runs ?? 200, seed: table.seed ?? 1 })
    })

  describe(`dialect ${dialect.id}`, () => {
    check('reads arbitrary JSON without a throw', fc.array(likeMessages()), (history) => void readAll(dialect, history))
    check('points at the values it reads', fc.oneof(table.histories, fc.array(likeMessages())), (history) =>
      checkPlaces(dialect, history),
    )
    check('changes parts in copies that read back', table.histories, (history) =>
      checkWrites(dialect, history, table.anonymous ?? []),
    )
    check('merges neighbors and loses nothing', table.histories, (history) => checkMerges(dialect, history))
    check('cleans up without changing parts', table.histories, (history) => checkCleanUp(dialect, history))
    check('reads the text of results', table.histories, (history) => checkContent(dialect, history))
    it('writes results, calls and texts that it reads back', () => checkNew(dialect, table))
  })
}

function readOne(dialect: Dialect, message: unknown, index = 0): MessageReading {
  return readMessage(message, dialect, index)
}

function readAll(dialect: Dialect, history: readonly unknown[]): MessageReading[] {
  return history.map((message, index) => readOne(dialect, message, index))
}

function checkPlaces(dialect: Dialect, history: readonly unknown[]): void {
  for (const { parts } of readAll(dialect, history)) {
    for (const part of parts) expect(valueAt(history, placeOf(part)), JSON.stringify(part)).toBe(part.value)
  }
}

/** Replaces a part by a changed value and reads it again. */
function reread(dialect: Dialect, message: unknown, part: Part, value: unknown): Part | undefined {
  const whole = withValueAt(message, placeOf({ ...part, message: 0 }).slice(1), value)
  return readOne(dialect, whole).parts.find(
    (other) => other.list.join() === part.list.join() && other.index === part.index,
  )
}

function checkWrites(dialect: Dialect, history: readonly unknown[], anonymous: readonly string[]): void {
  for (const [index, { parts }] of readAll(dialect, history).entries()) {
    for (const part of parts) {
      const after = (change: Parameters<Dialect['write']>[2]) =>
        reread(dialect, history[index], part, dialect.write(part, part.value, change))
      if (part.kind === 'text') expect(after({ text: 'other' })?.body).toBe('other')
      if (part.kind !== 'call' && part.kind !== 'result') continue
      if (!anonymous.includes(part.type)) expect(after({ id: 'other' })?.id).toBe('other')
      if (part.kind === 'call' && part.name !== undefined) expect(after({ name: part.name })?.name).toBe(part.name)
      if (part.kind === 'call') expect(after({ arguments: part.body })?.body).toEqual(part.body)
      if (part.kind === 'result' && !part.server) {
        const rewritten = after({ result: 'other words' })
        expect(rewritten && dialect.content(rewritten).text).toContain('other words')
      }
    }
  }
}

function checkMerges(dialect: Dialect, history: readonly unknown[]): void {
  const read = readAll(dialect, history)
  for (let i = 1; i < history.length; i++) {
    const [first, second] = [read[i - 1]!, read[i]!]
    if (first.role !== second.role || (first.role !== 'user' && first.role !== 'assistant')) continue
    if (dialect.items || first.parts.length === 0 || second.parts.length === 0) continue
    const merged = readOne(dialect, dialect.merge(history[i - 1], history[i]))
    expect(merged.role).toBe(first.role)
    const wanted = [...first.parts, ...second.parts]
    const ids = (parts: readonly Part[]) =>
      parts.flatMap(({ kind, id }) => (kind === 'call' || kind === 'result' ? [id ?? ''] : []))
    // Sorted: calls that a message lists in several places are read in the order of the places.
    expect(ids(merged.parts).sort()).toEqual(ids(wanted).sort())
    const text = merged.parts.map(textIn).join('\n')
    for (const part of wanted) expect(text).toContain(textIn(part))
  }
}

function textIn({ kind, body }: Part): string {
  return kind === 'text' && typeof body === 'string' ? body : ''
}

function checkCleanUp(dialect: Dialect, history: readonly unknown[]): void {
  for (const message of history) {
    const before = readOne(dialect, message)
    const cleaned = dialect.cleanUp(message)
    if (cleaned === undefined)
      expect(before.parts.every((part) => textIn(part) === '' && part.kind !== 'call')).toBe(true)
    else expect(outline(readOne(dialect, cleaned))).toEqual(outline(before))
  }
}

function outline({ role, parts }: MessageReading): unknown {
  return [role, ...parts.map(({ kind, id, name }) => [kind, id, name])]
}

function checkContent(dialect: Dialect, history: readonly unknown[]): void {
  for (const { parts } of readAll(dialect, history)) {
    for (const part of parts) {
      if (part.kind !== 'result') continue
      const { text, media } = dialect.content(part)
      expect(text).toBeTypeOf('string')
      const note = readOne(dialect, dialect.textMessage('user', text, media))
      expect(note.role).toBe('user')
      if (text !== '') expect(note.parts.map(textIn).join('\n')).toContain(text)
    }
  }
}

function checkNew(dialect: Dialect, { media, marksFailure }: DialectTable): void {
  for (const role of ['user', 'assistant'] as const) {
    const reading = readOne(dialect, dialect.textMessage(role, 'some words'))
    expect([reading.role, ...reading.parts.map(textIn)]).toEqual([role, 'some words'])
  }
  const beside = readOne(dialect, dialect.textMessage('user', 'look', media ? [media] : []))
  expect(beside.parts.map(({ kind }) => kind)).toEqual(media ? ['text', 'media'] : ['text'])
  const orphan = { kind: 'result', type: '', message: 0, list: [], index: -1, value: {}, id: 'a1', name: 'f', body: '' }
  const made = readOne(
    dialect,
    dialect.call({ ...orphan, signature: undefined, server: false, failed: false } as unknown as Part, 'a1', 'f'),
  )
  const call = made.parts.find(({ kind }) => kind === 'call')
  expect([made.role, call?.id, call?.name, call?.server]).toEqual(['assistant', 'a1', 'f', false])
  const answers = dialect.wrapResults([
    dialect.answer(call!, 'gone'),
    dialect.answer({ ...call!, id: 'a2' }, 'gone too'),
  ])
  const read = answers.flatMap((message) => readOne(dialect, message).parts)
  const results = dialect.answerInPlace ? read.filter(({ kind }) => kind === 'result') : read
  expect(results.map(({ kind, id }) => [kind, id])).toEqual([
    ['result', 'a1'],
    ['result', 'a2'],
  ])
  expect(results.map((result) => dialect.content(result).text)).toEqual(['gone', 'gone too'])
  if (marksFailure) expect(results.every(({ failed }) => failed)).toBe(true)
  expect(dialect.wrapResults([])).toEqual([])
}

/** Arbitrary JSON that often has keys of messages. */
function likeMessages(): fc.Arbitrary<unknown> {
  const keys = [
    'role',
    'type',
    'content',
    'parts',
    'tool_calls',
    'function_call',
    'id',
    'kwargs',
    'data',
    'lc',
    '__proto__',
  ]
  const words = [
    'user',
    'assistant',
    'model',
    'tool',
    'function',
    'text',
    'tool_use',
    'tool_result',
    'tool-call',
    'message',
  ]
  const leaf = fc.oneof(fc.constantFrom(...words), fc.jsonValue({ maxDepth: 2 }), fc.constant(1))
  const list = fc.array(
    fc.dictionary(fc.constantFrom(...keys, 'text', 'functionCall', 'toolUse', 'call_id'), leaf, { maxKeys: 4 }),
    { maxLength: 3 },
  )
  return fc.oneof(fc.dictionary(fc.constantFrom(...keys), fc.oneof(leaf, list), { maxKeys: 5 }), fc.jsonValue())
}
