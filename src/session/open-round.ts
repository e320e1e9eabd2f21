/**
 * The open round at the end of a conversation: the last round while some of its calls have no result. An append looks
 * only at this, so its cost does not grow with the conversation.
 */
import {
  type Cause,
  causeText,
  type Dialect,
  HAS_OTHER,
  HAS_RESULT,
  type Part,
  readMessage,
  Transcript,
  unknownBeside,
} from '../core/index.ts'

/** A call that has no result yet. */
export interface OpenCall {
  readonly id: string | undefined
  readonly name: string | undefined
  /** The cause that its synthetic result will state if none comes. */
  readonly cause: Cause
}

/** Identifies a call: by its id; if the provider gives none, by its name and its index in the message. */
export function callKey(call: Part): string {
  return call.id ?? `${call.name ?? ''}#${call.index + 1}`
}

export class OpenRound {
  private readonly dialect: Dialect
  private held: unknown[] = []
  private calls: readonly Part[] | undefined = []

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** The messages of the open round; empty if no call is open. */
  get messages(): readonly unknown[] {
    this.open()
    return this.held
  }

  push(message: unknown): void {
    // No call is open and none is made, as with most messages: nothing has to be paired.
    if (this.calls?.length === 0 && new Transcript([message], this.dialect).calls.length === 0) return
    this.held.push(message)
    this.calls = undefined
  }

  reset(messages: readonly unknown[]): void {
    this.held = [...messages]
    this.calls = undefined
  }

  /** Calls that may still be answered. */
  open(): readonly Part[] {
    if (this.calls) return this.calls
    const calls = pending(this.dialect, this.held)
    const first = calls[0]?.message ?? this.held.length
    this.held = this.held.slice(first)
    this.calls = first === 0 ? calls : pending(this.dialect, this.held)
    return this.calls
  }

  /** How many of these messages still belong to the open round: results at the beginning. */
  leading(messages: readonly unknown[]): number {
    let count = 0
    while (count < messages.length && this.isResults(messages[count])) count++
    return count
  }

  /** Calls that could be answered before these messages and no longer can after them. */
  abandonedBy(messages: readonly unknown[]): readonly Part[] {
    const open = this.open()
    if (open.length === 0) return []
    const places = new Set(open.map(placeOf))
    const all = [...this.held, ...messages]
    const transcript = new Transcript(all, this.dialect)
    const isLost = (call: Part) =>
      !transcript.pairs.isPending(call.order) && !transcript.isExempt(call) && !unknownBeside(call, transcript)
    return transcript
      .unansweredCalls()
      .filter((call) => call.message < this.held.length && places.has(placeOf(call)) && isLost(call))
  }

  /** Open calls beside which all is known. One of a new kind may stay open. */
  closable(): readonly Part[] {
    const calls = this.open()
    if (calls.length === 0) return calls
    const transcript = new Transcript(this.held, this.dialect)
    return calls.filter((call) => !unknownBeside(call, transcript))
  }

  /** Messages with synthetic results for these calls. None if a result is a part of its call: the repair writes it. */
  closing(calls: readonly Part[], causeOf: (call: Part) => Cause): readonly unknown[] {
    if (calls.length === 0 || this.dialect.answerInPlace) return []
    const dialect = this.dialect.variantFor?.(this.held) ?? this.dialect
    return dialect.wrapResults(calls.map((call) => dialect.answer(call, causeText(causeOf(call)))))
  }

  /** Whether the message has only results. */
  isResults(message: unknown): boolean {
    const { role, flags } = readMessage(message, this.dialect)
    return role === 'tool' || ((flags & HAS_RESULT) !== 0 && (flags & HAS_OTHER) === 0)
  }
}

function placeOf(call: Part): string {
  return `${call.message} ${call.list.join('/')} ${call.index}`
}

function pending(dialect: Dialect, messages: readonly unknown[]): readonly Part[] {
  const transcript = new Transcript(messages, dialect)
  const { pairs } = transcript
  return transcript.unansweredCalls().filter((call) => pairs.isPending(call.order) && !transcript.isExempt(call))
}
