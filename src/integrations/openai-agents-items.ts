import { type Dialect, isObject, type JsonObject, own, Part, type Provider, withKey, wordOf } from '../core/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import type { Constraints } from '../rules/index.ts'

const WHOLE = [] as const
const RESULT = '_call_result'

function typeOf(item: unknown): string {
  return wordOf(own(item, 'type') ?? '')
}

/** `function_call_result` is read as `function_call_output`, so that call and result are of one kind. */
const read: Dialect['read'] = (item, index, parts) => {
  const type = typeOf(item)
  if (!isObject(item) || !type.endsWith(RESULT)) return openaiResponses.read(item, index, parts)
  const [id, name] = [item['callId'], item['name']].map((one) => (typeof one === 'string' ? one : undefined))
  const failed = item['status'] === 'incomplete'
  const kind = type.replace(RESULT, '_call_output')
  parts.push(new Part('result', kind, index, WHOLE, -1, item, item['output'], id, name, false, failed))
  return 'tool'
}

function answer(call: Part, text: string, succeeded?: boolean): JsonObject {
  if (call.type !== 'function_call') {
    const { call_id: _, image_url: __, ...rest } = openaiResponses.answer(call, text, succeeded) as JsonObject
    if (call.type !== 'computer_call') return { ...rest, callId: call.id ?? '' }
    const image = own(rest['output'], 'image_url')
    return { type: 'computer_call_result', callId: call.id ?? '', output: { type: 'computer_screenshot', data: image } }
  }
  const output = { type: 'text', text }
  const status = succeeded ? 'completed' : 'incomplete'
  return { type: 'function_call_result', callId: call.id ?? '', name: call.name ?? '', status, output }
}

const { toWireShape: _, ...shared } = openaiResponses

/**
 * The items of the OpenAI Agents SDK for JavaScript as a dialect: those of the Responses API with `callId` and results
 * of other names.
 */
export const agentsItems: Dialect = {
  ...shared,
  id: 'openai-agents',
  paths: /(?!)/,
  read,
  answer,
  call: (_result, id, name) => ({ type: 'function_call', callId: id, name, arguments: '{}', status: 'completed' }),
  textMessage: (role, text, media = []) =>
    role === 'user'
      ? { role, content: media.length > 0 ? [{ type: 'input_text', text }, ...media] : text }
      : { role, status: 'completed', content: [{ type: 'output_text', text }] },
  content: (part) => openaiResponses.content(isObject(part.body) ? wrapped(part) : part),
  write: (of, value, change) => {
    if ('id' in change) return withKey(value as JsonObject, 'callId', change.id)
    if (!('result' in change) || !typeOf(value).endsWith(RESULT)) return openaiResponses.write(of, value, change)
    const { result } = change
    return withKey(value as JsonObject, 'output', typeof result === 'string' ? { type: 'text', text: result } : result)
  },
}

/** A result of one block, as a list of one. */
function wrapped(part: Part): Part {
  return new Part(
    part.kind,
    part.type,
    part.message,
    part.list,
    part.index,
    part.value,
    [part.body],
    part.id,
    part.name,
  )
}

/** The SDK drops unanswered calls, sends stray results, and loses one of two pairs that share an id. */
export const agentsProvider: Provider = {
  id: 'openai-agents',
  hosts: [],
  serves: [
    {
      dialect: agentsItems,
      constraints: {
        'tool-result-missing': { evidence: 'documented' },
        'tool-result-orphan': { evidence: 'few-reports' },
        'tool-result-duplicate': { evidence: 'inferred' },
        'tool-call-id-duplicate': { evidence: 'few-reports', scope: 'request' },
        'lone-surrogate': { evidence: 'inferred' },
      } satisfies Constraints,
    },
  ],
}
