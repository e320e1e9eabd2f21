/** UI messages of the AI SDK as model messages, and back. One tool part is both a call and its result. */
import { isObject, type JsonObject, own } from '../../core/index.ts'
import { asText, listIn, textIn } from '../json-values.ts'
import { textsOf } from '../shared/parts.ts'

/** By part of a model message, the UI part that it was made from. */
const originals = new WeakMap<object, unknown>()

/** The SDK leaves calls out whose arguments are still being streamed. */
export function isStreamed(part: unknown): boolean {
  return isTool(part) && own(part, 'state') === 'input-streaming'
}

function isTool(part: unknown): boolean {
  const type = textIn(part, 'type')
  return type === 'dynamic-tool' || (type?.startsWith('tool-') ?? false)
}

function nameOf(part: unknown): string {
  return textIn(part, 'toolName') ?? textIn(part, 'type')?.slice('tool-'.length) ?? ''
}

/** The model messages that the SDK makes of this UI message: one assistant message for each step, and its results. */
export function toModelMessages(message: unknown): readonly unknown[] {
  const role = own(message, 'role')
  const parts = listIn(message, 'parts')
  if (role !== 'assistant') {
    if (role !== 'system') return [{ role, content: parts.filter(isSent).map((part) => made(part, part)) }]
    return [{ role, content: textsOf(parts).join('') }]
  }
  return stepsOf(parts).flatMap(stepMessages)
}

function isSent(part: unknown): boolean {
  const type = textIn(part, 'type') ?? ''
  return type !== 'step-start' && !type.startsWith('data-') && !type.startsWith('source-')
}

function stepsOf(parts: readonly unknown[]): readonly (readonly unknown[])[] {
  const steps: unknown[][] = [[]]
  for (const part of parts) {
    if (own(part, 'type') === 'step-start') steps.push([])
    else if (isSent(part)) steps.at(-1)!.push(part)
  }
  return steps.filter((step) => step.length > 0)
}

function stepMessages(parts: readonly unknown[]): readonly unknown[] {
  const sent = parts.filter((part) => !isStreamed(part))
  const content = sent.map((part) => (isTool(part) ? callOf(part) : made(part, part)))
  const results = sent.flatMap(resultOf)
  return [
    ...(content.length > 0 ? [{ role: 'assistant', content }] : []),
    ...(results.length > 0 ? [{ role: 'tool', content: results }] : []),
  ]
}

function made(part: unknown, from: unknown): unknown {
  if (!isObject(part)) return part
  const { state: _state, providerMetadata, ...sent } = part
  const now = providerMetadata === undefined ? sent : { ...sent, providerOptions: providerMetadata }
  originals.set(now, from)
  return now
}

function callOf(part: unknown): unknown {
  const { callProviderMetadata: options, input, toolCallId } = part as JsonObject
  const call = {
    type: 'tool-call',
    toolCallId,
    toolName: nameOf(part),
    input: input ?? own(part, 'rawInput') ?? {},
    ...(options === undefined ? {} : { providerOptions: options }),
  }
  originals.set(call, part)
  return call
}

function resultOf(part: unknown): readonly unknown[] {
  const output = isTool(part) ? outputOf(part as JsonObject) : undefined
  if (output === undefined) return []
  const result = { type: 'tool-result', toolCallId: own(part, 'toolCallId'), toolName: nameOf(part), output }
  originals.set(result, part)
  return [result]
}

function outputOf(part: JsonObject): unknown {
  switch (part['state']) {
    case 'output-available': {
      const { output } = part
      return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output ?? null }
    }
    case 'output-error':
      return { type: 'error-text', value: asText(part['errorText']) }
    case 'output-denied':
      return { type: 'error-text', value: textIn(part, 'approval', 'reason') ?? 'Tool execution denied.' }
    default:
      return undefined
  }
}

/** The UI message of repaired model messages. `was`: the message in the file. */
export function fromModelMessages(messages: readonly unknown[], was: unknown): unknown {
  const results = new Map<unknown, unknown>()
  for (const message of messages) {
    if (own(message, 'role') !== 'tool') continue
    for (const result of listIn(message, 'content')) results.set(own(result, 'toolCallId'), result)
  }
  const hasSteps = listIn(was, 'parts').some((part) => own(part, 'type') === 'step-start')
  const parts = messages
    .filter((message) => own(message, 'role') !== 'tool')
    .flatMap((message) => [...(hasSteps ? [{ type: 'step-start' }] : []), ...partsOf(message, results)])
  return { ...(isObject(was) ? was : { role: own(messages[0], 'role') }), parts }
}

function partsOf(message: unknown, results: ReadonlyMap<unknown, unknown>): readonly unknown[] {
  const content = own(message, 'content')
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listIn(message, 'content').map((part) => {
    const original = isObject(part) ? originals.get(part) : undefined
    if (own(part, 'type') !== 'tool-call') return original ?? part
    return toolPart(part as JsonObject, original, results.get(own(part, 'toolCallId')))
  })
}

function toolPart(call: JsonObject, original: unknown, result: unknown): unknown {
  const same = isObject(result) ? originals.get(result) : undefined
  if (original !== undefined && (same === original || result === undefined)) return original
  const { toolCallId, toolName, input } = call
  const base = isObject(original) ? original : { type: `tool-${asText(toolName)}`, toolCallId, input }
  const output = own(result, 'output')
  const value = own(output, 'value')
  const failed = (textIn(output, 'type') ?? '').startsWith('error')
  const { errorText: _error, output: _output, ...kept } = { ...base, toolCallId, input } as Record<string, unknown>
  if (output === undefined) return kept
  return failed
    ? { ...kept, state: 'output-error', errorText: asText(value) }
    : { ...kept, state: 'output-available', output: value }
}
