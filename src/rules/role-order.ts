import {
  type Bound,
  defineRule,
  type Explanation,
  HAS_CALL,
  HAS_OTHER,
  HAS_REASONING,
  HAS_RESULT,
  type Report,
  type Transcript,
} from '../core/index.ts'
import { asUser } from './lib/as-user.ts'
import { BRIDGE } from './lib/filler-texts.ts'
import { carriesResults, eachNeighbor } from './lib/neighbors.ts'
import { countedTurns } from './lib/template-turns.ts'

export interface RoleOrder {
  /** Roles of which two may not follow each other. Default after a rejection: user and assistant. */
  readonly merge?: readonly string[]
  /** A message of the user may follow one that holds only results. */
  readonly afterResults?: boolean
  /** The user may not speak directly after a result: a word of the assistant goes between them. */
  readonly bridge?: boolean
  /** Only one system message is taken, at the beginning; a later one becomes a marked message of the user. */
  readonly lead?: boolean
  /** Two turns of the assistant are rejected only at the end of the history. */
  readonly tail?: boolean
  /** After an optional system message user and assistant alternate, the user first; tool turns do not count. */
  readonly counted?: boolean
}

type Messages = 'lead' | 'merge' | 'first' | 'bridge'

export const roleOrder = defineRule({
  id: 'role-order',
  phase: 'structure',
  repair: 'lossy',
  messages: {
    lead: 'The system message {index} is not the first message; {rejects} that. {Repair} makes it a marked user message.',
    merge: 'Message {index} has the same role as the one before it; {rejects} that. {Repair} merges them.',
    first:
      'The first message that counts, {index}, is not from the user; {rejects} that. {Repair} inserts a user message.',
    bridge:
      'The user message {index} follows a tool result directly; {rejects} that. {Repair} inserts an assistant message between them.',
  },
  check(t, constraint: Bound<RoleOrder>, report: Report<Messages>) {
    const { bridge, lead, tail, counted, rejected } = constraint
    const merge = constraint.merge ?? (rejected ? ['user', 'assistant'] : [])
    if (lead) checkLead(t, report)
    if (bridge || merge.length > 0) checkNeighbors(t, merge, constraint, report)
    if (tail) checkTail(t, report)
    if (counted) for (const { id, at, fix } of countedTurns(t)) report(id, at, {}, fix)
  },
})

function checkLead(t: Transcript, report: Report<Messages>): void {
  for (let i = 1; i < t.history.length; i++)
    if (t.role(i) === 'system' && !t.partsOf(i).some(({ kind }) => kind === 'call'))
      report('lead', [i], {}, asUser(t, i, 'system'))
}

function checkNeighbors(
  t: Transcript,
  merge: readonly string[],
  { bridge, afterResults }: RoleOrder,
  report: Report<Messages>,
): void {
  eachNeighbor(t, (before, message) => {
    if (before < 0) return
    const [role, next] = [t.role(before), t.role(message)]
    // Merging would put the user's words beside the result.
    if (
      bridge &&
      next === 'user' &&
      (role === 'user' || role === 'tool') &&
      carriesResults(t, before) !== carriesResults(t, message)
    )
      report('bridge', [message], {}, [
        { do: 'insert', after: message - 1, value: t.dialect.textMessage('assistant', BRIDGE) },
      ])
    else if (afterResults && next === 'user' && isOnlyResults(t, before) && !carriesResults(t, message)) return
    else if (role === next && merge.includes(role)) report('merge', [message], {}, [{ do: 'merge', message }])
  })
}

function checkTail(t: Transcript, report: Report<Messages>): void {
  const last = t.history.length - 1
  let first = last
  while (first > 0 && t.isAssistant(first) && t.isAssistant(first - 1)) first--
  if (first >= last) return
  const fix = Array.from({ length: last - first }, (_, i) => ({ do: 'merge', message: first + 1 + i }) as const)
  report('merge', [last], {}, fix)
}

function isOnlyResults(t: Transcript, message: number): boolean {
  return (t.flags[message]! & (HAS_RESULT | HAS_OTHER | HAS_CALL | HAS_REASONING)) === HAS_RESULT
}

export const explanation: Explanation = {
  summary: 'Roles are in the order that the provider requires.',
  why: 'Some providers and chat templates reject two messages of the same role in a row, or a user message right after a tool message.',
  repair: 'Repair joins the two messages.',
}
