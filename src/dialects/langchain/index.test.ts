import {
  AIMessage,
  BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { apply, invert, lint, type Part, repair, type Target } from '../../core/index.ts'
import { toolResultMissing } from '../../rules/tool-result-missing.ts'
import { langchain } from './index.ts'

const target: Target = {
  service: { dialect: langchain, constraints: { 'tool-result-missing': { evidence: 'documented' } } },
  rules: [toolResultMissing],
}

const instances = (): BaseMessage[] => [
  new HumanMessage('weather?'),
  new AIMessage({ content: 'I look', tool_calls: [{ id: 'a', name: 'weather', args: { city: 'Oslo' } }] }),
  new HumanMessage('well?'),
]

describe('langchain', () => {
  it('reads instances and stored, serialized and plain messages', () => {
    const forms: readonly (readonly unknown[])[] = [
      instances(),
      mapChatMessagesToStoredMessages(instances()),
      JSON.parse(JSON.stringify(instances())),
      [
        { role: 'user', content: 'weather?' },
        { role: 'assistant', content: 'I look', tool_calls: [{ id: 'a', name: 'weather', args: { city: 'Oslo' } }] },
        { type: 'human', content: 'well?' },
      ],
      ['weather?', instances()[1], ['human', 'well?']],
    ]
    for (const history of forms) {
      const read = history.map((message, index) => readOne(message, index))
      expect(read.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
      expect(read[1]!.parts).toMatchObject([
        { kind: 'text', body: 'I look' },
        { kind: 'call', id: 'a', name: 'weather', body: { city: 'Oslo' } },
      ])
      expect(lint(history, target).map(({ id }) => id)).toEqual(['missing'])
      expect(lint(repair(history, target).value, target)).toEqual([])
    }
  })

  it('keeps instances, and adds an instance', () => {
    const history = instances()
    const { value: repaired, patch } = repair(history, target)
    expect([repaired[0], repaired[1], repaired[3]]).toEqual(history)
    expect(repaired[1]).toBe(history[1])
    const added = repaired[2]!
    expect(repaired.map((message) => message.getType())).toEqual(['human', 'ai', 'tool', 'human'])
    expect(added).toBeInstanceOf(BaseMessage)
    expect(ToolMessage.isInstance(added)).toBe(true)
    expect(added).toMatchObject({ tool_call_id: 'a', status: 'error', type: 'tool' })
    expect(coerceMessageLikeToMessage(added)).toBe(added)
    expect(mapStoredMessagesToChatMessages([added.toDict()])[0]).toBeInstanceOf(ToolMessage)
    expect(apply(repaired, invert(patch))).toEqual(history)
    expect(repair(repaired, target).value).toBe(repaired)
  })

  it('writes stored messages among stored ones, serialized among serialized', () => {
    const stored = mapChatMessagesToStoredMessages(instances())
    const loaded = mapStoredMessagesToChatMessages(repair(stored, target).value as StoredMessage[])
    expect(loaded.map((message) => message.getType())).toEqual(['human', 'ai', 'tool', 'human'])
    const serialized = JSON.parse(JSON.stringify(instances())) as unknown[]
    const repaired = repair(serialized, target).value as unknown[]
    expect(repaired[2]).toMatchObject({ lc: 1, id: ['langchain_core', 'messages', 'ToolMessage'] })
    expect(repaired.map((message) => coerceMessageLikeToMessage(message as never).getType())).toEqual(
      loaded.map((message) => message.getType()),
    )
  })

  it('keeps the class and what it is serialized from in step', () => {
    const raw = [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city": "Oslo"}' } }] as const
    const message = new AIMessage({
      content: [
        { type: 'text', text: 'I look' },
        { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 'b', name: 'news', input: {} },
      ],
      tool_calls: [
        { id: 'a', name: 'weather', args: { city: 'Oslo' } },
        { id: 'b', name: 'news', args: {} },
      ],
      additional_kwargs: { tool_calls: [...raw] },
    })
    const call = readOne(message).parts.find(({ id }) => id === 'a')!
    const renamed = langchain.write(call, call.value, { id: 'z' })
    const edited = Object.assign(Object.create(Object.getPrototypeOf(message)), message, {
      tool_calls: [renamed, message.tool_calls![1]],
    })
    const tidied = langchain.cleanUp(edited, message) as AIMessage
    expect(tidied).toBeInstanceOf(AIMessage)
    expect(tidied.tool_calls!.map(({ id }) => id)).toEqual(['z', 'b'])
    expect(tidied.additional_kwargs.tool_calls!.map(({ id }) => id)).toEqual(['z'])
    expect((tidied.content as { id?: string }[]).map(({ id }) => id)).toEqual([undefined, 'z', 'b'])
    expect(JSON.stringify(tidied)).not.toContain('"a"')
    expect(JSON.stringify(message)).toContain('"a"')
    expect(tidied.lc_kwargs['tool_calls']).toBe(tidied.tool_calls)
  })

  it('takes the copies of a call out with it', () => {
    const history = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look' },
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
        ],
        tool_calls: [{ id: 'a', name: 'f', args: {} }],
        additional_kwargs: { tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      },
      { role: 'user', content: 'well?' },
    ]
    const { value: repaired, patch } = repair(history, { ...target, policy: { unanswered: 'omit' } })
    expect(repaired[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'I look' }],
      tool_calls: [],
      additional_kwargs: {},
    })
    expect(apply(repaired, invert(patch))).toEqual(history)
  })

  it('reads the calls of the provider where there are no others', () => {
    const raw = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
    const message = { type: 'ai', content: '', additional_kwargs: { tool_calls: [raw] }, tool_calls: [] }
    expect(readOne(message).parts).toMatchObject([{ kind: 'call', id: 'a', name: 'f', body: '{}' }])
  })

  it('edits an instance in place of a plain one: same class, same serialisation', () => {
    const message = new ToolMessage({ content: 'ok', tool_call_id: 'a' })
    const [part] = readOne(message).parts
    const written = langchain.write(part!, message, { id: 'b' }) as ToolMessage
    expect(written).toBeInstanceOf(ToolMessage)
    expect(written.toDict().data.tool_call_id).toBe('b')
    expect(message.tool_call_id).toBe('a')
    const failed = langchain.write(part!, written, { result: 'no' }) as ToolMessage
    expect(failed.toDict().data).toMatchObject({ content: 'no', tool_call_id: 'b' })
  })

  it('counts calls that are only in the content, or among the invalid ones', () => {
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }], tool_calls: [] },
      { role: 'assistant', content: [{ type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' }] },
      { role: 'assistant', content: [{ type: 'tool_call', id: 'a', name: 'weather', args: {} }] },
      {
        role: 'assistant',
        content: '',
        invalid_tool_calls: [{ id: 'a', name: 'weather', args: '{"ci', error: 'cut' }],
      },
    ]
    for (const message of messages) {
      const history = [{ role: 'user', content: 'weather?' }, message, { role: 'user', content: 'well?' }]
      const { value } = repair(history, target)
      expect(value, JSON.stringify(message)).toHaveLength(4)
      expect(value[2]).toMatchObject({ role: 'tool', tool_call_id: 'a', status: 'error' })
    }
  })

  it('takes a block with the id of a call for a copy of it', () => {
    const content = [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }]
    const parts: Part[] = []
    langchain.read({ role: 'assistant', content, tool_calls: [{ id: 'a', name: 'weather', args: {} }] }, 0, parts)
    expect(parts.filter(({ kind }) => kind === 'call')).toHaveLength(1)
  })
})

function readOne(message: unknown, index = 0): { role: string; parts: Part[] } {
  const parts: Part[] = []
  return { role: langchain.read(message, index, parts), parts }
}
