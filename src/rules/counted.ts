/**
 * Turns as a chat template counts them: those that call and their results are left out, all others alternate, the user first.
 */
import { type Bound, HAS_RESULT, isObject, type Outline, own, roleOf, type Step, type Walk } from '../core/index.ts'
import { editedMessages } from './mends.ts'
import { BRIDGE, GO_ON, OPENING } from './said.ts'

export function reportCounted(walk: Walk, bound: Bound): void {
  const { history, outlines, dialect } = walk
  let expected: 'user' | 'assistant' = 'user'
  /** The last turn that counted, and what was joined to it. */
  let last = -1
  let joined: unknown[] = []
  const join = () => {
    if (joined.length > 1)
      walk.report(bound, 'merge', [last + joined.length - 1], {}, merging(last, joined.slice(1), walk))
  }
  for (let i = 0; i < outlines.length; i++) {
    const role = countedRole(outlines[i]!, history[i], i)
    if (role === undefined) continue
    if (role !== expected && last >= 0 && last + joined.length === i) {
      joined.push(history[i])
      continue
    }
    join()
    if (role !== expected) {
      const text = role === 'user' ? BRIDGE : last < 0 ? OPENING : GO_ON
      const id = role === 'user' ? 'bridge' : last < 0 ? 'first' : 'merge'
      const after = expected === 'user' && isBridged(i, walk, bound) ? behind(last + joined.length - 1, history) : i - 1
      walk.report(bound, id, [i], {}, [{ do: 'insert', after, value: dialect.say(expected, text) }])
    }
    last = i
    joined = [history[i]]
    expected = role === 'user' ? 'assistant' : 'user'
  }
  join()
}

/** A result stands before it, and the user may not speak right behind one: somebody else's law, where several are in force. */
function isBridged(index: number, { outlines, plan }: Walk, { rule }: Bound): boolean {
  const before = outlines[index - 1] ?? 0
  if (roleOf(before) !== 'tool' && (before & HAS_RESULT) === 0) return false
  return plan.bounds.get(rule.id)!.some(({ law }) => law['bridge'] === true)
}

/** Behind the last turn that counted, or at the head. */
function behind(last: number, history: readonly unknown[]): number {
  return last >= 0 ? last : own(history[0], 'role') === 'system' ? 0 : -1
}

/** Undefined: it does not count. Who is neither becomes the user where that is mended. */
function countedRole(outline: Outline, message: unknown, index: number): 'user' | 'assistant' | undefined {
  const role = roleOf(outline)
  // What is no message at all is another rule's, and counts when it has become one.
  if (role === 'tool' || !isObject(message) || calls(message)) return undefined
  if (index === 0 && own(message, 'role') === 'system') return undefined
  return role === 'assistant' ? 'assistant' : 'user'
}

/** A template looks for calls under this key alone. */
export function calls(message: unknown): boolean {
  const list = own(message, 'tool_calls')
  return Array.isArray(list) && list.length > 0
}

/** The first message says what the others say too. What is mended otherwise now is joined by the next walk: nothing it says may be written over. */
export function merging(first: number, rest: readonly unknown[], walk: Walk): readonly Step[] {
  const edited = editedMessages(walk)
  for (let i = first; i <= first + rest.length; i++) if (edited.has(i)) return []
  return [
    { do: 'rewrite', message: first, with: (now) => rest.reduce<unknown>(walk.dialect.merge, now) },
    ...rest.map((_, i): Step => ({ do: 'rewrite', message: first + 1 + i, with: () => undefined })),
  ]
}
