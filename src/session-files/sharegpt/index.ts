/**
 * ShareGPT: `{ conversations: [{ from, value }] }`, a JSON list or JSONL. Calls have no ids: a result answers the call
 * before it.
 */

import { isObject, jsonText, own, type Path } from '../../core/index.ts'
import { type DatasetShape, datasetFunctions, isRecordOf, type RecordFault } from '../dataset.ts'
import { firstElements } from '../elements.ts'
import { asText, fromJson, listIn, textIn } from '../json-values.ts'
import { errorIn } from '../shared/faults.ts'
import { contentText } from '../shared/parts.ts'
import { defineFormat } from '../shared/session-file.ts'

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
  system: 'system',
  function_call: 'assistant',
  observation: 'tool',
  tool: 'tool',
}

const ROOT: readonly Path[] = [[]]

const shape: DatasetShape = {
  id: 'sharegpt',
  paths: ROOT,
  typeOf(value) {
    const known = isRecordOf(value, 'conversations')
    return { type: known ? 'conversation' : 'no conversation', known }
  },
  lists(value) {
    if (!isRecordOf(value, 'conversations')) return []
    const messages = toChat(listIn(value, 'conversations'))
    const info = { dialect: 'openai-chat', provider: 'openai', agentClosesOpenCalls: endsInCall(value) }
    return [{ path: ['conversations'], messages, info, toRecord: fromChat }]
  },
  check: checkTurns,
}

function endsInCall(value: unknown): boolean {
  const turns = listIn(value, 'conversations')
  const open = turns.filter((turn, i) => isCall(turn) && !isResult(turns[i + 1]))
  return open.length === 1 && open[0] === turns.at(-1)
}

function isCall(turn: unknown): boolean {
  return own(turn, 'from') === 'function_call'
}

function isResult(turn: unknown): boolean {
  const from = own(turn, 'from')
  return from === 'observation' || from === 'tool'
}

/** One chat message for each turn. Ids of calls are made from their places. */
function toChat(turns: readonly unknown[]): readonly unknown[] {
  let open: string[] = []
  return turns.map((turn, i) => {
    const value = asText(own(turn, 'value'))
    const from = own(turn, 'from')
    if (isCall(turn)) {
      const tool_calls = callsOf(value, i)
      open = tool_calls.map(({ id }) => id)
      return { role: 'assistant', content: null, tool_calls }
    }
    if (isResult(turn)) return { role: 'tool', tool_call_id: open.shift() ?? `call_${i}_lost`, content: value }
    open = []
    const role = typeof from === 'string' && Object.hasOwn(ROLES, from) ? ROLES[from] : from
    return { role, content: value }
  })
}

/**
 * A call is `{ name, arguments }` as JSON, or a list of them. Any other text becomes the arguments of a call without a
 * name.
 */
function callsOf(text: string, turn: number) {
  const value = fromJson(text)
  const list = Array.isArray(value) ? value : [value]
  return list.map((call, i) => ({
    id: `call_${turn}_${i}`,
    type: 'function',
    function: isObject(call)
      ? { name: textIn(call, 'name') ?? '', arguments: asText(call['arguments'] ?? {}) }
      : { name: '', arguments: text },
  }))
}

/** A chat message as a turn. `was`: the turn that it replaces, whose other keys and name of the role stay. */
function fromChat(message: unknown, was: unknown): unknown {
  const role = own(message, 'role')
  const calls = listIn(message, 'tool_calls').map((call) => {
    const text = textIn(call, 'function', 'arguments')
    return { name: textIn(call, 'function', 'name') ?? '', arguments: fromJson(text) ?? text ?? {} }
  })
  const value = calls.length > 0 ? jsonText(calls.length === 1 ? calls[0] : calls) : contentOf(message)
  const kept = textIn(was, 'from')
  const isKept = kept !== undefined && ROLES[kept] === role && kept !== 'function_call'
  const from = calls.length > 0 ? 'function_call' : isKept ? kept : nameOf(role)
  return { ...(isObject(was) ? was : {}), from, value }
}

function contentOf(message: unknown): string {
  const content = own(message, 'content')
  return isObject(content) ? asText(content) : contentText(message)
}

function nameOf(role: unknown): string {
  if (role === 'assistant') return 'gpt'
  if (role === 'tool') return 'observation'
  return role === 'system' ? 'system' : 'human'
}

/** Trainers expect a person or a result at even places, and an answer or a call at odd ones. */
function checkTurns(value: unknown): readonly RecordFault[] {
  if (!isRecordOf(value, 'conversations'))
    return [errorIn({}, 'no-conversation', 'This record has no list "conversations". Remove it.')]
  const turns = listIn(value, 'conversations').filter((turn) => own(turn, 'from') !== 'system')
  const wrong = turns.findIndex((turn, i) => {
    const role = ROLES[textIn(turn, 'from') ?? '']
    return role !== undefined && (role === 'assistant') !== (i % 2 === 1)
  })
  if (wrong < 0) return []
  const from = textIn(turns[wrong], 'from')
  const message = `Turn ${wrong} is from "${from}"; trainers expect human or observation at even places and gpt or function_call at odd ones, and skip this record. Remove or merge turns by hand.`
  return [{ rule: 'turn-order', severity: 'warning', message }]
}

export const shareGpt = defineFormat({
  id: 'sharegpt',
  title: 'ShareGPT data',
  writes: 'yes',
  storage: 'jsonl',
  recognize(input, given) {
    const [first] = firstElements(input, given)
    const turns = listIn(first, 'conversations')
    return Number(isRecordOf(first, 'conversations') && turns.every((turn) => own(turn, 'from') !== undefined))
  },
  ...datasetFunctions(shape),
})
