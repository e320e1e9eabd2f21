/**
 * The open round: its calls, its cursor, whether its slot is over. Plain calls and results are taken here, by place and id alone.
 */
import { AS_PART, Calls } from './calls.ts'
import type { Dialect } from './dialect.ts'
import { HAS_CALL, HAS_OTHER, HAS_REASONING, HAS_RESULT, type Outline, type Part, ROLE } from './part.ts'

/** A small number: V8 would box any other anew at each write. */
const NEW = -(2 ** 30)

export class Rounds extends Calls {
  /** Calls that nothing answered before their round was over; some may have got a stray since. */
  readonly waiting: number[] = []

  /** Messages of which a plain result had to give way to a better one. */
  protected outdone: Set<number> | undefined
  /** How far the open round's calls have moved since the walk before the mends; NEW: not all of them have come again. */
  private moved = NEW
  private next = 0
  protected readonly slot: Dialect['slot']
  protected readonly family: Dialect['family']
  /** Id of each call that was only glanced at. */
  private readonly ids: (string | undefined)[] = []
  /** Name of each such call of the open round; none: it is there as a part. */
  private readonly names: (string | undefined)[] = []
  protected roundStart = 0
  protected pendingFrom = 0
  protected cursor = 0
  protected breaks = 0
  /** Something other than a result stood behind the round's calls: its slot is over. */
  protected ended = true
  private answered = false
  /** The assistant spoke on behind its calls without making another. */
  protected wentOn = false
  protected foreign = false
  protected wide: Map<string, number[]> | undefined
  private readonly marked = { count: 0, cursor: 0, answered: false, ended: false, wentOn: false }

  constructor({ slot, family, read }: Pick<Dialect, 'slot' | 'family' | 'read'>, history: readonly unknown[]) {
    super(read, history)
    this.slot = slot
    this.family = family
  }

  get hasOutdone(): boolean {
    return this.outdone !== undefined
  }

  /** A new message begins; its parts follow. */
  message(role: Outline, before: Outline): void {
    this.foreign = role !== ROLE.assistant
    if (role === ROLE.assistant) {
      const joins = this.slot !== 'next' && (before & 7) === ROLE.assistant && !this.answered
      if (!joins) this.close()
      this.wentOn = joins
      return
    }
    if (role === ROLE.tool) return
    this.breaks++
    if (this.slot === 'next') this.ended = true
  }

  other(role: Outline): void {
    // What else a tool's message holds, such as an approval, does not end the slot.
    if (role !== ROLE.assistant && role !== ROLE.tool) this.ended = true
  }

  /** A call of the assistant's of which only this is known, and its place among the parts of its message. */
  plainCall(message: number, place: number, id: string | undefined, name: string): void {
    this.open(undefined, message, place, id, name)
  }

  /** Takes a result that answers the next plain call of the round; of any other it says false, and leaves it to `result`. */
  plainResult(message: number, place: number, id: string | undefined, name: string, role: Outline): boolean {
    const { cursor } = this
    if (cursor >= this.count || !this.isOpen(role) || this.isAnswered(cursor)) return false
    if (!this.isPlain(cursor) || this.ids[cursor] !== id) return false
    if (id === undefined && this.names[cursor - this.roundStart] !== name) return false
    this.take(cursor, undefined, message, place)
    return true
  }

  /** The id of a call that was only glanced at; its answer, if that was, has the same. */
  plainIdOf(call: number): string | undefined {
    return this.ids[call]
  }

  /**
   * The calls and results of a plain message that comes again after a mend, as they were in the walk before it.
   * False: its results do not fit here any more. `was`: where it stood.
   */
  again(earlier: Rounds, was: number, message: number, outline: Outline): boolean {
    if ((outline & HAS_CALL) !== 0) this.callsAgain(earlier, was, message)
    if ((outline & HAS_RESULT) !== 0 && !this.resultsAgain(earlier, was, message, outline & 7)) return false
    if ((outline & (HAS_OTHER | HAS_REASONING)) !== 0) this.other(outline & 7)
    return true
  }

  /**
   * Calls [from, to) of the walk before, all answered before any other begins: whole rounds, in messages that have moved by `shift`.
   * `breaks`: how many prompts stand among these messages, and how many of them before the first call.
   */
  carry(earlier: Rounds, from: number, to: number, shift: number, breaks: readonly [all: number, first: number]): void {
    this.close()
    const moved = this.count - from
    const later = from < to ? this.breaks + breaks[1] - earlier.breaksBefore(from) : 0
    for (let call = from; call < to; call++) {
      const round = earlier.roundOf(call) + moved
      this.add(
        undefined,
        earlier.messageOf(call) + shift,
        earlier.placeOf(call),
        round,
        earlier.breaksBefore(call) + later,
      )
      this.answer(call + moved, undefined, earlier.answerMessageOf(call) + shift, earlier.answerPlaceOf(call))
      this.ids.push(earlier.ids[call])
    }
    this.roundStart = this.cursor = this.count
    this.breaks += breaks[0]
    this.next = to
    this.ended = true
  }

  /** The first call of the walk before that is not in a message before this one. */
  firstFrom(earlier: Rounds, message: number): number {
    while (this.next < earlier.count && earlier.messageOf(this.next) < message) this.next++
    return this.next
  }

  /** Where things stand at the head of a message; `forget` goes back there. */
  mark(): void {
    this.marked.count = this.count
    this.marked.cursor = this.cursor
    this.marked.answered = this.answered
    this.marked.ended = this.ended
    this.marked.wentOn = this.wentOn
  }

  /** The parts since the mark were only glanced at, and will come again. */
  forget(): void {
    const { count, cursor } = this.marked
    for (let call = cursor; call < this.cursor; call++) this.answer(call, undefined, -1, AS_PART)
    this.cut(count)
    this.ids.length = count
    this.names.length = count - this.roundStart
    this.cursor = cursor
    this.answered = this.marked.answered
    this.ended = this.marked.ended
    this.wentOn = this.marked.wentOn
  }

  protected open(
    part: Part | undefined,
    message: number,
    place: number,
    id: string | undefined,
    name: string | undefined,
  ): void {
    this.ids.push(id)
    this.names.push(name)
    this.add(part, message, place, this.roundStart, this.breaks)
    this.ended = this.wentOn = false
    this.wide = undefined
    this.moved = NEW
  }

  private callsAgain(earlier: Rounds, was: number, message: number): void {
    this.firstFrom(earlier, was)
    for (; this.next < earlier.count && earlier.messageOf(this.next) === was; this.next++) {
      const moved = this.count - this.next
      const goesOn = this.count === this.roundStart || this.moved === moved
      this.open(undefined, message, earlier.placeOf(this.next), earlier.ids[this.next], undefined)
      if (goesOn) this.moved = moved
    }
  }

  private resultsAgain(earlier: Rounds, was: number, message: number, role: Outline): boolean {
    const { moved } = this
    const isHere = (call: number) => call >= 0 && call < earlier.count && earlier.answerMessageOf(call) === was
    if (moved === NEW || earlier.outdone?.has(was) || !this.isOpen(role) || isHere(this.cursor - moved - 1))
      return false
    const first = this.cursor
    while (this.cursor < this.count && !this.isAnswered(this.cursor) && isHere(this.cursor - moved))
      this.take(this.cursor, undefined, message, earlier.answerPlaceOf(this.cursor - moved))
    return this.cursor > first && !isHere(this.cursor - moved)
  }

  protected take(call: number, part: Part | undefined, message: number, place: number): void {
    this.answer(call, part, message, place)
    this.answered = true
    this.cursor = call + 1
  }

  /** An assistant does not answer its own calls: what stands in its message is nowhere near a slot. */
  protected isOpen(role: Outline): boolean {
    return role !== ROLE.assistant && (this.slot === 'anywhere' || !this.ended)
  }

  protected close(): void {
    for (let i = this.roundStart; i < this.count; i++) if (!this.isAnswered(i)) this.waiting.push(i)
    // Popped, not cut to length 0: that would throw the array's room away for every round.
    while (this.names.length > 0) this.names.pop()
    this.roundStart = this.cursor = this.count
    this.answered = false
    this.wide = undefined
  }
}
