/**
 * The client-side calls of a history, each with the result it has. What is kept of a call is one row of numbers: as parts they would
 * weigh as much as a history of short messages. A part is read when somebody asks for it, and is the same one from then on.
 */
import type { Dialect } from './dialect.ts'
import type { Part } from './part.ts'

const ROW = 6
const MESSAGE = 0
/** Place among the parts of its message. */
const PLACE = 1
const ROUND = 2
const BREAKS = 3
const ANSWER_MESSAGE = 4
const ANSWER_PLACE = 5

/** In the place of a place: the part is there already. */
export const AS_PART = -1

const NO_ROWS = new Int32Array(0)
const FIRST_ROWS = 32

export class Calls {
  /** How many there are. */
  count = 0
  private readonly read: Dialect['read']
  private readonly history: readonly unknown[]
  private rows = NO_ROWS
  private readonly parts: (Part | undefined)[] = []
  private readonly answers: (Part | undefined)[] = []

  constructor(read: Dialect['read'], history: readonly unknown[]) {
    this.read = read
    this.history = history
  }

  callAt(call: number): Part {
    if (!this.parts[call]) this.readAround(call, MESSAGE, this.parts)
    return this.parts[call]!
  }

  /** The result that a call has. */
  answerAt(call: number): Part | undefined {
    if (!this.isAnswered(call)) return undefined
    if (!this.answers[call]) this.readAround(call, ANSWER_MESSAGE, this.answers)
    return this.answers[call]
  }

  isAnswered(call: number): boolean {
    return this.rows[call * ROW + ANSWER_MESSAGE]! >= 0
  }

  /** Whether the call was only glanced at: there is nothing odd about it. */
  isPlain(call: number): boolean {
    return this.rows[call * ROW + PLACE] !== AS_PART
  }

  /** Whether its answer was only glanced at: it stands in the call's slot and has its id. */
  isAnswerPlain(call: number): boolean {
    return this.isAnswered(call) && this.rows[call * ROW + ANSWER_PLACE] !== AS_PART
  }

  messageOf(call: number): number {
    return this.rows[call * ROW + MESSAGE]!
  }

  placeOf(call: number): number {
    return this.rows[call * ROW + PLACE]!
  }

  /** Where its answer stands; -1: it has none. */
  answerMessageOf(call: number): number {
    return this.rows[call * ROW + ANSWER_MESSAGE]!
  }

  /** The place of its answer among the parts of that message. */
  answerPlaceOf(call: number): number {
    return this.rows[call * ROW + ANSWER_PLACE]!
  }

  /** The place of the call with which its round begins. */
  roundOf(call: number): number {
    return this.rows[call * ROW + ROUND]!
  }

  /** How many prompts had come before it. */
  protected breaksBefore(call: number): number {
    return this.rows[call * ROW + BREAKS]!
  }

  protected add(part: Part | undefined, message: number, place: number, round: number, breaks: number): void {
    const call = this.count++
    const row = call * ROW
    if (row === this.rows.length) this.grow()
    const { rows } = this
    rows[row + MESSAGE] = message
    rows[row + PLACE] = place
    rows[row + ROUND] = round
    rows[row + BREAKS] = breaks
    rows[row + ANSWER_MESSAGE] = -1
    if (part) keep(this.parts, call, part)
  }

  protected answer(call: number, part: Part | undefined, message: number, place: number): void {
    if (part || call < this.answers.length) keep(this.answers, call, part)
    this.rows[call * ROW + ANSWER_MESSAGE] = message
    this.rows[call * ROW + ANSWER_PLACE] = place
  }

  /** Forgets the calls from `count` on. */
  protected cut(count: number): void {
    this.count = count
    while (this.parts.length > count) this.parts.pop()
    while (this.answers.length > count) this.answers.pop()
  }

  /** All that stand in one message are read at once: one may hold ten thousand. */
  private readAround(call: number, column: number, into: (Part | undefined)[]): void {
    const { rows } = this
    const message = rows[call * ROW + column]!
    const parts: Part[] = []
    this.read(this.history[message], message, parts)
    let at = call
    while (at > 0 && rows[(at - 1) * ROW + column] === message) at--
    for (; at < this.count && rows[at * ROW + column] === message; at++) {
      const place = rows[at * ROW + column + 1]!
      if (place !== AS_PART && !into[at]) keep(into, at, parts[place])
    }
  }

  private grow(): void {
    const wider = new Int32Array(Math.max(this.rows.length * 2, ROW * FIRST_ROWS))
    wider.set(this.rows)
    this.rows = wider
  }
}

/** Lists are as long as they have to be: where every call is plain they stay empty. */
function keep(list: (Part | undefined)[], call: number, part: Part | undefined): void {
  while (list.length < call) list.push(undefined)
  list[call] = part
}
