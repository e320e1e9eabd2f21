/** The errors of stores, worded the same for all of them. */
import { SutureError } from '../core/index.ts'
import type { Answer, Base, Batch, Entry, Head } from '../session/index.ts'

export function heldByOther(session: string, owner: string): SutureError {
  return new SutureError(
    'conflict',
    `Session ${session} is held by ${owner}. Wait until it is released, or take it over if ${owner} is gone.`,
    { session, owner },
  )
}

/** The head after this owner has taken the lease. */
export function claimed(session: string, head: Head, owner: string, takeOver: boolean): Head {
  if (head.owner !== null && head.owner !== owner && !takeOver) throw heldByOther(session, head.owner)
  return { ...head, owner, epoch: head.epoch + 1 }
}

/** The answer to a batch without records. */
export function nothingWritten({ head, hash }: Head): Answer {
  return { first: head + 1, last: head, hash, again: false }
}

/** Throws unless the batch may follow this head. */
export function checkBatch(session: string, head: Head, batch: Batch): void {
  checkFence(session, head, batch)
  const expected = batch.base ? 0 : batch.expectedHead
  if (expected === 'any' || expected === head.head) return
  throw new SutureError(
    'conflict',
    `Session ${session} ends at ${head.head}, not at ${expected}. Call refresh() and append after the new records.`,
    { session, expected, actual: head.head },
  )
}

/** The record at the position where a branch begins: its hash is where the hashes of the branch go on. */
export function hashAt({ session, head }: Base, entries: readonly Entry[]): string {
  const last = entries.at(-1)
  if (head === 0 || last?.seq === head) return last?.hash ?? ''
  throw new SutureError('conflict', `Session ${session} has no record ${head}, so nothing can branch off there.`, {
    session,
  })
}

/** A writer with a lease must hold the latest one; a writer without may write only if there is no lease. */
function checkFence(session: string, head: Head, { epoch }: Batch): void {
  if (epoch === undefined ? head.owner === null : epoch === head.epoch && head.owner !== null) return
  throw new SutureError(
    'fenced',
    head.owner === null
      ? `The lease on session ${session} has ended (latest lease ${head.epoch}). Claim the session before you write.`
      : `Session ${session} is held by ${head.owner} (lease ${head.epoch}). Claim the session before you write.`,
    { session, owner: head.owner, epoch: head.epoch },
  )
}

/** Another process migrated the database to a schema that this version does not know. */
export function newer(store: string, found: number, known: number, cause?: unknown): SutureError {
  return new SutureError(
    'store-newer',
    `This ${store} database has schema ${found}, and this version of suture knows ${known}. Update suture; nothing was changed.`,
    { found, known },
    cause === undefined ? {} : { cause },
  )
}

export function failed(store: string, what: string, error: unknown, code = codeOf(error)): SutureError {
  return new SutureError(
    'store-failed',
    `${store} could not ${what}: ${wordsOf(error)}. Nothing was written; try again when the cause is gone.`,
    { store, code },
    { cause: error },
  )
}

export function unknownOutcome(store: string, op: string, error: unknown, code = codeOf(error)): SutureError {
  return new SutureError(
    'unknown-outcome',
    `The connection to ${store} broke while writing: ${wordsOf(error)}. It may or may not be stored: ${op === '' ? 'repeat the call' : 'append again with the same operationId'}.`,
    { store, operationId: op, code },
    { cause: error },
  )
}

export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : undefined
}

/** An error of several attempts has no message of its own: then its code, or the first of their messages. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first] = error instanceof AggregateError ? error.errors : []
  return error.message || codeOf(error) || (first === undefined ? error.name : wordsOf(first))
}
