/** Turns as a chat template counts them: without calls and their results; all others alternate, the user first. */
import { type Fix, HAS_CALL, isObject, type Path, type Transcript } from '../../core/index.ts'
import { BRIDGE, CONTINUE, OPENING } from './filler-texts.ts'

interface Fault {
  readonly id: 'merge' | 'first' | 'bridge'
  readonly at: Path
  readonly fix: Fix
}

export function countedTurns(t: Transcript): readonly Fault[] {
  const faults: Fault[] = []
  let expected: 'user' | 'assistant' = 'user'
  let last = -1
  for (let i = 0; i < t.history.length; i++) {
    const role = countedRole(t, i)
    if (role === undefined) continue
    if (role === expected) {
      last = i
      expected = role === 'user' ? 'assistant' : 'user'
    } else if (last >= 0 && last === i - 1) {
      faults.push({ id: 'merge', at: [i], fix: [{ do: 'merge', message: i }] })
      last = i
    } else {
      faults.push(missingTurn(t, i, last, expected))
      last = i
    }
  }
  return faults
}

function missingTurn(t: Transcript, i: number, last: number, expected: 'user' | 'assistant'): Fault {
  const text = expected === 'assistant' ? BRIDGE : last < 0 ? OPENING : CONTINUE
  const id = expected === 'assistant' ? 'bridge' : last < 0 ? 'first' : 'merge'
  const isAfterResult = i > 0 && t.role(i - 1) === 'tool'
  const head = t.role(0) === 'system' ? 0 : -1
  // Not between a result and what follows it: some templates reject a user turn there.
  const after = expected === 'user' && isAfterResult ? (last >= 0 ? last : head) : i - 1
  return { id, at: [i], fix: [{ do: 'insert', after, value: t.dialect.textMessage(expected, text) }] }
}

/** Undefined: the message does not count. Any role that is not the assistant's counts as the user's. */
function countedRole(t: Transcript, i: number): 'user' | 'assistant' | undefined {
  const role = t.role(i)
  if (role === 'tool' || !isObject(t.history[i]) || (t.flags[i]! & HAS_CALL) !== 0) return undefined
  if (i === 0 && role === 'system') return undefined
  return role === 'assistant' ? 'assistant' : 'user'
}
