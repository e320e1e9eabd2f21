/**
 * A file of each format with one thing more that does not exist yet: a part of an unknown type, or messages under an
 * unknown key, at every place where a format has parts or messages. No such file is called valid.
 */
import { describe, expect, it } from 'vitest'
import { checkSessionFile, verdictOf } from '../../src/session-files/index.ts'
import type { FileInput, SessionFormat } from '../../src/session-files/types.ts'
import { byId, bytesOf, cases, inputOf, textOf } from './format-cases.ts'
import { FORMATS, fileOf, sample } from './samples.ts'

const TEXT = 'The quick brown fox was seen here'
const TURNS = [
  { speaker: 'human', utterance: TEXT },
  { speaker: 'bot', utterance: TEXT },
]
/** What tools got and gave, and what only describes a message, may have any form. A row has its own columns. */
const ANY_FORM =
  /\.(input(?!\[)|arguments|args|parameters|toolUseResult|usage|metadata_json|state|additional_kwargs|response_metadata|functionCall|response(?!\[)|function|llm|agent|context)\b|\.value~|T(\.[a-z_]+)?(\.\{|\[\d+\]\.\{|\.sessions?\[\+)/

type Invented = readonly [place: string, value: unknown]

function* inventions(value: unknown, place: string): Generator<Invented> {
  if (Array.isArray(value)) {
    if (value.some((one) => typeof one === 'object')) yield [`${place}[+]`, [...value, partLike(value[0])]]
    for (const [i, one] of value.entries())
      for (const [at, inner] of inventions(one, `${place}[${i}]`)) yield [at, value.with(i, inner)]
  } else if (typeof value === 'object' && value !== null) {
    yield [`${place}.{`, { ...value, holo_turns: TURNS }]
    for (const [key, one] of Object.entries(value))
      for (const [at, inner] of inventions(one, `${place}.${key}`)) yield [at, { ...value, [key]: inner }]
  } else if (typeof value === 'string' && /^[[{]/.test(value)) {
    for (const [at, inner] of inventions(JSON.parse(value), `${place}~`)) yield [at, JSON.stringify(inner)]
  }
}

/** A part of a new type beside this one. Parts without a type are named by their key. */
function partLike(first: Record<string, unknown>): unknown {
  const key = ['type', 'kind', 'role', 'from'].find((one) => typeof first[one] === 'string')
  const { id, uuid, parentUuid, sessionId, timestamp, message_id, session_id } = first
  const links = { id, uuid, parentUuid, sessionId, timestamp, message_id, session_id }
  return key ? { ...links, [key]: 'holo_note', note: { text: TEXT } } : { holoNote: { text: TEXT } }
}

function* inventedFiles(input: FileInput): Generator<readonly [place: string, input: FileInput]> {
  if (input.tables) {
    for (const [at, tables] of inventions(input.tables, 'T'))
      yield [at, { ...input, tables: tables as NonNullable<FileInput['tables']> }]
    return
  }
  for (const [name, bytes] of input.siblings ?? [])
    for (const [at, value] of inventions(JSON.parse(textOf(bytes)), name))
      yield [at, { ...input, siblings: new Map(input.siblings).set(name, bytesOf(JSON.stringify(value))) }]
  const values = valuesOf(textOf(input.bytes))
  for (const [i, value] of values.entries())
    for (const [at, invented] of inventions(value, `line ${i}`)) {
      const text = values
        .with(i, invented)
        .map((one) => JSON.stringify(one))
        .join('\n')
      yield [at, { ...input, bytes: bytesOf(`${text}\n`) }]
    }
}

function valuesOf(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}

const lines = FORMATS.map((id): [string, SessionFormat, FileInput] => [id, byId(id), { bytes: fileOf(sample(id)) }])
const bodies = [
  {
    contents: [
      { role: 'user', parts: [{ text: 'look' }] },
      { role: 'model', parts: [{ text: 'done' }] },
    ],
  },
  { input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'look' }] }] },
].map((body): [string, SessionFormat, FileInput] => [
  Object.keys(body)[0]!,
  byId('plain'),
  inputOf(JSON.stringify(body)),
])

describe('parts and messages that do not exist yet, in every format', () => {
  const all = [...cases.map(({ format, valid }) => [format.id, format, valid] as const), ...lines, ...bodies]
  it.each(all)('%s', (_id, format, valid) => {
    const reasonsOf = (input: FileInput) => {
      const file = format.read(input)
      const findings = checkSessionFile(file)
      return [...verdictOf(file, findings).notUnderstood, ...findings]
    }
    expect(verdictOf(format.read(valid), []).notUnderstood).toEqual([])
    const known = reasonsOf(valid).length
    const places = [...inventedFiles(valid)].filter(([place]) => !ANY_FORM.test(place))
    expect(places.length).toBeGreaterThan(3)
    expect(places.filter(([, input]) => reasonsOf(input).length <= known).map(([place]) => place)).toEqual([])
  })
})

describe('records of known types with something new', () => {
  const base = sample('claude-code')
  const last = base.at(-1)!
  const verdict = (...more: readonly object[]) =>
    verdictOf(byId('claude-code').read({ bytes: fileOf([...base, ...more]) }), [])
  const system = { ...last, message: undefined, type: 'system', uuid: 'u-s', parentUuid: last['uuid'] }

  it.each([
    ['an unknown subtype with text', { subtype: 'fold_boundary', content: TEXT }, 'not-understood'],
    ['an unknown subtype without text', { subtype: 'pulse', durationMs: 3 }, 'valid'],
    ['a known subtype', { subtype: 'informational', content: TEXT }, 'valid'],
    ['no subtype', { content: TEXT }, 'valid'],
  ])('a system record of Claude Code with %s', (_name, fields, expected) => {
    expect(verdict({ ...system, ...fields }).verdict).toBe(expected)
  })

  it('an item of Codex of an unknown type', () => {
    const item = { ...sample('codex').at(-1)!, ordinal: 99, payload: { type: 'holo_item', say: TEXT } }
    const { verdict: found, notUnderstood } = verdictOf(
      byId('codex').read({ bytes: fileOf([...sample('codex'), item]) }),
      [],
    )
    expect([found, notUnderstood[0]]).toEqual(['not-understood', expect.stringContaining('response_item/holo_item')])
  })
})
