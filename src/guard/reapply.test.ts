/**
 * What a provider took after a rejection is done to the next request of that conversation before it is sent: it is
 * rejected once, not each time.
 */
import { describe, expect, it } from 'vitest'
import { contractFetch } from '../../contract/index.ts'
import { type GuardEvent, guard, type Memory, shrinkMemory } from './index.ts'

const call = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } })
const turn = (n: number) => [
  { role: 'user', content: `question ${n}` },
  { role: 'assistant', content: null, tool_calls: [call(`call_of_some_length_${n}`)] },
  { role: 'tool', tool_call_id: `call_of_some_length_${n}`, content: 'sunny' },
  { role: 'assistant', content: `answer ${n}` },
]

/** Five requests of one conversation that grows, to a provider that is stricter than the guard expects. */
async function talk(begun: readonly object[], memory: Memory | undefined, relay: typeof fetch) {
  const events: GuardEvent[] = []
  const fetch = guard({
    fetch: relay,
    provider: 'openai',
    wait: async () => {},
    onEvent: (event) => events.push(event),
    ...(memory ? { memory } : {}),
  })
  const statuses: number[] = []
  const messages = [...begun]
  for (let n = 1; n <= 5; n++) {
    messages.push({ role: 'user', content: `so ${n}?` })
    const body = JSON.stringify({ model: 'some-model', messages })
    statuses.push((await fetch('http://anywhere/v1/chat/completions', { method: 'POST', body })).status)
    messages.push({ role: 'assistant', content: `well ${n}` })
  }
  return { statuses, types: events.map(({ type, request }) => `${type} ${request}`), events }
}

const rejectedOnce = ['rejected 1', 'recovered 1', ...[2, 3, 4, 5].map((n) => `shrunk ${n}`)]

describe('a stricter repair', () => {
  it('of ids is rejected once in a conversation', async () => {
    const contract = contractFetch({ provider: 'mistral' })
    const { statuses, types } = await talk([...turn(1), ...turn(2)], undefined, contract)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect(types).toEqual(rejectedOnce)
    expect(contract.requests.map(({ verdict }) => verdict?.accepted)).toEqual([false, true, true, true, true, true])
    const [, second, third] = contract.requests.map(({ bytes }) => Buffer.from(bytes).toString())
    expect(third!.startsWith(second!.slice(0, second!.lastIndexOf(']')))).toBe(true)
  })

  it('is remembered without any call, by the first answer', async () => {
    const alternates = alternating()
    const begun = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'an answer' },
      { role: 'user', content: 'two' },
      { role: 'user', content: 'three' },
      { role: 'assistant', content: 'another' },
    ]
    const { statuses, types } = await talk(begun, undefined, alternates)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect(types).toEqual(rejectedOnce)
  })

  it('is shared through a memory, and is not done to another conversation', async () => {
    const memory = shrinkMemory()
    await talk(turn(1), memory, contractFetch({ provider: 'mistral' }))
    const same = await talk(turn(1), memory, contractFetch({ provider: 'mistral' }))
    expect(same.types.filter((type) => type.startsWith('rejected'))).toEqual([])
    const other = await talk(turn(7), memory, contractFetch({ provider: 'openai' }))
    expect(other.types).toEqual([])
  })

  it('that was rejected as well is forgotten', async () => {
    const memory = shrinkMemory()
    const never: typeof fetch = async () => rejection()
    const { statuses, types } = await talk(turn(1), memory, never)
    expect(new Set(statuses)).toEqual(new Set([400]))
    expect(types.filter((type) => type.startsWith('shrunk'))).toEqual([])
    expect(memory.empty).toBe(true)
  })
})

const ALTERNATE = 'Conversation roles must alternate user/assistant/user/assistant/...'

function rejection(): Response {
  return Response.json({ error: { message: ALTERNATE, type: 'invalid_request_error' } }, { status: 400 })
}

/** A relay in front of a model whose template wants roles in turn. */
function alternating(): typeof fetch {
  const contract = contractFetch({ provider: 'openai' })
  return async (input, init) => {
    const { messages } = JSON.parse(new TextDecoder().decode(await new Response(init!.body).arrayBuffer()))
    const roles: string[] = messages.map(({ role }: { role: string }) => role)
    return roles.some((role, i) => role === roles[i - 1]) ? rejection() : contract(input, init)
  }
}
