/**
 * Hosts that Suture does not know: the path tells the dialect, what belongs to the dialect is repaired, and rejections
 * are recovered from.
 */
import { describe, expect, it } from 'vitest'
import { contractFetch, startContract } from '../../contract/index.ts'
import { type GuardEvent, guard } from './index.ts'

const call = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })
const chat = (id: string, ...rest: object[]) => ({
  model: 'any-model',
  messages: [{ role: 'user', content: 'go' }, { role: 'assistant', content: null, tool_calls: [call(id)] }, ...rest],
})
const more = { role: 'user', content: 'and?' }
const answered = (id: string) => chat(id, { role: 'tool', tool_call_id: id, content: 'ok' })
const open = chat('call_1', more)

const messages = {
  model: 'any-model',
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: {} }] },
    { role: 'user', content: 'and?' },
  ],
}
const responses = {
  model: 'any-model',
  input: [
    { role: 'user', content: 'go' },
    { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{}' },
    { role: 'user', content: 'and?' },
  ],
}
const contents = {
  contents: [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'run', args: {} } }] },
    { role: 'user', parts: [{ text: 'and?' }] },
  ],
}
const converse = {
  toolConfig: { tools: [{ toolSpec: { name: 'run', inputSchema: { json: {} } } }] },
  messages: [
    { role: 'user', content: [{ text: 'go' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'run', input: {} } }] },
    { role: 'user', content: [{ text: 'and?' }] },
  ],
}

function asking(upstream: typeof fetch) {
  const events: GuardEvent[] = []
  const guarded = guard({ fetch: upstream, onEvent: (event) => events.push(event), wait: async () => {} })
  const post = (url: string, body: unknown) => guarded(url, { method: 'POST', body: JSON.stringify(body) })
  return { events, post }
}

describe('on a host that is not known', () => {
  const places: Readonly<Record<string, readonly [url: string, body: object, dialect: string]>> = {
    LiteLLM: ['http://litellm.internal:4000/chat/completions', open, 'openai-chat'],
    Ollama: ['http://localhost:11434/v1/chat/completions', open, 'openai-chat'],
    vLLM: ['http://10.0.0.7:8000/v1/chat/completions', open, 'openai-chat'],
    Together: ['https://api.together.xyz/v1/chat/completions', open, 'openai-chat'],
    Fireworks: ['https://api.fireworks.ai/inference/v1/chat/completions', open, 'openai-chat'],
    'a proxy of Messages': ['https://llm.example.com/anthropic/v1/messages', messages, 'anthropic-messages'],
    'a proxy of Responses': ['https://llm.example.com/v1/responses', responses, 'openai-responses'],
    'a proxy of Gemini': ['https://llm.example.com/v1beta/models/gemini-2.5-pro:generateContent', contents, 'gemini'],
    'a private address of Bedrock': [
      'https://vpce-1.example.com/model/some.model/converse',
      converse,
      'bedrock-converse',
    ],
  }
  for (const [name, [url, body, dialect]] of Object.entries(places)) {
    it(`an unanswered call is answered: ${name}`, async () => {
      const { events, post } = asking(contractFetch())
      expect((await post(url, body)).status).toBe(200)
      expect(events).toMatchObject([{ type: 'repaired', dialect }])
    })
  }

  it('the contract over HTTP', async () => {
    const contract = await startContract()
    const { events, post } = asking(fetch)
    const response = await post(`${contract.url}/v1/chat/completions`, open)
    await response.text()
    await contract.close()
    expect(response.status).toBe(200)
    expect(events.map(({ type }) => type)).toEqual(['repaired'])
  })

  it('a call in a message of the user is repaired before it is sent', async () => {
    const { events, post } = asking(contractFetch())
    const use = { type: 'tool_use', id: 'toolu_1', name: 'run', input: {} }
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }
    const history = [
      { role: 'user', content: 'go' },
      { role: 'user', content: [use] },
      { role: 'user', content: [result] },
    ]
    expect((await post('https://llm.example.com/v1/messages', { ...messages, messages: history })).status).toBe(200)
    expect(events).toMatchObject([{ type: 'repaired', findings: { 'tool-call-role': 1 } }])
  })

  const long = `call_${'x'.repeat(80)}`

  it('limits of one vendor are no reason to change a request', async () => {
    const contract = contractFetch({ provider: 'ollama' })
    const { events, post } = asking(contract)
    const body = { ...answered(long), messages: [{ role: 'reminder', content: 'x' }, ...answered(long).messages] }
    expect((await post('http://localhost:11434/v1/chat/completions', body)).status).toBe(200)
    expect(new TextDecoder().decode(contract.requests[0]!.bytes)).toBe(JSON.stringify(body))
    expect(events).toEqual([])
  })

  it('a rejection is recovered from', async () => {
    for (const provider of ['openai', 'mistral']) {
      const { events, post } = asking(contractFetch({ provider }))
      expect((await post('https://llm.example.com/v1/chat/completions', answered(long))).status).toBe(200)
      expect(events.map(({ type }) => type)).toEqual(['rejected', 'recovered'])
    }
  })

  it('what names no model is passed on untouched', async () => {
    const contract = contractFetch()
    const { events, post } = asking(contract)
    const { model: _model, ...nameless } = messages
    await post('https://chat.example.com/v1/messages', nameless)
    expect(new TextDecoder().decode(contract.requests[0]!.bytes)).toBe(JSON.stringify(nameless))
    expect(events).toMatchObject([{ type: 'passed', why: 'unknown-endpoint' }])
  })

  it('a named provider wins', async () => {
    const contract = contractFetch({ provider: 'mistral' })
    const guarded = guard({ fetch: contract, provider: 'mistral' })
    const body = JSON.stringify(answered(long))
    expect((await guarded('http://localhost/v1/chat/completions', { method: 'POST', body })).status).toBe(200)
    expect(contract.requests).toHaveLength(1)
  })
})
