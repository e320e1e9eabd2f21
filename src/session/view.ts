/**
 * The views: what was said, and what to send. The one to send is repaired for its provider, so it is sound at once, whatever the log holds.
 */
import { type Policy, type Rule, repair, type Service } from '../core/index.ts'
import { withLateResults } from './late.ts'
import { HOLE, type Row } from './lines.ts'
import type { Log } from './log.ts'
import { continued, type Pen } from './writing.ts'

/** A provider as a session needs it: who it is, its dialect and laws, and the rules to hold it to. */
export interface Wiring {
  readonly provider: string
  readonly service: Service
  readonly rules: readonly Rule[]
  readonly model?: string | undefined
  readonly strict?: boolean | undefined
  readonly policy?: Partial<Policy> | undefined
}

/** The view to send at one position of the log. A plan made for it is committed with `upTo` and `prefixHash`. */
export interface View {
  readonly history: readonly unknown[]
  readonly upTo: number
  readonly prefixHash: string
  /** What it was made from. */
  readonly base: readonly Row[]
  /** All messages before late results are moved and anything is repaired, each with its JSON text. */
  readonly source: readonly Spelled[]
}

/** A message, and its JSON text where that is written otherwise than `jsonText` would write it. */
export interface Spelled {
  readonly message: unknown
  readonly text?: string
}

/** `proposed`: with the messages that this operation proposes. */
export async function viewOf(log: Log, wiring: Wiring, pen: Pen, proposed?: readonly Row[]): Promise<View> {
  const base = await log.lines.base(log.state.line)
  const said = messagesIn(base, log)
  const rest = proposed
    ? continued(
        log,
        proposed.map((row) => row.message),
        pen,
      ).map((one) => one.message)
    : log.tail.closing(log.tail.open(), pen.causeOf)
  const { history } = repair([...said, ...rest], targetOf(wiring))
  const texts = new Map(proposed?.map(({ message, text }) => [message, text]))
  const source = [...base.filter(({ message }) => message !== HOLE), ...rest.map((message) => spelled(message, texts))]
  return { history, upTo: log.head, prefixHash: log.hash, base, source }
}

function spelled(message: unknown, texts: ReadonlyMap<unknown, string | undefined>): Spelled {
  const text = texts.get(message)
  return text === undefined ? { message } : { message, text }
}

/** The messages of these rows, late results where they belong. */
export function messagesIn(
  rows: readonly Row[],
  { dialect, lines }: Pick<Log, 'dialect' | 'lines'>,
): readonly unknown[] {
  const read = rows.filter((row) => row.message !== HOLE)
  return lines.madeUp ? withLateResults(read, dialect) : read.map((row) => row.message)
}

/** A piece of the raw line as its provider accepts it. */
export function sound(messages: readonly unknown[], wiring: Wiring): readonly unknown[] {
  return repair(messages, targetOf(wiring)).history
}

function targetOf({ service, rules, model, strict, policy }: Wiring) {
  return { service, rules, model, strict, policy, sending: true }
}
