/**
 * How a provider itself pairs calls and results, turn by turn. A fault of our pairing in a turn where the provider
 * finds none is a warning: its pairing decides whether something is an error, ours decides how it is repaired.
 */
import type { Severity } from './constraint.ts'
import { HAS_CALL, HAS_RESULT, type Part } from './part.ts'
import type { Transcript } from './transcript.ts'

export type PairingFault = 'missing' | 'orphan' | 'duplicate'

export interface ProviderPairing {
  /**
   * `slot`: a result for each id in the tool messages after the message that calls, and none of another id ·
   * `number`: as many results as calls there; ids count if both sides have them ·
   * `turn`: as many result parts as call parts in neighboring messages, whatever their ids ·
   * `blocks`: a result for each id at the head of what follows the answer ·
   * `next`: a result for each id in the next message, and not more results than calls ·
   * `list`: a result of the call's type for each id, anywhere.
   */
  readonly by: 'slot' | 'number' | 'turn' | 'blocks' | 'next' | 'list'
  readonly rejects: readonly PairingFault[]
}

type IsFaulty = (message: number) => boolean

/** Whether the provider finds a fault in the turn of a message; undefined: how it pairs is not known. */
export function providerFaults(t: Transcript, pairing: ProviderPairing | undefined): IsFaulty | undefined {
  if (!pairing) return undefined
  const { by, rejects } = pairing
  return t.derive(`pairing by ${by} ${rejects.join()}`, () => ways[by](t, new Set(rejects)))
}

interface Certainty {
  readonly pairing?: ProviderPairing
  readonly severity: Severity
  readonly rejected: boolean
}

/** The severity of a finding about these messages: a warning if the provider finds no fault in any of their turns. */
export function pairingSeverity(t: Transcript, constraint: Certainty, messages: readonly number[]): Severity {
  if (constraint.rejected || constraint.severity === 'warning') return constraint.severity
  const isFaulty = providerFaults(t, constraint.pairing)
  return !isFaulty || messages.some(isFaulty) ? 'error' : 'warning'
}

type Way = (t: Transcript, rejects: ReadonlySet<PairingFault>) => IsFaulty

const ways: Readonly<Record<ProviderPairing['by'], Way>> = {
  slot: (t, rejects) => inSlots(t, (calls, results) => byIds(calls, results, rejects)),
  number: (t) => inSlots(t, byNumber),
  turn: inTurns,
  blocks: inBlocks,
  next: inNextMessage,
  list: inList,
}

/** Any message that is not a tool message opens a turn; the tool messages after it belong to it. */
function inSlots(t: Transcript, fails: (calls: readonly string[], results: readonly string[]) => boolean): IsFaulty {
  const isResult = (at: number) => t.role(at) === 'tool' && !t.partsOf(at).some((part) => isLegacy(part, t))
  return turnByTurn(t.history.length, isResult, (from, to) => {
    const calls = isResult(from) ? [] : idsOf(from, 'call', t)
    const results: string[] = []
    for (let at = isResult(from) ? from : from + 1; at < to; at++)
      for (const id of idsOf(at, 'result', t)) results.push(id)
    return fails(calls, results)
  })
}

/** Neighboring answers are one turn, together with the messages with results after them. */
function inTurns(t: Transcript): IsFaulty {
  const isResult = (at: number) => !t.isAssistant(at) && (t.flags[at]! & HAS_RESULT) !== 0
  const joins = (at: number) =>
    at > 0 && (t.isAssistant(at) ? t.isAssistant(at - 1) : isResult(at) && (t.isAssistant(at - 1) || isResult(at - 1)))
  return turnByTurn(t.history.length, joins, (from, to) => {
    let surplus = 0
    for (let at = from; at < to; at++) {
      if (isResult(at)) surplus += idsOf(at, 'result', t).length
      else if (t.isAssistant(at) && (t.flags[at]! & HAS_CALL) !== 0) surplus -= idsOf(at, 'call', t).length
    }
    return surplus !== 0
  })
}

/** The results come first after an answer, in any order; anything else ends them. */
function inBlocks(t: Transcript): IsFaulty {
  const joins = (at: number) => !t.isAssistant(at) || (at > 0 && t.isAssistant(at - 1))
  return turnByTurn(t.history.length, joins, (from, to) => {
    const calls = new Set<string>()
    const answered = new Set<string>()
    let ended = false
    for (let at = from; at < to; at++) {
      for (const part of t.partsOf(at)) {
        const id = part.id ?? ''
        if (part.kind === 'result' && !part.server) {
          if (t.isAssistant(at) || !calls.has(id) || (id !== '' && answered.has(id))) return true
          if (!ended) answered.add(id)
          continue
        }
        if (part.kind === 'call' && !part.server) calls.add(id)
        ended ||= !t.isAssistant(at)
      }
    }
    return [...calls].some((id) => !answered.has(id))
  })
}

function inNextMessage(t: Transcript): IsFaulty {
  const served = new Set(t.serverParts.filter(({ kind }) => kind === 'call').map(({ id }) => id ?? ''))
  const fails = (at: number): boolean => {
    const calls = at > 0 ? idsOf(at - 1, 'call', t) : []
    const results = at < t.history.length ? idsOf(at, 'result', t).filter((id) => !served.has(id)) : []
    return results.length > calls.length || calls.some((id) => !results.includes(id))
  }
  return (message) => fails(message) || fails(message + 1)
}

/** Items are paired by type and id. If the provider holds earlier turns, the call may be there. */
function inList(t: Transcript, rejects: ReadonlySet<PairingFault>): IsFaulty {
  const keyOf = (part: Part) => `${t.dialect.callType?.(part) ?? ''} ${part.id ?? ''}`
  const called = new Set(t.calls.map(keyOf))
  const answered = new Set(t.results.map(keyOf))
  const held = t.holdsEarlierTurns
  const anyResult = new Set(t.calls.filter((call) => t.dialect.takesAnyResult?.(call)).map(({ id }) => id))
  return (message) =>
    t.partsOf(message).some((part) => {
      if (part.server) return false
      if (part.kind === 'call') return rejects.has('missing') && !answered.has(keyOf(part))
      return (
        part.kind === 'result' && rejects.has('orphan') && !held && !called.has(keyOf(part)) && !anyResult.has(part.id)
      )
    })
}

/** Each turn that is asked about is looked at once: a message joins the turn before it, or opens another. */
function turnByTurn(
  length: number,
  joins: (at: number) => boolean,
  fails: (from: number, to: number) => boolean,
): IsFaulty {
  const answers = new Map<number, boolean>()
  return (message) => {
    const before = answers.get(message)
    if (before !== undefined) return before
    let from = message
    while (from > 0 && joins(from)) from--
    let to = message + 1
    while (to < length && joins(to)) to++
    const isFaulty = fails(from, to)
    for (let at = from; at < to; at++) answers.set(at, isFaulty)
    return isFaulty
  }
}

/** A part without an id counts as an id of its own, but never as one that is used twice. */
function byIds(calls: readonly string[], results: readonly string[], rejects: ReadonlySet<PairingFault>): boolean {
  const called = new Set(calls)
  const answered = new Set(results)
  const named = results.filter((id) => id !== '')
  return (
    (rejects.has('missing') && calls.some((id) => !answered.has(id))) ||
    (rejects.has('orphan') && results.some((id) => !called.has(id))) ||
    (rejects.has('duplicate') && new Set(named).size < named.length)
  )
}

/** A call without an id takes any result, a result without one answers any call. */
function byNumber(calls: readonly string[], results: readonly string[]): boolean {
  if (calls.length !== results.length) return true
  if (calls.includes('')) return false
  const left = new Map<string, number>()
  for (const id of calls) left.set(id, (left.get(id) ?? 0) + 1)
  for (const id of results) left.set(id, (left.get(id) ?? 0) - 1)
  return results.some((id) => id !== '' && left.get(id)! < 0)
}

function idsOf(message: number, kind: 'call' | 'result', t: Transcript): readonly string[] {
  return t
    .partsOf(message)
    .filter((part) => part.kind === kind && !part.server && !isLegacy(part, t))
    .map(({ id }) => id ?? '')
}

/** A pair of the API's first version is not among the calls and results of today. */
function isLegacy(part: Part, t: Transcript): boolean {
  return t.dialect.callType?.(part) === 'legacy'
}
