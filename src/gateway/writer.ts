/**
 * What became of a prompt, written to its session once the answer is there.
 */
import { isSutureError, type Reply, SutureError } from '../core/index.ts'
import type { Session } from '../session/index.ts'
import type { Place } from './branches.ts'
import { within } from './deadline.ts'

export interface Writing {
  readonly session: Session
  /** The operation that proposed the prompt. */
  readonly op: string
  /** Something was proposed; true unless told. */
  readonly proposed?: boolean
  /** Where the history goes on by now: others may have written meanwhile. Absent: at the end, wherever that is. */
  readonly again?: () => Promise<Place>
  /** Where the log ended behind the prompt, when nothing stood in between: as long as it ends there, nobody needs to look. */
  readonly at?: number
  /** The caller may ask again under the same operation. */
  readonly named?: boolean
  /** Milliseconds that the answer waits until it is stored; without it as long as that takes. */
  readonly deadline?: number
}

const TRIES = 5

export class Writer {
  private readonly writing: Writing
  private done: Promise<void> | undefined
  /** What was said, if something was. */
  reply: Reply | undefined
  /** Told when the answer went where its prompt is, and where the log ends now. */
  stayed: ((head: number, said: readonly unknown[]) => void) | undefined

  constructor(writing: Writing) {
    this.writing = writing
  }

  /** `status` of the answer; 0: there is none. */
  write(status: number): Promise<void> {
    this.done ??= this.inTime(this.settle(status))
    return this.done
  }

  private inTime(settled: Promise<void>): Promise<void> {
    const { deadline = 0, op } = this.writing
    if (deadline === 0) return settled
    const late = `The answer was not stored within ${deadline} ms. It may be stored later.`
    return within(deadline, settled, () => new SutureError('unknown-outcome', late, { operationId: op }))
  }

  private async settle(status: number): Promise<void> {
    const { reply } = this
    const { session, op, proposed = true, again, named } = this.writing
    if (!reply || (!reply.complete && reply.messages.length === 0)) {
      const passing = status === 0 || status === 429 || status >= 500
      if (proposed && !(named && passing))
        await session.reject(op, status === 0 ? 'no answer' : `answered with ${status}`)
      return
    }
    const incomplete = reply.complete ? {} : { incomplete: true }
    if (again) return this.follow(again, reply.messages, incomplete)
    const { head } = await session.append(reply.messages, { accept: op, expectedHead: 'any', ...incomplete })
    if (reply.complete) this.stayed?.(head, reply.messages)
  }

  /** Into the session it came from if that still ends where the prompt begins, else into a branch: nothing is lost, and nothing gets in between. */
  private async follow(again: () => Promise<Place>, said: readonly unknown[], incomplete: object): Promise<void> {
    const { session, op, proposed = true } = this.writing
    if (await this.straight(said, incomplete)) return
    for (let count = 1; ; count++) {
      const { session: there, rest } = await again()
      const same = there.id === session.id && proposed && rest.length > 0
      try {
        await there.append(same ? said : [...rest, ...said], { ...(same ? { accept: op } : {}), ...incomplete })
        if (!same && proposed) await session.reject(op, 'went on elsewhere')
        return
      } catch (error) {
        if (count >= TRIES || !isSutureError(error, 'conflict')) throw error
      }
    }
  }
  /** Nobody wrote since the prompt: the answer goes right behind it, and the log need not be read. */
  private async straight(said: readonly unknown[], incomplete: object): Promise<boolean> {
    const { session, op, proposed = true, at } = this.writing
    if (at === undefined) return false
    try {
      const accept = proposed ? { accept: op } : {}
      const { head } = await session.append(said, { ...accept, expectedHead: at, ...incomplete })
      if (this.reply?.complete) this.stayed?.(head, said)
      return true
    } catch (error) {
      if (isSutureError(error, 'conflict')) return false
      throw error
    }
  }
}
