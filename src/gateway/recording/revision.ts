/**
 * What has to be written so that a line is the history that a client sends: messages that leave, new ones in their
 * place, earlier ones that come back, and the new ones at the end.
 */
import { equal, type Transcript } from '../../core/index.ts'
import type { Replacement } from '../../session/index.ts'
import type { Fit } from './fit.ts'
import type { KnownMessage, Line, ReadMessage } from './line.ts'
import { pairCalls } from './message-content.ts'

export interface Revision {
  /** Indexes in the history of messages to store, and the position that each is a version of. */
  readonly rest: readonly { readonly index: number; readonly versionOf: number | undefined }[]
  readonly replaces: readonly Replacement[]
  /** The line afterward: messages that are known, or indexes in the history. */
  readonly next: readonly (KnownMessage | number)[]
  /** Call ids that the client writes differently; undefined: the log has none. */
  readonly ids: ReadonlyMap<string, string | undefined>
}

export interface Sent {
  readonly messages: readonly ReadMessage[]
  readonly transcript: Transcript
}

export function revisionOf(fit: Fit, sent: Sent): Revision {
  const writing = new RevisionWriter(fit, sent)
  let from = 0
  let fresh: number[] = []
  fit.pairs.forEach((at, index) => {
    if (at < 0) fresh.push(index)
    else {
      writing.between(from, at, fresh)
      writing.keep(at, index)
      from = at + 1
      fresh = []
    }
  })
  writing.atEnd(from, fresh)
  return writing
}

class RevisionWriter implements Revision {
  readonly rest: { index: number; versionOf: number | undefined }[] = []
  readonly replaces: Replacement[] = []
  readonly next: (KnownMessage | number)[] = []
  readonly ids = new Map<string, string | undefined>()
  private readonly fit: Fit
  private readonly line: Line
  private readonly sent: Sent
  private readonly back = new Set<KnownMessage>()

  constructor(fit: Fit, sent: Sent) {
    this.fit = fit
    this.line = fit.line
    this.sent = sent
  }

  /** A message that both have. Its calls correspond by position. */
  keep(at: number, index: number): void {
    const known = this.line.messages[at]!
    this.next.push(known)
    pairCalls(this.sent.messages[index]!.calls, known.calls, this.ids)
  }

  /** Messages [from, to) of the line are not in the history, and these of the history are not in the line. */
  between(from: number, to: number, indexes: readonly number[]): void {
    const fresh = indexes.filter((index) => this.sent.messages[index]!.content !== '')
    const runs = this.leaving(from, to, fresh.length === 0)
    const before = this.line.messages[to]!.seq
    if (fresh.length > 0) this.insert(runs[0] ? ends(runs[0]) : { from: before }, before, fresh, runs.flat())
    else for (const run of runs) this.replaces.push({ ...ends(run), by: 0 })
  }

  /** The end of the line from this message on, and the messages that the history has instead. */
  atEnd(from: number, fresh: readonly number[]): void {
    const { length } = this.line.messages
    const isAnswered = fresh.some((index) => this.sent.transcript.partsOf(index).some(({ kind }) => kind === 'result'))
    const runs = this.leaving(from, length, !isAnswered)
    const back = runs[0]?.length === length - from ? this.returning(fresh) : []
    for (const run of runs) this.replaces.push({ ...ends(run), by: 0, ...backOf(back) })
    this.next.push(...back)
    for (const index of fresh.slice(back.length)) this.store(index, runs.flat(), fresh.length)
  }

  /** In place of the messages that leave, or before `before`. */
  private insert(place: Place, before: number, fresh: readonly number[], gone: readonly KnownMessage[]): void {
    let at = place
    for (let i = 0; i < fresh.length; ) {
      const back = this.returning(fresh.slice(i))
      this.next.push(...back)
      i += back.length
      const start = i
      while (i < fresh.length && !this.past(fresh[i]!)) this.store(fresh[i++]!, gone, fresh.length)
      this.replaces.push({ ...at, by: i - start, ...backOf(back) })
      at = { from: before }
    }
  }

  /** The first of these that were in the line before, as they are. */
  private returning(fresh: readonly number[]): readonly KnownMessage[] {
    const found: KnownMessage[] = []
    for (const index of fresh) {
      const known = this.past(index)
      if (!known) break
      this.back.add(known)
      pairCalls(this.sent.messages[index]!.calls, known.calls, this.ids)
      found.push(known)
    }
    return found
  }

  private past(index: number): KnownMessage | undefined {
    const { content, message } = this.sent.messages[index]!
    const left = this.line.left(content).filter((one) => !this.back.has(one))
    return left.find((one) => equal(one.message, message)) ?? left.at(-1)
  }

  /** `gone`: messages that it may be a version of. */
  private store(index: number, gone: readonly KnownMessage[], count: number): void {
    const same = this.fit.moved.get(index) ?? this.past(index)
    const own = same ?? (gone.length > 0 ? this.replacedBy(index, gone, count) : undefined)
    this.rest.push({ index, versionOf: own?.seq ?? this.line.similarTo(this.sent.transcript, index) })
    this.next.push(index)
  }

  private replacedBy(index: number, gone: readonly KnownMessage[], count: number): KnownMessage | undefined {
    const { kind } = this.sent.messages[index]!
    const alike = gone.filter((one) => one.kind === kind)
    return alike.length === 1 || count === 1 ? alike.at(-1) : alike[this.rest.length % Math.max(1, alike.length)]
  }

  /** What leaves, as runs of neighbors. A client need not have synthetic results and messages without content. */
  private leaving(from: number, to: number, areKept: boolean): readonly (readonly KnownMessage[])[] {
    const runs: KnownMessage[][] = []
    let run: KnownMessage[] = []
    for (const one of this.line.messages.slice(from, to)) {
      if (areKept && one.optional) {
        this.next.push(one)
        run = []
      } else {
        if (run.length === 0) runs.push(run)
        run.push(one)
      }
    }
    return runs
  }
}

type Place = Pick<Replacement, 'from' | 'to'>

function ends(run: readonly KnownMessage[]): Place {
  return { from: run[0]!.seq, to: run.at(-1)!.seq }
}

function backOf(back: readonly KnownMessage[]): Pick<Replacement, 'back'> {
  return back.length === 0 ? {} : { back: back.map(({ seq }) => seq) }
}
