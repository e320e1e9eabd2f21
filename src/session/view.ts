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
}

/** `proposed`: with the messages that this operation proposes. */
export async function viewOf(log: Log, wiring: Wiring, pen: Pen, proposed?: readonly unknown[]): Promise<View> {
  const base = await log.lines.base(log.state.line)
  const said = messagesIn(base, log)
  const rest = proposed
    ? continued(log, proposed, pen).map((one) => one.message)
    : log.tail.closing(log.tail.open(), pen.causeOf)
  const { value: history } = repair([...said, ...rest], targetOf(wiring))
  return { history, upTo: log.head, prefixHash: log.hash, base }
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
  return repair(messages, targetOf(wiring)).value
}

function targetOf({ service, rules, model, strict, policy }: Wiring) {
  return { service, rules, model, strict, policy }
}
