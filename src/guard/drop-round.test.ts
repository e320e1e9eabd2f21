/**
 * A rejection for size names the round that brought the request over the limit, and where one round holds most of what
 * is too much, that round is shrunk, then dropped, instead of the oldest ones.
 */
import { describe, expect, it } from 'vitest'
import { contractFetch } from '../../contract/index.ts'
import { type FetchOptions, type GuardEvent, guard } from './index.ts'

const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
const user = (content: string) => ({ role: 'user', content })
const says = (content: string) => ({ role: 'assistant', content })
const turn = (n: number, answer = `answer ${n} ${'word '.repeat(40)}`) => [
  user(`question ${n}`),
  { role: 'assistant', content: null, tool_calls: [call(`call_${n}`)] },
  { role: 'tool', tool_call_id: `call_${n}`, content: `found ${n}` },
  says(answer),
]
const huge = 'An endless answer. '.repeat(2_000)
const WINDOW = 6_000

interface Message {
  readonly role: string
  readonly content: string | null
}

/** The contract of OpenAI with a small window, and what it accepted. */
function upstream(window = WINDOW) {
  const contract = contractFetch({ provider: 'openai' })
  const accepted: Message[][] = []
  let asked = 0
  const ask: typeof fetch = async (input, init) => {
    asked++
    const text = await new Response(init!.body).text()
    const tokens = Math.ceil(text.length / 4)
    if (tokens > window) {
      const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
      const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }
      return Response.json({ error }, { status: 400 })
    }
    const response = await contract(input, init)
    if (response.ok) accepted.push(JSON.parse(text).messages)
    return response
  }
  return { ask, accepted, times: () => asked }
}

function asking(recovery: FetchOptions['recovery'], window?: number) {
  const { ask, accepted, times } = upstream(window)
  const events: GuardEvent[] = []
  const guarded = guard({ fetch: ask, onEvent: (event) => events.push(event), ...(recovery ? { recovery } : {}) })
  const send = async (messages: readonly object[]) => {
    const body = JSON.stringify({ model: 'gpt-4.1', messages })
    return (await guarded('https://api.openai.com/v1/chat/completions', { method: 'POST', body })).status
  }
  return { send, events, accepted, times }
}

describe('one round that is too large', () => {
  const talk = [...turn(1), ...turn(2), ...turn(3, huge), ...turn(4), user('and now?')]

  it('is named by the rejection, and stays if nothing may be dropped', async () => {
    const { send, events } = asking({})
    expect(await send(talk)).toBe(400)
    expect(events).toMatchObject([{ type: 'rejected', kind: 'size', round: 'turn 3, round 2' }])
  })

  it('is dropped instead of the oldest ones; its prompt stays and a note tells what is missing', async () => {
    const { send, events, accepted } = asking({ dropRounds: true })
    expect(await send(talk)).toBe(200)
    const recovered = events.find(({ type }) => type === 'recovered')
    expect(recovered).toMatchObject({
      recovery: 'drop-round',
      report: { round: 'turn 3, round 2', dropped: 1 },
      rounds: ['turn 3, round 2'],
    })
    const sent = accepted[0]!.map(({ content }) => content)
    for (const n of [1, 2, 3, 4]) expect(sent).toContain(`question ${n}`)
    for (const n of [1, 2, 3, 4]) expect(sent).toContain(`found ${n}`)
    expect(accepted[0]).toEqual([
      ...talk.slice(0, 11),
      {
        role: 'user',
        content: expect.stringMatching(
          /^\(The reply to this was too large for the request and is not shown: 1 messages\. In short:/,
        ),
      },
      ...talk.slice(12),
    ])
  })

  it('is dropped from the next request before it is sent, with the same bytes', async () => {
    const { send, events, accepted, times } = asking({ dropRounds: true })
    await send(talk)
    const next = [...talk, says('here'), user('go on')]
    expect(await send(next)).toBe(200)
    expect(times()).toBe(3)
    expect(accepted[1]!.slice(0, accepted[0]!.length)).toEqual(accepted[0])
    expect(events.at(-1)).toMatchObject({
      type: 'shrunk',
      recovery: 'reapply',
      request: 2,
      rounds: ['turn 3, round 2'],
      report: { rounds: ['turn 3, round 2'] },
    })
  })

  it('is replaced by a summary if there is one', async () => {
    const seen: unknown[] = []
    const summarize = (messages: readonly unknown[]) => {
      seen.push(messages)
      return 'They spoke at length.'
    }
    const { send, accepted, events } = asking({ summarize: summarize })
    expect(await send(talk)).toBe(200)
    expect(seen).toEqual([[talk[11]]])
    expect(accepted[0]![11]!.content).toContain('They spoke at length.')
    expect(events.find(({ type }) => type === 'recovered')).toMatchObject({ recovery: 'drop-round' })
  })

  it('is switched off by name: then the oldest ones go', async () => {
    const { send, events } = asking({ dropRounds: true, disabled: ['drop-round'] })
    expect(await send(talk)).toBe(200)
    expect(events.find(({ type }) => type === 'recovered')).toMatchObject({
      recovery: 'drop-rounds',
      rounds: [expect.stringMatching(/^turn 1, round 1 to turn/)],
    })
  })
})

describe('a huge batch of results', () => {
  const ids = Array.from({ length: 40 }, (_, n) => `batch_${n}`)
  const batch = [
    user('look everywhere'),
    { role: 'assistant', content: null, tool_calls: ids.map(call) },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: `${id} ${'data '.repeat(200)}` })),
    says('done'),
  ]
  const talk = [...turn(1), ...turn(2), ...batch, ...turn(4), user('and now?')]

  it('is shrunk, and no other round', async () => {
    const { send, events, accepted } = asking({ dropRounds: true })
    expect(await send(talk)).toBe(200)
    expect(events.map(({ type }) => type)).toEqual(['rejected', 'recovered', 'shrunk'])
    expect(events[1]).toMatchObject({ recovery: 'shrink', rounds: ['turn 3, round 1'] })
    expect(accepted[0]).toHaveLength(talk.length)
  })

  it('is dropped if shrinking it is not enough', async () => {
    const { send, events, accepted } = asking({ dropRounds: true }, 2_500)
    expect(await send(talk)).toBe(200)
    expect(events.findLast(({ type }) => type === 'recovered')).toMatchObject({
      recovery: 'drop-round',
      report: { round: 'turn 3, round 1', dropped: 41 },
    })
    const sent = accepted[0]!.map(({ content }) => content)
    expect(sent).toContain('look everywhere')
    expect(sent).toContain('found 1')
  })
})

describe('many equal rounds', () => {
  it('are dropped from the oldest on, as before', async () => {
    const talk = [
      ...Array.from({ length: 30 }, (_, n) => turn(n, `${n} ${'word '.repeat(200)}`)).flat(),
      user('and now?'),
    ]
    const { send, events } = asking({ dropRounds: true })
    expect(await send(talk)).toBe(200)
    const recovered = events.filter(({ type }) => type === 'recovered')
    expect(recovered.map((event) => 'recovery' in event && event.recovery)).not.toContain('drop-round')
  })
})

describe('other events name their rounds', () => {
  const broken = [
    ...turn(1),
    user('two'),
    { role: 'assistant', content: null, tool_calls: [call('open')] },
    user('hello?'),
  ]

  it('what was repaired, and what was only found', async () => {
    const { send, events } = asking({})
    expect(await send(broken)).toBe(200)
    expect(events).toMatchObject([{ type: 'repaired', rounds: ['turn 2, round 1'] }])
    const seen: GuardEvent[] = []
    const looking = guard({ fetch: upstream().ask, level: 'lint', onEvent: (event) => seen.push(event) })
    const body = JSON.stringify({ model: 'gpt-4.1', messages: broken })
    await looking('https://api.openai.com/v1/chat/completions', { method: 'POST', body })
    expect(seen).toMatchObject([{ type: 'found', rounds: ['turn 2, round 1'] }])
  })

  it('a rejection that names a message, and its recovery', async () => {
    const events: GuardEvent[] = []
    const mistral = contractFetch({ provider: 'mistral' })
    const guarded = guard({ fetch: mistral, provider: 'openai', onEvent: (event) => events.push(event) })
    const body = JSON.stringify({ model: 'm', messages: [...turn(1), user('two')] })
    await guarded('http://localhost/v1/chat/completions', { method: 'POST', body })
    expect(events.map(({ type }) => type)).toEqual(['rejected', 'recovered'])
    expect(events[1]).toMatchObject({ rounds: ['turn 1, round 1'] })
  })
})
