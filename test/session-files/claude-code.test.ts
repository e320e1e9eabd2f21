/**
 * The ways in which Claude Code sessions break, each by the thread that reported it, and the promises of a chain
 * repair.
 */
import { describe, expect, it } from 'vitest'
import { checkSessionFile, openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { textOf } from '../../src/session-files/salvage/bytes.ts'
import type { PlanOptions, SessionFile } from '../../src/session-files/types.ts'
import { claudeLines, fileOf, type Line, sample } from './samples.ts'

const open = (lines: readonly unknown[]) => openSessionFile({ bytes: fileOf(lines) }, { format: 'claude-code' })
const rulesOf = (file: SessionFile) => checkSessionFile(file).map(({ rule }) => rule)
const reach = (file: SessionFile) => file.conversations[0]!.reach.included
const user = (uuid: string, parentUuid: string | null, content: unknown = uuid, more: Line = {}): Line => ({
  parentUuid,
  isSidechain: false,
  type: 'user',
  message: { role: 'user', content },
  uuid,
  timestamp: '2026-01-01T00:00:00.000Z',
  sessionId: 'S',
  version: '2.1.200',
  cwd: '/p',
  ...more,
})
const says = (
  uuid: string,
  parentUuid: string | null,
  block: unknown = { type: 'text', text: uuid },
  more: Line = {},
): Line => ({
  parentUuid,
  isSidechain: false,
  type: 'assistant',
  message: { id: `msg_${uuid}`, role: 'assistant', model: 'claude-sonnet-4-5', content: [block] },
  uuid,
  timestamp: '2026-01-01T00:00:00.000Z',
  sessionId: 'S',
  version: '2.1.200',
  cwd: '/p',
  ...more,
})
const system = (uuid: string, parentUuid: string | null, subtype: string, more: Line = {}): Line => ({
  parentUuid,
  isSidechain: false,
  type: 'system',
  subtype,
  uuid,
  timestamp: '2026-01-01T00:00:00.000Z',
  sessionId: 'S',
  version: '2.1.200',
  ...more,
})
const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} })
const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: 'ok' }]

/** Repairs, and holds what every repair promises. */
function repaired(lines: readonly unknown[], options: PlanOptions = {}): SessionFile {
  const file = open(lines)
  const plan = planRepair(file, options)
  const after = openSessionFile({ bytes: plan.bytes }, { format: 'claude-code' })
  expect(reach(after)).toBeGreaterThanOrEqual(reach(file))
  expect(planRepair(after, options).bytes).toBe(after.input.bytes)
  expect(planRepair(after, options).changes).toEqual([])
  completeChain(after)
  for (const { value } of after.records) onlyBlocks(value as Line)
  const kept = new Set(textOf(plan.bytes).split('\n'))
  const changed = new Set(plan.changes.flatMap((change) => (change.op === 'insert' ? [] : [change.record])))
  lines.forEach((line, i) => {
    if (!changed.has(i)) expect(kept).toContain(JSON.stringify(line))
  })
  return after
}

/** One chain from the leaf to the first record or a compact boundary. */
function completeChain({ records }: SessionFile): void {
  const values = records.map(({ value }) => value as Line)
  const ids = new Set(values.map(({ uuid }) => uuid))
  for (const value of values)
    if (value['parentUuid'] !== null && 'parentUuid' in value) expect(ids).toContain(value['parentUuid'])
}

/** Claude Code sends the content of a record as it is: a list may hold nothing but blocks. */
function onlyBlocks({ message }: Line): void {
  const content = (message as Line | undefined)?.['content']
  if (Array.isArray(content)) for (const block of content) expect(block).toBeTypeOf('object')
}

it('an orphan result that is the whole message becomes a text block', () => {
  const after = repaired([user('u1', null), says('a1', 'u1'), user('u2', 'a1', result('toolu_gone')), says('a2', 'u2')])
  const note = [{ type: 'text', text: '[Result for a call that is no longer in this conversation (toolu_gone)]\nok' }]
  expect((after.records[2]!.value as { message: unknown }).message).toEqual({ role: 'user', content: note })
})

describe('valid files', () => {
  it.each(['2.0.37', '2.1.114'])('with the parallel results of %s are left alone', (version) => {
    const bytes = fileOf(claudeLines(sampleHistory(), version))
    const file = openSessionFile({ bytes })
    expect(file.format).toBe('claude-code')
    expect(checkSessionFile(file)).toEqual([])
    expect(planRepair(file).bytes).toBe(bytes)
    expect(file.conversations[0]!.history).toHaveLength(8)
  })

  it('reads attachments and progress as links, and stops at a compact boundary', () => {
    const lines = [
      user('u1', null),
      says('a1', 'u1'),
      system('c1', null, 'compact_boundary', { logicalParentUuid: 'a1' }),
      user('u2', 'c1', 'summary', { isCompactSummary: true }),
      { ...user('p1', 'u2'), type: 'progress', message: undefined },
      says('a2', 'p1'),
    ]
    const file = open(lines)
    expect(file.conversations[0]!.history).toHaveLength(2)
    expect(file.conversations[0]!.reach).toMatchObject({ included: 2, total: 4 })
    expect(file.conversations[0]!.reach.excluded.map(({ because }) => because)).toEqual([
      'before-compaction',
      'before-compaction',
    ])
    expect(rulesOf(file)).toEqual([])
  })

  it('anthropics/claude-code#24304: a snapshot with the id of a message changes nothing', () => {
    const file = open([
      user('u1', null),
      { type: 'file-history-snapshot', messageId: 'u1', snapshot: {}, isSnapshotUpdate: false },
      says('a1', 'u1'),
    ])
    expect(rulesOf(file)).toEqual([])
    expect(reach(file)).toBe(2)
  })

  it('separates sub-agents, in the file and in files of their own', () => {
    const side = { isSidechain: true, agentId: 'x1' }
    const siblings = new Map([
      [
        'S/subagents/agent-y2.jsonl',
        fileOf([
          user('y1', null, 'go', { isSidechain: true, agentId: 'y2' }),
          says('y2', 'y1', undefined, { isSidechain: true, agentId: 'y2' }),
        ]),
      ],
    ])
    const bytes = fileOf([
      user('u1', null),
      user('s1', null, 'task', side),
      says('s2', 's1', undefined, side),
      says('a1', 'u1'),
    ])
    const file = openSessionFile({ bytes, siblings })
    expect(file.conversations.map(({ id, history }) => [id, history.length])).toEqual([
      ['main', 2],
      ['agent-x1', 2],
      ['agent-y2', 2],
    ])
  })
})

describe('chain repair', () => {
  it('anthropics/claude-code#66824: a finished turn next to a retried API error is restored', () => {
    const lines = [
      user('u1', null),
      system('e1', 'u1', 'api_error'),
      system('e2', 'e1', 'api_error'),
      says('a1', 'u1', call('t1')),
      user('r1', 'a1', result('t1')),
      says('a2', 'r1'),
      user('u2', 'e2', 'next'),
      says('a3', 'u2'),
    ]
    const before = open(lines)
    expect(rulesOf(before)).toEqual(['dead-branch-after-api-error'])
    expect(reach(before)).toBe(3)
    expect(before.conversations[0]!.reach.excluded.map(({ because }) => because)).toContain(
      'dead-branch-after-api-error',
    )
    expect(reach(repaired(lines))).toBe(6)
  })

  it('anthropics/claude-code#72203: a branch that was not finished is left alone', () => {
    const lines = [
      user('u1', null),
      system('e1', 'u1', 'api_error'),
      says('a1', 'u1', call('t1')),
      user('u2', 'e1', 'next'),
      says('a3', 'u2'),
    ]
    expect(rulesOf(open(lines))).toEqual([])
  })

  it('anthropics/claude-code#22526: parents that were never written', () => {
    const lines = [
      user('u1', null),
      says('a1', 'u1'),
      user('u2', 'gone-1'),
      says('a2', 'u2'),
      user('u3', 'gone-2'),
      says('a3', 'u3'),
    ]
    expect(rulesOf(open(lines))).toEqual(['dangling-parent', 'dangling-parent'])
    expect(reach(open(lines))).toBe(2)
    expect(reach(repaired(lines))).toBe(6)
  })

  it('sends the summary of a compaction, though it is marked as visible in the transcript only', () => {
    const file = open([
      user('u1', null),
      system('c1', null, 'compact_boundary', { logicalParentUuid: 'u1' }),
      user('u2', 'c1', 'a summary', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      says('a1', 'u2'),
      user('u3', 'a1', 'shown only', { isVisibleInTranscriptOnly: true }),
    ])
    expect(file.conversations[0]!.history).toHaveLength(2)
    expect(file.conversations[0]!.history[0]).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: 'a summary' }],
    })
    expect(rulesOf(file)).toEqual([])
  })

  it('never links across a compact boundary or to a sub-agent', () => {
    const boundary = [
      user('u1', null),
      says('a1', 'u1'),
      system('c1', null, 'compact_boundary'),
      user('u2', 'gone'),
      says('a2', 'u2'),
    ]
    expect(repaired(boundary).records[3]!.value).toMatchObject({ parentUuid: 'c1' })
    const side = [
      user('u1', null),
      user('s1', null, 'task', { isSidechain: true }),
      user('u2', 'gone'),
      says('a2', 'u2'),
    ]
    expect(repaired(side).records[2]!.value).toMatchObject({ parentUuid: 'u1' })
  })

  it('parents in a circle', () => {
    const lines = [user('u1', null), says('a1', 'u1'), user('u2', 'a2'), says('a2', 'u2')]
    const after = repaired([...lines, user('u3', 'a2'), says('a3', 'u3')])
    expect(rulesOf(after)).toEqual([])
    expect(reach(after)).toBe(6)
  })

  it('the first record of a continued session may have a parent elsewhere', () => {
    expect(rulesOf(open([user('u1', 'in-another-file'), says('a1', 'u1')]))).toEqual([])
  })

  it('anthropics/claude-code#35024: a progress record that took the chain over is reported, not decided', () => {
    const lines = [
      user('u1', null),
      says('a1', 'u1'),
      user('u2', 'a1'),
      says('a2', 'u2'),
      { ...user('p1', 'a1'), type: 'progress', message: undefined },
      user('u3', 'p1'),
      says('a3', 'u3'),
    ]
    const [fault] = checkSessionFile(open(lines))
    expect(fault).toMatchObject({ rule: 'other-branch', severity: 'warning', line: 3 })
    expect(fault!.repair).toBeUndefined()
  })

  it('anthropics/claude-code#35024: the branch that hangs on the result of a call counts, also if it is one answer', () => {
    const lines = [
      user('u1', null),
      says('a1', 'u1', call('t1')),
      { ...user('p1', 'a1'), type: 'progress', message: undefined },
      user('r1', 'a1', result('t1')),
      says('a2', 'r1'),
      user('u2', 'p1'),
      says('a3', 'u2'),
    ]
    expect(checkSessionFile(open(lines))).toMatchObject([{ rule: 'other-branch', severity: 'warning', line: 5 }])
  })

  it('siteboon/claudecodeui#1148: two clients on one session; a withdrawn prompt is not a fault', () => {
    const head = [user('u1', null), says('a1', 'u1')]
    const one = [user('u2', 'a1'), says('a2', 'u2'), user('u4', 'a2'), says('a4', 'u4')]
    const other = [user('u3', 'a1'), says('a3', 'u3')]
    const both = [...head, ...one.slice(0, 2), other[0]!, ...one.slice(2), other[1]!]
    expect(checkSessionFile(open(both))).toMatchObject([{ rule: 'other-branch', severity: 'warning', line: 3 }])
    expect(checkSessionFile(open([...head, ...one, ...other]))).toEqual([])
  })
})

describe('provider findings, written back as lines', () => {
  const OPTIONS = { only: ['tool-result-missing'] }

  it('anthropics/claude-code#8484: an open call gets a result line after it, and the next line hangs on that', () => {
    const old = { version: '2.0.37' }
    const lines = [
      user('u1', null, 'x', old),
      says('a1', 'u1', call('t1'), old),
      user('u2', 'a1', 'go on', old),
      says('a2', 'u2', undefined, old),
    ]
    const after = repaired(lines)
    const [, , added, next] = after.records.map(({ value }) => value as Line)
    expect(added).toMatchObject({
      type: 'user',
      parentUuid: 'a1',
      sourceToolAssistantUUID: 'a1',
      sessionId: 'S',
      version: '2.0.37',
    })
    expect(added!['toolUseResult']).toMatch(/^Error: /)
    expect(next).toMatchObject({ uuid: 'u2', parentUuid: added!['uuid'] })
    expect(rulesOf(after)).toEqual([])
  })

  it('2.1 closes open calls itself: only a warning, and nothing is written unless asked for', () => {
    const lines = [user('u1', null), says('a1', 'u1', call('t1'))]
    const file = open(lines)
    expect(checkSessionFile(file)).toMatchObject([{ rule: 'tool-result-missing', severity: 'warning' }])
    expect(planRepair(file).bytes).toBe(file.input.bytes)
    expect(rulesOf(repaired(lines, OPTIONS))).toEqual([])
  })

  it('the missing one of two parallel results hangs where the file hangs its results', () => {
    const id = { message: { id: 'm', role: 'assistant', model: 'claude-sonnet-4-5' } }
    const line = (uuid: string, parent: string, block: unknown, version: string) => ({
      ...says(uuid, parent, block, { version }),
      message: { ...id.message, content: [block] },
    })
    const forked = [
      user('u1', null),
      line('a1', 'u1', call('t1'), '2.1.200'),
      line('a2', 'a1', call('t2'), '2.1.200'),
      user('r1', 'a1', result('t1')),
    ]
    const after = repaired(forked, OPTIONS)
    const added = after.records
      .map(({ value }) => value as Line)
      .find(({ toolUseResult }) => toolUseResult !== undefined)
    expect(added).toMatchObject({ parentUuid: 'a2' })
    expect(after.records.at(-1)!.value).toMatchObject({ uuid: 'r1', parentUuid: 'a1' })
    const old = '2.0.37'
    const inLine = [
      user('u1', null, 'x', { version: old }),
      line('a1', 'u1', call('t1'), old),
      line('a2', 'a1', call('t2'), old),
      user('r1', 'a2', result('t1'), { version: old }),
      says('a3', 'r1', undefined, { version: old }),
    ]
    expect(rulesOf(repaired(inLine))).toEqual([])
  })

  it('anthropics/claude-code#1894: a result without its call becomes a note, and its children keep a parent', () => {
    const old = { version: '2.0.37' }
    const lines = [
      user('u1', null, 'x', old),
      says('a1', 'u1', undefined, old),
      user('r1', 'a1', result('lost'), { ...old, toolUseResult: { stdout: 'ok' } }),
      says('a2', 'r1', undefined, old),
    ]
    const after = repaired(lines)
    expect(rulesOf(after)).toEqual([])
    expect(JSON.stringify(after.conversations[0]!.history)).toContain('ok')
  })

  it('anthropics/claude-code#24663: a message in single characters is joined again', () => {
    const text = JSON.stringify({ role: 'assistant', content: [{ type: 'text', text: 'hello' }], id: 'm1' })
    const spread = Object.fromEntries([...text].map((char, i) => [i, char]))
    const lines = [user('u1', null), { ...says('a1', 'u1'), message: spread }, user('u2', 'a1')]
    expect(rulesOf(open(lines))).toEqual(['message-in-characters'])
    expect((repaired(lines).records[1]!.value as Line)['message']).toEqual(JSON.parse(text))
  })

  it('an unknown record type is kept and blocks writing without force', () => {
    const lines = [...claudeLines(sampleHistory()).slice(0, 3), { type: 'brand-new', sessionId: 'S' }]
    const plan = planRepair(open(lines))
    expect(plan.blocked).toContain('brand-new')
    expect(planRepair(open(lines), { force: true }).blocked).toBeUndefined()
    expect(textOf(plan.bytes)).toContain('{"type":"brand-new","sessionId":"S"}')
  })
})

function sampleHistory(): Line[] {
  return open(sample('claude-code')).conversations[0]!.history as Line[]
}
