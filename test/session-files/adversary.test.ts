/**
 * Files that no agent writes but a user may have: odd text inside whole records, broken chains, repeated numbers. No
 * error, nothing lost, reach never falls.
 */
import { describe, expect, it } from 'vitest'
import { checkSessionFile, openSessionFile, planRepair, recordBytes } from '../../src/session-files/index.ts'
import { bytesOf, textOf } from '../../src/session-files/salvage/bytes.ts'
import { FORMATS, type FormatId, fileOf, type Line, sample } from './samples.ts'

const textsOf = (bytes: Uint8Array, format: string) => {
  const file = openSessionFile({ bytes }, { format })
  return file.records.map((record) => textOf(recordBytes(file, record)))
}

/** Opens, checks and plans; every record of `lines` is in the result, or in a change that says so. */
function holds(format: string, bytes: Uint8Array): ReturnType<typeof planRepair> {
  const file = openSessionFile({ bytes }, { format })
  checkSessionFile(file)
  const plan = planRepair(file, { force: true })
  const gone = new Set(plan.changes.flatMap((change) => ('record' in change ? [change.record] : [])))
  const after = new Set(textsOf(plan.bytes, format))
  for (const record of file.records)
    if (!gone.has(record.index)) expect(after).toContain(textOf(recordBytes(file, record)))
  for (const change of plan.changes) expect(change.why).toBeTruthy()
  expect(plan.reachAfter.included).toBeGreaterThanOrEqual(plan.reachBefore.included)
  const again = openSessionFile({ bytes: plan.bytes }, { format })
  expect(planRepair(again, { force: true }).bytes).toBe(plan.bytes)
  return plan
}

const linesOf = (format: FormatId) => sample(format).map((line) => JSON.stringify(line))
const joinedBy = (lines: readonly string[], end: (i: number) => string) =>
  bytesOf(lines.map((line, i) => `${line}${end(i)}`).join(''))
/** The first record with a text in it, with `text` put into the JSON of that text as it is. */
const withText = (format: FormatId, text: string) => {
  const lines = linesOf(format)
  const at = lines.findIndex((line) => /"(?:text|content)":"[^"]/.test(line))
  expect(at).toBeGreaterThanOrEqual(0)
  lines[at] = lines[at]!.replace(/("(?:text|content)":")/, (_all, key: string) => `${key}${text}`)
  return joinedBy(lines, () => '\n')
}
const withMember = (format: FormatId, member: string) =>
  joinedBy(
    linesOf(format).map((line) => line.replace(/\}$/, `,${member}}`)),
    () => '\n',
  )

describe.each(FORMATS)('%s: odd text in whole records', (format) => {
  const untouched = (bytes: Uint8Array) => expect(holds(format, bytes).bytes).toBe(bytes)
  it('line ends of both kinds in one file', () => untouched(joinedBy(linesOf(format), (i) => (i % 2 ? '\n' : '\r\n'))))
  it('lone surrogates as escapes', () => void holds(format, withText(format, '\\ud83d \\ude00\\ud800')))
  it('raw U+2028 and U+2029', () => void holds(format, withText(format, '\u2028\u2029')))
  it('a byte order mark inside a text', () => untouched(withText(format, '\uFEFF')))
  it('numbers larger than a double', () =>
    untouched(withMember(format, '"n":123456789012345678901234567890,"m":1e999,"k":-0,"z":0.10000000000000000001')))
  it('a key twice', () => untouched(withMember(format, '"odd":1,"odd":2')))
  it('__proto__ as a key', () => untouched(withMember(format, '"__proto__":{"type":"x","uuid":"y"}')))
  it('a byte order mark before a record in the middle', () => {
    const lines = linesOf(format)
    lines[2] = `\uFEFF${lines[2]}`
    const bytes = joinedBy(lines, () => '\n')
    const plan = holds(format, bytes)
    expect(textsOf(plan.bytes, format)).toEqual(linesOf(format))
  })
  it('no line end after the last record, and empty lines between', () =>
    untouched(bytesOf(linesOf(format).join('\n\n'))))
})

const envelope = { timestamp: '2026-01-01T00:00:00.000Z', sessionId: 'S', version: '2.1.200', cwd: '/p' }
const node = (uuid: string, parentUuid: string | null, more: Line = {}): Line => ({
  parentUuid,
  isSidechain: false,
  type: 'user',
  message: { role: 'user', content: uuid },
  uuid,
  ...envelope,
  ...more,
})
const answer = (uuid: string, parentUuid: string | null, more: Line = {}): Line =>
  node(uuid, parentUuid, {
    type: 'assistant',
    message: {
      id: `msg_${uuid}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: uuid }],
    },
    ...more,
  })
const boundary = (uuid: string, parentUuid: string | null, logicalParentUuid: string | null): Line =>
  node(uuid, parentUuid, { type: 'system', subtype: 'compact_boundary', logicalParentUuid, message: undefined })

describe('claude-code: chains', () => {
  const table: [string, Line[]][] = [
    ['a circle of two', [node('a', 'b'), answer('b', 'a'), node('c', 'b'), answer('d', 'c')]],
    ['a circle of all', [node('a', 'd'), answer('b', 'a'), node('c', 'b'), answer('d', 'c')]],
    ['a record that is its own parent', [node('a', null), answer('b', 'a'), node('c', 'c'), answer('d', 'c')]],
    ['a first record that is its own parent', [node('a', 'a'), answer('b', 'a')]],
    ['two roots', [node('a', null), answer('b', 'a'), node('c', null), answer('d', 'c')]],
    ['the same id twice', [node('a', null), answer('b', 'a'), node('a', 'b'), answer('d', 'a')]],
    ['a sidechain whose parent is missing', [node('a', null), answer('b', 'a'), node('s', 'x', { isSidechain: true })]],
    [
      'a main record whose parent is in a sidechain',
      [node('a', null), answer('b', 'a'), node('s', null, { isSidechain: true }), node('c', 's'), answer('d', 'c')],
    ],
    [
      'a compact boundary with a logical parent',
      [
        node('a', null),
        answer('b', 'a'),
        boundary('k', null, 'b'),
        node('c', 'k', { isCompactSummary: true }),
        answer('d', 'c'),
      ],
    ],
    [
      'a compact boundary whose logical parent is missing',
      [
        node('a', null),
        answer('b', 'a'),
        boundary('k', null, 'gone'),
        node('c', 'k', { isCompactSummary: true }),
        answer('d', 'c'),
      ],
    ],
    [
      'a dangling parent after a compact boundary',
      [
        node('a', null),
        answer('b', 'a'),
        boundary('k', null, 'b'),
        node('c', 'k', { isCompactSummary: true }),
        answer('d', 'gone'),
      ],
    ],
    ['a last record without a uuid', [node('a', null), answer('b', 'a'), { ...node('c', 'b'), uuid: undefined }]],
    ['a parent that is a number', [node('a', null), { ...answer('b', 'a'), parentUuid: 7 }]],
    ['a child before its parent', [answer('b', 'a'), node('a', null)]],
    ['only a summary', [{ type: 'summary', summary: 's', leafUuid: 'gone' }]],
    [
      'a summary of a missing leaf',
      [{ type: 'summary', summary: 's', leafUuid: 'gone' }, node('a', null), answer('b', 'a')],
    ],
  ]
  it.each(table)('%s', (_name, lines) => {
    const plan = holds('claude-code', fileOf(lines))
    const removed = plan.changes.filter(({ op }) => op === 'remove')
    expect(removed).toEqual([])
  })
  it('a repair never takes a record of a sidechain or of before a compact boundary into the chain', () => {
    for (const [, lines] of table.slice(6, 11)) {
      const bytes = fileOf(lines)
      const plan = holds('claude-code', bytes)
      const after = textsOf(plan.bytes, 'claude-code').map((text) => JSON.parse(text) as Line)
      const sides = new Set(after.filter(({ isSidechain }) => isSidechain).map(({ uuid }) => uuid))
      for (const { uuid, parentUuid, isSidechain } of after) {
        const before = lines.find((line) => line['uuid'] === uuid)!
        if (before['parentUuid'] !== parentUuid) expect(sides.has(parentUuid)).toBe(isSidechain)
        if (before['subtype'] === 'compact_boundary') expect(parentUuid).toBe(before['parentUuid'])
      }
    }
  })
})

describe('other agents', () => {
  it('codex: the same ordinal on every record', () => {
    const lines = sample('codex').map((line) => ({ ...line, ordinal: 3 }))
    holds('codex', fileOf(lines))
  })
  it('codex: ordinals that fall, are texts or are missing', () => {
    const odd = [9, '4', undefined, -1, 2 ** 60, null, Number.MAX_VALUE]
    holds('codex', fileOf(sample('codex').map((line, i) => ({ ...line, ordinal: odd[i % odd.length] }))))
  })
  it('copilot-cli: events of unknown types between all others are kept', () => {
    const lines = sample('copilot-cli')
    const odd = lines.flatMap((line, i) => [
      line,
      {
        type: `new.event_${i}`,
        data: { a: 1 },
        id: `n${i}`,
        timestamp: line['timestamp'],
        parentId: line['id'] ?? null,
      },
    ])
    const plan = holds('copilot-cli', fileOf(odd))
    expect(plan.changes.filter(({ op }) => op === 'remove')).toEqual([])
  })
  it('copilot-cli: events without data, with data that is not an object, without a type', () => {
    const lines = sample('copilot-cli')
    const odd: unknown[] = [
      { ...lines[1], data: 5 },
      { ...lines[2], data: null },
      { type: null },
      { type: 'user.message' },
    ]
    holds('copilot-cli', fileOf([lines[0], ...odd, ...lines.slice(1)]))
  })
  it.each(sample('pi').map((line, i) => [i, String(line['type'])] as const))(
    'pi: a compaction after entry %i (%s)',
    (at) => {
      const lines = sample('pi')
      const parent = (lines[at]!['id'] as string | undefined) ?? null
      const compaction = {
        type: 'compaction',
        id: 'cmp',
        parentId: at === 0 ? null : parent,
        timestamp: lines[at]!['timestamp'],
        summary: 's',
        firstKeptEntryId: lines[Math.max(1, at - 1)]!['id'],
        tokensBefore: 9,
      }
      const rest = lines.slice(at + 1).map((line, i) => (i === 0 ? { ...line, parentId: 'cmp' } : line))
      holds('pi', fileOf([...lines.slice(0, at + 1), compaction, ...rest]))
    },
  )
})
