/**
 * Codex, Copilot CLI, pi and Qwen Code: damage by the thread that reported it.
 */
import { describe, expect, it } from 'vitest'
import { checkSessionFile, newCodexRollout, openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { bytesOf, textOf } from '../../src/session-files/salvage/bytes.ts'
import type { PlanOptions } from '../../src/session-files/types.ts'
import { FORMATS, type FormatId, fileOf, type Line, sample } from './samples.ts'

const open = (format: FormatId, lines: readonly unknown[], path?: string) =>
  openSessionFile({ bytes: fileOf(lines), path }, { format })
const rulesOf = (format: FormatId, lines: readonly unknown[]) =>
  checkSessionFile(open(format, lines)).map(({ rule }) => rule)

function repaired(format: FormatId, lines: readonly unknown[], options: PlanOptions = {}) {
  const plan = planRepair(open(format, lines), options)
  const after = openSessionFile({ bytes: plan.bytes }, { format })
  expect(planRepair(after, options).changes).toEqual([])
  expect(plan.reachAfter.included).toBeGreaterThanOrEqual(plan.reachBefore.included)
  return { plan, after, values: after.records.map(({ value }) => value as Line) }
}

describe.each(FORMATS)('%s', (format) => {
  it('a valid file is recognized and left alone', () => {
    const bytes = fileOf(sample(format))
    const file = openSessionFile({ bytes })
    expect(file.format).toBe(format)
    expect(checkSessionFile(file)).toEqual([])
    expect(planRepair(file).bytes).toBe(bytes)
    expect(file.unknown).toEqual([])
  })

  it('an open call is closed on request', () => {
    const lines = sample(format)
    const text = JSON.stringify(lines)
    const at = lines.findLastIndex((line) => /"two"/.test(JSON.stringify(line)))
    expect(text).toContain('"two"')
    const cut = lines.slice(0, at)
    const { after, values } = repaired(format, cut, { only: ['tool-result-missing', 'tool-result-count-mismatch'] })
    expect(values.length).toBeGreaterThan(cut.length)
    expect(checkSessionFile(after)).toEqual([])
  })
})

describe('Codex', () => {
  const settings = (ordinal: number): Line => ({
    timestamp: 't',
    ordinal,
    type: 'event_msg',
    payload: { type: 'thread_settings_applied', model: 'm' },
  })

  it('openai/codex#41079: an ordinal that is used twice loses the settings record that repeats', () => {
    const lines = [...sample('codex'), settings(12), settings(12)]
    expect(rulesOf('codex', lines)).toEqual(['duplicate-ordinal'])
    const { values } = repaired('codex', lines)
    expect(values).toHaveLength(lines.length - 1)
  })

  it('openai/codex#35746: two different records both stay', () => {
    const lines = sample('codex')
    const twice = lines.map((line, i) => (i === 5 ? { ...line, ordinal: 4 } : line))
    expect(checkSessionFile(open('codex', twice))[0]).toMatchObject({ rule: 'duplicate-ordinal', repair: undefined })
    expect(planRepair(open('codex', twice)).changes).toEqual([])
  })

  it('a removed record before the tail becomes spaces, so that offsets stay true', () => {
    const lines = sample('codex')
    const head = [...lines.slice(0, 2), settings(2), { ...settings(2) }]
    const all = [...head, ...lines.slice(2).map((line, i) => ({ ...line, ordinal: 3 + i }))]
    const before = fileOf(all)
    const { plan } = repaired('codex', all)
    expect(plan.bytes).toHaveLength(before.length)
    expect(plan.blocked).toBeUndefined()
    expect(textOf(plan.bytes)).toMatch(/\n {50,}\n/)
  })

  it('openai/codex#24425: a missing head is rebuilt from the file name, as a new rollout', () => {
    const path = 'rollout-2026-11-16T14-42-28-01a1e4cf-39af-7300-b32c-97c7f46fcbe3.jsonl'
    const file = open('codex', sample('codex').slice(1), path)
    expect(checkSessionFile(file).map(({ rule }) => rule)).toContain('missing-head-record')
    const plan = planRepair(file)
    expect(plan.blocked).toContain('new rollout')
    const fresh = newCodexRollout(openSessionFile({ bytes: plan.bytes, path }))
    const read = openSessionFile({ bytes: fresh.bytes })
    expect(read.sessionId).toBe(fresh.threadId)
    expect(read.records.map(({ value }) => (value as Line)['ordinal'])).toEqual(read.records.map((_, i) => i))
  })

  it('the newest compaction is the base, a rollback takes turns back', () => {
    const item = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    const lines = [
      ...sample('codex'),
      { timestamp: 't', type: 'compacted', payload: { message: '', replacement_history: [item('summary')] } },
      { timestamp: 't', type: 'response_item', payload: item('one') },
      { timestamp: 't', type: 'response_item', payload: item('two') },
      { timestamp: 't', type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
    ]
    expect(open('codex', lines).conversations[0]!.history).toEqual([item('summary'), item('one')])
  })

  it('a compaction whose lists differ is reported', () => {
    const lines = [
      ...sample('codex'),
      {
        timestamp: 't',
        type: 'compacted',
        payload: { message: '', replacement_history: [{}], replacement_history_metadata: [] },
      },
    ]
    expect(rulesOf('codex', lines)).toContain('compaction-lengths-differ')
  })

  it('third-party reasoning is emptied within its own length', () => {
    const reasoning = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'x'.repeat(300) }],
      encrypted_content: null,
    }
    const lines = sample('codex')
    const all = [...lines.slice(0, 3), { timestamp: 't', type: 'response_item', payload: reasoning }, ...lines.slice(3)]
    const numbered = all.map((line, ordinal) => ({ ...line, ordinal }))
    const before = fileOf(numbered)
    const plan = planRepair(open('codex', numbered), { lossy: true })
    if (plan.bytes !== before) expect(plan.bytes).toHaveLength(before.length)
    expect(plan.blocked).toBeUndefined()
  })
})

describe('Copilot CLI', () => {
  it('github/copilot-cli#2012: a raw U+2028 is escaped', () => {
    const bytes = bytesOf(textOf(fileOf(sample('copilot-cli'))).replace('thanks', 'tha\u2028nks'))
    const file = openSessionFile({ bytes })
    expect(checkSessionFile(file).map(({ rule }) => rule)).toEqual(['raw-line-separator'])
    const after = openSessionFile({ bytes: planRepair(file).bytes })
    expect(textOf(after.input.bytes)).toContain('tha\\u2028nks')
    expect(checkSessionFile(after)).toEqual([])
  })

  it('microsoft/vscode#291823: an unknown event is removed only by a lossy repair', () => {
    const lines = sample('copilot-cli')
    const all = [
      ...lines,
      { type: 'ephemeral', data: {}, id: 'e99', timestamp: 't', parentId: (lines.at(-1) as Line)['id'] },
    ]
    expect(planRepair(open('copilot-cli', all)).changes).toEqual([])
    expect(repaired('copilot-cli', all, { lossy: true }).values).toHaveLength(lines.length)
  })

  it('github/copilot-cli#4098: a copy of an event is removed, a lost parent is bridged', () => {
    const lines = sample('copilot-cli')
    expect(rulesOf('copilot-cli', [...lines.slice(0, 5), lines[4], ...lines.slice(5)])).toEqual(['duplicate-record'])
    const { values } = repaired('copilot-cli', [...lines.slice(0, 7), ...lines.slice(8)], {})
    expect(values.some((value) => value['parentId'] === 'e6' && value['id'] === 'e8')).toBe(true)
  })

  it('an event without session.start before it is reported', () => {
    expect(rulesOf('copilot-cli', sample('copilot-cli').slice(1))).toContain('missing-head-record')
  })
})

describe('pi', () => {
  const entry = (id: string, parentId: string | null, message: Line): Line => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-01-01T00:00:00.000Z',
    message,
  })
  const head = { type: 'session', version: 3, id: 'S', timestamp: 't', cwd: '/p' }
  const asks = entry('u1', null, { role: 'user', content: [{ type: 'text', text: 'x' }] })
  const calls = entry('a1', 'u1', {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: {} }],
    api: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    stopReason: 'toolUse',
  })
  const result = (parent: string) =>
    entry('r1', parent, {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'bash',
      content: [{ type: 'text', text: 'ok' }],
      isError: false,
    })
  const compaction = (parentId: string, firstKeptEntryId: string) => ({
    type: 'compaction',
    id: 'k1',
    parentId,
    timestamp: 't',
    summary: 'before',
    firstKeptEntryId,
    tokensBefore: 9,
  })

  it('earendil-works/pi#4570: a compaction between a call and its result moves after the result', () => {
    const answer = entry('a2', 'r1', {
      role: 'assistant',
      content: [{ type: 'text', text: 'done' }],
      api: 'anthropic-messages',
      stopReason: 'stop',
    })
    const lines = [head, asks, calls, compaction('a1', 'u1'), result('k1'), answer]
    expect(rulesOf('pi', lines)).toContain('compaction-inside-pair')
    const { values, after } = repaired('pi', lines)
    expect(values.slice(1).map(({ id, parentId }) => [id, parentId])).toEqual([
      ['u1', null],
      ['a1', 'u1'],
      ['r1', 'a1'],
      ['k1', 'r1'],
      ['a2', 'k1'],
    ])
    expect(checkSessionFile(after)).toEqual([])
  })

  it('earendil-works/pi#6832: a compaction that keeps a result without its call', () => {
    const lines = [
      head,
      asks,
      calls,
      result('a1'),
      compaction('r1', 'r1'),
      entry('u2', 'k1', { role: 'user', content: 'go on' }),
    ]
    expect(rulesOf('pi', lines)).toContain('first-kept-inside-pair')
    expect(checkSessionFile(repaired('pi', lines).after)).toEqual([])
  })

  it('can1357/oh-my-pi#472: a result without its call becomes a note', () => {
    const { after } = repaired('pi', [head, asks, result('u1'), entry('u2', 'r1', { role: 'user', content: 'go on' })])
    expect(JSON.stringify(after.conversations[0]!.history)).toContain('ok')
    expect(checkSessionFile(after)).toEqual([])
  })

  it('a retained tail needs no older entry', () => {
    const kept = { ...compaction('r1', 'gone'), retainedTail: [] }
    expect(
      rulesOf('pi', [head, asks, calls, result('a1'), kept, entry('u2', 'k1', { role: 'user', content: 'x' })]),
    ).toEqual([])
  })

  it('a parent that is not in the file is bridged', () => {
    const lines = sample('pi')
    const { plan } = repaired('pi', [...lines.slice(0, 6), ...lines.slice(7)], {})
    expect(plan.findings.map(({ rule }) => rule)).toContain('dangling-parent')
    expect(plan.reachAfter.included).toBeGreaterThan(plan.reachBefore.included)
  })
})

describe('Qwen Code', () => {
  it('QwenLM/qwen-code#9573: a gap in the history is bridged', () => {
    const lines = sample('qwen-code')
    const { plan } = repaired('qwen-code', [...lines.slice(0, 5), ...lines.slice(6)])
    expect(plan.findings.map(({ rule }) => rule)).toContain('dangling-parent')
    expect(plan.reachAfter.included).toBe(7)
  })

  it('fragments with one uuid are one message', () => {
    const lines = sample('qwen-code')
    const more = { ...lines[5]!, message: { role: 'model', parts: [{ text: ' And more.' }] } }
    expect(open('qwen-code', [...lines.slice(0, 6), more, ...lines.slice(6)]).conversations[0]!.history).toHaveLength(8)
  })
})
