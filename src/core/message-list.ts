/**
 * The repaired history while it is built: its messages, the index that each one had, and the patch that leads to it.
 */
import type { Dialect } from './dialect.ts'
import { diffAligned } from './diff.ts'
import type { Edit } from './edit.ts'
import type { Role } from './part.ts'
import { readMessage, type Transcript } from './transcript.ts'

/** Takes the place of a prompt that had nothing in it, where leaving it out would join two answers. */
export const EMPTY = '(empty message)'

export class MessageList {
  /** For each message the index that it had before; -1: it is new. */
  readonly origins: number[] = []
  private readonly messages: unknown[] = []
  private readonly transcript: Transcript
  /** Messages to join into the last one, all at once: joined one by one, each would be copied again and again. */
  private joining: unknown[] | undefined
  /** Roles that were read: the first of many messages that are joined is compared with each, and may be long. */
  private readonly roles = new Map<unknown, Role>()

  constructor(transcript: Transcript) {
    this.transcript = transcript
  }

  /** Messages [from, to) stay as they are. */
  keep(from: number, to: number): void {
    if (from < to) this.join()
    for (let i = from; i < to; i++) {
      this.messages.push(this.transcript.history[i])
      this.origins.push(i)
    }
  }

  add(message: unknown, from: number): void {
    this.join()
    this.messages.push(message)
    this.origins.push(from)
  }

  /** Joins a message to the last one, if that still has the same role. */
  merge(message: unknown, from: number): void {
    const last = this.messages.length - 1
    if (last < 0 || this.roleAt(last) !== this.roleOf(message)) {
      this.add(message, from)
      return
    }
    this.joining ??= [this.messages[last]]
    this.joining.push(message)
    if (this.origins[last]! < 0) this.origins[last] = from
  }

  /**
   * An emptied prompt stays if it opens the history or follows an answer. Only messages before it decide, so that an
   * append changes nothing.
   */
  remove(index: number, emptied: boolean): void {
    const { transcript } = this
    const before = this.lastRole()
    if (!emptied || !transcript.isPrompt(index) || (before !== undefined && before !== 'assistant')) return
    this.add(transcript.dialect.textMessage('user', EMPTY), index)
  }

  /** The patch that leads to this list. */
  finish(): Edit[] {
    this.join()
    if (this.messages.length === 0) this.add(this.transcript.dialect.textMessage('user', EMPTY), -1)
    return diffAligned(this.transcript.history, this.messages, this.origins, [])
  }

  private join(): void {
    if (!this.joining) return
    this.messages[this.messages.length - 1] = mergeAll(this.joining, this.transcript.dialect)
    this.joining = undefined
  }

  /** The role of the last message that is not a system message. */
  private lastRole(): Role | undefined {
    for (let i = this.messages.length - 1; i >= 0; i--) {
      const role = this.roleAt(i)
      if (role !== 'system') return role
    }
    return undefined
  }

  private roleAt(i: number): Role {
    const { history } = this.transcript
    const origin = this.origins[i]!
    const message = this.messages[i]
    return message === history[origin] ? this.transcript.role(origin) : this.roleOf(message)
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
