/** LangChain, the AI SDK and curl, asked as the clients of providers are. */
import { execFile, spawnSync } from 'node:child_process'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { ChatAnthropic } from '@langchain/anthropic'
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool as langchainTool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import { RESULTS, TOOLS } from '../../contract/server/testing/tools.ts'
import type { Client, Loose, Where } from './clients.ts'
import { gathered } from './collect-stream.ts'

const apiKey = 'none'
const CALL = { id: 'abc123def', name: 'weather' }
const schemas = TOOLS.map((one) => ({ ...one, schema: { ...one.schema, required: [...one.schema.required] } }))

function langchain(modelAt: (where: Where) => Loose): Client {
  const tools = schemas.map(({ name, description, schema }) =>
    langchainTool(async () => RESULTS[name] ?? '', { name, description, schema }),
  )
  return {
    user: (text) => new HumanMessage(text),
    result: ({ id, name }) => new ToolMessage({ tool_call_id: id, name, content: RESULTS[name] ?? '' }),
    half: () => new AIMessage({ content: '', tool_calls: [{ ...CALL, args: { city: 'Oslo' } }] }),
    async ask(where, messages) {
      const model = modelAt(where).bindTools(tools)
      const answer = where.stream ? await gathered(await model.stream(messages)) : await model.invoke(messages)
      const calls = (answer.tool_calls ?? []).map((call: Loose) => ({ id: call.id, name: call.name }))
      return { messages: [answer], text: answer.text, calls }
    },
  }
}

function toolResult({ id, name }: { id: string; name: string }): Loose {
  const output = { type: 'text', value: RESULTS[name] }
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] }
}

function aiSdk(modelAt: (where: Where) => Loose): Client {
  const tools = Object.fromEntries(
    schemas.map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema as Parameters<typeof jsonSchema>[0]) }),
    ]),
  )
  return {
    user: (content) => ({ role: 'user', content }),
    result: toolResult,
    half: () => toolResult(CALL),
    async ask(where, given) {
      const asked: Loose = { model: modelAt(where), messages: given, tools, maxRetries: 0 }
      const result: Loose = where.stream ? streamText({ ...asked, onError: () => {} }) : await generateText(asked)
      const { messages } = await result.response
      const calls = (await result.toolCalls).map((call: Loose) => ({ id: call.toolCallId, name: call.toolName }))
      return { messages, text: await result.text, calls }
    },
  }
}

const curl: Client = {
  user: (content) => ({ role: 'user', content }),
  result: ({ id, name }) => ({ role: 'tool', tool_call_id: id, content: RESULTS[name] }),
  half: () => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: CALL.id, type: 'function', function: { name: CALL.name, arguments: '{"city":"Oslo"}' } }],
  }),
  async ask({ url, headers, stream }, messages) {
    const tools = schemas.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } }))
    const body = JSON.stringify({ model: 'gpt-4o', messages, tools, stream })
    const flags = Object.entries({ 'content-type': 'application/json', ...headers }).flatMap(([name, value]) => [
      '-H',
      `${name}: ${value}`,
    ])
    const out = await run(['-sS', '--fail-with-body', '-N', ...flags, '-d', body, `${url}/openai/v1/chat/completions`])
    if (!stream) return answerIn(JSON.parse(out).choices[0].message)
    if (!out.endsWith('data: [DONE]\n\n')) throw new Error(`The stream ended with ${out.slice(-200)}`)
    const deltas = out
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .flatMap((line) => JSON.parse(line.slice(6)).choices)
      .map((choice: Loose) => choice.delta)
    const call: Loose = deltas.find((delta) => delta.tool_calls?.[0]?.id)?.tool_calls[0]
    const written = deltas.map((delta) => delta.tool_calls?.[0]?.function?.arguments ?? '').join('')
    const text = deltas.map((delta) => delta.content ?? '').join('')
    const tool_calls = call && [
      { id: call.id, type: 'function', function: { name: call.function.name, arguments: written } },
    ]
    return answerIn({ role: 'assistant', content: text || null, ...(tool_calls ? { tool_calls } : {}) })
  },
}

function answerIn(message: Loose) {
  const calls = (message.tool_calls ?? []).map((call: Loose) => ({ id: call.id, name: call.function.name }))
  return { messages: [message], text: message.content ?? '', calls }
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile('curl', args, (error, stdout) =>
      error ? reject(new Error(`${error.message}\n${stdout}`)) : resolve(stdout),
    ),
  )
}

/** Whether there is a curl to ask with; a machine may have none. */
export const hasCurl = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0

export const frameworks: Readonly<Record<string, Client>> = {
  'LangChain openai': langchain(
    ({ url, headers }) =>
      new ChatOpenAI({
        apiKey,
        model: 'gpt-4o',
        maxRetries: 0,
        configuration: { baseURL: `${url}/openai/v1`, defaultHeaders: headers },
      }),
  ),
  'LangChain anthropic': langchain(
    ({ url, headers }) =>
      new ChatAnthropic({
        apiKey,
        model: 'claude-opus-4-5',
        maxRetries: 0,
        anthropicApiUrl: `${url}/anthropic`,
        clientOptions: { defaultHeaders: headers },
      }),
  ),
  'AI SDK openai': aiSdk(({ url, headers }) =>
    createOpenAI({ apiKey, baseURL: `${url}/openai/v1`, headers }).chat('gpt-4o'),
  ),
  'AI SDK anthropic': aiSdk(({ url, headers }) =>
    createAnthropic({ apiKey, baseURL: `${url}/anthropic/v1`, headers })('claude-opus-4-5'),
  ),
  curl,
}
