import Anthropic from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI } from '@langchain/openai'
import OpenAI from 'openai'
import { afterAll, expect, test } from 'vitest'
import { startContract } from '../server.ts'
import { FINAL, RESULTS, rejection, TOOLS } from '../testing/tools.ts'

const contract = await startContract()
afterAll(() => contract.close())

const apiKey = 'none'

const openai = (useResponsesApi: boolean) =>
  new ChatOpenAI({
    apiKey,
    model: 'gpt-4o',
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: `${contract.url}/v1` },
  })

const MODELS: Readonly<Record<string, () => BaseChatModel>> = {
  'openai chat': () => openai(false),
  'openai responses': () => openai(true),
  anthropic: () =>
    new ChatAnthropic({ apiKey, model: 'claude-opus-4-5', anthropicApiUrl: contract.url, maxRetries: 0 }),
  google: () => new ChatGoogleGenerativeAI({ apiKey, model: 'gemini-2.5-flash', baseUrl: contract.url, maxRetries: 0 }),
}

const tools = TOOLS.map(({ name, description, schema }) =>
  tool(async () => RESULTS[name] ?? '', { name, description, schema: { ...schema, required: [...schema.required] } }),
)

test.each(
  Object.keys(MODELS).flatMap((name) => [
    [name, 'invoke'],
    [name, 'stream'],
  ]),
)('%s: three rounds, %s', async (name, how) => {
  const model = MODELS[name]!().bindTools!(tools)
  const messages: BaseMessage[] = [new HumanMessage('What is it like today?')]
  for (let round = 0; round < 3; round++) {
    const answer = how === 'invoke' ? await model.invoke(messages) : await gathered(await model.stream(messages))
    messages.push(answer)
    for (const call of answer.tool_calls ?? [])
      messages.push(
        new ToolMessage({ tool_call_id: call.id ?? '', name: call.name, content: RESULTS[call.name] ?? '' }),
      )
  }
  expect(messages.map((message) => message.type)).toEqual(['human', 'ai', 'tool', 'ai', 'tool', 'ai'])
  expect(messages.at(-1)?.text.replaceAll(/\{"result":"([^"]*)"\}/g, '$1')).toBe(FINAL)
})

async function gathered(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined
  for await (const chunk of stream) whole = whole ? whole.concat(chunk) : chunk
  return whole!
}

test('openai: a call without its result is the error of the client below', async () => {
  const call = { id: 'call_1', name: 'weather', args: {} }
  const messages = [new HumanMessage('x'), new AIMessage({ content: '', tool_calls: [call] }), new HumanMessage('and?')]
  const error = await rejection(MODELS['openai chat']!().invoke(messages))
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect(error).toMatchObject({ status: 400 })
  expect((error as Error).message).toContain('did not have response messages: call_1')
})

test('anthropic: a call without its result is an error with status and text', async () => {
  const call = { id: 'toolu_1', name: 'weather', args: {} }
  const messages = [new HumanMessage('x'), new AIMessage({ content: '', tool_calls: [call] }), new HumanMessage('and?')]
  const error = await rejection(MODELS['anthropic']!().invoke(messages))
  expect(error).toMatchObject({ status: 400 })
  expect((error as Error).constructor.name).toBe(Anthropic.BadRequestError.name)
  expect((error as Error).message).toContain('`tool_use` ids were found without `tool_result` blocks immediately after')
})
