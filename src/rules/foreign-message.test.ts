import { describe, expect, it } from 'vitest'
import { lint, repair } from '../../test/untyped-api.ts'
import { dialects, providers } from '../index.ts'
import { frozen } from '../testing/frozen.ts'

const user = { role: 'user', content: 'What is the weather in Oslo?' }
const use = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' }
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
const chat = [
  user,
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
]
const system = { role: 'system', content: 'Be brief.' }

describe('foreign-message', () => {
  it('is a constraint of every service', () => {
    for (const { id, serves } of providers)
      for (const { dialect, constraints } of serves)
        expect(constraints['foreign-message'], `${id} ${dialect.id}`).toBeDefined()
    expect(dialects.every(({ neutral }) => neutral !== undefined)).toBe(true)
  })

  it('rewrites blocks of Anthropic in a chat history, and names the thinking that goes', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'EqQB' }
    const before = frozen([
      system,
      user,
      { role: 'assistant', content: [thinking, use] },
      { role: 'user', content: [result] },
    ])
    const { value, findings, remaining } = repair(before, { provider: 'openai', dialect: 'openai-chat' })
    expect(value).toEqual([
      system,
      user,
      { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'toolu_1' }] },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'sunny' },
    ])
    expect(findings.map(({ rule, id, severity, data }) => [rule, id, severity, data['lost']])).toEqual([
      ['foreign-message', 'lossy', 'error', 'thinking'],
      ['foreign-message', 'message', 'error', ''],
    ])
    expect(remaining).toEqual([])
  })

  it('takes a call that is there twice, as a block and as a call, for one', () => {
    const assistant = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { ...use, id: 'call_1' },
      ],
      tool_calls: [call],
    }
    const before = [system, user, assistant, chat[2]]
    const { value } = repair(before, { provider: 'openai', dialect: 'openai-chat' })
    expect(value).toEqual([system, user, { ...assistant, content: [{ type: 'text', text: 'I look.' }] }, chat[2]])
  })

  it('leaves thinking parts to Mistral, which has its own', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }
    const before = [user, { role: 'assistant', content: [thinking, { type: 'text', text: 'Sunny.' }] }, user]
    expect(repair(before, { provider: 'mistral' }).value).toBe(before)
  })

  it('reports a whole history of another dialect as one error, and changes nothing', () => {
    const findings = lint(chat, { provider: 'anthropic' })
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({ rule: 'foreign-message', id: 'history', severity: 'error' })
    expect(findings[0]!.message).toContain('openai-chat')
    expect(findings[0]!.message).toContain('anthropic-messages')
    const { value, patch, remaining } = repair(chat, { provider: 'anthropic' })
    expect([value, patch]).toEqual([chat, []])
    expect(remaining).toHaveLength(1)
  })

  it('converts it if asked, with the instructions of the request', () => {
    const body = {
      system: 'Be brief.',
      messages: [user, { role: 'assistant', content: [use] }, { role: 'user', content: [result] }],
    }
    const there = repair<unknown>(body, { provider: 'openai', dialect: 'openai-chat', convert: true }).value
    expect(there).toEqual({
      messages: [
        system,
        user,
        { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'toolu_1' }] },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'sunny' },
      ],
    })
    const model = 'claude-3-5-sonnet-20241022'
    expect(repair(there, { provider: 'anthropic', convert: true, model }).value).toEqual(body)
  })

  it('keeps results, error flags and images from Bedrock to Anthropic', () => {
    const image = { image: { format: 'png', source: { bytes: 'aW1hZ2U=' } } }
    const before = [
      { role: 'user', content: [{ text: 'look' }, image] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'see', input: {} } }] },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'blurred' }, image], status: 'error' } }],
      },
    ]
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1hZ2U=' } }
    expect(repair<unknown>(before, { provider: 'anthropic', convert: true }).value).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'look' }, picture] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'see', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            content: [{ type: 'text', text: 'blurred' }, picture],
            is_error: true,
          },
        ],
      },
    ])
  })

  it('takes a LangChain message with blocks of a provider for one message', () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'see', input: { n: 1 } })
    const call = (id: string) => ({ name: 'see', args: { n: 1 }, id, type: 'tool_call' })
    const before = [
      { type: 'human', content: [{ type: 'text', text: 'look' }] },
      { type: 'ai', content: [use('c1'), use('c2')], tool_calls: [call('c1'), call('c2')] },
      { type: 'tool', content: 'one', tool_call_id: 'c1', name: 'see' },
      { type: 'tool', content: 'two', tool_call_id: 'c2', name: 'see' },
    ]
    const calls = (provider: 'ai-sdk' | 'openai-responses') =>
      JSON.stringify(repair<unknown>(before, { provider, convert: true }).value).match(/"tool-call"|"function_call"/g)
    expect(calls('ai-sdk')).toEqual(['"tool-call"', '"tool-call"'])
    expect(calls('openai-responses')).toEqual(['"function_call"', '"function_call"'])
  })
})
