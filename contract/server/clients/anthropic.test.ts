import Anthropic from '@anthropic-ai/sdk'
import { afterAll, expect, test } from 'vitest'
import { startContract } from '../server.ts'
import { FINAL, RESULTS, rejection, TOOLS } from '../testing/tools.ts'

const contract = await startContract()
afterAll(() => contract.close())

const client = () => new Anthropic({ apiKey: 'none', baseURL: contract.url, maxRetries: 0 })

type Message = Anthropic.MessageParam

const tools = TOOLS.map(({ name, description, schema }) => ({
  name,
  description,
  input_schema: { ...schema, required: [...schema.required] },
}))
const body = (messages: Message[], thinking: boolean): Anthropic.MessageCreateParamsNonStreaming => ({
  model: 'claude-opus-4-5',
  max_tokens: 4096,
  messages,
  tools,
  ...(thinking ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {}),
})

test.each([
  { how: 'whole', thinking: false },
  { how: 'streamed', thinking: false },
  { how: 'whole', thinking: true },
  { how: 'streamed', thinking: true },
])('three rounds: $how, thinking $thinking', async ({ how, thinking }) => {
  const messages: Message[] = [{ role: 'user', content: 'What is it like today?' }]
  const kinds: string[] = []
  for (let round = 0; round < 3; round++) {
    const answer =
      how === 'whole'
        ? await client().messages.create(body(messages, thinking))
        : await client().messages.stream(body(messages, thinking)).finalMessage()
    expect(answer.usage.output_tokens).toBeGreaterThan(0)
    kinds.push(...answer.content.map((block) => block.type))
    messages.push({ role: 'assistant', content: answer.content as Anthropic.ContentBlockParam[] })
    const results = answer.content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: RESULTS[block.name] ?? '' }]
        : [],
    )
    if (results.length > 0) messages.push({ role: 'user', content: results })
  }
  const wanted = ['tool_use', 'tool_use', 'text'].flatMap((kind) => (thinking ? ['thinking', kind] : [kind]))
  expect(kinds).toEqual(wanted)
  expect(messages.at(-1)?.content.at(-1)).toMatchObject({ text: FINAL })
})

test.each(['create', 'stream'] as const)('%s: a result without its call is a BadRequestError', async (how) => {
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'x' }] },
  ]
  const asked = how === 'create' ? client().messages.create(body(messages, false)) : streamed(messages)
  const error = await rejection(asked)
  expect(error).toBeInstanceOf(Anthropic.BadRequestError)
  expect(error).toMatchObject({ status: 400, requestID: expect.stringMatching(/^req_/) })
  expect((error as Error).message).toContain('unexpected `tool_use_id` found in `tool_result` blocks: toolu_9')
})

function streamed(messages: Message[]): Promise<unknown> {
  return client().messages.stream(body(messages, false)).finalMessage()
}
