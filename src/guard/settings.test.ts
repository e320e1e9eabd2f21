/**
 * Settings that a provider took only after a rejection: the next requests of the conversation have them at once, others
 * do not.
 */
import { describe, expect, it } from 'vitest'
import { type GuardEvent, guard, type Memory, shrinkMemory } from './index.ts'

type Body = Record<string, unknown>
type Judge = (body: Body) => string | undefined

/** Asks with each body in turn; who rejects says why. Gives what was sent, and the events by name. */
async function talk(url: string, bodies: readonly Body[], judge: Judge, memory: Memory = shrinkMemory()) {
  const events: GuardEvent[] = []
  const sent: Body[] = []
  const relay: typeof fetch = async (_input, init) => {
    const body = JSON.parse(await new Response(init!.body).text())
    const rejected = judge(body)
    if (rejected === undefined) sent.push(body)
    const error = { type: 'error', error: { type: 'invalid_request_error', message: rejected } }
    return rejected === undefined ? Response.json({ content: [], choices: [] }) : Response.json(error, { status: 400 })
  }
  const ask = guard({ fetch: relay, memory, wait: async () => {}, onEvent: (event) => events.push(event) })
  for (const body of bodies) await ask(url, { method: 'POST', body: JSON.stringify(body) })
  const reported = events.filter(({ type }) => type === 'rejected' || type === 'recovered' || type === 'shrunk')
  return { sent, reported: reported.map((one) => `${one.type} ${one.request}`), events }
}

const ANTHROPIC = 'https://api.anthropic.com/v1/messages'
const spoken = (rounds: number, first = 'hi') => [
  { role: 'user', content: first },
  ...Array.from({ length: rounds }, (_, i) => [
    { role: 'assistant', content: `answer ${i} ${'of some words '.repeat(30)}` },
    { role: 'user', content: `question ${i}` },
  ]).flat(),
]

describe('a shorter answer', () => {
  const asking = (rounds: number, first?: string) => ({
    model: 'claude-opus-4-5',
    max_tokens: 9000,
    messages: spoken(rounds, first),
  })

  it('is requested at once, if the model gives no longer ones', async () => {
    const judge: Judge = ({ max_tokens: asked }) =>
      Number(asked) > 4096
        ? `max_tokens: ${asked} > 4096, which is the maximum allowed number of output tokens for this model`
        : undefined
    const memory = shrinkMemory()
    const { sent, reported, events } = await talk(ANTHROPIC, [asking(0), asking(1), asking(2)], judge, memory)
    expect(sent.map(({ max_tokens }) => max_tokens)).toEqual([4096, 4096, 4096])
    expect(reported).toEqual(['rejected 1', 'recovered 1', 'shrunk 2', 'shrunk 3'])
    expect(events.at(-1)).toMatchObject({ recovery: 'reapply', report: { output: 4096 } })
    const other = await talk(ANTHROPIC, [{ ...asking(0, 'something else'), max_tokens: 5000 }], () => undefined, memory)
    expect([other.sent[0]!['max_tokens'], other.reported]).toEqual([5000, []])
    const short = await talk(ANTHROPIC, [{ ...asking(3), max_tokens: 100 }], judge, memory)
    expect([short.sent[0]!['max_tokens'], short.reported]).toEqual([100, []])
  })

  it('is shorter the longer the conversation is, if both share a window', async () => {
    const WINDOW = 12_000
    const tokens = (body: Body) => Math.ceil(JSON.stringify(body).length / 4) + 5000
    const judge: Judge = (body) => {
      const [asked, input] = [Number(body['max_tokens']), tokens(body)]
      return asked + input > WINDOW
        ? `input length and \`max_tokens\` exceed context limit: ${input} + ${asked} > ${WINDOW}, decrease input length or \`max_tokens\` and try again`
        : undefined
    }
    const { sent, reported } = await talk(
      ANTHROPIC,
      [1, 3, 6, 9].map((rounds) => asking(rounds)),
      judge,
    )
    expect(reported.filter((one) => one.startsWith('rejected'))).toEqual(['rejected 1'])
    const asked = sent.map(({ max_tokens }) => Number(max_tokens))
    expect(asked).toEqual([...asked].sort((a, b) => b - a))
    expect(new Set(asked).size).toBe(4)
  })
})

const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] })
const result = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'sunny' }] })
const one = [{ role: 'user', content: 'weather?' }, use('toolu_a'), result('toolu_a')]
const two = [...one, use('toolu_b'), result('toolu_b')]
const next = [...two, { role: 'assistant', content: 'Sunny.' }, { role: 'user', content: 'and tomorrow?' }]

describe('thinking that is off', () => {
  const MISSING = 'The `reasoning_content` in the thinking mode must be passed back to the API.'
  const call = (id: string) => {
    const tool_calls = [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }]
    return { role: 'assistant', content: null, reasoning_content: 'x', tool_calls }
  }
  const got = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'sunny' })
  const first = [{ role: 'user', content: 'weather?' }, call('a'), got('a')]
  const second = [...first, call('b'), got('b')]
  const third = [...second, { role: 'assistant', content: 'Sunny.' }, { role: 'user', content: 'and tomorrow?' }]

  it('stays off for the turn that lacks its reasoning, and is on again in the next', async () => {
    const judge: Judge = ({ messages, thinking }) => {
      const off = (thinking as { type?: string } | undefined)?.type === 'disabled'
      return !off && (messages as { role: string }[]).at(-1)!.role === 'tool' ? MISSING : undefined
    }
    const bodies = [first, second, third].map((messages) => ({ model: 'some-model', messages }))
    const { sent, reported, events } = await talk('https://api.openai.com/v1/chat/completions', bodies, judge)
    expect(sent.map((body) => body['thinking'])).toEqual([{ type: 'disabled' }, { type: 'disabled' }, undefined])
    expect(reported).toEqual(['rejected 1', 'recovered 1', 'shrunk 2'])
    const redone = events.find(({ type }) => type === 'shrunk')
    expect(redone).toMatchObject({ recovery: 'reapply', report: { thinking: 'disabled' } })
  })
})

describe('tools that are declared', () => {
  it('are declared at once in the next request of the conversation, as long as the caller declares none', async () => {
    const judge: Judge = ({ tools }) =>
      Array.isArray(tools) ? undefined : 'Assistant message uses tools, but tools are not declared'
    const asking = (messages: object[]) => ({ model: 'claude-sonnet-4-5', max_tokens: 9, messages })
    const own = [{ name: 'look', description: 'own', input_schema: { type: 'object' } }]
    const bodies = [asking(one), asking(two), { ...asking(next), tools: own }]
    const { sent, reported } = await talk(ANTHROPIC, bodies, judge)
    expect(reported).toEqual(['rejected 1', 'recovered 1', 'shrunk 2'])
    expect(sent[1]!['tools']).toEqual(sent[0]!['tools'])
    expect(sent[2]!['tools']).toEqual(own)
    expect(sent.map(({ messages }) => messages)).toEqual([one, two, next])
  })
})
