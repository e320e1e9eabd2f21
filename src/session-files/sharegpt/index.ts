/**
 * ShareGPT: `{ conversations: [{ from, value }] }`, as a JSON list or as JSONL. Calls have no ids: a result answers the call before it.
 */
import { isObject, jsonText, own, type Path } from '../../core/index.ts'
import { type DatasetShape, datasetFunctions, isRecordOf } from '../dataset.ts'
import { firstValues } from '../elements.ts'
import { asText, fromJson, listIn, textIn } from '../json-values.ts'
import type { FileFault, SessionFormat } from '../types.ts'

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
  typeOf: (value) =>
    isRecordOf(value, 'conversations')
      ? { type: 'conversation', known: true }
      : { type: 'no conversation', known: false },
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

/** One chat message for each turn. Ids are made from places, since the format has none. */
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

/** A call is JSON `{ name, arguments }`, several are a list. Text that is no such JSON is kept as arguments of a call without a name. */
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

/** A chat message as a turn. `was` is the turn that it replaces: its other keys and its word for the role stay. */
function fromChat(message: unknown, was: unknown): unknown {
  const role = own(message, 'role')
  const calls = listIn(message, 'tool_calls').map((call) => {
    const text = textIn(call, 'function', 'arguments')
    return { name: textIn(call, 'function', 'name') ?? '', arguments: fromJson(text) ?? text ?? {} }
  })
  const value = calls.length > 0 ? jsonText(calls.length === 1 ? calls[0] : calls) : contentOf(message)
  const kept = textIn(was, 'from')
  const from =
    calls.length > 0
      ? 'function_call'
      : kept !== undefined && ROLES[kept] === role && kept !== 'function_call'
        ? kept
        : nameOf(role)
  return { ...(isObject(was) ? was : {}), from, value }
}

function contentOf(message: unknown): string {
  const content = own(message, 'content')
  return typeof content === 'string' || !Array.isArray(content)
    ? asText(content ?? '')
    : content.map((part) => textIn(part, 'text') ?? '').join('\n')
}

function nameOf(role: unknown): string {
  if (role === 'assistant') return 'gpt'
  if (role === 'tool') return 'observation'
  return role === 'system' ? 'system' : 'human'
}

/** Trainers take turns by their place: first a person or a result, then an answer or a call. */
function checkTurns(value: unknown): readonly Omit<FileFault, 'record' | 'line'>[] {
  if (!isRecordOf(value, 'conversations'))
    return [
      { rule: 'no-conversation', severity: 'error', message: 'This record has no list "conversations". Remove it.' },
    ]
  const turns = listIn(value, 'conversations').filter((turn) => own(turn, 'from') !== 'system')
  const wrong = turns.findIndex((turn, i) => {
    const role = ROLES[textIn(turn, 'from') ?? '']
    return role !== undefined && (role === 'assistant') !== (i % 2 === 1)
  })
  if (wrong < 0) return []
  const from = textIn(turns[wrong], 'from')
  return [
    {
      rule: 'turn-order',
      severity: 'warning',
      message: `Turn ${wrong} is from "${from}"; trainers expect human or observation at even places and gpt or function_call at odd ones, and skip this record. Remove or merge turns by hand.`,
    },
  ]
}

export const shareGpt: SessionFormat = {
  id: 'sharegpt',
  title: 'ShareGPT data',
  writes: 'yes',
  storage: 'jsonl',
  locate: () => [],
  recognize(input, given) {
    const head = firstValues(input, given)
    const [first] = head.length === 1 && Array.isArray(head[0]) ? head[0] : head
    return isRecordOf(first, 'conversations') &&
      listIn(first, 'conversations').every((turn) => own(turn, 'from') !== undefined)
      ? 1
      : 0
  },
  ...datasetFunctions(shape),
}
