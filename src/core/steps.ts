/**
 * The steps of a mend, taken one by one into drafts: results in their slots, orphans as notes, the rest in its place.
 */
import { type Cause, textOf } from './cause.ts'
import type { Drafts } from './drafts.ts'
import { HAS_RESULT, isBefore, type Outline, ROLE } from './part.ts'
import type { Step } from './rule.ts'
import type { Walk } from './walk.ts'

/** What the steps do to the request around the history comes back, by key. */
export function takeSteps(steps: readonly Step[], walk: Walk, drafts: Drafts, cause: Cause): Map<string, unknown> {
  const body = new Map<string, unknown>()
  const rounds = new Set<number>()
  for (const step of steps) {
    if (step.do === 'body') body.set(step.key, step.value)
    else if (step.do === 'settle') rounds.add(walk.pairing.roundOf(step.call))
    else take(step, walk, drafts)
  }
  let slot: Slot = [-1, -2]
  for (const step of steps) {
    if (step.do !== 'note') continue
    slot = slotOf(step.part.message, slot, walk)
    takeNote(step, slot[1], walk, drafts)
  }
  for (const round of rounds) settle(round, walk, drafts, cause)
  return body
}

function take(step: Step, { dialect }: Walk, drafts: Drafts): void {
  if (step.do === 'write') {
    const { part, change } = step
    const edit = drafts.part(part)
    if ('id' in change || 'name' in change) edit.known = { ...edit.known, ...change }
    edit.writes.push((value) => dialect.write(part, value, change))
  } else if (step.do === 'replace') drafts.part(step.part).writes.push(step.with)
  else if (step.do === 'remove') drafts.part(step.part).gone = true
  else if (step.do === 'apart' || step.do === 'assign') drafts.part(step.part).apart = true
  else if (step.do === 'rewrite') drafts.at(step.message).rewrites.push(step.with)
  else if (step.do === 'insert') drafts.at(step.after).inserts.push(() => step.value)
  else if (step.do === 'touch') drafts.at(step.message)
  else if (step.do === 'move') {
    drafts.at(step.message).moved = true
    drafts.at(step.after).inserts.push(() => drafts.changed(step.message).message)
  }
}

/** A result whose call is gone is said as the user's note, where it stood; in a slot, behind the results that belong there. */
function takeNote(
  { part, as, label }: Extract<Step, { do: 'note' }>,
  after: number,
  { dialect }: Walk,
  drafts: Drafts,
): void {
  drafts.part(part).gone = true
  const { notes } = drafts.at(after)
  if (as === 'call') {
    const { id = 'call_restored', name = 'unknown_tool' } = drafts.renamed(part)
    const written = dialect.write(part, drafts.valueOf(part), { id })
    notes.push(dialect.call(part, id, name), ...dialect.hold([written]))
    return
  }
  const { text, media } = dialect.content(part)
  // The note is new text: half a character that the result had in it would be refused wherever it stands.
  notes.push(dialect.say('user', (label + '\n' + text).toWellFormed(), media))
}

/** Messages with results, from the first that was asked for to the last behind it. */
type Slot = readonly [from: number, to: number]

/** A note between results would cut their slot in two. Most ask for the same slot as the one before. */
function slotOf(message: number, last: Slot, { outlines }: Walk): Slot {
  if (message >= last[0] && message <= last[1]) return last
  let end = message
  while (holdsResults(outlines[end + 1])) end++
  return [message, end]
}

/** Gives each call of a round its result, in call order, in its slot. */
function settle(round: number, walk: Walk, drafts: Drafts, cause: Cause): void {
  const { pairing, dialect, outlines } = walk
  const placed: unknown[] = []
  const stay = dialect.slot === 'anywhere' && !isAmbiguous(round, walk, drafts)
  for (let i = round; i < pairing.count && pairing.roundOf(i) === round; i++) {
    const call = pairing.callAt(i)
    if (drafts.find(call)?.gone) continue
    const answer = pairing.answerAt(i)
    if (stay && answer && isBefore(call, answer)) continue
    if (!answer && walk.isExcused(i)) continue
    placed.push(answer ? drafts.valueOf(answer) : dialect.answer(drafts.renamed(call), textOf(cause)))
    if (answer) drafts.part(answer).gone = true
  }
  const anchor = anchorOf(pairing.messageOf(round), walk)
  // The message behind holds results already, and nothing comes between the two.
  if (dialect.blocks && holdsResults(outlines[anchor + 1]) && !drafts.isSplit(anchor))
    drafts.at(anchor + 1).head = placed
  else for (const message of dialect.hold(placed)) drafts.at(anchor).results.push(message)
}

/** Two calls of the round have one id: only the order of their results tells these apart. */
function isAmbiguous(round: number, { pairing }: Walk, drafts: Drafts): boolean {
  const ids = new Set<string | undefined>()
  let i = round
  for (; i < pairing.count && pairing.roundOf(i) === round; i++) ids.add(drafts.renamed(pairing.callAt(i)).id)
  return ids.size < i - round
}

/** The last message before the slot. */
function anchorOf(message: number, { dialect, outlines }: Walk): number {
  let anchor = message
  if (dialect.slot === 'next' || !isAssistant(outlines[message])) return anchor
  while (isAssistant(outlines[anchor + 1])) anchor++
  return anchor
}

function holdsResults(outline: Outline = 0): boolean {
  return (outline & HAS_RESULT) !== 0 && !isAssistant(outline)
}

function isAssistant(outline: Outline = 0): boolean {
  return (outline & 7) === ROLE.assistant
}
