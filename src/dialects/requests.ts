/**
 * How each dialect is asked, and what of its answer can be shown as it comes.
 * One entry a dialect: the address, the body, the pieces of text in an event, and a result that did not fail.
 */
import { type Dialect, isObject, type JsonObject, own, type Part, withKey } from '../core/index.ts'

export interface Declared {
  readonly name: string
  readonly description: string | undefined
  readonly schema: object
}

export interface Asked {
  readonly model: string
  readonly history: readonly unknown[]
  readonly system: string | undefined
  readonly tools: readonly Declared[]
  /** The model shall answer and call nothing. They stay declared: histories with calls need them, and so do prompt caches. */
  readonly answerOnly: boolean
}

/** A piece of an answer on its way. */
export interface Delta {
  readonly type: 'text' | 'reasoning'
  readonly text: string
}

interface Wire {
  path(model: string): string
  readonly headers?: Readonly<Record<string, string>>
  body(asked: Asked): JsonObject
  deltas(value: JsonObject, event: string | undefined): readonly (readonly [Delta['type'], unknown])[]
}

const some = (list: readonly unknown[], fields: object): object => (list.length > 0 ? fields : {})

const wires: Readonly<Record<string, Wire>> = {
  'openai-chat': {
    path: () => '/chat/completions',
    body: ({ model, history, system, tools, answerOnly }) => ({
      model,
      messages: system === undefined ? history : [{ role: 'system', content: system }, ...history],
      stream: true,
      ...some(tools, { tools: tools.map((tool) => ({ type: 'function', function: named(tool, 'parameters') })) }),
      ...(answerOnly ? some(tools, { tool_choice: 'none' }) : {}),
    }),
    deltas(value) {
      const [choice] = listIn(value, 'choices')
      const delta = own(choice, 'delta')
      const parts = listIn(delta, 'content').map((part) => ['text', own(part, 'text')] as const)
      const thought = own(delta, 'reasoning_content') ?? own(delta, 'reasoning')
      return [['reasoning', thought], ['text', own(delta, 'content')], ...parts]
    },
  },
  'openai-responses': {
    path: () => '/responses',
    body: ({ model, history, system, tools, answerOnly }) => ({
      model,
      ...(system === undefined ? {} : { instructions: system }),
      input: history,
      stream: true,
      ...some(tools, {
        tools: tools.map((tool) => ({ type: 'function', ...named(tool, 'parameters'), strict: false })),
      }),
      ...(answerOnly ? some(tools, { tool_choice: 'none' }) : {}),
    }),
    deltas({ type, delta }) {
      if (type === 'response.output_text.delta') return [['text', delta]]
      return typeof type === 'string' && /^response\.reasoning\w*\.delta$/.test(type) ? [['reasoning', delta]] : []
    },
  },
  'anthropic-messages': {
    path: () => '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: ({ model, history, system, tools, answerOnly }) => ({
      model,
      max_tokens: 8192,
      ...(system === undefined ? {} : { system }),
      messages: history,
      stream: true,
      ...some(tools, { tools: tools.map((tool) => named(tool, 'input_schema')) }),
      ...(answerOnly ? some(tools, { tool_choice: { type: 'none' } }) : {}),
    }),
    deltas: ({ delta }) => [
      ['reasoning', own(delta, 'thinking')],
      ['text', own(delta, 'text')],
    ],
  },
  gemini: {
    path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: ({ history, system, tools, answerOnly }) => ({
      ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
      contents: history,
      ...some(tools, { tools: [{ functionDeclarations: tools.map((tool) => named(tool, 'parametersJsonSchema')) }] }),
      ...(answerOnly ? some(tools, { toolConfig: { functionCallingConfig: { mode: 'NONE' } } }) : {}),
    }),
    deltas(value) {
      const [candidate] = listIn(value, 'candidates')
      const parts = listIn(own(candidate, 'content'), 'parts')
      return parts.map((part) => [own(part, 'thought') === true ? 'reasoning' : 'text', own(part, 'text')] as const)
    },
  },
  'bedrock-converse': {
    path: (model) => `/model/${encodeURIComponent(model)}/converse-stream`,
    // Converse has no way to forbid tools while it declares them: there the words have to do.
    body: ({ history, system, tools }) => ({
      ...(system === undefined ? {} : { system: [{ text: system }] }),
      messages: history,
      ...some(tools, {
        toolConfig: { tools: tools.map(({ name, description, schema }) => spec(name, description, schema)) },
      }),
    }),
    deltas: ({ delta }) => [
      ['reasoning', own(own(delta, 'reasoningContent'), 'text')],
      ['text', own(delta, 'text')],
    ],
  },
}

/** Nothing for a dialect that has no wire. */
export function wireOf(dialect: Dialect): Wire | undefined {
  return wires[dialect.id]
}

/** The endpoint: `url` as it is when it names one, else with the dialect's path behind it. */
export function addressOf(url: string, model: string, dialect: Dialect): string {
  if (dialect.paths.test(new URL(url).pathname)) return url
  return `${url.replace(/\/$/, '')}${wires[dialect.id]!.path(model)}`
}

/** What can be shown of one event. */
export function* deltasIn(wire: Wire, data: string, event: string | undefined): Generator<Delta> {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return
  }
  if (!isObject(value)) return
  for (const [type, text] of wire.deltas(value, event))
    if (typeof text === 'string' && text !== '') yield { type, text }
}

/** A result for a call. One that failed is what the dialect itself writes; of another the mark of failure is taken off. */
export function resultFor(dialect: Dialect, call: Part, text: string, failed: boolean): unknown {
  const answer = dialect.answer(call, text) as JsonObject
  if (failed) return answer
  switch (dialect.id) {
    case 'anthropic-messages':
      return withKey(answer, 'is_error', undefined)
    case 'bedrock-converse':
      return { toolResult: withKey(answer['toolResult'] as JsonObject, 'status', 'success') }
    case 'gemini': {
      const key = Object.keys(answer)[0]!
      return { [key]: withKey(answer[key] as JsonObject, 'response', { output: text }) }
    }
    case 'ai-sdk':
      return withKey(answer, 'output', { type: 'text', value: text })
    default:
      return answer
  }
}

/** What `doStream` of a language model of the AI SDK is asked: such a model has no wire of its own. */
export function modelOptions({ history, system, tools, answerOnly }: Omit<Asked, 'model'>): JsonObject {
  const before = system === undefined ? [] : [{ role: 'system', content: system }]
  return {
    prompt: [...before, ...history].map(inParts),
    includeRawChunks: false,
    ...some(tools, {
      tools: tools.map(({ schema, ...tool }) => ({ type: 'function', ...tool, inputSchema: schema })),
      toolChoice: { type: answerOnly ? 'none' : 'auto' },
    }),
  }
}

/** A model's prompt has parts where the messages of the caller may have plain text. */
export function inParts(message: unknown): unknown {
  const content = own(message, 'content')
  if (typeof content !== 'string' || own(message, 'role') === 'system') return message
  return { ...(message as JsonObject), content: [{ type: 'text', text: content }] }
}

function named({ name, description, schema }: Declared, key: string): JsonObject {
  return { name, ...(description === undefined ? {} : { description }), [key]: schema }
}

function spec(name: string, description: string | undefined, json: object): JsonObject {
  return { toolSpec: { name, ...(description === undefined ? {} : { description }), inputSchema: { json } } }
}

function listIn(value: unknown, key: string): readonly unknown[] {
  const list = own(value, key)
  return Array.isArray(list) ? list : []
}
