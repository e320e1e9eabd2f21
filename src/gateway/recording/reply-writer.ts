/** Writes the outcome of a prompt to its session when the reply has arrived. */
import { isSutureError, type Reply, SutureError } from '../../core/index.ts'
import { within } from '../../guard/transport.ts'
import type { Session } from '../../session/index.ts'
import type { LogPosition } from './branches.ts'

interface ReplyWriterOptions {
  /** The id of the session or branch, as callers know it. */
  readonly id: string
  readonly session: Session
  /** The operation that proposed the prompt. */
  readonly op: string
  /** A prompt was proposed. Default: true. */
  readonly proposed?: boolean
  /** Messages of the log that the first proposed ones take the place of. */
  readonly replaces?: LogPosition['replaces']
  /** Finds where the history continues now, since others may have written meanwhile. Absent: at the end of the log. */
  readonly again?: () => Promise<LogPosition>
  /** The end of the log after the prompt, if nothing else was written. While it is, the log need not be read. */
  readonly at?: number
  /** The caller may send the same operation again. */
  readonly named?: boolean
  /** Milliseconds that the response waits until the reply is stored. Default: no limit. */
  readonly deadline?: number
}

const TRIES = 5

export class ReplyWriter {
  readonly id: string
  private readonly writing: ReplyWriterOptions
  private done: Promise<void> | undefined
  /** The reply, if there is one. */
  reply: Reply | undefined
  /** Called when the reply was appended after its prompt, with the new end of the log. */
  stayed: ((head: number, reply: readonly unknown[]) => void) | undefined

  constructor(writing: ReplyWriterOptions) {
    this.id = writing.id
    this.writing = writing
  }

  /** `status` of the response; 0: there is none. */
  write(status: number): Promise<void> {
    this.done ??= this.inTime(this.settle(status))
    return this.done
  }

  private inTime(settled: Promise<void>): Promise<void> {
    const { deadline = 0, op } = this.writing
    if (deadline === 0) return settled
    const late = `The answer was not stored within ${deadline} ms. It may be stored later.`
    return within(deadline, settled, () => {
      throw new SutureError('unknown-outcome', late, { operationId: op })
    })
  }

  private async settle(status: number): Promise<void> {
    const { reply } = this
    const { session, op, proposed = true, named } = this.writing
    if (!reply || (!reply.complete && reply.messages.length === 0)) {
      const passing = status === 0 || status === 429 || status >= 500
      if (proposed && !(named && passing))
        await session.reject(op, status === 0 ? 'no answer' : `answered with ${status}`)
      return
    }
    const incomplete = reply.complete ? {} : { incomplete: true }
    if (!(await this.appended(reply, incomplete))) await this.follow(reply.messages, incomplete)
  }

  /** Appends where the history continues now, maybe in a branch: nothing is lost or inserted before the reply. */
  private async follow(messages: readonly unknown[], incomplete: object): Promise<void> {
    const { session, op, proposed = true } = this.writing
    const again = this.writing.again!
    for (let count = 1; ; count++) {
      const { session: there, rest } = await again()
      const same = there.id === session.id && proposed && rest.length > 0
      try {
        await there.append(same ? messages : [...rest, ...messages], { ...(same ? { accept: op } : {}), ...incomplete })
        if (!same && proposed) await session.reject(op, 'continued in another branch')
        return
      } catch (error) {
        if (count >= TRIES || !isSutureError(error, 'conflict')) throw error
      }
    }
  }

  /** Appends to the session without reading the log; false if something was written since the prompt. */
  private async appended({ messages, complete }: Reply, incomplete: object): Promise<boolean> {
    const { session, op, proposed = true, replaces = [], again } = this.writing
    const expectedHead = again ? this.writing.at : 'any'
    if (expectedHead === undefined) return false
    try {
      const accept = proposed ? { accept: op, replaces } : {}
      const { head } = await session.append(messages, { ...accept, expectedHead, ...incomplete })
      if (complete) this.stayed?.(head, messages)
      return true
    } catch (error) {
      if (again && isSutureError(error, 'conflict')) return false
      throw error
    }
  }
}
