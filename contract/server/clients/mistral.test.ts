import { Mistral } from '@mistralai/mistralai'
import type { ChatCompletionRequest } from '@mistralai/mistralai/models/components'
import { MistralError } from '@mistralai/mistralai/models/errors'
import { afterAll, expect, test } from 'vitest'
import { startContract } from '../server.ts'
import { FINAL, RESULTS, rejection, TOOLS } from '../testing/tools.ts'

type Messages = ChatCompletionRequest['messages'][number]

const contract = await startContract({ provider: 'mistral' })
afterAll(() => contract.close())

const client = () => new Mistral({ apiKey: 'none', serverURL: contract.url, retryConfig: { strategy: 'none' } })

const tools = TOOLS.map(({ name, description, schema }) => ({
  type: 'function' as const,
  function: { name, description, parameters: schema },
}))

test.each(['whole', 'streamed'])('three rounds, %s', async (how) => {
  const messages: Messages[] = [{ role: 'user', content: 'What is it like today?' }]
  for (let round = 0; round < 3; round++) {
    const { content, toolCalls } = await (how === 'whole' ? ask(messages) : stream(messages))
    messages.push({ role: 'assistant', content, ...(toolCalls.length > 0 ? { toolCalls } : {}) })
    for (const call of toolCalls) {
      expect(call.id).toMatch(/^[a-zA-Z0-9]{9}$/)
      messages.push({ role: 'tool', toolCallId: call.id ?? '', content: RESULTS[call.function.name] ?? '' })
    }
  }
  expect(messages.at(-1)?.content).toBe(FINAL)
})

async function ask(messages: Messages[]) {
  const answer = await client().chat.complete({ model: 'mistral-large-latest', messages, tools })
  const message = answer.choices?.[0]?.message
  return { content: String(message?.content ?? ''), toolCalls: message?.toolCalls ?? [] }
}

async function stream(messages: Messages[]) {
  let content = ''
  let usage = 0
  const toolCalls = []
  for await (const { data } of await client().chat.stream({ model: 'mistral-large-latest', messages, tools })) {
    const delta = data.choices[0]?.delta
    content += typeof delta?.content === 'string' ? delta.content : ''
    toolCalls.push(...(delta?.toolCalls ?? []))
    usage = data.usage?.totalTokens ?? usage
  }
  expect(usage).toBeGreaterThan(0)
  return { content, toolCalls }
}

test('an id that is not nine letters and digits is a MistralError', async () => {
  const messages: Messages[] = [
    { role: 'user', content: 'x' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call_1', function: { name: 'weather', arguments: '{}' } }],
    },
    { role: 'tool', toolCallId: 'call_1', content: 'x' },
  ]
  const error = await rejection(client().chat.complete({ model: 'mistral-large-latest', messages, tools }))
  expect(error).toBeInstanceOf(MistralError)
  expect(error).toMatchObject({ statusCode: 400 })
  expect((error as MistralError).body).toContain(
    'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
  )
})
