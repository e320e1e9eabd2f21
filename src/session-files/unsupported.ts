/** Formats of messages that are known by name and not read. Read as another format they would seem to be valid. */
import { isObject, type JsonObject, own } from '../core/index.ts'
import { firstValues } from './elements.ts'
import { listIn, textIn } from './json-values.ts'
import type { FileInput } from './types.ts'

const FIRST = 8

/** Steps of an interaction, and items that only its input has. */
const STEPS = new Set(['user_input', 'model_output', 'function_result', 'thought'])

/** What the file is, if it is one of them. */
export function unsupportedIn(input: FileInput, head: readonly unknown[]): string | undefined {
  const values = firstValues(input, head)
  const [first] = values
  const list = [first, own(first, 'messages'), own(first, 'input'), own(first, 'steps'), values].find(Array.isArray)
  const elements = (list ?? []).slice(0, FIRST).filter(isObject)
  if (isInteraction(first, elements)) return 'a body of the Gemini Interactions API'
  if (elements.some(isPydantic)) return 'messages of pydantic-ai'
  return hasTelemetry(first) || elements.some(isTelemetry) ? 'GenAI messages of OpenTelemetry' : undefined
}

function isInteraction(body: unknown, elements: readonly JsonObject[]): boolean {
  if (textIn(body, 'object') === 'interaction' || own(body, 'previous_interaction_id') !== undefined) return true
  const ofModel = Array.isArray(own(body, 'input')) && elements.some(({ role }) => role === 'model')
  return ofModel || elements.some(({ type }) => typeof type === 'string' && STEPS.has(type))
}

function isPydantic({ kind, parts }: JsonObject): boolean {
  const isMessage = kind === 'request' || kind === 'response'
  return isMessage && Array.isArray(parts) && parts.every((part) => own(part, 'part_kind') !== undefined)
}

/** Parts of a type that have `content` where the AI SDK has `text`, and calls in their own words. */
function isTelemetry(message: JsonObject): boolean {
  return listIn(message, 'parts').some((part) => {
    const type = textIn(part, 'type') ?? ''
    const isText = /^(text|reasoning)$/.test(type) && textIn(part, 'content') !== undefined
    return (isText && own(part, 'text') === undefined) || /^(tool_call|tool_call_response)$/.test(type)
  })
}

function hasTelemetry(value: unknown): boolean {
  if (!isObject(value)) return false
  const names = [value, own(value, 'attributes')].flatMap((one) => (isObject(one) ? Object.keys(one) : []))
  return Array.isArray(value['resourceSpans']) || names.some((name) => name.startsWith('gen_ai.'))
}
