import type { Endpoint } from '../judge.ts'
import { asList, asObject, asObjects, isObject, textIn, wordOf } from './json.ts'
import type { IncomingRequest, JsonObject } from './types.ts'

/** What the default agent reads in a request. */
export interface View {
  readonly tools: readonly Tool[]
  /** Which tools may be called: `none`, one by name, or any. */
  readonly choice: string | undefined
  readonly items: readonly Item[]
}

export interface Tool {
  readonly name: string
  readonly schema: unknown
}

export type Item =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'call'; readonly id?: unknown; readonly name: string }
  | { readonly kind: 'result'; readonly id?: unknown; readonly name?: string; readonly text: string }

export function view(ask: IncomingRequest): View {
  return READERS[ask.endpoint](ask.body)
}

const READERS: Readonly<Record<Endpoint, (body: JsonObject) => View>> = { messages, chat, responses, gemini, converse }

function messages(body: JsonObject): View {
  const choice = asObject(body['tool_choice'])
  return {
    tools: asObjects(body['tools'])
      .filter((tool) => 'input_schema' in tool)
      .map((tool) => ({ name: wordOf(tool['name']), schema: tool['input_schema'] })),
    choice: choice['type'] === 'tool' ? wordOf(choice['name']) : choiceOf(choice['type']),
    items: asObjects(body['messages']).flatMap((message) => {
      const parts = asObjects(message['content'])
      const pairs = parts.flatMap((part): Item[] => {
        if (part['type'] === 'tool_use') return [{ kind: 'call', id: part['id'], name: wordOf(part['name']) }]
        if (part['type'] !== 'tool_result') return []
        return [{ kind: 'result', id: part['tool_use_id'], text: textIn(part['content']) }]
      })
      return pairs.length > 0 ? pairs : prompt(message, message['content'])
    }),
  }
}

function chat(body: JsonObject): View {
  const named = asObject(asObject(body['tool_choice'])['function'])['name']
  return {
    tools: asObjects(body['tools']).map((tool) => {
      const declared = asObject(tool['function'])
      return { name: wordOf(declared['name']), schema: declared['parameters'] }
    }),
    choice: named === undefined ? choiceOf(body['tool_choice']) : wordOf(named),
    items: asObjects(body['messages']).flatMap((message): Item[] => {
      if (message['role'] === 'tool')
        return [{ kind: 'result', id: message['tool_call_id'], text: textIn(message['content']) }]
      const calls = asObjects(message['tool_calls']).map((call): Item => {
        return { kind: 'call', id: call['id'], name: wordOf(asObject(call['function'])['name']) }
      })
      return calls.length > 0 ? calls : prompt(message, message['content'])
    }),
  }
}

function responses(body: JsonObject): View {
  const choice = body['tool_choice']
  const input = typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : body['input']
  return {
    tools: asObjects(body['tools'])
      .filter((tool) => tool['type'] === 'function')
      .map((tool) => ({ name: wordOf(tool['name']), schema: tool['parameters'] })),
    choice: isObject(choice) && 'name' in choice ? wordOf(choice['name']) : choiceOf(choice),
    items: asObjects(input).flatMap((item): Item[] => {
      if (item['type'] === 'function_call') return [{ kind: 'call', id: item['call_id'], name: wordOf(item['name']) }]
      if (item['type'] === 'function_call_output')
        return [{ kind: 'result', id: item['call_id'], text: textIn(item['output']) }]
      return prompt(item, item['content'])
    }),
  }
}

function gemini(body: JsonObject): View {
  const config = asObject(asObject(body['toolConfig'])['functionCallingConfig'])
  const allowed = asList(config['allowedFunctionNames'])
  return {
    tools: asObjects(body['tools']).flatMap((tool) =>
      asObjects(tool['functionDeclarations']).map((declared) => ({
        name: wordOf(declared['name']),
        schema: declared['parametersJsonSchema'] ?? declared['parameters'],
      })),
    ),
    choice: allowed.length === 1 ? wordOf(allowed[0]) : choiceOf(config['mode']),
    items: asObjects(body['contents']).flatMap((content) => {
      const pairs = asObjects(content['parts']).flatMap((part): Item[] => {
        const call = asObject(part['functionCall'])
        if ('name' in call) return [{ kind: 'call', name: wordOf(call['name']) }]
        const result = asObject(part['functionResponse'])
        if (!('name' in result)) return []
        return [{ kind: 'result', name: wordOf(result['name']), text: textIn(result['response']) }]
      })
      return pairs.length > 0 ? pairs : prompt({ role: content['role'] ?? 'user' }, content['parts'])
    }),
  }
}

function converse(body: JsonObject): View {
  const config = asObject(body['toolConfig'])
  const named = asObject(asObject(config['toolChoice'])['tool'])['name']
  return {
    tools: asObjects(config['tools']).flatMap((tool) => {
      const spec = asObject(tool['toolSpec'])
      return 'name' in spec ? [{ name: wordOf(spec['name']), schema: asObject(spec['inputSchema'])['json'] }] : []
    }),
    choice: named === undefined ? undefined : wordOf(named),
    items: asObjects(body['messages']).flatMap((message) => {
      const pairs = asObjects(message['content']).flatMap((part): Item[] => {
        const call = asObject(part['toolUse'])
        if ('name' in call) return [{ kind: 'call', id: call['toolUseId'], name: wordOf(call['name']) }]
        const result = asObject(part['toolResult'])
        if (!('toolUseId' in result)) return []
        return [{ kind: 'result', id: result['toolUseId'], text: converseText(result['content']) }]
      })
      return pairs.length > 0 ? pairs : prompt(message, message['content'])
    }),
  }
}

function converseText(content: unknown): string {
  return asObjects(content)
    .map((part) => ('json' in part ? JSON.stringify(part['json']) : textIn(part)))
    .join(' ')
}

function prompt(message: JsonObject, content: unknown): Item[] {
  return message['role'] === 'user' ? [{ kind: 'prompt', text: textIn(content) }] : []
}

// "auto", "any", "required", "AUTO", "ANY": all leave the choice to the model.
function choiceOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.toLowerCase() === 'none' ? 'none' : undefined
}
