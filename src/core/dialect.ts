/**
 * One wire shape: how to read a message of it and how to write the few things a repair adds.
 * A dialect indexes native messages and never converts them: what it is not told to change keeps its reference.
 */
import type { Look } from './look.ts'
import type { Outline, Part, Role } from './part.ts'

export interface Dialect {
  readonly id: string
  /** The key of a request body that holds the history. */
  readonly key: string
  /** URL paths that speak it. */
  readonly paths: RegExp
  /**
   * Where a call's result stands. `next`: in messages of their own right behind the message that calls ·
   * `run`: at the head of what follows the run of assistant messages · `anywhere`: somewhere behind the call.
   */
  readonly slot: 'next' | 'run' | 'anywhere'
  /** One answer of the API is several messages of the history, one item each. */
  readonly items?: true
  /** Where a message keeps its blocks when results are blocks of a message; absent where a result is a message of its own. */
  readonly blocks?: readonly string[]
  /** Appends the message's parts, in order; answers who speaks. Never throws, whatever the message is. */
  read(message: unknown, index: number, parts: Part[]): Role
  /**
   * Shows a plain message to the look, piece by piece in the order of `read`; its outline, or -1 where it is not plain or a rule may speak.
   * Says no more and no less than `read` would: what it is not sure of is not plain.
   */
  plain?(message: unknown, look: Look): Outline
  /** Which calls a result can answer, where one list holds several sorts of them. */
  family?(part: Part): string
  /** The id the API gave to an assistant message, where the shape carries one. */
  messageId?(message: unknown): string | undefined
  /**
   * Ids of calls that need no result although they have none: an approval was just given, and the client runs them next.
   * Asked only of a history that has an unanswered call.
   */
  excused?(history: readonly unknown[]): ReadonlySet<string>
  /** The same dialect with what it writes in the form that this history has, where there are several. */
  suited?(history: readonly unknown[]): Dialect

  /** The message with its fields named as on the wire; the very same where they are. Absent where nobody names them otherwise. */
  wire?(message: unknown): unknown

  /** A new result for a call: an element of the list that results live in (a block, or a message). */
  answer(call: Part, text: string): unknown
  /** Messages that hold these results and nothing else. */
  hold(results: readonly unknown[]): readonly unknown[]
  /** A message of plain text, with media blocks of the user's behind it. */
  say(role: 'user' | 'assistant', text: string, media?: readonly unknown[]): unknown
  /** An assistant message that makes this call anew (the call of an orphaned result). */
  call(result: Part, id: string, name: string): unknown
  /** What a result says, as text, and the media in it as the user's blocks. */
  content(result: Part): { readonly text: string; readonly media: readonly unknown[] }
  /** The part's native value with another id, name, arguments or text. */
  write(part: Part, value: unknown, change: Change): unknown
  /** One message of two neighbours with one role, nothing lost. */
  merge(first: unknown, second: unknown): unknown
  /** After parts were changed or taken out of `was`: drops lists that must not be empty; undefined when nothing is left to say. */
  tidy(message: unknown, was?: unknown): unknown
}

export type Change =
  | { readonly id: string }
  | { readonly name: string }
  | { readonly arguments: unknown }
  | { readonly text: string }
  | { readonly result: unknown }
