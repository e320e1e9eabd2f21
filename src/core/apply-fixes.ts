/** From the fixes of one pass to a patch. Visits only messages that a fix touches; compares by reference. */
import { type Cause, textOf } from './cause.ts'
import { type Patch, setting } from './edit.ts'
import type { Fix, Step } from './fix.ts'
import { BEGINNING, MessageEdits } from './message-edits.ts'
import { MessageList } from './message-list.ts'
import { HAS_RESULT, isBefore, ROLE } from './part.ts'
import type { Transcript } from './transcript.ts'

export interface Applied {
  readonly patch: Patch
  /** For each message of the outcome the index that it had before; -1: it is new. */
  readonly origins: readonly number[]
}

export function applyFixes(transcript: Transcript, fixes: readonly Fix[], cause: Cause): Applied {
  const edits = new MessageEdits(transcript.dialect, transcript.history)
  const request = collect(compatible(fixes, transcript), transcript, edits, cause)
  const list = new MessageList(transcript)
  let next = 0
  for (const index of edits.touched()) {
    if (index === BEGINNING) {
      for (const value of edits.following(index)) list.add(value, -1)
      continue
    }
    list.keep(next, index)
    const { message, emptied } = edits.at(index).moved ? NOTHING : edits.changed(index)
    const following = edits.following(index)
    if (message === undefined) list.remove(index, emptied && following.length === 0)
    else if (edits.isMerged(index)) list.merge(message, index)
    else list.add(message, index)
    for (const value of following) list.add(value, -1)
    next = index + 1
  }
  list.keep(next, transcript.history.length)
  const patch = list.finish()
  for (const [key, now] of request) patch.push(setting([], key, transcript.request?.[key], now))
  return { patch, origins: list.origins }
}

const NOTHING = { message: undefined, emptied: false }

/**
 * The steps of all fixes that can be applied together. A message is inserted because of its neighbors: if another fix
 * removes, adds or moves messages there, it waits for the next pass, which checks the new neighbors.
 */
function compatible(fixes: readonly Fix[], transcript: Transcript): Fix {
  if (!fixes.some(inserts)) return fixes.flat()
  const changed = new Set<number>()
  const mark = (fix: Fix) => {
    for (const step of fix) for (const message of messagesChanged(step, transcript)) changed.add(message)
  }
  for (const fix of fixes) if (!inserts(fix)) mark(fix)
  return fixes.flatMap((fix) => {
    if (!inserts(fix)) return fix
    if (fix.some((step) => step.do === 'insert' && (changed.has(step.after) || changed.has(step.after + 1)))) return []
    mark(fix)
    return fix
  })
}

function inserts(fix: Fix): boolean {
  return fix.some((step) => step.do === 'insert')
}

/** Messages that a step removes, moves, empties or adds next to. Rewriting a part changes no neighbors. */
function messagesChanged(step: Step, { calls, pairs }: Transcript): readonly number[] {
  switch (step.do) {
    case 'write':
    case 'set-part':
    case 'set-request':
      return []
    case 'complete-round': {
      const changed = [calls[step.call]!.message]
      for (let i = pairs.rounds[step.call]!; i < calls.length && pairs.rounds[i] === pairs.rounds[step.call]; i++)
        if (pairs.results[i]) changed.push(pairs.results[i]!.message)
      return changed
    }
    case 'insert':
      return [step.after, step.after + 1]
    case 'move':
      return [step.message, step.after]
    default:
      return ['part' in step ? step.part.message : step.message]
  }
}

/** Takes the steps one by one; what they do to the request around the history comes back, by key. */
function collect(steps: Fix, transcript: Transcript, edits: MessageEdits, cause: Cause): Map<string, unknown> {
  const request = new Map<string, unknown>()
  const rounds = new Set<number>()
  const notes: Step[] = []
  for (const step of steps) {
    if (step.do === 'set-request') {
      if (!request.has(step.key)) request.set(step.key, step.value)
    } else if (step.do === 'complete-round') rounds.add(transcript.pairs.rounds[step.call]!)
    else if (step.do === 'note' || step.do === 'rebuild-call') notes.push(step)
    else take(step, edits)
  }
  addNotes(notes, transcript, edits)
  for (const round of rounds) completeRound(round, transcript, edits, cause)
  return request
}

function take(step: Step, edits: MessageEdits): void {
  switch (step.do) {
    case 'write':
      edits.write(step.part, step.change)
      break
    case 'set-part':
      edits.setPart(step.part, step.key, step.value)
      break
    case 'replace':
      edits.replacePart(step.part, step.value)
      break
    case 'set':
      edits.setKey(step.message, step.key, step.value)
      break
    case 'remove':
      edits.part(step.part).removed = true
      break
    case 'split-out':
    case 'reassign':
      edits.part(step.part).splitOut = true
      break
    case 'replace-message':
      edits.at(step.message).replaced ??= { value: step.value, more: step.more ?? [] }
      break
    case 'insert':
      edits.at(step.after).inserts.push(() => step.value)
      break
    case 'merge':
      edits.at(step.message).merged = true
      break
    case 'move':
      edits.at(step.message).moved = true
      edits.at(step.after).inserts.push(() => edits.changed(step.message).message)
  }
}

/** A result whose call is gone becomes a note where it was; among results, after the ones that belong there. */
function addNotes(steps: readonly Step[], transcript: Transcript, edits: MessageEdits): void {
  const { dialect } = transcript
  let slot: readonly [from: number, to: number] = [-1, -2]
  for (const step of steps) {
    if (step.do !== 'note' && step.do !== 'rebuild-call') continue
    const { part } = step
    slot = slotOf(part.message, slot, transcript)
    const edit = edits.part(part)
    if (edit.removed) continue
    edit.removed = true
    const { notes } = edits.at(slot[1])
    if (step.do === 'rebuild-call') {
      const written = dialect.write(part, edits.valueOf(part), { id: step.id })
      notes.push(dialect.call(part, step.id, step.name), ...dialect.wrapResults([written]))
    } else {
      const { text, media } = dialect.content(part)
      // New text: half a character that the result had in it would be rejected anywhere.
      notes.push(dialect.textMessage('user', (step.label + '\n' + text).toWellFormed(), media))
    }
  }
}

/** Messages with results, from this one to the last after it. A note between results would divide them. */
function slotOf(message: number, last: readonly [number, number], { flags }: Transcript): readonly [number, number] {
  if (message >= last[0] && message <= last[1]) return last
  let end = message
  while (holdsResults(flags[end + 1])) end++
  return [message, end]
}

/** Gives each call of a round its result, in call order, where the dialect wants it. */
function completeRound(round: number, transcript: Transcript, edits: MessageEdits, cause: Cause): void {
  const { dialect, flags, pairs, calls } = transcript
  const placed: unknown[] = []
  const stay = dialect.resultPlacement === 'anywhere' && !isAmbiguous(round, transcript, edits)
  for (let i = round; i < calls.length && pairs.rounds[i] === round; i++) {
    const call = calls[i]!
    if (edits.find(call)?.removed) continue
    const result = pairs.results[i]
    if (dialect.answerInPlace && result) continue
    if (stay && result && isBefore(call, result)) continue
    if (!result && transcript.isExempt(call)) continue
    if (dialect.answerInPlace) {
      edits.replacePart(call, dialect.answerInPlace(edits.renamed(call), textOf(cause)))
      continue
    }
    placed.push(result ? edits.valueOf(result) : dialect.answer(edits.renamed(call), textOf(cause)))
    if (result) edits.part(result).removed = true
  }
  const anchor = anchorOf(calls[round]!.message, transcript)
  // The next message holds results already, and nothing comes between the two.
  if (dialect.blocks && holdsResults(flags[anchor + 1]) && !edits.isSplit(anchor)) edits.at(anchor + 1).head = placed
  else for (const message of dialect.wrapResults(placed)) edits.at(anchor).results.push(message)
}

/** Two calls of the round have one id: only the order of their results tells them apart. */
function isAmbiguous(round: number, { pairs, calls }: Transcript, edits: MessageEdits): boolean {
  const ids = new Set<string | undefined>()
  let i = round
  for (; i < calls.length && pairs.rounds[i] === round; i++) ids.add(edits.renamed(calls[i]!).id)
  return ids.size < i - round
}

/** The last message before the results of a call in this message. */
function anchorOf(message: number, { dialect, flags }: Transcript): number {
  let anchor = message
  if (dialect.resultPlacement === 'next-message' || !isAssistant(flags[message])) return anchor
  while (isAssistant(flags[anchor + 1])) anchor++
  return anchor
}

function holdsResults(flags = 0): boolean {
  return (flags & HAS_RESULT) !== 0 && !isAssistant(flags)
}

function isAssistant(flags = 0): boolean {
  return (flags & 7) === ROLE.assistant
}
