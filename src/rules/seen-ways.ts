/**
 * Ways in which providers look at calls and results (`seen.ts`). Each reads the native keys of the wire, and nothing that only we would understand.
 */
import { HAS_CALL, HAS_RESULT, isObject, own, type Part, ROLE, type Walk } from '../core/index.ts'

/** A turn as it is seen: the messages of it, the ids of its calls and of the results that stand in its slot; '' for none. */
export interface Seen {
  readonly messages: number[]
  readonly calls: readonly string[]
  readonly results: string[]
}

type Refuses = (rule: string) => boolean

/** Whatever is no result opens a turn, and the results behind it are in its slot. */
export function slots(history: readonly unknown[]): readonly Seen[] {
  const turns: Seen[] = []
  for (let i = 0; i < history.length; i++) {
    const message = history[i]
    const isResult = own(message, 'role') === 'tool'
    if (!isResult || turns.length === 0) turns.push({ messages: [], calls: callsOf(message), results: [] })
    const turn = turns.at(-1)!
    turn.messages.push(i)
    if (isResult) turn.results.push(textOf(own(message, 'tool_call_id')))
  }
  return turns
}

/** Whether a turn fails where results are looked for by id. No id is no id twice. */
export function byIds({ calls, results }: Seen, refuses: Refuses): boolean {
  const called = new Set(calls)
  const answered = new Set(results)
  const named = results.filter((id) => id !== '')
  return (
    (refuses('tool-result-missing') && calls.some((id) => !answered.has(id))) ||
    (refuses('tool-result-orphan') && results.some((id) => !called.has(id))) ||
    (refuses('tool-result-duplicate') && new Set(named).size < named.length)
  )
}

/** Whether a turn fails where results are counted: a call without an id takes any of them, a result without one answers any call. */
export function byNumber({ calls, results }: Seen): boolean {
  if (calls.length !== results.length) return true
  if (calls.includes('')) return false
  const left = new Map<string, number>()
  for (const id of calls) left.set(id, (left.get(id) ?? 0) + 1)
  for (const id of results) left.set(id, (left.get(id) ?? 0) - 1)
  return results.some((id) => id !== '' && left.get(id)! < 0)
}

/** Parts are counted, turn by turn: neighbouring answers are one, and so are the messages with results behind them. */
export function inTurns(walk: Walk): readonly Seen[] {
  const faulty: Seen[] = []
  let turn: Seen = { messages: [], calls: [], results: [] }
  const close = (next: Seen) => {
    if (turn.calls.length !== turn.results.length) faulty.push(turn)
    turn = next
  }
  let before: 'assistant' | 'results' | undefined
  walk.outlines.forEach((outline, i) => {
    const isAssistant = (outline & 7) === ROLE.assistant
    const results = isAssistant || (outline & HAS_RESULT) === 0 ? [] : partsOf(i, 'result', walk)
    const calls = isAssistant && (outline & HAS_CALL) !== 0 ? partsOf(i, 'call', walk) : []
    const joins = isAssistant ? before === 'assistant' : results.length > 0 && before !== undefined
    if (joins) turn = { messages: turn.messages, calls: [...turn.calls, ...calls], results: turn.results }
    else close({ messages: [], calls, results: [] })
    turn.messages.push(i)
    turn.results.push(...results)
    before = isAssistant ? 'assistant' : results.length > 0 ? 'results' : undefined
  })
  close({ messages: [], calls: [], results: [] })
  return faulty
}

function partsOf(index: number, kind: Part['kind'], { dialect, history }: Walk): readonly string[] {
  const parts: Part[] = []
  dialect.read(history[index], index, parts)
  return parts.filter((part) => part.kind === kind && !part.server).map(({ id }) => id ?? '')
}

/** Items are paired by kind and id, wherever they stand; of other kinds than these nothing was heard. What the provider holds itself may be answered too. */
export function inList({ history, body }: Walk, refuses: Refuses): readonly Seen[] {
  const keys = history.map((item) => `${own(item, 'type')} ${textOf(own(item, 'call_id'))}`)
  const has = new Set(keys)
  const refers = history.some((item) => own(item, 'type') === 'item_reference')
  const held = refers || body?.['previous_response_id'] != null || body?.['conversation'] != null
  return history.flatMap((item, i) => {
    const type = textOf(own(item, 'type'))
    const isResult = type.endsWith('_output')
    if (!/^(?:function|custom_tool|local_shell)_call(?:_output)?$/.test(type)) return []
    const other = isResult ? type.replace('_output', '') : `${type}_output`
    const id = textOf(own(item, 'call_id'))
    // An output also answers a search for tools.
    if (has.has(`${other} ${id}`) || (isResult && has.has(`tool_search_call ${id}`))) return []
    if (isResult ? held || !refuses('tool-result-orphan') : !refuses('tool-result-missing')) return []
    return [{ messages: [i], calls: [], results: [] }]
  })
}

function callsOf(message: unknown): readonly string[] {
  const calls = own(message, 'tool_calls')
  return Array.isArray(calls) ? calls.filter(isObject).map((call) => textOf(own(call, 'id'))) : []
}

function textOf(id: unknown): string {
  return typeof id === 'string' ? id : ''
}
