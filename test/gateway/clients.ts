/**
 * Real clients, each asked the same way: messages of its own shape in, its own reply out. Used through a running
 * gateway.
 */
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { Mistral } from '@mistralai/mistralai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import OpenAI from 'openai'
import { RESULTS, TOOLS } from '../../contract/server/testing/tools.ts'
import { joinedBlocks } from './collect-stream.ts'

// biome-ignore lint/suspicious/noExplicitAny: each client has types of its own for the same JSON.
export type Loose = any

export interface Where {
  readonly url: string
  readonly headers: Record<string, string>
  readonly stream: boolean
}

export interface Answer {
  /** The reply as messages of this client. */
  readonly messages: readonly Loose[]
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string }[]
}

export interface Client {
  user(text: string): Loose
  result(call: { readonly id: string; readonly name: string }): Loose
  /**
   * Half a round: a call that was never answered, or a result of no call where the client itself rejects the former.
   */
  half(): Loose
  ask(where: Where, messages: readonly Loose[]): Promise<Answer>
}

const apiKey = 'none'
const schemas = TOOLS.map((one) => ({ ...one, schema: { ...one.schema, required: [...one.schema.required] } }))
const functions = schemas.map(({ name, description, schema }) => ({
  type: 'function' as const,
  function: { name, description, parameters: schema },
}))
const CALL = { id: 'abc123def', name: 'weather' }

const openai: Client = {
  user: (content) => ({ role: 'user', content }),
  result: ({ id, name }) => ({ role: 'tool', tool_call_id: id, content: RESULTS[name] }),
  half: () => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: CALL.id, type: 'function', function: { name: CALL.name, arguments: '{"city":"Oslo"}' } }],
  }),
  async ask({ url, headers, stream }, messages) {
    const client = new OpenAI({ apiKey, baseURL: `${url}/openai/v1`, maxRetries: 0, defaultHeaders: headers })
    const body = { model: 'gpt-4o', messages: messages as Loose[], tools: functions }
    const answer = stream
      ? await client.chat.completions.stream(body).finalChatCompletion()
      : await client.chat.completions.create(body)
    const message: Loose = answer.choices[0]!.message
    return { messages: [message], text: message.content ?? '', calls: (message.tool_calls ?? []).map(functionOf) }
  },
}

function functionOf(call: Loose) {
  return { id: call.id, name: call.function.name }
}

const responses: Client = {
  user: (content) => ({ role: 'user', content }),
  result: ({ id, name }) => ({ type: 'function_call_output', call_id: id, output: RESULTS[name] }),
  half: () => ({ type: 'function_call', call_id: CALL.id, name: CALL.name, arguments: '{"city":"Oslo"}' }),
  async ask({ url, headers, stream }, input) {
    const client = new OpenAI({ apiKey, baseURL: `${url}/openai/v1`, maxRetries: 0, defaultHeaders: headers })
    const tools = schemas.map(({ name, schema }) => ({ type: 'function', name, parameters: schema, strict: true }))
    const body: Loose = { model: 'gpt-5', input, tools, store: false, include: ['reasoning.encrypted_content'] }
    const answer: Loose = stream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body)
    const calls = answer.output.filter((item: Loose) => item.type === 'function_call')
    return {
      // What the client parsed for its caller is not a field of the API.
      messages: answer.output.map(({ parsed_arguments: _parsed, ...item }: Loose) => item),
      text: answer.output_text ?? '',
      calls: calls.map((item: Loose) => ({ id: item.call_id, name: item.name })),
    }
  },
}

const anthropic: Client = {
  user: (content) => ({ role: 'user', content }),
  result: ({ id, name }) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: RESULTS[name] }],
  }),
  half: () => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: CALL.id, name: CALL.name, input: { city: 'Oslo' } }],
  }),
  async ask({ url, headers, stream }, messages) {
    const client = new Anthropic({ apiKey, baseURL: `${url}/anthropic`, maxRetries: 0, defaultHeaders: headers })
    const tools = schemas.map(({ name, description, schema }) => ({ name, description, input_schema: schema }))
    const body: Loose = { model: 'claude-opus-4-5', max_tokens: 500, messages, tools }
    const answer: Loose = stream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body)
    const text = answer.content.map((block: Loose) => block.text ?? '').join('')
    const calls = answer.content.filter((block: Loose) => block.type === 'tool_use')
    return { messages: [{ role: 'assistant', content: answer.content }], text, calls }
  },
}

const google: Client = {
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  result: ({ name }) => ({
    role: 'user',
    parts: [{ functionResponse: { name, response: { result: RESULTS[name] } } }],
  }),
  half: () => ({ role: 'model', parts: [{ functionCall: { name: CALL.name, args: { city: 'Oslo' } } }] }),
  async ask({ url, headers, stream }, contents) {
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${url}/gemini`, headers } })
    const functionDeclarations = schemas.map(({ name, schema }) => ({ name, parametersJsonSchema: schema }))
    const body: Loose = { model: 'gemini-2.5-flash', contents, config: { tools: [{ functionDeclarations }] } }
    const chunks: Loose[] = []
    if (stream) for await (const chunk of await client.models.generateContentStream(body)) chunks.push(chunk)
    else chunks.push(await client.models.generateContent(body))
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
    const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')
    const calls = parts.flatMap((part) => (part.functionCall ? [{ id: '', name: part.functionCall.name }] : []))
    return { messages: [{ role: 'model', parts }], text, calls }
  },
}

const bedrock: Client = {
  user: (text) => ({ role: 'user', content: [{ text }] }),
  result: ({ id, name }) => ({
    role: 'user',
    content: [{ toolResult: { toolUseId: id, content: [{ text: RESULTS[name] }] } }],
  }),
  half: () => ({
    role: 'assistant',
    content: [{ toolUse: { toolUseId: CALL.id, name: CALL.name, input: { city: 'Oslo' } } }],
  }),
  async ask({ url, headers, stream }, messages) {
    const client = new BedrockRuntimeClient({
      region: 'eu-west-1',
      endpoint: `${url}/bedrock`,
      token: { token: apiKey },
      authSchemePreference: ['httpBearerAuth'],
      maxAttempts: 1,
      // The client's default handler for this service uses HTTP/2 only.
      requestHandler: new NodeHttpHandler(),
    })
    client.middlewareStack.add(
      (next) => (args: Loose) => {
        Object.assign(args.request.headers, headers)
        return next(args)
      },
      { step: 'build' },
    )
    const tools = schemas.map(({ name, schema }) => ({ toolSpec: { name, inputSchema: { json: schema } } }))
    const body: Loose = { modelId: 'anthropic.claude-3-5-sonnet-20241022-v2:0', messages, toolConfig: { tools } }
    const content: Loose[] = stream
      ? await joinedBlocks((await client.send(new ConverseStreamCommand(body))).stream!)
      : (await client.send(new ConverseCommand(body))).output!.message!.content!
    const calls = content.flatMap(({ toolUse }) => (toolUse ? [{ id: toolUse.toolUseId, name: toolUse.name }] : []))
    return { messages: [{ role: 'assistant', content }], text: content.map((one) => one.text ?? '').join(''), calls }
  },
}

const mistral: Client = {
  user: (content) => ({ role: 'user', content }),
  result: ({ id, name }) => ({ role: 'tool', toolCallId: id, content: RESULTS[name] }),
  half: () => ({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: CALL.id, function: { name: CALL.name, arguments: '{"city":"Oslo"}' } }],
  }),
  async ask({ url, headers, stream }, messages) {
    const client = new Mistral({ apiKey, serverURL: `${url}/mistral`, retryConfig: { strategy: 'none' } })
    const body: Loose = { model: 'mistral-large-latest', messages, tools: functions }
    const pieces: Loose[] = []
    if (stream)
      for await (const { data } of await client.chat.stream(body, { headers })) pieces.push(data.choices[0]?.delta)
    else pieces.push((await client.chat.complete(body, { headers })).choices?.[0]?.message)
    const text = pieces.map((piece) => piece?.content ?? '').join('')
    const toolCalls = pieces.flatMap((piece) => piece?.toolCalls ?? [])
    const message = { role: 'assistant', content: text, ...(toolCalls.length > 0 ? { toolCalls } : {}) }
    return { messages: [message], text, calls: toolCalls.map(functionOf) }
  },
}

export const sdks: Readonly<Record<string, Client>> = {
  openai,
  'openai responses': responses,
  anthropic,
  google,
  bedrock,
  mistral,
}
