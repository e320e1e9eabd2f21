/**
 * The repaired history while it is built: stretches of untouched messages and single changed ones.
 */
import type { Dialect } from './dialect.ts'
import { ROLE, type Role } from './part.ts'
import { readMessage, type Transcript } from './transcript.ts'

/** Takes the place of a prompt that had nothing in it, where leaving it out would join two answers. */
export const EMPTY = '(empty message)'

/** A message that changed, moved or is new (`from` -1), or a stretch [from, to) that did not change. */
export type Piece = ChangedMessage | { readonly kind: 'stretch'; readonly from: number; to: number }

interface ChangedMessage {
  readonly kind: 'message'
  readonly message: unknown
  readonly from: number
}

export class MessageList {
  private readonly pieces: Piece[] = []
  private readonly transcript: Transcript
  /** Messages that are joined into the last piece when it is done: joined one by one, each would be copied again and again. */
  private joining: unknown[] | undefined
  /** Roles that were read: the first of many messages that are joined is compared with each of them, and may be long. */
  private readonly roles = new Map<unknown, Role>()

  constructor(transcript: Transcript) {
    this.transcript = transcript
  }

  /** Messages [from, to) stay as they are. */
  keep(from: number, to: number): void {
    if (from >= to) return
    this.join()
    this.pieces.push({ kind: 'stretch', from, to })
  }

  add(message: unknown, from: number): void {
    this.join()
    this.pieces.push({ kind: 'message', message, from })
  }

  /** Joins a message to the last one, if that still has the same role. */
  merge(message: unknown, from: number): void {
    const last = this.takeLast()
    if (!last) this.add(message, from)
    else if (this.roleOf(last.message) !== this.roleOf(message)) {
      this.pieces.push(last)
      this.add(message, from)
    } else {
      this.joining ??= [last.message]
      this.joining.push(message)
      this.pieces.push({ ...last, from: last.from < 0 ? from : last.from })
    }
  }

  /** A prompt that was emptied stays if it opens the history or follows an answer. Decided by what comes before alone, so that an append changes nothing. */
  remove(index: number, emptied: boolean): void {
    const { transcript } = this
    const before = this.lastRole()
    if (!emptied || !transcript.isPrompt(index) || (before !== undefined && before !== 'assistant')) return
    this.add(transcript.dialect.textMessage('user', EMPTY), index)
  }

  finish(): readonly Piece[] {
    this.join()
    if (this.pieces.length === 0) this.add(this.transcript.dialect.textMessage('user', EMPTY), -1)
    return this.pieces
  }

  private join(): void {
    if (!this.joining) return
    const last = this.pieces.pop() as ChangedMessage
    this.pieces.push({ ...last, message: mergeAll(this.joining, this.transcript.dialect) })
    this.joining = undefined
  }

  private takeLast(): ChangedMessage | undefined {
    const piece = this.pieces.at(-1)
    if (!piece) return undefined
    if (piece.kind === 'message') return this.pieces.pop() as ChangedMessage
    const from = --piece.to
    if (piece.from === piece.to) this.pieces.pop()
    return { kind: 'message', message: this.transcript.history[from], from }
  }

  /** The role of the last message that is not a system message. */
  private lastRole(): Role | undefined {
    const { flags } = this.transcript
    for (let i = this.pieces.length - 1; i >= 0; i--) {
      const piece = this.pieces[i]!
      if (piece.kind === 'message') {
        const role = this.roleOf(piece.message)
        if (role !== 'system') return role
        continue
      }
      for (let k = piece.to - 1; k >= piece.from; k--)
        if ((flags[k]! & 7) !== ROLE.system) return this.transcript.role(k)
    }
    return undefined
  }

  private roleOf(message: unknown): Role {
    const known = this.roles.get(message)
    if (known) return known
    const { role } = readMessage(message, this.transcript.dialect)
    this.roles.set(message, role)
    return role
  }
}

/** By halves: what is joined is copied as often as the list can be halved. */
function mergeAll(messages: readonly unknown[], dialect: Dialect): unknown {
  let list = messages
  while (list.length > 1) {
    const halved: unknown[] = []
    for (let i = 0; i < list.length; i += 2)
      halved.push(i + 1 < list.length ? dialect.merge(list[i], list[i + 1]) : list[i])
    list = halved
  }
  return list[0]
}
