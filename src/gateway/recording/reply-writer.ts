/** Writes the outcome of a prompt to its session when the reply has arrived. */
import { randomUUID } from 'node:crypto'
import { isSutureError, type Reply, SutureError } from '../../core/index.ts'
import { within } from '../../guard/transport.ts'
import type { Appended } from '../../session/index.ts'
import type { LogPosition, StoredReply } from './lines.ts'

interface ReplyWriterOptions {
  /** The id of the session, as the client sent it. */
  readonly id: string
  /** The id of the branch in which the history continues. */
  readonly branch?: string
  readonly place: LogPosition
  /** The operation that proposed the prompt. */
  readonly op: string
  /** Positions of the proposed messages. */
  readonly positions?: readonly number[]
  /** System prompt and tools of the request. */
  readonly settings?: object | undefined
  /** Finds where the history continues now, since others may have written meanwhile. Absent: at the end of the log. */
  readonly again?: () => Promise<LogPosition>
  /** The end of the log after the prompt, if nothing else was written. While it is, the log need not be read. */
  readonly at?: number
  /** The caller may send the same operation again. */
  readonly named?: boolean
  /** Milliseconds that the response waits until the reply is stored. Default: no limit. */
  readonly deadline?: number
}

/** Stores messages that join the conversation with the reply; returns their positions. */
export async function propose(
  { session, versionsOf = [] }: LogPosition,
  messages: readonly unknown[],
  op: string,
): Promise<readonly number[]> {
  const { positions } = await session.append(messages, {
    proposed: true,
    operationId: op,
    expectedHead: 'any',
    versionsOf,
  })
  return positions
}

const TRIES = 5

export class ReplyWriter {
  readonly id: string
  readonly branch: string | undefined
  private readonly writing: ReplyWriterOptions
  private done: Promise<void> | undefined
  /** The reply, if there is one. */
  reply: Reply | undefined
  /** Called when the reply was appended after its prompt. */
  stayed: ((stored: StoredReply) => void) | undefined

  constructor(writing: ReplyWriterOptions) {
    this.id = writing.id
    this.branch = writing.branch
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

  private get isProposed(): boolean {
    return this.writing.place.rest.length > 0
  }

  private async settle(status: number): Promise<void> {
    const { reply } = this
    const { op, named } = this.writing
    const { session } = this.writing.place
    if (!reply || (!reply.complete && reply.messages.length === 0)) {
      const passing = status === 0 || status === 429 || status >= 500
      if (this.isProposed && !(named && passing))
        await session.reject(op, status === 0 ? 'no answer' : `answered with ${status}`)
      return
    }
    if (!(await this.appended(reply))) await this.follow(reply)
  }

  /** Appends where the history continues now, maybe in a branch: nothing is lost or inserted before the reply. */
  private async follow(reply: Reply): Promise<void> {
    const { op, positions = [], again } = this.writing
    const { session } = this.writing.place
    for (let count = 1; ; count++) {
      const place = await again!()
      const isSame = place.session.id === session.id && this.isProposed && place.replaces?.length === 0
      try {
        if (isSame && place.rest.length === positions.length) await this.accept(place, op, reply, place.head)
        else await this.moved(place, reply)
        break
      } catch (error) {
        if (count >= TRIES || !isSutureError(error, 'conflict')) throw error
      }
    }
  }

  /** Proposes the messages again where they belong now: what the log has of them already is not stored again. */
  private async moved(place: LogPosition, reply: Reply): Promise<void> {
    const { op, positions = [] } = this.writing
    const { session } = this.writing.place
    const isHere = place.session.id === session.id && positions.length === place.rest.length
    const next = randomUUID()
    await propose(isHere ? { ...place, versionsOf: positions } : place, place.rest, next)
    const head = place.head + place.rest.length
    try {
      await this.accept(place, place.rest.length > 0 ? next : undefined, reply, head)
    } catch (error) {
      if (place.rest.length > 0) await place.session.reject(next, 'the log was changed meanwhile')
      throw error
    }
    if (this.isProposed) await session.reject(op, 'stored again after changes of the log')
  }

  /** Appends to the session without reading the log; false if something was written since the prompt. */
  private async appended(reply: Reply): Promise<boolean> {
    const { op, place, again } = this.writing
    const expectedHead = again ? this.writing.at : 'any'
    if (expectedHead === undefined) return false
    try {
      const { head, positions } = await this.accept(place, this.isProposed ? op : undefined, reply, expectedHead)
      if (reply.complete) this.stayed?.({ messages: reply.messages, positions, head })
      return true
    } catch (error) {
      if (again && isSutureError(error, 'conflict')) return false
      throw error
    }
  }

  private accept(
    { session, replaces = [] }: LogPosition,
    accept: string | undefined,
    { messages, complete }: Reply,
    expectedHead: number | 'any',
  ): Promise<Appended> {
    const { settings } = this.writing
    return session.append(messages, {
      expectedHead,
      ...(accept === undefined ? {} : { accept }),
      ...(replaces.length > 0 ? { replaces } : {}),
      ...(settings ? { settings } : {}),
      ...(complete ? {} : { incomplete: true }),
    })
  }
}
