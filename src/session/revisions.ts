/**
 * The messages of a log with their earlier versions: each message that left the conversation is before those that took
 * its place. Reads the whole log.
 */
import { readMessage } from '../core/index.ts'
import type { Log } from './log.ts'
import { type AcceptedBody, decode, type MarkBody } from './record.ts'
import type { LoggedMessage } from './session-options.ts'
import type { Entry } from './store.ts'

/** A message that was part of the conversation at some time. */
interface Version {
  readonly seq: number
  readonly logged: LoggedMessage
  /** The position of the record by which it left. */
  gone?: number | undefined
  isNote?: boolean
}

const CHUNK = 1000

export async function revisionsOf(log: Log, read: (entry: Entry) => LoggedMessage | undefined) {
  const history = new Revisions(log)
  for (let from = 1; from <= log.head; from += CHUNK) {
    for (const entry of await log.read(from, Math.min(log.head, from + CHUNK - 1))) history.take(entry, read(entry))
  }
  return history.all()
}

class Revisions {
  private readonly log: Log
  private versions: Version[] = []
  private readonly proposals = new Map<string, Version[]>()

  constructor(log: Log) {
    this.log = log
  }

  all(): readonly LoggedMessage[] {
    return this.versions.map(({ logged, gone, isNote }) => {
      if (gone === undefined) return logged
      return { ...logged, replacedAt: gone, ...(isNote ? { note: true as const } : {}) }
    })
  }

  take({ kind, seq, op, body: text }: Entry, logged: LoggedMessage | undefined): void {
    const body = decode(text)
    if (!body) return
    if (kind === 'message' && logged) {
      if (body['proposed'] === true) this.proposals.set(op, [...(this.proposals.get(op) ?? []), { seq, logged }])
      else this.versions.push({ seq, logged })
    }
    if (kind === 'mark') this.takeMark(seq, body as unknown as MarkBody)
    if (kind === 'patch' && typeof body['undoes'] === 'number') {
      for (const one of this.versions) if (one.gone === body['undoes']) one.gone = undefined
    }
  }

  private takeMark(seq: number, body: MarkBody): void {
    const cut = body.mark === 'reverted' || body.mark === 'forked' ? new Set(this.line().slice(body.keep)) : undefined
    for (const one of cut ?? []) one.gone = seq
    if (body.mark === 'forked') {
      // What the branch did not take over belongs to the other session.
      this.versions = this.versions.filter((one) => !cut!.has(one))
      this.proposals.clear()
    }
    if (body.mark !== 'accepted' && body.mark !== 'rejected') return
    const accepted = this.proposals.get(body.op ?? '') ?? []
    this.proposals.delete(body.op ?? '')
    if (body.mark === 'accepted') this.accept(seq, body, accepted)
  }

  private accept(seq: number, { replaces = [] }: AcceptedBody, accepted: readonly Version[]): void {
    const line = this.line()
    let taken = 0
    for (const { index, count, by, back = [] } of replaces) {
      const removed = line.slice(index, index + count)
      for (const one of removed) one.gone = seq
      if (by === 0 && back.length === 0 && this.areNotes(removed, line[index + count]))
        for (const one of removed) one.isNote = true
      const returned = back.flatMap(([first, last]) =>
        this.versions.filter((one) => one.seq >= first && one.seq <= last),
      )
      for (const one of returned) one.gone = undefined
      const rest = returned.length > 0 ? this.versions.filter((one) => !returned.includes(one)) : this.versions
      const after = removed.at(-1)
      const place = after ? rest.indexOf(after) + 1 : rest.indexOf(line[index]!)
      this.versions = rest.toSpliced(place, 0, ...returned, ...accepted.slice(taken, taken + by))
      taken += by
    }
    this.versions.push(...accepted.slice(taken))
  }

  private line(): Version[] {
    return this.versions.filter(({ gone }) => gone === undefined)
  }

  /** Sent last, before a reply that stays: the client added them to that request only. */
  private areNotes(removed: readonly Version[], next: Version | undefined): boolean {
    return next !== undefined && this.isReply(next) && !removed.some((one) => this.isReply(one))
  }

  private isReply({ logged }: Version): boolean {
    return readMessage(logged.message, this.log.dialect).role === 'assistant'
  }
}
