/**
 * Makes the records of an append: its messages, and before them synthetic results for calls that can no longer be
 * answered.
 */
import { type Cause, causes, jsonText, type Part, readMessage } from '../core/index.ts'
import { type OptionTable, wordsOf } from '../core/options.ts'
import type { Log } from './log.ts'
import type { Committed, NewRecord } from './log-writer.ts'
import type { OpenCall } from './open-round.ts'
import { encodeMessage, plainOf } from './raw-message.ts'
import { type AcceptedBody, type Author, decode, encode, type MessageBody, UNREADABLE } from './record.ts'
import { type Acceptance, acceptanceOf, type Replacement } from './replaced-messages.ts'
import { differenceTo, encodeDifference, type WholeText, wholeText } from './stored-difference.ts'

/** Options of an append. */
export interface AppendOptions {
  /** The same id again returns the first answer and writes nothing. Default: generated. */
  readonly operationId?: string
  /** Where the session must end. Default: where it was read. `results`: only results were added since. */
  readonly expectedHead?: number | 'any' | 'results'
  /** The author of the messages. Default: the session's provider and model, for assistant messages. */
  readonly author?: Author
  /** The answer is incomplete. */
  readonly incomplete?: boolean
  /** The messages are synthetic results for calls that have none, with their causes. */
  readonly synthetic?: readonly Cause[]
  /** The position of the synthetic result that this late one replaces. Only needed for calls without ids. */
  readonly insteadOf?: number
  /** Stored, but not part of the conversation until it is accepted. */
  readonly proposed?: boolean
  /** The operation whose proposed messages join the conversation now, before these. */
  readonly accept?: string
  /** Messages that leave the conversation, and which ones take their place: of `accept` the first. All stay in the log. */
  readonly replaces?: readonly Replacement[]
  /** For each message the position of an earlier version of it: what they share is stored once. */
  readonly versionsOf?: readonly (number | undefined)[]
  /** System prompt and tools of the turn, stored if they are others than those of the turn before. */
  readonly settings?: object
}

export const APPEND_OPTIONS: OptionTable<AppendOptions> = {
  operationId: 'id',
  expectedHead: (value) =>
    value === 'any' || value === 'results' || Number.isSafeInteger(value)
      ? undefined
      : 'a position, "any" or "results"',
  author: 'object',
  incomplete: 'boolean',
  synthetic: wordsOf('cause', () => causes),
  insteadOf: 'count',
  proposed: 'boolean',
  accept: 'name',
  replaces: 'list',
  versionsOf: 'list',
  settings: 'object',
}

/** Where the messages were stored. */
export interface Appended {
  /** Positions of the given messages in the log. */
  readonly positions: readonly number[]
  readonly head: number
  /** The operation was stored before; nothing was written now. */
  readonly again: boolean
}

export interface WriterInfo {
  readonly author: Author
  readonly clock: (() => string) | undefined
  readonly causeOf: (call: Part) => Cause
}

interface Continued {
  readonly message: unknown
  readonly made?: readonly Cause[]
}

/** These messages, with synthetic results for calls that can no longer be answered. */
export function continued(log: Log, messages: readonly unknown[], writer: WriterInfo): Continued[] {
  const abandoned = log.openRound.abandonedBy(messages)
  if (abandoned.length === 0) return messages.map((message) => ({ message }))
  const leading = log.openRound.leading(messages)
  const made = [...new Set(abandoned.map(writer.causeOf))]
  return [
    ...messages.slice(0, leading).map((message) => ({ message })),
    ...log.openRound.closing(abandoned, writer.causeOf).map((message) => ({ message, made })),
    ...messages.slice(leading).map((message) => ({ message })),
  ]
}

/** What is read for an append before its records are made. */
export interface AppendContext {
  /** By the index of the message. */
  readonly versions: ReadonlyMap<number, WholeText | undefined>
  readonly settings?: AcceptedBody['settings']
  readonly acceptance?: Acceptance
}

export async function contextOf(log: Log, options: AppendOptions): Promise<AppendContext> {
  const { accept = '', replaces = [], versionsOf = [] } = options
  const versions = new Map<number, WholeText | undefined>()
  for (const [i, seq] of versionsOf.entries()) if (seq !== undefined) versions.set(i, await wholeText(seq, log.one))
  const settings = await changedSettings(log, options.settings)
  return {
    versions,
    ...(settings ? { settings } : {}),
    ...(replaces.length > 0 ? { acceptance: await acceptanceOf(log, accept, replaces) } : {}),
  }
}

/** Undefined if they are those of the turn before. */
async function changedSettings(log: Log, settings: object | undefined): Promise<AcceptedBody['settings']> {
  const text = settings && jsonText(settings)
  const before = text === undefined ? undefined : await log.settings()
  if (text === undefined || text === (before?.text ?? '{}')) return undefined
  return differenceTo(before?.whole, text) ?? { value: settings }
}

export function messageRecords(
  log: Log,
  given: readonly unknown[],
  options: AppendOptions,
  writer: WriterInfo,
  { versions, settings, acceptance }: AppendContext,
): { records: NewRecord[]; exact: boolean } {
  const { messages, texts } = plainOf(given)
  const at = writer.clock ? { at: writer.clock() } : {}
  const proposed = options.proposed ? { proposed: true as const } : {}
  const bases = new Map(messages.map((message, i) => [message, versions.get(i)]))
  const recordOf = ({ message, made }: Continued): NewRecord => {
    const origin = made ? { synthetic: made } : authored(log, message, options, writer)
    const body = { message, ...origin, ...proposed, ...at }
    const whole = encodeMessage(body, texts.get(message))
    const difference = differenceTo(bases.get(message), texts.get(message) ?? jsonText(message) ?? '')
    return { kind: 'message', ...(difference ? { body: encodeDifference(body, difference), whole } : { body: whole }) }
  }
  const own = messages.map((message): Continued => ({ message }))
  if (options.proposed) return { records: own.map(recordOf), exact: false }
  const { accept: op } = options
  const isMarked = op !== undefined || settings !== undefined || acceptance !== undefined
  const change = { ...acceptance, ...(settings ? { settings } : {}) }
  const mark: NewRecord[] = isMarked ? [{ kind: 'mark', body: encode({ mark: 'accepted', op, ...change, ...at }) }] : []
  const accepted = op === undefined || acceptance ? [] : acceptedOf(log, op)
  // After a replacement the open round is not the one that is known here: the view closes what is left open.
  const all = acceptance ? own : continued(log, [...accepted, ...messages], writer)
  const made = all.filter((one) => one.made)
  // Synthetic results go before the acceptance, except if the accepted messages contain results of the round.
  const ordered = accepted.length > 0 ? [...made.map(recordOf), ...mark, ...own.map(recordOf)] : undefined
  return { records: ordered ?? [...mark, ...all.map(recordOf)], exact: made.length > 0 || mark.length > 0 }
}

/** None are pending if the acceptance was written before: the store then returns its first answer. */
function acceptedOf(log: Log, op: string): readonly unknown[] {
  return (log.waiting.get(op) ?? []).map((row) => row.message).filter((message) => message !== UNREADABLE)
}

function authored(
  log: Log,
  message: unknown,
  { author: given, incomplete, synthetic, insteadOf }: AppendOptions,
  { author }: WriterInfo,
): Omit<MessageBody, 'message'> {
  const writer = given ?? (readMessage(message, log.dialect).role === 'assistant' ? author : undefined)
  return {
    ...(writer ? { by: writer } : {}),
    ...(incomplete ? { incomplete: true } : {}),
    ...(synthetic ? { synthetic } : {}),
    ...(insteadOf === undefined ? {} : { insteadOf }),
  }
}

/** What the caller gets; for an operation that was stored before, read from the store. */
export async function appendedOf(log: Log, { answer, records }: Committed): Promise<Appended> {
  const written = answer.again ? await log.store.read(log.id, answer.first, answer.last) : records
  const positions: number[] = []
  written.forEach(({ kind, body }, i) => {
    // Searched in the text first, so that a large body is not parsed in vain.
    const made = kind === 'message' && body.includes('"synthetic":[') && decode(body)?.['synthetic']
    if (kind === 'message' && !made) positions.push(answer.first + i)
  })
  return { positions, head: answer.last, again: answer.again }
}

export function openCalls(log: Log, causeOf: WriterInfo['causeOf']): readonly OpenCall[] {
  return log.openRound.open().map((call) => ({ id: call.id, name: call.name, cause: causeOf(call) }))
}
