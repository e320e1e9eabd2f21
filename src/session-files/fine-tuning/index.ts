/**
 * OpenAI fine-tuning JSONL: a conversation on each line, `{ messages, tools? }`, or a preference record with two
 * outputs.
 */

import { isObject, jsonText, own, type Path } from '../../core/index.ts'
import { detect, markOf } from '../../dialects/detect.ts'
import { type DatasetShape, datasetFunctions, isRecordOf, type MessageList, type RecordFault } from '../dataset.ts'
import { firstValues, isDamagedDocument } from '../elements.ts'
import { listIn, objectIn } from '../json-values.ts'
import { errorIn } from '../shared/faults.ts'
import { defineFormat } from '../shared/session-file.ts'

const ROOT: readonly Path[] = [[]]

const shape: DatasetShape = {
  id: 'fine-tuning',
  paths: ROOT,
  typeOf(value) {
    if (isRecordOf(value, 'messages')) return { type: 'conversation', known: true }
    return isPreference(value) ? { type: 'preference', known: true } : { type: 'no conversation', known: false }
  },
  lists(value) {
    if (isRecordOf(value, 'messages')) return [listAt(value, ['messages'])]
    return isPreference(value) ? [listAt(value, ['input', 'messages'])] : []
  },
  check: checkRecord,
}

function isPreference(value: unknown): boolean {
  return isRecordOf(objectIn(value, 'input'), 'messages') && Array.isArray(own(value, 'preferred_output'))
}

function listAt(value: unknown, path: readonly string[]): MessageList {
  const messages = listIn(value, ...path)
  return {
    path,
    messages,
    info: { dialect: 'openai-chat', provider: 'openai', agentClosesOpenCalls: endsInCalls(messages) },
  }
}

/** Whether only the last answer has open calls: these are what the model learns, so no result follows. */
function endsInCalls(messages: readonly unknown[]): boolean {
  const open = new Set<unknown>()
  messages.forEach((message, i) => {
    if (i < messages.length - 1) for (const call of listIn(message, 'tool_calls')) open.add(own(call, 'id'))
    open.delete(own(message, 'tool_call_id'))
  })
  return open.size === 0 && listIn(messages.at(-1), 'tool_calls').length > 0
}

function checkRecord(value: unknown): readonly RecordFault[] {
  if (!isRecordOf(value, 'messages'))
    return isPreference(value) ? checkPreference(value) : [errorIn({}, 'no-messages', NO_MESSAGES)]
  const messages = listIn(value, 'messages')
  const faults = messages.flatMap(checkWeight)
  if (!messages.some((message) => own(message, 'role') === 'assistant'))
    faults.push(errorIn({}, 'no-assistant-message', NO_ASSISTANT))
  else if (own(messages.at(-1), 'role') !== 'assistant')
    faults.push(errorIn({}, 'last-not-assistant', notAssistant(messages.at(-1))))
  return faults
}

const NO_MESSAGES = 'This line has no list "messages"; OpenAI rejects the whole file for it. Remove the line.'
const NO_ASSISTANT =
  'This example has no assistant message; OpenAI rejects it because there is nothing to learn. Remove the line.'

function notAssistant(last: unknown): string {
  return `The last message has the role ${role(last)}; OpenAI's fine-tuning needs an assistant message there. Cut the example after its last assistant message.`
}

function role(message: unknown): string {
  const found = own(message, 'role')
  return typeof found === 'string' ? `"${found}"` : 'that is no text'
}

function checkWeight(message: unknown, index: number): RecordFault[] {
  const weight = own(message, 'weight')
  if (weight === undefined) return []
  const isAssistant = own(message, 'role') === 'assistant'
  if (isAssistant && (weight === 0 || weight === 1)) return []
  const what = isAssistant ? `a weight of ${jsonText(weight)}` : `a weight, but the role ${role(message)}`
  const text = `Message ${index} has ${what}; OpenAI accepts 0 and 1, on assistant messages only. Correct or remove the weight.`
  return [errorIn({}, 'weight-invalid', text)]
}

function checkPreference(value: unknown): RecordFault[] {
  return ['preferred_output', 'non_preferred_output'].flatMap((key) => {
    const output = listIn(value, key)
    if (output.length === 1 && own(output[0], 'role') === 'assistant') return []
    const message = `"${key}" has ${output.length} messages; OpenAI needs exactly one assistant message there.`
    return [errorIn({}, 'preference-output', message)]
  })
}

export const fineTuning = defineFormat({
  id: 'fine-tuning',
  title: 'OpenAI fine-tuning data',
  writes: 'yes',
  storage: 'jsonl',
  recognize(input, given) {
    const head = firstValues(input, given)
    const first = head.filter(isObject)
    if (first.length === 0) return 0
    if (first.every((value) => isPreference(value))) return 0.9
    if (!first.every((value) => isRecordOf(value, 'messages')) || !isChat(first)) return 0
    // A request body names its model, or has nothing to learn yet; an example does not.
    const messages = listIn(first[0], 'messages')
    const isExample =
      first.every((value) => REQUEST_KEYS.every((key) => own(value, key) === undefined)) &&
      messages.some(hasRole) &&
      (first.length > 1 || messages.some((message) => own(message, 'role') === 'assistant'))
    return isExample && !isDamagedDocument(input) ? 0.7 : 0
  },
  ...datasetFunctions(shape),
})

const REQUEST_KEYS = ['model', 'system', 'max_tokens', 'temperature', 'stream'] as const

/** Other dialects keep messages in the same place. A few foreign examples are a fault of the file. */
function isChat(examples: readonly object[]): boolean {
  const foreign = examples.filter((one) => (detect(one) ?? 'openai-chat') !== 'openai-chat')
  const chat = examples.filter((one) =>
    listIn(one, 'messages').some((message) => isObject(message) && markOf(message) === 'openai-chat'),
  )
  return chat.length >= foreign.length
}

function hasRole(message: unknown): boolean {
  return typeof own(message, 'role') === 'string' && !('parts' in (message as object))
}
