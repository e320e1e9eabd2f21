import {
  type Bound,
  defineRule,
  type Explanation,
  HAS_CALL,
  own,
  type Part,
  type Path,
  type Transcript,
  valueAt,
  withValueAt,
} from '../core/index.ts'

export interface ThinkingBlockMissingBeforeToolUse {
  /** Where in the request thinking is set. Default: `thinking`. */
  readonly setting?: Path
}

export const thinkingBlockMissingBeforeToolUse = defineRule({
  id: 'thinking-block-missing-before-tool-use',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'lossy',
  messages: {
    missing:
      'Thinking is on, but the last turn with calls, from message {index}, does not begin with thinking; {rejects} that. {Repair} turns thinking off for this request.',
  },
  check(t, { setting = ['thinking'] }: Bound<ThinkingBlockMissingBeforeToolUse>, report) {
    if (!t.request || own(valueAt(t.request, setting), 'type') !== 'enabled') return
    const turn = lastTurnWithCalls(t)
    if (turn < 0 || firstBlock(t, turn)?.kind === 'reasoning') return
    const [key, ...rest] = setting as readonly [string, ...string[]]
    const value = withValueAt(t.request[key], rest, { type: 'disabled' })
    report('missing', [turn], {}, [{ do: 'set-request', key, value }])
  },
})

/** Where the last run of assistant messages begins, if it makes a call; else -1. */
function lastTurnWithCalls(t: Transcript): number {
  let at = t.lastAssistant()
  let calls = false
  for (; at >= 0 && t.isAssistant(at); at--) calls ||= (t.flags[at]! & HAS_CALL) !== 0
  return calls ? at + 1 : -1
}

function firstBlock(t: Transcript, turn: number): Part | undefined {
  for (let i = turn; i < t.history.length && t.isAssistant(i); i++) {
    // A content that is an empty text has no blocks at all.
    const block = t.partsOf(i).find(({ index, value }) => index >= 0 || value !== '')
    if (block) return block
  }
  return undefined
}

export const explanation: Explanation = {
  summary: 'With thinking enabled, the assistant turn whose calls are being answered begins with a thinking block.',
  why: 'If thinking was enabled or lost in the middle of a tool loop, the missing block cannot be recreated.',
  repair: 'Repair disables thinking for this request.',
}
