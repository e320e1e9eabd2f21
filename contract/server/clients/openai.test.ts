import OpenAI from 'openai'
import { afterAll, expect, test } from 'vitest'
import { startContract } from '../server.ts'
import { FINAL, RESULTS, rejection, TOOLS } from '../testing/tools.ts'

const contract = await startContract()
afterAll(() => contract.close())

const client = () => new OpenAI({ apiKey: 'none', baseURL: `${contract.url}/v1`, maxRetries: 0 })

type Message = OpenAI.ChatCompletionMessageParam
type Item = OpenAI.Responses.ResponseInputItem

const chatTools = TOOLS.map(({ name, description, schema }) => ({
  type: 'function' as const,
  function: { name, description, parameters: schema },
}))
const responseTools = TOOLS.map(({ name, description, schema }) => ({
  type: 'function' as const,
  name,
  description,
  parameters: schema,
  strict: true,
}))

test.each(['whole', 'streamed'])('chat: three rounds, %s', async (how) => {
  const messages: Message[] = [{ role: 'user', content: 'What is it like today?' }]
  for (let round = 0; round < 3; round++) {
    const message = await (how === 'whole' ? askChat(messages) : streamChat(messages))
    messages.push(message)
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function') continue
      expect(JSON.parse(call.function.arguments)).toBeTypeOf('object')
      messages.push({ role: 'tool', tool_call_id: call.id, content: RESULTS[call.function.name] ?? '' })
    }
  }
  expect(messages.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'assistant',
  ])
  expect(messages.at(-1)?.content).toBe(FINAL)
})

async function askChat(messages: Message[]) {
  const answer = await client().chat.completions.create({ model: 'gpt-4o', messages, tools: chatTools })
  expect(answer.usage?.total_tokens).toBeGreaterThan(0)
  return answer.choices[0]!.message
}

async function streamChat(messages: Message[]) {
  const stream = client().chat.completions.stream({
    model: 'gpt-4o',
    messages,
    tools: chatTools,
    stream_options: { include_usage: true },
  })
  const answer = await stream.finalChatCompletion()
  expect(answer.usage?.total_tokens).toBeGreaterThan(0)
  return answer.choices[0]!.message
}

test('chat: a call without its result is a BadRequestError with the text of OpenAI', async () => {
  const messages: Message[] = [
    { role: 'user', content: 'x' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
    },
    { role: 'user', content: 'and?' },
  ]
  const error = await rejection(client().chat.completions.create({ model: 'gpt-4o', messages }))
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', requestID: expect.stringMatching(/^req_/) })
  expect((error as Error).message).toContain("An assistant message with 'tool_calls' must be followed by tool messages")
})

test.each(['whole', 'streamed'])('responses: three rounds with reasoning, %s', async (how) => {
  const input: Item[] = [{ role: 'user', content: 'What is it like today?' }]
  const kinds: string[] = []
  let text = ''
  for (let round = 0; round < 3; round++) {
    const answer = await (how === 'whole' ? askResponses(input) : streamResponses(input))
    kinds.push(...answer.output.map((item) => item.type))
    text = answer.output_text
    input.push(...(answer.output as Item[]))
    for (const item of answer.output)
      if (item.type === 'function_call')
        input.push({ type: 'function_call_output', call_id: item.call_id, output: RESULTS[item.name] ?? '' })
  }
  expect(kinds).toEqual(['reasoning', 'function_call', 'reasoning', 'function_call', 'reasoning', 'message'])
  expect(text).toBe(FINAL)
})

const responsesBody = (input: Item[]) => ({
  model: 'gpt-5',
  input,
  tools: responseTools,
  store: false,
  include: ['reasoning.encrypted_content' as const],
})

function askResponses(input: Item[]) {
  return client().responses.create(responsesBody(input))
}

// Not `responses.stream()`: it adds `parsed_arguments` to the calls, which the API does not accept.
async function streamResponses(input: Item[]) {
  const output: OpenAI.Responses.ResponseOutputItem[] = []
  let output_text = ''
  let last = ''
  for await (const event of await client().responses.create({ ...responsesBody(input), stream: true })) {
    if (event.type === 'response.output_item.done') output.push(event.item)
    if (event.type === 'response.output_text.delta') output_text += event.delta
    last = event.type
  }
  expect(last).toBe('response.completed')
  return { output, output_text }
}

test('responses: the accumulating stream of the client holds every event to be in order', async () => {
  const stream = client().responses.stream({ ...responsesBody([{ role: 'user', content: 'Weather?' }]) })
  const names = new Set<string>()
  stream.on('event', (event) => names.add(event.type))
  expect((await stream.finalResponse()).output).toMatchObject([{ type: 'reasoning' }, { name: 'weather' }])
  expect(names).toContain('response.function_call_arguments.done')
})

test('responses: the server remembers what previous_response_id points at, and nothing else', async () => {
  const first = await client().responses.create({ model: 'gpt-5', input: 'Weather?', tools: responseTools })
  const [call] = first.output
  if (call?.type !== 'function_call') throw new Error('No call came.')
  const input: Item[] = [{ type: 'function_call_output', call_id: call.call_id, output: 'snow' }]
  const body = { model: 'gpt-5', input, tools: responseTools }
  const second = await client().responses.create({ ...body, previous_response_id: first.id })
  expect(second.output).toMatchObject([{ type: 'function_call', name: 'news' }])
  const error = await rejection(client().responses.create({ ...body, previous_response_id: 'resp_unknown' }))
  expect(error).toMatchObject({ status: 400, code: 'previous_response_not_found' })
})

test('responses: a conversation is remembered too', async () => {
  const body = { model: 'gpt-5', conversation: 'conv_1', tools: responseTools }
  const first = await client().responses.create({ ...body, input: 'Weather?' })
  const [call] = first.output
  if (call?.type !== 'function_call') throw new Error('No call came.')
  const input: Item[] = [{ type: 'function_call_output', call_id: call.call_id, output: 'snow' }]
  const second = await client().responses.create({ ...body, input })
  expect(second.output).toMatchObject([{ type: 'function_call', name: 'news' }])
})

test('responses: an output without its call is a BadRequestError with the text of OpenAI', async () => {
  const input: Item[] = [{ type: 'function_call_output', call_id: 'call_9', output: 'x' }]
  const error = await rejection(client().responses.create({ model: 'gpt-5', input }))
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect((error as Error).message).toContain('No tool call found for function call output with call_id call_9.')
})

test('the Azure client finds its deployment', async () => {
  const { AzureOpenAI } = await import('openai')
  const azure = new AzureOpenAI({ apiKey: 'none', endpoint: contract.url, apiVersion: '2024-10-21', maxRetries: 0 })
  const stream = azure.chat.completions.stream({ model: 'my-gpt', messages: [{ role: 'user', content: 'Hello' }] })
  expect(await stream.finalContent()).toBe('You said “Hello”.')
  expect(contract.requests.at(-1)).toMatchObject({ provider: 'azure', endpoint: 'chat', model: 'my-gpt' })
})
