import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
  tool,
} from 'ai'
import { afterAll, expect, test } from 'vitest'
import { startContract } from '../server.ts'
import { FINAL, RESULTS, rejection, TOOLS } from '../testing/tools.ts'

const contract = await startContract()
afterAll(() => contract.close())

const apiKey = 'none'

const compatible = (name: string, model: string) =>
  createOpenAICompatible({ name, apiKey, baseURL: `${contract.url}/${name}/v1`, includeUsage: true })(model)

const MODELS: Readonly<Record<string, () => LanguageModel>> = {
  'openai chat': () => createOpenAI({ apiKey, baseURL: `${contract.url}/v1` }).chat('gpt-4o'),
  'openai responses': () => createOpenAI({ apiKey, baseURL: `${contract.url}/v1` }).responses('gpt-5'),
  anthropic: () => createAnthropic({ apiKey, baseURL: `${contract.url}/v1` })('claude-opus-4-5'),
  'google 2.5': () => createGoogleGenerativeAI({ apiKey, baseURL: `${contract.url}/v1beta` })('gemini-2.5-flash'),
  'google 3': () => createGoogleGenerativeAI({ apiKey, baseURL: `${contract.url}/v1beta` })('gemini-3-pro-preview'),
  mistral: () => createMistral({ apiKey, baseURL: `${contract.url}/mistral/v1` })('mistral-large-latest'),
  bedrock: () =>
    createAmazonBedrock({ region: 'eu-west-1', accessKeyId: 'none', secretAccessKey: 'none', baseURL: contract.url })(
      'anthropic.claude-3-5-sonnet-20241022-v2:0',
    ),
  deepseek: () => compatible('deepseek', 'deepseek-chat'),
  dashscope: () => compatible('dashscope', 'qwen-max'),
  zhipu: () => compatible('zhipu', 'glm-4.6'),
  xai: () => compatible('xai', 'grok-4'),
  groq: () => compatible('groq', 'llama-3.3-70b-versatile'),
  openrouter: () => compatible('openrouter', 'meta-llama/llama-3.3-70b-instruct'),
  moonshot: () => compatible('moonshot', 'kimi-k2-0905-preview'),
  copilot: () => compatible('copilot', 'gpt-4o'),
  llamacpp: () => compatible('llamacpp', 'local'),
  vllm: () => compatible('vllm', 'local'),
  ollama: () => compatible('ollama', 'llama3.2'),
}

const tools = Object.fromEntries(
  TOOLS.map(({ name, description, schema }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema({ ...schema, required: [...schema.required] } as Parameters<typeof jsonSchema>[0]),
      execute: async () => RESULTS[name],
    }),
  ]),
)
const asked = (model: LanguageModel) => ({
  model,
  tools,
  prompt: 'What is it like today?',
  stopWhen: stepCountIs(5),
  maxRetries: 0,
})

test.each(Object.keys(MODELS))('%s: generateText takes three steps', async (name) => {
  const { steps, text } = await generateText(asked(MODELS[name]!()))
  expect(steps.map((step) => step.toolCalls.map((call) => call.toolName))).toEqual([['weather'], ['news'], []])
  expect(plain(text)).toBe(FINAL)
})

test.each(Object.keys(MODELS))('%s: streamText takes three steps', async (name) => {
  const errors: unknown[] = []
  const result = streamText({ ...asked(MODELS[name]!()), onError: ({ error }) => void errors.push(error) })
  await result.consumeStream()
  expect(errors).toEqual([])
  const steps = await result.steps
  expect(steps.map((step) => step.toolCalls.map((call) => call.toolName))).toEqual([['weather'], ['news'], []])
  expect(plain(await result.text)).toBe(FINAL)
  expect((await result.totalUsage).outputTokens).toBeGreaterThan(0)
})

// Some providers get a result as an object: the agent then reports it as JSON.
function plain(text: string): string {
  return text.replaceAll(/\{[^}]*"(?:content|result)":"([^"]*)"\}/g, '$1')
}

test.each(['openai chat', 'anthropic'])('%s: a result without its call is an APICallError', async (name) => {
  const output = { type: 'text' as const, value: 'x' }
  const messages: ModelMessage[] = [
    { role: 'user', content: 'x' },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_9', toolName: 'weather', output }] },
  ]
  const error = await rejection(generateText({ model: MODELS[name]!(), messages, maxRetries: 0 }))
  expect(APICallError.isInstance(error)).toBe(true)
  expect(error).toMatchObject({ statusCode: 400, isRetryable: false })
  expect((error as APICallError).responseBody).toMatch(/must be a response to|unexpected `tool_use_id`/)
})

// The client sends `content: null` with a call, and Cerebras is known to reject that.
test('cerebras: the second step is rejected for what the client makes of the first', async () => {
  const error = await rejection(generateText(asked(compatible('cerebras', 'qwen-3-32b'))))
  expect(error).toMatchObject({
    statusCode: 400,
    responseBody: expect.stringContaining("'NoneType' object is not iterable"),
  })
})

test('deepseek: reasoning is sent back and accepted', async () => {
  const { steps, text } = await generateText(asked(compatible('deepseek', 'deepseek-reasoner')))
  expect(steps.map((step) => step.reasoningText)).toEqual([
    'Nothing from weather yet, so I ask it.',
    'Nothing from news yet, so I ask it.',
    'All tools have answered.',
  ])
  expect(text).toBe(FINAL)
})
