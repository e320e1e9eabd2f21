/**
 * Ways in which providers look at calls and results (`seen.ts`). Each reads the native keys of the wire, and nothing that only we would understand.
 */
import { HAS_CALL, HAS_OTHER, HAS_RESULT, isObject, own, type Part, ROLE, type Walk } from '../core/index.ts'
import { isBareId } from './items.ts'
import { kinOf } from './wanted.ts'

/** A turn as it is seen: the ids of its calls and of the results that stand in its slot; '' for none. */
interface Seen {
  readonly calls: readonly string[]
  readonly results: readonly string[]
}

/** Asked only of messages where something was found: most turns are never looked at. */
export type IsFaulty = (message: number) => boolean
export type Refuses = (rule: string) => boolean

/** Whatever is no result opens a turn, and the results behind it are in its slot. */
export function inSlots({ history }: Walk, fails: (turn: Seen) => boolean): IsFaulty {
  const isResult = (at: number) => own(history[at], 'role') === 'tool'
  return turnByTurn(history.length, isResult, (from, to) => {
    const behind = isResult(from) ? from : from + 1
    const results = history.slice(behind, to).map((message) => textOf(own(message, 'tool_call_id')))
    // A tool calls nobody.
    return fails({ calls: isResult(from) ? [] : callsOf(history[from]), results })
  })
}

/** Parts are counted, turn by turn: neighbouring answers are one, and so are the messages with results behind them. */
export function inTurns(walk: Walk): IsFaulty {
  const { outlines } = walk
  const isAssistant = (at: number) => (outlines[at]! & 7) === ROLE.assistant
  const isResult = (at: number) => !isAssistant(at) && (outlines[at]! & HAS_RESULT) !== 0
  const joins = (at: number) =>
    at > 0 && (isAssistant(at) ? isAssistant(at - 1) : isResult(at) && (isAssistant(at - 1) || isResult(at - 1)))
  return turnByTurn(outlines.length, joins, (from, to) => {
    let more = 0
    for (let at = from; at < to; at++) {
      if (isResult(at)) more += countOf(at, 'result', walk)
      else if (isAssistant(at) && (outlines[at]! & HAS_CALL) !== 0) more -= countOf(at, 'call', walk)
    }
    return more !== 0
  })
}

/**
 * An answer of the assistant with all that is said behind it: the results stand first, in any order, and whatever else is said ends them.
 * No id is an id like any other, but never one that comes twice.
 */
export function inBlocks({ history }: Walk): IsFaulty {
  const isAssistant = (at: number) => own(history[at], 'role') === 'assistant'
  const joins = (at: number) => !isAssistant(at) || isAssistant(at - 1)
  return turnByTurn(history.length, joins, (from, to) => {
    const calls = new Set<string>()
    const answered = new Set<string>()
    let ended = false
    for (let at = from; at < to; at++) {
      const content = own(history[at], 'content')
      if (!isAssistant(at) && typeof content === 'string') ended = true
      for (const block of Array.isArray(content) ? content.filter(isObject) : []) {
        if (block['type'] === 'tool_result') {
          const id = textOf(block['tool_use_id'])
          if (isAssistant(at) || !calls.has(id) || (id !== '' && answered.has(id))) return true
          if (!ended) answered.add(id)
          continue
        }
        if (block['type'] === 'tool_use') calls.add(textOf(block['id']))
        ended ||= !isAssistant(at)
      }
    }
    return [...calls].some((id) => !answered.has(id))
  })
}

/** Each turn that is asked for is looked at once: a message joins the turn of the one before it, or begins another. */
function turnByTurn(
  length: number,
  joins: (at: number) => boolean,
  fails: (from: number, to: number) => boolean,
): IsFaulty {
  const known = new Map<number, boolean>()
  return (message) => {
    const before = known.get(message)
    if (before !== undefined) return before
    let from = message
    while (from > 0 && joins(from)) from--
    let to = message + 1
    while (to < length && joins(to)) to++
    const isFaulty = fails(from, to)
    for (let at = from; at < to; at++) known.set(at, isFaulty)
    return isFaulty
  }
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

function countOf(index: number, kind: Part['kind'], { dialect, history }: Walk): number {
  const parts: Part[] = []
  dialect.read(history[index], index, parts)
  return parts.filter((part) => part.kind === kind && !part.server).length
}

/** Items are paired by kind and id, wherever they stand; of other kinds than these nothing was heard. What the provider holds itself may be answered too. */
export function inList(walk: Walk, refuses: Refuses): IsFaulty {
  const { history, look, outlines, pairing } = walk
  const asked = idsAsked(walk)
  const has = new Set<string>()
  let held = isHeld(walk)
  const take = (item: unknown) => {
    if (!isObject(item)) return
    const type = item['type']
    if (type === 'message' || type === 'reasoning') return
    if (type === 'item_reference' || (type == null && item['role'] === undefined && isBareId(item))) held = true
    const id = textOf(item['call_id'])
    if (asked.has(id)) has.add(`${type} ${id}`)
  }
  for (const call of kinOf(walk)) {
    take(history[pairing.messageOf(call)])
    if (pairing.isAnswered(call)) take(history[pairing.answerMessageOf(call)])
  }
  // What else there is: strays, and kinds that we do not pair.
  for (let i = 0; i < history.length; i++)
    if (look?.settled[i] !== 1 && (outlines[i]! & (HAS_RESULT | HAS_OTHER)) !== 0) take(history[i])
  return (message) => {
    const item = history[message]
    const type = textOf(own(item, 'type'))
    const isResult = type.endsWith('_output')
    const id = textOf(own(item, 'call_id'))
    if (!asked.has(id)) return false
    if (!/^(?:function|custom_tool|local_shell)_call(?:_output)?$/.test(type)) return false
    const other = isResult ? type.replace('_output', '') : `${type}_output`
    // An output also answers a search for tools.
    if (has.has(`${other} ${id}`) || (isResult && has.has(`tool_search_call ${id}`))) return false
    return isResult ? !held && refuses('tool-result-orphan') : refuses('tool-result-missing')
  }
}

/** Native ids of all calls and results but those of plain pairs, which are sound in anybody's eyes; '' for none. */
function idsAsked(walk: Walk): Set<string> {
  const { history, pairing } = walk
  const asked = new Set<string>()
  asked.add('')
  const ask = (message: number) => asked.add(textOf(own(history[message], 'call_id')))
  for (const call of kinOf(walk)) {
    ask(pairing.messageOf(call))
    if (pairing.isAnswered(call)) ask(pairing.answerMessageOf(call))
  }
  for (const { part } of pairing.strays) ask(part.message)
  return asked
}

/** The provider holds earlier turns itself. */
export function isHeld({ body }: Walk): boolean {
  return body?.['previous_response_id'] != null || body?.['conversation'] != null
}

function callsOf(message: unknown): readonly string[] {
  // Who answers calls nobody, under either of a tool's names.
  if (own(message, 'role') === 'function') return []
  const calls = own(message, 'tool_calls')
  return Array.isArray(calls) ? calls.filter(isObject).map((call) => textOf(own(call, 'id'))) : []
}

function textOf(id: unknown): string {
  return typeof id === 'string' ? id : ''
}
