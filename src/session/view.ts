/**
 * The view of a session: the history to send, repaired for its provider, so that the provider accepts it whatever the
 * log contains.
 */

import { type Policy, type Rule, repair, type Service } from '../core/index.ts'
import { continued, type WriterInfo } from './append-records.ts'
import { withLateResults } from './late-results.ts'
import type { Log } from './log.ts'
import type { MessageRow } from './message-reader.ts'
import { UNREADABLE } from './record.ts'

/** The provider of a session: its name, its dialect and constraints, and the rules to check. */
export interface Wiring {
  readonly provider: string
  readonly service: Service
  readonly rules: readonly Rule[]
  readonly model?: string | undefined
  readonly strict?: boolean | undefined
  readonly policy?: Partial<Policy> | undefined
}

/** The history to send at one position of the log. `upTo` and `prefixHash` are for `replace`. */
export interface View<Message = unknown> {
  readonly history: readonly Message[]
  readonly upTo: number
  readonly prefixHash: string
  /** The messages it was made from. */
  readonly base: readonly MessageRow[]
  /** All messages before late results are moved and repairs are made, each with its JSON text. */
  readonly source: readonly Spelled[]
}

/** A message, and its JSON text if `jsonText` would write it differently. */
export interface Spelled {
  readonly message: unknown
  readonly text?: string
}

/** `proposed`: messages of an operation that were proposed and are included. */
export async function viewOf(
  log: Log,
  wiring: Wiring,
  writer: WriterInfo,
  proposed?: readonly MessageRow[],
): Promise<View> {
  const base = await log.messages.base(log.state.line)
  const messages = messagesIn(base, log)
  const rest = proposed
    ? continued(
        log,
        proposed.map((row) => row.message),
        writer,
      ).map((one) => one.message)
    : syntheticResults(log, writer, messages)
  const { value: history } = repair([...messages, ...rest], wiring)
  const texts = new Map(proposed?.map(({ message, text }) => [message, text]))
  const source = [
    ...base.filter(({ message }) => message !== UNREADABLE),
    ...rest.map((message) => spelled(message, texts)),
  ]
  return { history, upTo: log.head, prefixHash: log.hash, base, source }
}

/**
 * None if the last message approves a call: it must stay the last one, or that call is not run. The repair then answers
 * the other calls before it.
 */
function syntheticResults({ openRound, dialect }: Log, writer: WriterInfo, messages: readonly unknown[]) {
  const isApproval = (dialect.exemptCalls?.(messages).size ?? 0) > 0
  return isApproval ? [] : openRound.closing(openRound.closable(), writer.causeOf)
}

function spelled(message: unknown, texts: ReadonlyMap<unknown, string | undefined>): Spelled {
  const text = texts.get(message)
  return text === undefined ? { message } : { message, text }
}

/** The messages of these rows, with late results in place of synthetic ones. */
export function messagesIn(
  rows: readonly MessageRow[],
  { dialect, messages }: Pick<Log, 'dialect' | 'messages'>,
): readonly unknown[] {
  const read = rows.filter((row) => row.message !== UNREADABLE)
  return messages.hasSynthetic ? withLateResults(read, dialect) : read.map((row) => row.message)
}

/** Some messages of the session, repaired for its provider. */
export function repaired(messages: readonly unknown[], wiring: Wiring): readonly unknown[] {
  return repair(messages, wiring).value
}
