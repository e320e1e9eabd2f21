/**
 * Fields that are not named as on the wire (`toolCalls`, `callId`): the provider does not read them, and what comes of that differs.
 */
import { type Bound, own, speaksOf, type Walk } from '../core/index.ts'
import { contentKey } from './content.ts'

/** By what the provider makes of the message without the field. */
export const oddKeys = {
  keys: 'Calls are not named as the provider names them: their results would answer nothing.',
  answer: 'The result does not name its call where the provider looks: the call would have none.',
  form: 'A call is not written as the provider writes one.',
  mute: 'Calls are not named as the provider names them, and the message has no content beside them.',
  hollow: 'Calls are not named as the provider names them, and the content beside them is empty.',
  unread: 'Calls are not named as the provider names them, and nothing answers them.',
} as const

/** A dialect says of a part that it is odd, or has to be asked for each item. */
export function noteOdd(index: number, walk: Walk): void {
  const message = walk.history[index]
  if (!walk.dialect.wire || walk.dialect.wire(message) === message) return
  const odd = walk.memory.get('odd') as Set<number> | undefined
  if (odd) odd.add(index)
  else walk.memory.set('odd', new Set([index]))
}

export function reportOdd(walk: Walk, bound: Bound): void {
  const odd = walk.memory.get('odd') as ReadonlySet<number> | undefined
  if (!odd) return
  const calls = new Map<number, number[]>()
  walk.pairing.calls.forEach((part, call) => {
    if (odd.has(part.message)) calls.set(part.message, [...(calls.get(part.message) ?? []), call])
  })
  for (const message of odd) {
    const id = faultOf(message, calls.get(message) ?? [], walk)
    if (!speaksOf(bound, id)) continue
    walk.report(bound, id, [message], {}, [{ do: 'rewrite', message, with: walk.dialect.wire! }])
  }
}

function faultOf(index: number, calls: readonly number[], walk: Walk): keyof typeof oddKeys {
  const { pairing, history, dialect } = walk
  if (calls.length === 0) return 'answer'
  const wired = dialect.wire!(history[index])
  const isRead = (call: number) => {
    const [list] = pairing.calls[call]!.list
    return list !== undefined && own(wired, list) !== undefined
  }
  const unread = calls.filter((call) => !isRead(call))
  if (unread.length === 0) return 'form'
  if (unread.some((call) => pairing.answers[call])) return 'keys'
  if (unread.length < calls.length) return 'unread'
  const content = own(history[index], contentKey(walk))
  if (content === undefined || content === null) return 'mute'
  return content === '' || (Array.isArray(content) && content.length === 0) ? 'hollow' : 'unread'
}
