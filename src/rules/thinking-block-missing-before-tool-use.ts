import {
  type Bound,
  defineRule,
  type Explanation,
  HAS_CALL,
  own,
  type Part,
  ROLE,
  valueAt,
  type Walk,
  withValueAt,
} from '../core/index.ts'
import { mendingSteps } from './mends.ts'
import { lastAssistant } from './thinking.ts'

export const explanation: Explanation = {
  says: 'With thinking enabled, the turn whose calls are being answered begins with thinking.',
  why: 'Thinking that was switched on, or lost, in the middle of a tool loop cannot be made up.',
  refusals: [/Expected `?thinking`? or `?redacted_thinking`?, but found/i],
}

/** Law: `setting` — where in the body thinking is set. Known from a whole request only; `enabled` alone asks for it. */
export const thinkingBlockMissingBeforeToolUse = defineRule({
  id: 'thinking-block-missing-before-tool-use',
  repair: 'lossy',
  messages: { missing: 'Thinking is enabled, but the last turn with calls does not begin with thinking.' },
  checks: {
    end: check,
    // Asked again: another rule may take away the thinking that was there.
    edited: (_first, bound, walk) => check(walk, bound),
  },
})

function check(walk: Walk, bound: Bound): void {
  const path = (bound.law['setting'] as readonly string[] | undefined) ?? ['thinking']
  if (!walk.body || own(valueAt(walk.body, path), 'type') !== 'enabled' || walk.memory.has(bound.rule.id)) return
  const turn = lastTurn(walk)
  if (turn < 0 || beginsWithThinking(turn, walk)) return
  walk.memory.set(bound.rule.id, true)
  const [key, ...rest] = path
  const value = withValueAt(walk.body[key!], rest, { type: 'disabled' })
  walk.report(bound, 'missing', [turn], {}, [{ do: 'body', key: key!, value }])
}

/** Where the last run of assistant messages begins, if it makes a call. */
function lastTurn(walk: Walk): number {
  const { outlines } = walk
  let at = lastAssistant(walk)
  let calls = false
  for (; at >= 0 && (outlines[at]! & 7) === ROLE.assistant; at--) calls ||= (outlines[at]! & HAS_CALL) !== 0
  return calls ? at + 1 : -1
}

function beginsWithThinking(turn: number, walk: Walk): boolean {
  const gone = goneFrom(turn, walk)
  const parts: Part[] = []
  for (let i = turn; i < walk.outlines.length && (walk.outlines[i]! & 7) === ROLE.assistant; i++) {
    walk.dialect.read(walk.history[i], i, parts)
  }
  return parts.find((part) => isBlock(part) && !gone.has(`${part.message}:${part.index}`))?.kind === 'reasoning'
}

/** A content that is an empty text has no blocks at all. */
function isBlock({ index, value }: Part): boolean {
  return index >= 0 || value !== ''
}

function goneFrom(turn: number, walk: Walk): ReadonlySet<string> {
  const gone = new Set<string>()
  for (const step of mendingSteps(walk)) {
    if (step.do === 'remove' && step.part.message >= turn) gone.add(`${step.part.message}:${step.part.index}`)
  }
  return gone
}
