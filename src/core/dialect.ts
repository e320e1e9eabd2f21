/**
 * One wire shape: how to read a message of it and how to write the few things a repair adds.
 * A dialect indexes native messages and never converts them: what it is not told to change keeps its reference.
 */
import type { JsonObject } from './json.ts'
import type { Part, Role } from './part.ts'
import type { Transcript } from './transcript.ts'

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
  /** Keys under which a message lists its calls, if they are apart from its content. */
  readonly callLists?: readonly string[]
  /** The key of a cache mark on a part, and the request keys of lists that carry marks, too, in the order in which they count. */
  readonly cacheKey?: string
  readonly cachedLists?: readonly string[]
  /** Keys of a message that hold its reasoning, the dialect's own first. */
  readonly reasoningKeys?: readonly string[]
  /** The request key that names a stored response to go on from. */
  readonly previousKey?: string
  /** Where a message keeps its blocks when results are blocks of a message; absent where a result is a message of its own. */
  readonly blocks?: readonly string[]
  /** Appends the message's parts, in order; answers who speaks. Never throws, whatever the message is. */
  read(message: unknown, index: number, parts: Part[]): Role
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

  /** The message with its fields named and formed as on the wire (`toolCallId` becomes `tool_call_id`); the same object if they are. */
  wire?(message: unknown): unknown
  /** The message with calls and results of the API's first version in today's form; the same object if it has none. */
  modern?(message: unknown): unknown
  /** The message is told apart by its type and has no role. */
  isRoleless?(message: unknown): boolean
  /** Text of a message under a key of another dialect, and that key, if the message has no content of its own. */
  foreignText?(message: unknown): { readonly key: string; readonly text: string } | undefined
  /** The request key that holds system instructions, and its value with these texts added. Absent: they are messages of the history. */
  withInstructions?(request: JsonObject, texts: readonly string[]): { readonly key: string; readonly value: unknown }
  /** The id and the type of an item, and whether it only refers to a stored one; absent if messages are not items. */
  itemId?(message: unknown): string | undefined
  itemType?(message: unknown): string
  isReference?(message: unknown): boolean
  /** Names of the tools that a request declares; undefined for one that the provider runs itself. */
  declaredTools?(request: JsonObject): readonly (string | undefined)[]
  /** The request key that declares tools, and its value with these tools added. */
  declareTools?(request: JsonObject, names: readonly string[]): { readonly key: string; readonly value: unknown }
  /** The provider holds earlier turns itself, so that a call may be there. */
  holdsEarlierTurns?(transcript: Transcript): boolean

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
