/**
 * Whole rounds of plain messages that a mend has not touched, taken over from the walk before it in one go.
 */
import type { Look } from './look.ts'
import { HAS_CALL, type Outline, ROLE } from './part.ts'
import type { Rounds } from './rounds.ts'

/** A stretch of the walk before: its messages and calls up to, not including, the second number. */
export interface Stretch {
  readonly messages: readonly [from: number, to: number]
  readonly calls: readonly [from: number, to: number]
  /** Prompts in it, and those of them before its first call. */
  readonly breaks: readonly [all: number, first: number]
}

/**
 * From `at` on: settled messages that stand in both histories, side by side, cut where an answer begins that follows another voice. There, and
 * where `at` itself is such a place, no round is open. Looks at each message once: where it stops, the next one begins.
 */
export function stretchFrom(
  at: number,
  index: number,
  earlier: Look,
  history: readonly unknown[],
  first: number,
): Stretch | undefined {
  const { walk, settled } = earlier
  const { outlines, pairing } = walk
  if (!begins(at, outlines)) return undefined
  const open = { call: first, reach: 0, breaks: 0, early: 0 }
  let found: Stretch | undefined
  const end = Math.min(walk.history.length - at, history.length - index)
  for (let k = 0; k < end && settled[at + k] === 1 && walk.history[at + k] === history[index + k]; k++) {
    const message = at + k
    if (k > 0 && open.reach < message && begins(message, outlines))
      found = { messages: [at, message], calls: [first, open.call], breaks: [open.breaks, open.early] }
    const outline = outlines[message]!
    if ((outline & HAS_CALL) !== 0 && !takeCalls(message, pairing, open)) break
    if ((outline & 7) === ROLE.assistant || (outline & 7) === ROLE.tool) continue
    open.breaks++
    if (open.call === first) open.early++
  }
  return found
}

/** False: one of its calls has no plain answer. */
function takeCalls(message: number, pairing: Rounds, open: { call: number; reach: number }): boolean {
  for (; open.call < pairing.count && pairing.messageOf(open.call) === message; open.call++) {
    if (!pairing.isPlain(open.call) || !pairing.isAnswerPlain(open.call)) return false
    open.reach = Math.max(open.reach, pairing.answerMessageOf(open.call))
  }
  return true
}

function begins(at: number, outlines: Uint8Array): boolean {
  return isAnswer(outlines[at]!) && (at === 0 || !isAnswer(outlines[at - 1]!))
}

function isAnswer(outline: Outline): boolean {
  return (outline & 7) === ROLE.assistant
}
