/**
 * The steps of a mend, taken one by one into drafts: results in their slots, orphans as notes, the rest in its place.
 */
import { type Cause, textOf } from './cause.ts'
import type { Dialect } from './dialect.ts'
import { Drafts } from './drafts.ts'
import { HAS_RESULT, isBefore, type Outline, ROLE } from './part.ts'
import type { Step } from './rule.ts'
import type { Walk } from './walk.ts'

export class Steps {
  /** Never used: decision 0021. */
  static readonly kept = new Steps({} as Walk, [], 'lost')

  readonly body = new Map<string, unknown>()
  readonly drafts: Drafts
  readonly #walk: Walk
  readonly #dialect: Dialect
  readonly #rounds = new Set<number>()
  #slotRun: readonly [from: number, to: number] = [-1, -2]

  constructor(walk: Walk, steps: readonly Step[], cause: Cause) {
    this.#walk = walk
    this.#dialect = walk.dialect
    this.drafts = new Drafts(walk.dialect, walk.history)
    for (const step of steps) this.#take(step)
    for (const step of steps) if (step.do === 'note') this.#takeNote(step)
    for (const round of this.#rounds) this.#settle(round, cause)
  }

  #take(step: Step): void {
    if (step.do === 'write') this.#takeWrite(step)
    else if (step.do === 'replace') this.drafts.part(step.part).writes.push(step.with)
    else if (step.do === 'remove') this.drafts.part(step.part).gone = true
    else if (step.do === 'apart' || step.do === 'assign') this.drafts.part(step.part).apart = true
    else if (step.do === 'rewrite') this.drafts.at(step.message).rewrites.push(step.with)
    else if (step.do === 'insert') this.drafts.at(step.after).inserts.push(() => step.value)
    else if (step.do === 'move') this.#takeMove(step)
    else if (step.do === 'settle') this.#rounds.add(this.#walk.pairing.roundOf(step.call))
    else if (step.do === 'touch') this.drafts.at(step.message)
    else if (step.do === 'body') this.body.set(step.key, step.value)
  }

  #takeMove({ message, after }: Extract<Step, { do: 'move' }>): void {
    this.drafts.at(message).moved = true
    this.drafts.at(after).inserts.push(() => this.drafts.changed(message).message)
  }

  #takeWrite({ part, change }: Extract<Step, { do: 'write' }>): void {
    const edit = this.drafts.part(part)
    if ('id' in change || 'name' in change) edit.known = { ...edit.known, ...change }
    edit.writes.push((value) => this.#dialect.write(part, value, change))
  }

  /** A result whose call is gone is said as the user's note, where it stood; in a slot, behind the results that belong there. */
  #takeNote({ part, as, label }: Extract<Step, { do: 'note' }>): void {
    this.drafts.part(part).gone = true
    const place = this.drafts.at(this.#slotEnd(part.message))
    if (as === 'call') {
      const { id = 'call_restored', name = 'unknown_tool' } = this.drafts.renamed(part)
      const written = this.#dialect.write(part, this.drafts.valueOf(part), { id })
      place.notes.push(this.#dialect.call(part, id, name), ...this.#dialect.hold([written]))
      return
    }
    const { text, media } = this.#dialect.content(part)
    // The note is new text: half a character that the result had in it would be refused wherever it stands.
    place.notes.push(this.#dialect.say('user', (label + '\n' + text).toWellFormed(), media))
  }

  /** The last of the messages with results that this one is among: a note between them would cut the slot in two. */
  #slotEnd(message: number): number {
    const { outlines } = this.#walk
    if (message >= this.#slotRun[0] && message <= this.#slotRun[1]) return this.#slotRun[1]
    let end = message
    while (holdsResults(outlines[end + 1])) end++
    this.#slotRun = [message, end]
    return end
  }

  /** Gives each call of a round its result, in call order, in its slot. */
  #settle(round: number, cause: Cause): void {
    const { pairing } = this.#walk
    const anchor = this.#anchorOf(pairing.messageOf(round))
    const placed: unknown[] = []
    const stay = this.#dialect.slot === 'anywhere' && !this.#isAmbiguous(round)
    for (let i = round; i < pairing.count && pairing.roundOf(i) === round; i++) {
      const call = pairing.callAt(i)
      if (this.drafts.find(call)?.gone) continue
      const answer = pairing.answerAt(i)
      if (stay && answer && isBefore(call, answer)) continue
      if (!answer && this.#walk.isExcused(i)) continue
      placed.push(answer ? this.drafts.valueOf(answer) : this.#dialect.answer(this.drafts.renamed(call), textOf(cause)))
      if (answer) this.drafts.part(answer).gone = true
    }
    if (this.#canHost(anchor)) this.drafts.at(anchor + 1).head = placed
    else for (const message of this.#dialect.hold(placed)) this.drafts.at(anchor).results.push(message)
  }

  /** Whether the message behind the slot's anchor holds results already, and nothing comes between the two. */
  #canHost(anchor: number): boolean {
    return !!this.#dialect.blocks && holdsResults(this.#walk.outlines[anchor + 1]) && !this.drafts.isSplit(anchor)
  }

  /** Two calls of the round have one id: only the order of their results tells these apart. */
  #isAmbiguous(round: number): boolean {
    const { pairing } = this.#walk
    if (round + 1 === pairing.count || pairing.roundOf(round + 1) !== round) return false
    const ids = new Set<string | undefined>()
    for (let i = round; i < pairing.count && pairing.roundOf(i) === round; i++) {
      const { id } = this.drafts.renamed(pairing.callAt(i))
      if (ids.has(id)) return true
      ids.add(id)
    }
    return false
  }

  /** The last message before the slot. */
  #anchorOf(message: number): number {
    let anchor = message
    if (this.#dialect.slot === 'next' || (this.#walk.outlines[message]! & 7) !== ROLE.assistant) return anchor
    while (anchor + 1 < this.#walk.outlines.length && (this.#walk.outlines[anchor + 1]! & 7) === ROLE.assistant)
      anchor++
    return anchor
  }
}

function holdsResults(outline: Outline = 0): boolean {
  return (outline & HAS_RESULT) !== 0 && (outline & 7) !== ROLE.assistant
}
