/** Faults of native messages: missing and null content, unknown fields, entries that are not messages. */
import { put } from '../../core/index.ts'
import type { Tape } from '../shapes/tape.ts'

const ENTRIES: readonly unknown[] = [null, 7, 'loose', [], {}, { role: 'robot', content: 'beep' }, { role: 'user' }]

export function spoil(history: unknown[], tape: Tape): unknown[] {
  if (!tape.chance(25) || history.length === 0) return history
  const index = tape.upTo(history.length)
  const message = history[index]
  switch (tape.upTo(6)) {
    case 0:
      if (isRecord(message)) message['metadata'] = { seen: true }
      return history
    case 1:
      if (isRecord(message)) delete message[contentKey(message)]
      return history
    case 2:
      if (isRecord(message)) message[contentKey(message)] = tape.pick<unknown>([null, '', [], {}, 7])
      return history
    case 3:
      if (isRecord(message)) put(message, tape.pick(['__proto__', 'constructor', 'k\ud83d']), { x: '\udc00' })
      return history
    case 4:
      if (isRecord(message) && 'role' in message) message['role'] = tape.pick<unknown>(['robot', null, '', 'developer'])
      return history
    default:
      history.splice(index, 0, structuredClone(tape.pick(ENTRIES)))
      return history
  }
}

function contentKey(message: Record<string, unknown>): string {
  return 'parts' in message ? 'parts' : 'content'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
