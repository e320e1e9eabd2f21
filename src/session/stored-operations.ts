/**
 * Compares a repeated operation with the stored one: the same content is a retry, other content is a conflict, because
 * it would otherwise be lost without notice. Only what the caller gave is compared; times, authors and synthetic
 * results may differ between two attempts.
 */
import { equal, isSutureError, jsonText, parseJson, SutureError } from '../core/index.ts'
import type { AppendOptions } from './append-records.ts'
import { RawMessage } from './raw-message.ts'
import { decode } from './record.ts'
import type { Entry, Store } from './store.ts'

/** Whether the records of a stored operation have the requested content. */
export type Same = (stored: readonly Entry[]) => boolean

type Body = Readonly<Record<string, unknown>>

/** The messages of an append, in order. An unreadable record counts as equal: `verify` reports it. */
export function sameAppend(messages: readonly unknown[], options: AppendOptions): Same {
  return (stored) => {
    const bodies = stored.map(({ kind, body }) => ({ kind, body: decode(body) }))
    if (bodies.some(({ body }) => body === undefined)) return true
    const accepted = bodies.find(({ kind, body }) => kind === 'mark' && body!['mark'] === 'accepted')
    if (accepted?.body?.['op'] !== options.accept) return false
    const written = bodies.filter(({ kind }) => kind === 'message').map(({ body }) => body!)
    const own = options.synthetic ? written : written.filter((body) => body['synthetic'] === undefined)
    if (!options.synthetic && own.length !== messages.length) return false
    return areIn(messages, own, options)
  }
}

/** Synthetic results may be between the caller's own messages. */
function areIn(messages: readonly unknown[], bodies: readonly Body[], options: AppendOptions): boolean {
  let at = 0
  return messages.every((message) => {
    const json = message instanceof RawMessage ? message.message : parseJson(jsonText(message)!)
    while (at < bodies.length && !isSame(bodies[at]!, json, options)) at++
    return at++ < bodies.length
  })
}

function isSame(body: Body, message: unknown, { incomplete, proposed, insteadOf }: AppendOptions): boolean {
  return (
    equal(body['message'], message) &&
    (body['incomplete'] === true) === (incomplete === true) &&
    (body['proposed'] === true) === (proposed === true) &&
    body['insteadOf'] === insteadOf
  )
}

/** One record with these fields, whatever other fields it has. */
export function sameRecord(kind: Entry['kind'], fields: Body): Same {
  const json = parseJson(jsonText(fields)!) as Body
  return ([first]) => {
    const body = first && decode(first.body)
    return !body || (first.kind === kind && Object.keys(json).every((key) => equal(body[key], json[key])))
  }
}

export function isUndo([first]: readonly Entry[]): boolean {
  return first?.kind === 'patch' && first.body.includes('"undoes"')
}

export function otherContent(session: string, op: string): SutureError {
  return new SutureError(
    'conflict',
    `Operation "${op}" of session ${session} is stored already, with other content. Nothing was written. Send the same content to repeat it, or use a new operationId for new content.`,
    { session, operationId: op },
  )
}

/** Stored, but the log could not be read afterward: for the caller the outcome is unknown. */
export function unread(store: Store, op: string, error: unknown): SutureError {
  const words = error instanceof Error ? error.message : String(error)
  // A later version wrote in between. Asking again would fail the same way.
  if (isSutureError(error, 'store-newer'))
    return new SutureError(
      error.code,
      `${words} The operation ${op} is stored after it; do not repeat it.`,
      error.detail,
    )
  return new SutureError(
    'unknown-outcome',
    `The operation is stored, but the log could not be read afterward (${words}). Repeat it with the same operationId.`,
    { store: store.name, operationId: op },
    { cause: isSutureError(error) ? (error.cause ?? error) : error },
  )
}
