/**
 * Whether a history that differs from the log is another version of the same conversation. A client changes its last
 * prompt (a note after a response that was cut off, its environment, an edit), leaves out the response to it, or what
 * it puts around prompts (dates, lists of files) is another one when it continues. Everything else is another
 * conversation, or a line beside this one.
 */
import { type Transcript, turns } from '../../core/index.ts'
import type { Change, LoggedContent } from './match-history.ts'
import { contentAt, ownContentAt, ownWordsAt, textAt } from './message-content.ts'

/** Number of messages whose texts are compared with each other. */
const MOST = 8

export class Revisions {
  private readonly stored: Transcript
  private readonly logged: readonly LoggedContent[]
  private readonly sent: Transcript
  /** The first response of the log that has to be in the list. */
  private readonly firstResponse: number
  /** The last message of the log that is not a response. */
  private readonly lastInput: number

  constructor(stored: Transcript, logged: readonly LoggedContent[], sent: Transcript) {
    this.stored = stored
    this.logged = logged
    this.sent = sent
    this.firstResponse = logged.findIndex((_, i) => this.isResponse(i))
    this.lastInput = logged.findLastIndex((_, i) => !stored.isAssistant(i))
  }

  /** How the list continues where it differs from the log. Undefined: it is no version of this conversation. */
  at(at: number, from: number): Change | undefined {
    const end = this.nextResponse(at)
    const to = this.nextSent(from)
    if (to === this.sent.history.length) return this.lastPrompt(at, from)
    return end === this.logged.length ? undefined : this.before(this.trimmed({ at, end, from, to }), end, to)
  }

  /** The list has no response after this point: its last prompt takes the place of the last turn of the log. */
  private lastPrompt(at: number, from: number): Change | undefined {
    const [end, to] = [this.logged.length, this.sent.history.length]
    if (from === to) return undefined
    const change = { at, end, from, to }
    if (this.isShared(at)) return at >= this.lastTurn() ? change : undefined
    // Nothing else shows that it is this conversation: no whole response may leave it.
    return this.nextResponse(at) === end && this.isSimilar(change) ? change : undefined
  }

  /** Both have a response after the messages that differ. */
  private before(change: Change, response: number, sent: number): Change | undefined {
    const isLast = this.lastInput < response
    const isKnown = this.isShared(change.at)
    const isAlike = this.hasSameWords(change) || this.isSimilar(change)
    if (this.logged[response]!.content === contentAt(this.sent, sent).content)
      return isAlike || (isLast && isKnown) ? change : undefined
    // The client has the last response without its calls.
    const text = textAt(this.stored, response)
    if (!isLast || text === '' || text !== textAt(this.sent, sent)) return undefined
    return isAlike || isKnown ? { ...change, end: response + 1, to: sent + 1 } : undefined
  }

  /** Without equal messages before the response. */
  private trimmed({ at, end, from, to }: Change): Change {
    let [last, other] = [end, to]
    while (last > at && other > from && this.logged[last - 1]!.content === contentAt(this.sent, other - 1).content) {
      last--
      other--
    }
    return { at, end: last, from, to: other }
  }

  /** A response before this point is in both. */
  private isShared(at: number): boolean {
    return this.firstResponse >= 0 && this.firstResponse < at
  }

  /** One text contains the other: something was added to a prompt, or taken out of it. */
  private isSimilar({ at, end, from, to }: Change): boolean {
    const promptAt = (transcript: Transcript, i: number) => (transcript.isAssistant(i) ? '' : ownWordsAt(transcript, i))
    const sent = textsIn(this.sent, Math.max(from, to - MOST), to, promptAt)
    const stored = textsIn(this.stored, Math.max(at, end - MOST), end, promptAt)
    return stored.some((text) => sent.some((one) => one.includes(text) || text.includes(one)))
  }

  /** They differ in system messages and in what agents put around prompts. */
  private hasSameWords({ at, end, from, to }: Change): boolean {
    const stored = textsIn(this.stored, at, end, ownContentAt).join('\n')
    return stored === textsIn(this.sent, from, to, ownContentAt).join('\n')
  }

  private lastTurn(): number {
    return turns(this.stored.history, this.stored.dialect).at(-1)?.start ?? 0
  }

  private isResponse(i: number): boolean {
    const { content, optional } = this.logged[i]!
    return this.stored.isAssistant(i) && !optional && content !== ''
  }

  private nextResponse(from: number): number {
    let i = from
    while (i < this.logged.length && !this.isResponse(i)) i++
    return i
  }

  private nextSent(from: number): number {
    const { length } = this.sent.history
    let i = from
    while (i < length && !(this.sent.isAssistant(i) && contentAt(this.sent, i).content !== '')) i++
    return i
  }
}

/** What `read` finds in the messages [from, to), without empty texts. */
function textsIn(
  transcript: Transcript,
  from: number,
  to: number,
  read: (transcript: Transcript, message: number) => string,
): readonly string[] {
  const texts: string[] = []
  for (let i = from; i < to; i++) texts.push(read(transcript, i))
  return texts.filter((text) => text !== '')
}
