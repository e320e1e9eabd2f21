/**
 * The agent continues one branch of a file. A repair of that branch never makes it continue another one.
 */
import { describe, expect, it } from 'vitest'
import { checkSessionFile, openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { fileOf } from './samples.ts'

type Kind = 'user' | 'reply' | 'call' | 'result' | 'empty'
/** Its id, its parent's, what it is. */
type Entry = readonly [id: string, parent: string | null, kind: Kind]

const piBlocks: Readonly<Record<Kind, (id: string) => readonly object[]>> = {
  user: (id) => [{ type: 'text', text: `asked ${id}` }],
  reply: (id) => [{ type: 'text', text: `replied ${id}` }],
  call: () => [{ type: 'toolCall', id: 'call1', name: 'ls', arguments: {} }],
  result: (id) => [{ type: 'text', text: `result ${id}` }],
  empty: () => [{ type: 'text', text: '' }],
}
const ROLES = { user: 'user', reply: 'assistant', call: 'assistant', result: 'toolResult', empty: 'assistant' } as const

function pi(entries: readonly Entry[]) {
  const message = (id: string, kind: Kind) => ({
    role: ROLES[kind],
    ...(kind === 'result' && { toolCallId: 'call1', toolName: 'ls' }),
    ...(ROLES[kind] === 'assistant' && { api: 'anthropic-messages', model: 'claude-sonnet-4-5' }),
    content: piBlocks[kind](id),
  })
  return [
    { type: 'session', id: 's', version: 3, timestamp: '2026-01-01T00:00:00.000Z' },
    ...entries.map(([id, parentId, kind]) => ({ type: 'message', id, parentId, message: message(id, kind) })),
  ]
}

const geminiParts: Readonly<Record<Kind, (id: string) => readonly object[]>> = {
  user: (id) => [{ text: `asked ${id}` }],
  reply: (id) => [{ text: `replied ${id}` }],
  call: () => [{ functionCall: { id: 'call1', name: 'ls', args: {} } }],
  result: (id) => [{ functionResponse: { id: 'call1', name: 'ls', response: { output: `result ${id}` } } }],
  empty: () => [{}],
}

function qwen(entries: readonly Entry[]) {
  return entries.map(([uuid, parentUuid, kind]) => ({
    uuid,
    parentUuid,
    sessionId: 's',
    type: kind === 'user' ? 'user' : kind === 'result' ? 'tool_result' : 'assistant',
    message: { role: kind === 'user' || kind === 'result' ? 'user' : 'model', parts: geminiParts[kind](uuid) },
  }))
}

const claudeBlocks: Readonly<Record<Kind, (id: string) => readonly object[]>> = {
  ...piBlocks,
  call: () => [{ type: 'tool_use', id: 'call1', name: 'ls', input: {} }],
  result: (id) => [{ type: 'tool_result', tool_use_id: 'call1', content: `result ${id}` }],
  empty: () => [{ type: 'text', text: '' }],
}

function claudeCode(entries: readonly Entry[]) {
  return entries.map(([uuid, parentUuid, kind]) => {
    const type = kind === 'user' || kind === 'result' ? 'user' : 'assistant'
    const own = type === 'assistant' ? { id: `msg_${uuid}`, model: 'claude-sonnet-4-5' } : {}
    const message = { ...own, role: type, content: claudeBlocks[kind](uuid) }
    return { uuid, parentUuid, sessionId: 's', version: '2.1.0', isSidechain: false, type, message }
  })
}

const FORMATS = { pi, 'qwen-code': qwen, 'claude-code': claudeCode } as const

/** The texts that the model sees on the branch that is continued, before and after its repair. */
const CASES: readonly (readonly [name: string, entries: readonly Entry[], seen: string])[] = [
  [
    'an empty reply after a record of another branch',
    [
      ['u1', null, 'user'],
      ['a1', 'u1', 'reply'],
      ['u2', null, 'user'],
      ['e', 'a1', 'empty'],
    ],
    'asked u1, replied a1',
  ],
  [
    'an empty reply to a record that another branch continues',
    [
      ['u1', null, 'user'],
      ['a1', 'u1', 'reply'],
      ['u2', 'a1', 'user'],
      ['a2', 'u2', 'reply'],
      ['e', 'a1', 'empty'],
    ],
    'asked u1, replied a1',
  ],
  [
    'two empty replies',
    [
      ['u1', null, 'user'],
      ['u2', null, 'user'],
      ['e1', 'u1', 'empty'],
      ['u3', null, 'user'],
      ['e2', 'e1', 'empty'],
    ],
    'asked u1',
  ],
  [
    'nothing but an empty reply',
    [
      ['u1', null, 'user'],
      ['e', null, 'empty'],
    ],
    '',
  ],
  [
    'a result that comes after the next prompt',
    [
      ['u1', null, 'user'],
      ['c', 'u1', 'call'],
      ['u2', 'c', 'user'],
      ['r', 'u2', 'result'],
    ],
    'asked u1, result r, asked u2',
  ],
  [
    'a call without a result, and an empty reply, after a record of another branch',
    [
      ['u1', null, 'user'],
      ['c', 'u1', 'call'],
      ['u2', null, 'user'],
      ['e', 'c', 'empty'],
    ],
    'asked u1',
  ],
]

const textsOf = (bytes: Uint8Array, format: string) => {
  const { conversations } = openSessionFile({ bytes }, { format })
  return [...JSON.stringify(conversations[0]?.history ?? []).matchAll(/(?:asked|replied|result) [a-z]\d?\b/g)].join(
    ', ',
  )
}

describe.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])('%s: the repair stays on the branch', (format) => {
  it.each(CASES)('%s', (_name, entries, seen) => {
    const bytes = fileOf(FORMATS[format](entries))
    const plan = planRepair(openSessionFile({ bytes }, { format }), { force: true })
    expect(plan.blocked).toBeUndefined()
    expect(textsOf(plan.bytes, format)).toBe(seen)
    const again = openSessionFile({ bytes: plan.bytes }, { format })
    expect(planRepair(again, { force: true }).bytes).toBe(plan.bytes)
  })
})

it('claude-code: a late result moves before lines of one answer, and all that follows stays', () => {
  const use = (id: string) => [{ type: 'tool_use', id, name: 'ls', input: {} }]
  const entries = claudeCode([
    ['u1', null, 'user'],
    ['c', 'u1', 'call'],
    ['u2', 'c', 'user'],
    ['p', 'u2', 'reply'],
    ['q', 'p', 'reply'],
    ['s', 'q', 'user'],
    ['u3', 's', 'user'],
    ['r', 'u3', 'result'],
  ])
  const written = entries.map((entry) => {
    const { uuid, message } = entry
    const results = ['p', 'q'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: `result ${id}` }))
    if (uuid === 's') return { ...entry, message: { ...message, content: results } }
    if (uuid === 'p' || uuid === 'q') return { ...entry, message: { ...message, id: 'msg_pq', content: use(uuid) } }
    return entry
  })
  const bytes = fileOf(written)
  const plan = planRepair(openSessionFile({ bytes }, { format: 'claude-code' }), { force: true })
  expect(textsOf(plan.bytes, 'claude-code')).toBe('asked u1, result r, asked u2, result p, result q, asked u3')
})

it('claude-code: a last answer without a record before it that could be the last is left', () => {
  const entries: readonly Entry[] = [
    ['u1', null, 'user'],
    ['a1', 'u1', 'reply'],
    ['u2', 'a1', 'user'],
    ['a2', 'u2', 'reply'],
  ]
  const content = [{ type: 'thinking', thinking: 'hm', signature: '' }]
  const [last] = claudeCode([['e', 'a1', 'reply']])
  const bytes = fileOf([...claudeCode(entries), { ...last, message: { ...last!.message, content } }])
  const options = { force: true, lossy: true }
  const plan = planRepair(openSessionFile({ bytes }, { format: 'claude-code' }), options)
  expect(textsOf(plan.bytes, 'claude-code')).toBe('asked u1, replied a1')
  // No plan repairs it, so it is not called repairable.
  const file = openSessionFile({ bytes }, { format: 'claude-code' })
  for (const findings of [plan.findings, plan.remaining, checkSessionFile(file), planRepair(file).findings])
    expect(findings).toMatchObject([{ rule: 'thinking-signature-invalid', severity: 'error', repair: undefined }])
})

it('pi: a new first message that no entry leads to does not become the last one', () => {
  const [, ...entries] = pi([
    ['a', 'head', 'reply'],
    ['u', 'u', 'user'],
  ])
  const bytes = fileOf([{ id: 'head' }, ...entries])
  const plan = planRepair(openSessionFile({ bytes }, { format: 'pi' }), { force: true })
  expect(textsOf(plan.bytes, 'pi')).toContain('asked u')
})
