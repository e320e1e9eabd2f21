/**
 * The steps of a mend, gathered by place: what each message loses, gains and becomes.
 * Values stay native; a part is known by its reference, so steps of several rules on one part add up.
 */
import { type Cause, textOf } from './cause.ts'
import type { Dialect } from './dialect.ts'
import { isObject, valueAt, withValueAt } from './json.ts'
import { HAS_RESULT, type Part, ROLE } from './part.ts'
import type { Step } from './rule.ts'
import type { Walk } from './walk.ts'

interface PartEdit {
  readonly writes: ((value: unknown) => unknown)[]
  /** Taken out of its place, for good or to stand elsewhere. */
  gone: boolean
  /** It stands in a copy of its message from now on, or, a call, in a message of the assistant's. */
  apart: boolean
  id: string | undefined
  name: string | undefined
}

interface MessageEdit {
  readonly parts: Map<Part, PartEdit>
  readonly rewrites: ((message: unknown) => unknown)[]
  /** Results that stand at the head of this message's blocks from now on. */
  head: unknown[]
  /** Messages that come right behind this one: results first, then what else is inserted. */
  readonly results: unknown[]
  readonly inserts: unknown[]
  /** It stands elsewhere from now on. */
  moved: boolean
  /** Notes for results that left this message. */
  readonly notes: unknown[]
}

export class Steps {
  readonly body = new Map<string, unknown>()
  private readonly walk: Walk
  private readonly dialect: Dialect
  private readonly edits = new Map<number, MessageEdit>()
  private readonly rounds = new Set<number>()
  private slotRun: readonly [from: number, to: number] = [-1, -2]

  constructor(walk: Walk, steps: Iterable<Step>, cause: Cause) {
    this.walk = walk
    this.dialect = walk.dialect
    const all = [...steps]
    for (const step of all) this.take(step)
    for (const step of all) if (step.do === 'note') this.takeNote(step)
    for (const round of this.rounds) this.settle(round, cause)
  }

  /** Messages that change, in order. */
  touched(): number[] {
    return [...this.edits.keys()].sort((a, b) => a - b)
  }

  /** What stands in the place of this message from now on. `emptied`: it was left with nothing to say. */
  outcome(index: number): { message: unknown; emptied: boolean; behind: unknown[] } {
    const edit = this.edits.get(index)!
    const assigned = this.assigned(edit)
    const behind = [...assigned, ...edit.results, ...edit.notes, ...this.apart(index, edit), ...this.inserted(edit)]
    if (edit.moved) return { message: undefined, emptied: false, behind }
    return { ...this.changed(index, edit), behind }
  }

  private changed(index: number, edit: MessageEdit): { message: unknown; emptied: boolean } {
    const original = this.walk.history[index]
    let message = this.editParts(original, edit)
    for (const rewrite of edit.rewrites) message = message === undefined ? undefined : rewrite(message)
    if (message === original || message === undefined) return { message, emptied: false }
    const tidied = this.dialect.tidy(message, original)
    return { message: tidied, emptied: tidied === undefined }
  }

  /** Messages that were put behind this one; those that moved here come with their own changes. */
  private inserted(edit: MessageEdit): unknown[] {
    return edit.inserts
      .map((value) => (value instanceof Moved ? this.changed(value.message, this.at(value.message)).message : value))
      .filter((value) => value !== undefined)
  }

  private apart(index: number, edit: MessageEdit): unknown[] {
    const parts = [...edit.parts]
      .filter(([part, { apart, gone }]) => apart && !gone && part.kind !== 'call')
      .map(([part]) => part)
    if (parts.length === 0 || !this.dialect.blocks) return []
    const values = parts.sort((a, b) => a.index - b.index).map((part) => this.valueOf(part))
    const copy = this.dialect.tidy(withValueAt(this.walk.history[index], this.dialect.blocks, values))
    return copy === undefined ? [] : [copy]
  }

  private assigned(edit: MessageEdit): unknown[] {
    const calls = [...edit.parts]
      .filter(([part, { apart, gone }]) => apart && !gone && part.kind === 'call')
      .map(([part]) => part)
    if (calls.length === 0) return []
    const values = calls.sort((a, b) => a.index - b.index).map((part) => this.valueOf(part))
    return [withValueAt(this.dialect.say('assistant', ''), calls[0]!.list, values)]
  }

  private take(step: Step): void {
    if (step.do === 'write') this.takeWrite(step)
    else if (step.do === 'replace') this.part(step.part).writes.push(step.with)
    else if (step.do === 'remove') this.part(step.part).gone = true
    else if (step.do === 'apart' || step.do === 'assign') this.part(step.part).apart = true
    else if (step.do === 'rewrite') this.at(step.message).rewrites.push(step.with)
    else if (step.do === 'insert') this.at(step.after).inserts.push(step.value)
    else if (step.do === 'move') this.takeMove(step)
    else if (step.do === 'settle') this.rounds.add(this.walk.pairing.rounds[step.call]!)
    else if (step.do === 'touch') this.at(step.message)
    else if (step.do === 'body') this.body.set(step.key, step.value)
  }

  private takeMove({ message, after }: Extract<Step, { do: 'move' }>): void {
    this.at(message).moved = true
    this.at(after).inserts.push(new Moved(message))
  }

  private takeWrite({ part, change }: Extract<Step, { do: 'write' }>): void {
    const edit = this.part(part)
    if ('id' in change) edit.id = change.id
    if ('name' in change) edit.name = change.name
    edit.writes.push((value) => this.dialect.write(part, value, change))
  }

  /** A result whose call is gone is said as the user's note, where it stood; in a slot, behind the results that belong there. */
  private takeNote({ part, as, label }: Extract<Step, { do: 'note' }>): void {
    this.part(part).gone = true
    const place = this.at(this.slotEnd(part.message))
    if (as === 'call') {
      const { id = 'call_restored', name = 'unknown_tool' } = this.renamed(part)
      const written = this.dialect.write(part, this.valueOf(part), { id })
      place.notes.push(this.dialect.call(part, id, name), ...this.dialect.hold([written]))
      return
    }
    const { text, media } = this.dialect.content(part)
    // The note is new text: half a character that the result had in it would be refused wherever it stands.
    place.notes.push(this.dialect.say('user', (label + '\n' + text).toWellFormed(), media))
  }

  /** The last of the messages with results that this one is among: a note between them would cut the slot in two. */
  private slotEnd(message: number): number {
    const { outlines } = this.walk
    if (message >= this.slotRun[0] && message <= this.slotRun[1]) return this.slotRun[1]
    let end = message
    while (
      end + 1 < outlines.length &&
      (outlines[end + 1]! & HAS_RESULT) !== 0 &&
      (outlines[end + 1]! & 7) !== ROLE.assistant
    )
      end++
    this.slotRun = [message, end]
    return end
  }

  /** Gives each call of a round its result, in call order, in its slot. */
  private settle(round: number, cause: Cause): void {
    const { calls, answers, rounds } = this.walk.pairing
    const anchor = this.anchorOf(calls[round]!.message)
    const placed: unknown[] = []
    const stay = this.dialect.slot === 'anywhere' && !this.isAmbiguous(round)
    for (let i = round; i < calls.length && rounds[i] === round; i++) {
      const call = calls[i]!
      if (this.find(call)?.gone) continue
      const answer = answers[i]
      if (stay && answer && !this.isEarly(i)) continue
      if (!answer && this.walk.isExcused(i)) continue
      placed.push(answer ? this.valueOf(answer) : this.dialect.answer(this.renamed(call), textOf(cause)))
      if (answer) this.part(answer).gone = true
    }
    if (this.canHost(anchor)) this.at(anchor + 1).head = placed
    else this.at(anchor).results.push(...this.dialect.hold(placed))
  }

  /** Whether the message behind the slot's anchor holds results already, and nothing comes between the two. */
  private canHost(anchor: number): boolean {
    const host = this.walk.outlines[anchor + 1] ?? 0
    if (!this.dialect.blocks || (host & HAS_RESULT) === 0 || (host & 7) === ROLE.assistant) return false
    return ![...(this.edits.get(anchor)?.parts.values() ?? [])].some(({ apart }) => apart)
  }

  /** Two calls of the round have one id: only the order of their results tells these apart. */
  private isAmbiguous(round: number): boolean {
    const { calls, rounds } = this.walk.pairing
    const ids = new Set<string | undefined>()
    for (let i = round; i < calls.length && rounds[i] === round; i++) {
      const { id } = this.renamed(calls[i]!)
      if (ids.has(id)) return true
      ids.add(id)
    }
    return false
  }

  private isEarly(call: number): boolean {
    const answer = this.walk.pairing.answers[call]!
    const of = this.walk.pairing.calls[call]!
    return answer.message < of.message || (answer.message === of.message && answer.index < of.index)
  }

  /** The last message before the slot. */
  private anchorOf(message: number): number {
    let anchor = message
    if (this.dialect.slot === 'next' || (this.walk.outlines[message]! & 7) !== ROLE.assistant) return anchor
    while (anchor + 1 < this.walk.outlines.length && (this.walk.outlines[anchor + 1]! & 7) === ROLE.assistant) anchor++
    return anchor
  }

  private renamed(call: Part): Part {
    const edit = this.find(call)
    if (edit?.id === undefined && edit?.name === undefined) return call
    return { ...call, id: edit.id ?? call.id, name: edit.name ?? call.name }
  }

  private valueOf(part: Part): unknown {
    return (this.find(part)?.writes ?? []).reduce((value, write) => write(value), part.value)
  }

  private editParts(message: unknown, edit: MessageEdit): unknown {
    let result = message
    const lists = new Map<readonly string[], Map<number, unknown>>()
    for (const [part, { gone, apart }] of edit.parts) {
      const value = gone || apart ? GONE : this.valueOf(part)
      if (part.index < 0) result = this.editWhole(result, part, value)
      else if (!lists.has(part.list)) lists.set(part.list, new Map([[part.index, value]]))
      else lists.get(part.list)!.set(part.index, value)
      if (result === undefined) return undefined
    }
    for (const [list, values] of lists) result = editList(result, list, values)
    return edit.head.length > 0 ? this.prepend(result, edit.head) : result
  }

  private editWhole(message: unknown, part: Part, value: unknown): unknown {
    if (part.list.length === 0) return value === GONE ? undefined : value
    if (value !== GONE) return withValueAt(message, part.list, value)
    return withValueAt(message, part.list, typeof part.value === 'string' ? '' : [])
  }

  private prepend(message: unknown, head: readonly unknown[]): unknown {
    const list = this.dialect.blocks!
    const rest = valueAt(message, list)
    return withValueAt(message, list, [...head, ...(Array.isArray(rest) ? rest : rest === undefined ? [] : [rest])])
  }

  private at(index: number): MessageEdit {
    let edit = this.edits.get(index)
    if (!edit) {
      edit = { parts: new Map(), rewrites: [], head: [], results: [], inserts: [], notes: [], moved: false }
      this.edits.set(index, edit)
    }
    return edit
  }

  private part(part: Part): PartEdit {
    const { parts } = this.at(part.message)
    let edit = parts.get(part)
    if (!edit) {
      edit = { writes: [], gone: false, apart: false, id: undefined, name: undefined }
      parts.set(part, edit)
    }
    return edit
  }

  private find(part: Part): PartEdit | undefined {
    return this.edits.get(part.message)?.parts.get(part)
  }
}

const GONE = Symbol('gone')

/** Stands for a message that is put in another place. */
class Moved {
  readonly message: number

  constructor(message: number) {
    this.message = message
  }
}

function editList(message: unknown, list: readonly string[], values: ReadonlyMap<number, unknown>): unknown {
  const was = valueAt(message, list)
  if (!Array.isArray(was) || !isObject(message)) return message
  const now: unknown[] = []
  let changed = false
  for (let i = 0; i < was.length; i++) {
    const value = values.has(i) ? values.get(i) : was[i]
    if (value !== was[i]) changed = true
    if (value !== GONE) now.push(value)
  }
  return changed ? withValueAt(message, list, now) : message
}
