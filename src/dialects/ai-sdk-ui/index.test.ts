import { convertToModelMessages, type UIMessage, validateUIMessages } from 'ai'
import { describe, expect, it } from 'vitest'
import { lint, repair, rounds } from '../../../test/untyped-api.ts'
import { apply, invert, type Part } from '../../core/index.ts'
import { detect } from '../../index.ts'
import { aiSdkUi } from './index.ts'

const prompt = (text: string, id = 'u1') => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const tool = (state: string, more: object = {}) => ({
  type: 'tool-weather',
  toolCallId: 'c1',
  state,
  input: { city: 'Oslo' },
  ...more,
})
const message = (...parts: object[]) => ({ id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, ...parts] })
const options = { provider: 'ai-sdk-ui' } as const

describe('ai-sdk-ui', () => {
  it('is detected, and not taken for Gemini', () => {
    expect(detect([prompt('hi'), message(tool('output-available', { output: 'sunny' }))])).toBe('ai-sdk-ui')
    expect(detect([{ role: 'user', parts: [{ text: 'hi' }] }])).toBe('gemini')
  })

  it('leaves finished parts alone', () => {
    const dynamic = {
      type: 'dynamic-tool',
      toolName: 'search',
      toolCallId: 'c2',
      state: 'output-error',
      input: {},
      errorText: 'no',
    }
    const history = [
      prompt('weather?'),
      message(tool('output-available', { output: 'sunny' }), dynamic),
      prompt('and?', 'u2'),
    ]
    expect(lint(history, options)).toEqual([])
    expect(repair(history, options).value).toBe(history)
    // The second one is the prompt that is not answered yet.
    expect(rounds(history, { dialect: 'ai-sdk-ui' })).toHaveLength(2)
  })

  it.each(['input-streaming', 'input-available', 'approval-requested'])(
    'closes a part that stopped at %s',
    async (state) => {
      const approval = state === 'approval-requested' ? { approval: { id: 'ap1' } } : {}
      const history = [
        prompt('weather?'),
        message(tool(state, approval), { type: 'text', text: 'Hm.' }),
        prompt('well?', 'u2'),
      ]
      const { value, patch, findings } = repair(history, options)
      expect(findings).toMatchObject([{ rule: 'tool-result-missing', severity: 'error' }])
      const part = (value[1] as { parts: object[] }).parts[1]
      expect(part).toMatchObject({
        type: 'tool-weather',
        toolCallId: 'c1',
        state: 'output-error',
        input: { city: 'Oslo' },
      })
      expect(part).not.toHaveProperty('approval')
      expect(apply(value, invert(patch))).toEqual(history)
      expect(repair(value, options).value).toBe(value)
      const valid = await validateUIMessages({ messages: value })
      const model = await convertToModelMessages(valid as UIMessage[])
      expect(lint(model, { provider: 'ai-sdk' })).toEqual([])
    },
  )

  it('leaves a pending approval alone while the history is in progress', () => {
    const history = [prompt('weather?'), message(tool('approval-requested', { approval: { id: 'ap1' } }))]
    expect(lint(history, { ...options, inProgress: true })).toEqual([])
    expect(lint(history, options)).toHaveLength(1)
  })

  it('leaves a call alone whose approval was just given', () => {
    const history = [
      prompt('weather?'),
      message(tool('approval-responded', { approval: { id: 'ap1', approved: true } })),
    ]
    expect(lint(history, options)).toEqual([])
  })

  it('closes one of two parallel calls and leaves the other', () => {
    const done = tool('output-available', { output: 'sunny' })
    const history = [
      prompt('weather?'),
      message(done, { ...tool('input-available'), toolCallId: 'c2' }),
      prompt('well?', 'u2'),
    ]
    const { parts } = repair(history, options).value[1] as unknown as { parts: object[] }
    expect(parts[1]).toBe(done)
    expect(parts[2]).toMatchObject({ toolCallId: 'c2', state: 'output-error' })
  })

  it('converts to model messages and back', () => {
    const history = [
      prompt('weather?'),
      message(tool('output-available', { output: 'sunny' }), { type: 'text', text: 'Sunny.' }),
    ]
    const there = repair<unknown>(history, { provider: 'ai-sdk', convert: true }).value
    expect(there).toEqual([
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Oslo' } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'weather', output: { type: 'text', value: 'sunny' } },
        ],
      },
      { role: 'assistant', content: 'Sunny.' },
    ])
    const back = repair<unknown>(there, { ...options, convert: true }).value as { role: string; parts: object[] }[]
    expect(back.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
    expect(back[1]!.parts[0]).toMatchObject(tool('output-available', { output: 'sunny' }))
  })

  it('reads anything without a throw', () => {
    const odd = [null, 1, 'x', {}, { parts: 1 }, { role: 'user', parts: [null, 1, {}, { type: 'tool-' }] }]
    for (const message of odd) {
      const parts: Part[] = []
      expect(() => aiSdkUi.read(message, 0, parts)).not.toThrow()
    }
  })
})
