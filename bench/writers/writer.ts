/**
 * What a writer is: from a turn of a conversation to the native messages of one dialect.
 */
import type { Style, Turn } from '../conversation.ts'

export interface Writer {
  /** What usually opens a list; empty where the system prompt is not in it. */
  opening(style: Style, scale?: number): readonly unknown[]
  turn(turn: Turn, style: Style): unknown[]
  /** Whether a message holds nothing but results of calls. */
  isResults(message: unknown): boolean
  /** The message before its results came, where they are in the message of their calls; the same one if it has none. */
  unanswered?(message: unknown): unknown
  /** Where a request body has the list. */
  readonly key: string
}

/** Instructions of about a kilobyte. */
export function systemText(scale = 1): string {
  return 'You are a careful agent. Use the tools, and say what you have done. '.repeat(Math.ceil(16 * scale)).trim()
}

export type Native = Readonly<Record<string, unknown>>

/** Whether a list has entries, and all of them are of this kind. */
export function every(list: unknown, is: (one: Native) => boolean): boolean {
  return (
    Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'object' && one !== null && is(one))
  )
}
