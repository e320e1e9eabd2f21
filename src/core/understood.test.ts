import { describe, expect, it } from 'vitest'
import { providers } from '../index.ts'
import { rules } from '../rules/index.ts'
import { repair } from './repair.ts'

const service = (id: string) => providers.find((one) => one.id === id)!.serves[0]!
const user = { role: 'user', content: 'Go on.' }
const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: '{}' },
  ...more,
})
const calls = (...list: object[]) => ({ role: 'assistant', content: null, tool_calls: list })
const result = (id: string, more: object = {}) => ({ role: 'tool', tool_call_id: id, content: 'fine', ...more })
const block = (value: object) => ({ role: 'user', content: [value] })

interface Options {
  readonly provider?: string
  readonly strict?: boolean
  readonly rejectedBy?: readonly string[]
  readonly invited?: true
  readonly versions?: readonly string[]
  readonly request?: object
}

/** What is not known, by finding; and whether the history was changed. */
function outcome(history: readonly unknown[], options: Options = {}) {
  const { provider = 'openai', strict, rejectedBy, invited, versions = [], request = {} } = options
  const target = {
    service: service(provider),
    rules,
    strict,
    rejectedBy,
    ...(invited ? {} : { uninvited: () => versions }),
  }
  const body = { ...request, [target.service.dialect.key]: history }
  const { value, findings } = repair(body, target)
  return { changed: value !== body, notKnown: [...new Set(findings.flatMap((one) => one.notKnown ?? []))] }
}

const open = [user, calls(call('a')), user]

describe('an open call', () => {
  it('is answered if all is known', () => {
    expect(outcome(open)).toEqual({ changed: true, notKnown: [] })
    const known = [
      user,
      calls(call('a', { index: 0, extra_content: { google: { anything: 1 } } })),
      { ...user, name: 'x' },
    ]
    expect(outcome(known)).toEqual({ changed: true, notKnown: [] })
  })

  it.each<[string, string, readonly unknown[], Options?]>([
    [
      'a key of the call',
      'the key `runs_until` of a function in message 1',
      [user, calls(call('a', { runs_until: 9 })), user],
    ],
    [
      'a key inside of the call',
      'the key `lease` of a function in message 1',
      [user, calls(call('a', { function: { name: 'x', arguments: '{}', lease: 1 } })), user],
    ],
    ['a key of a neighbor', 'the key `resolves` of message 2', [user, calls(call('a')), { ...user, resolves: true }]],
    ['a role after it', 'the role "runner" of message 3', [...open, { role: 'runner', content: 'x' }, user]],
    [
      'a type after it',
      'the type "run_report" in message 4',
      [...open, user, block({ type: 'run_report', of: 1 }), user],
    ],
    [
      'a message without a role after it',
      'the key `of` of message 4',
      [...open, user, { type: 'run_report', of: 1 }, user],
    ],
    [
      'an object as its id',
      'the key `ref` of a function in message 1',
      [user, calls({ ...call('a'), id: { ref: 1 } }), user],
    ],
    [
      'its id in an unknown part',
      'a part of an unknown kind that names a',
      [block({ type: 'plan', steps: ['a'] }), ...open],
    ],
    [
      'its id under an unknown key of a message',
      'a part of an unknown kind that names a',
      [...open, user, user, { ...user, covers: ['a'] }],
    ],
    [
      'its id under an unknown key of a text',
      'a part of an unknown kind that names a',
      [...open, user, user, block({ type: 'text', text: 'x', covers: { run: 'a' } })],
    ],
    ['a key of the request', 'the key `ledger` of the request', open, { request: { ledger: 'l_1' } }],
    ['a version', '"2031-01-01" of `x`', open, { versions: ['"2031-01-01" of `x`'] }],
  ])('waits: %s', (_name, what, history, options = {}) => {
    expect(outcome(history, options)).toEqual({ changed: false, notKnown: expect.arrayContaining([what]) })
    expect(outcome(history, { ...options, strict: true, invited: true }).changed).toBe(true)
    expect(outcome(history, { ...options, rejectedBy: ['tool-result-missing', 'tool-call-id-empty'] }).changed).toBe(
      true,
    )
  })

  it.each<[string, readonly unknown[], Options?]>([
    ['a key of a message that is no neighbor', [{ ...user, mood: 1 }, user, ...open]],
    ['a type before it', [block({ type: 'run_report' }), user, ...open]],
    ['a key of a text beside nothing', [block({ type: 'text', text: 'x', mood: 1 }), user, ...open]],
    ['a key without a value', [user, calls(call('a', { runs_until: null })), user]],
    ['a known key of the request', open, { request: { temperature: 0, user: 'x' } }],
  ])('does not wait: %s', (_name, history, options) => {
    expect(outcome(history, options).changed).toBe(true)
  })

  it('is repaired on request beside a key of the request that says nothing about stored messages', () => {
    expect(outcome(open, { request: { ledger: 'l_1' }, invited: true }).changed).toBe(true)
    expect(outcome(open, { request: { thread_ref: 'l_1' }, invited: true }).changed).toBe(false)
  })
})

describe('a result without a call', () => {
  it('waits only for something unknown before it', () => {
    expect(outcome([user, result('a'), user]).changed).toBe(true)
    expect(outcome([block({ type: 'earlier', at: 1 }), user, user, result('a'), user]).changed).toBe(false)
    expect(outcome([user, result('a'), user, user, block({ type: 'later', at: 1 })]).changed).toBe(true)
  })
})

describe('the content of a message', () => {
  it('is rewritten if it is data of a tool or a known block, and left if it is a new shape', () => {
    const round = (content: unknown) => [user, calls(call('a')), { ...result('a'), content }, user]
    expect(outcome(round({ temperature: 20 })).changed).toBe(true)
    expect(outcome(round({ type: 'stored_output', ref: 'o_1' }))).toMatchObject({ changed: false })
    expect(outcome([{ role: 'user', content: { type: 'text', text: 'x' } }]).changed).toBe(true)
    expect(outcome([{ role: 'user', content: { vault_ref: 'x' } }])).toMatchObject({ changed: false })
  })

  it('of a keyed format: a block with an unknown key beside its type is left', () => {
    const round = (content: object) => [
      { role: 'user', content: [{ text: 'x' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'look', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [content] } }] },
    ]
    const tools = { toolConfig: { tools: [{ toolSpec: { name: 'look', inputSchema: { json: {} } } }] } }
    const options = { provider: 'bedrock', request: tools }
    expect(outcome(round({ type: 'text', text: 'x' }), options).changed).toBe(true)
    expect(outcome(round({ text: 'x', heat_map: {} }), options).changed).toBe(false)
    expect(outcome(round({ heat_map: {} }), options).changed).toBe(false)
  })
})
