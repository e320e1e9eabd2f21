/**
 * Fields that are not named as on the wire (`toolCalls`, `callId`): the provider does not read them, and what comes of that differs.
 */
import { type Bound, own, type Part, speaksOf, type Walk } from '../core/index.ts'
import { contentKey, isEmptyContent } from './content.ts'
import { addTo, shared } from './memory.ts'
import { asSeen } from './seen.ts'

/** By what the provider makes of the message without the field. */
export const oddKeys = {
  keys: 'Calls are not named as the provider names them: their results would answer nothing.',
  answer: 'The result does not name its call where the provider looks: the call would have none.',
  stray: 'The result does not name its call where the provider looks, and answers none: it would be an orphan.',
  form: 'A call is not written as the provider writes one.',
  mute: 'Calls are not named as the provider names them, and the message has no content beside them.',
  hollow: 'Calls are not named as the provider names them, and the content beside them is empty.',
  unread: 'Calls are not named as the provider names them, and nothing answers them.',
} as const

/** Whether the part stands in a list that is not there on the wire, or under the key of calls before there were lists. */
export function isUnread({ list, message, type, kind }: Part, walk: Walk): boolean {
  const [key] = list
  if (key === 'function_call') return true
  if (key === undefined || (type !== 'odd' && kind !== 'opaque') || !walk.dialect.wire) return false
  const last = walk.memory.get('wired') as { message: number; wired: unknown } | undefined
  if (last?.message === message) return own(last.wired, key) === undefined
  const wired = walk.dialect.wire(walk.history[message])
  walk.memory.set('wired', { message, wired })
  return own(wired, key) === undefined
}

/** A call of which the provider reads neither name nor arguments: they stand beside its id. */
export function isFlat({ type, list, value }: Part): boolean {
  return type === 'odd' && list.length > 0 && own(value, 'function') === undefined
}

/** The bound as it is, or as a warning about a call that the provider does not read. Law: `types` — native types of calls that it is about (default all). */
export function asRead(bound: Bound, call: Part, walk: Walk): Bound {
  if (bound.severity !== 'error' || bound.refused) return bound
  const types = bound.law['types'] as readonly string[] | undefined
  if (!isUnread(call, walk) && (types?.includes(call.type.replace(/_output$/, '')) ?? true)) return bound
  return { ...bound, severity: 'warning' }
}

/** A dialect says of a part that it is odd, or has to be asked for each item. */
export function noteOdd(index: number, walk: Walk): void {
  const message = walk.history[index]
  if (!walk.dialect.wire || walk.dialect.wire(message) === message) return
  shared(walk, 'odd', () => new Set<number>()).add(index)
}

export function reportOdd(walk: Walk, bound: Bound): void {
  const odd = walk.memory.get('odd') as ReadonlySet<number> | undefined
  if (!odd) return
  const { pairing } = walk
  const made = new Map<number, number[]>()
  const answering = new Map<number, number>()
  for (let call = 0; call < pairing.count; call++) {
    const message = pairing.messageOf(call)
    if (odd.has(message)) addTo(made, message, call)
    if (!pairing.isAnswered(call)) continue
    if (pairing.isPlain(call) || !isUnread(pairing.callAt(call), walk))
      answering.set(pairing.answerMessageOf(call), message)
  }
  for (const message of odd) {
    const spoken = faultsOf(message, made.get(message) ?? [], answering.has(message), walk).filter((fault) =>
      speaksOf(bound, fault),
    )
    const asPaired =
      bound.law['always'] === true ? bound : asSeen(bound, walk, message, answering.get(message) ?? message)
    const boundOf = (fault: Fault) => (PAIRING.has(fault) ? asPaired : bound)
    const id = spoken.find((fault) => boundOf(fault).severity === 'error') ?? spoken[0]
    if (id) walk.report(boundOf(id), id, [message], {}, [{ do: 'rewrite', message, with: walk.dialect.wire! }])
  }
}

type Fault = keyof typeof oddKeys

/** What only comes of how calls and results are paired. */
const PAIRING: ReadonlySet<Fault> = new Set<Fault>(['keys', 'answer', 'stray'])

/** All that a provider could take offence at; the law says at which it does. */
function faultsOf(index: number, calls: readonly number[], answers: boolean, walk: Walk): readonly Fault[] {
  const { pairing, history } = walk
  if (calls.length === 0) return [answers ? 'answer' : 'stray']
  const unread = calls.filter((call) => isUnread(pairing.callAt(call), walk))
  if (unread.length === 0) return ['form']
  const keys: readonly Fault[] = unread.some((call) => pairing.isAnswered(call)) ? ['keys'] : []
  const content = own(history[index], contentKey(walk))
  if (unread.length < calls.length) return [...keys, 'unread']
  if (content === undefined || content === null) return [...keys, 'mute']
  return [...keys, isEmptyContent(content) ? 'hollow' : 'unread']
}
