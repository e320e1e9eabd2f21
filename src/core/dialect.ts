/**
 * One wire format: how to read a message of it, and how to write the few things that a repair adds.
 * A dialect indexes native messages and never converts them: what is not changed keeps its reference.
 */
import type { JsonObject } from './json.ts'
import type { NeutralForm } from './neutral.ts'
import type { Part, Role } from './part.ts'
import type { Transcript } from './transcript.ts'
import type { Known } from './understood.ts'

/** One wire format: how its messages are read, and how an edit writes them. */
export interface Dialect<Id extends string = string> {
  readonly id: Id
  /** The key of a request body that holds the history. */
  readonly key: string
  /** What of the wire format is known. Absent: everything. */
  readonly known?: Known
  /** URL paths that speak it. */
  readonly paths: RegExp
  /**
   * Where the result of a call belongs. `next-message`: in messages of its own, directly after the message that calls.
   * `after-assistant-run`: at the start of what follows the assistant messages. `anywhere`: anywhere after the call.
   */
  readonly resultPlacement: 'next-message' | 'after-assistant-run' | 'anywhere'
  /** One answer of the API is several messages of the history, one item each. */
  readonly items?: true
  /** Keys under which a message lists its calls, if they are apart from its content. */
  readonly callLists?: readonly string[]
  /** The key of a cache mark on a part, and the request keys of other lists with marks, in their order. */
  readonly cacheKey?: string
  readonly cachedLists?: readonly string[]
  /** Keys of a message that hold its reasoning, the dialect's own first. */
  readonly reasoningKeys?: readonly string[]
  /** The request key that names a stored response to go on from. */
  readonly previousKey?: string
  /** Where a message keeps its blocks if results are blocks of a message; absent if results are messages. */
  readonly blocks?: readonly string[]
  /** Appends the message's parts, in order, and returns its role. Never throws, whatever the message is. */
  read(message: unknown, index: number, parts: Part[]): Role
  /** The type of call that a part belongs to, if one list holds several: a result answers only calls of its type. */
  callType?(part: Part): string
  /** What a call's arguments are: JSON (default), free text, or those of a built-in tool, which only its type names. */
  callForm?(call: Part): 'json' | 'text' | 'built-in'
  /** Keys of a message that name the call it answers, in any spelling: without meaning in a message of another role. */
  readonly resultKeys?: readonly string[]
  /** Images, documents and other media in native values. Absent: they are not looked for. */
  readonly nativeMedia?: NativeMedia
  /** The provider takes a result of any type for this call. */
  takesAnyResult?(call: Part): boolean
  /** The id the API gave to an assistant message, if the dialect has one. */
  messageId?(message: unknown): string | undefined
  /**
   * Ids of calls that need no result although they have none: an approval was just given, the client runs them next.
   * Called only for a history that has an unanswered call.
   */
  exemptCalls?(history: readonly unknown[]): ReadonlySet<string>
  /** The same dialect with what it writes in the form that this history has, if there are several. */
  variantFor?(history: readonly unknown[]): Dialect

  /** The message with the field names of the wire (`tool_call_id` for `toolCallId`); the same object if it has them. */
  toWireShape?(message: unknown, history: readonly unknown[]): unknown
  /** The message with legacy function calls in the current form, or the same object. Runs on every message. */
  fromLegacy?(message: unknown): unknown
  /** The message is distinguished by its type and has no role. */
  isRoleless?(message: unknown): boolean
  /** Text of a message under a key of another dialect, and that key, if the message has no content of its own. */
  foreignText?(message: unknown): { readonly key: string; readonly text: string } | undefined
  /** The request key of system instructions, and its value with these texts added. Absent: they are messages. */
  withInstructions?(request: JsonObject, texts: readonly string[]): { readonly key: string; readonly value: unknown }
  /** The id and the type of an item, and whether it only refers to a stored one; absent if messages are not items. */
  itemId?(message: unknown): string | undefined
  itemType?(message: unknown): string
  isReference?(message: unknown): boolean
  /** Names of the tools that a request declares; undefined for one that the provider runs itself. */
  declaredTools?(request: JsonObject): readonly (string | undefined)[]
  /** The request key that declares tools, and its value with these tools added. */
  declareTools?(request: JsonObject, names: readonly string[]): { readonly key: string; readonly value: unknown }
  /** The message stands for all that was before it: nothing goes before it. */
  isOpening?(message: unknown): boolean
  /** The provider holds earlier turns itself, so that a call may be there. */
  holdsEarlierTurns?(transcript: Transcript): boolean

  /** For histories that hold parts of several dialects. Absent: they are not looked for. */
  readonly neutral?: NeutralForm

  /** A new result for a call, by default one that says that the call failed: a block or a message. */
  answer(call: Part, text: string, succeeded?: boolean): unknown
  /** A part holds a call together with its result: the native value of the call with this text as its result. */
  answerInPlace?(call: Part, text: string): unknown
  /** Messages that hold these results and nothing else. */
  wrapResults(results: readonly unknown[]): readonly unknown[]
  /** A message of plain text, with these media blocks after it. */
  textMessage(role: 'user' | 'assistant', text: string, media?: readonly unknown[]): unknown
  /** An assistant message with the call of an orphan result. */
  call(result: Part, id: string, name: string): unknown
  /** The content of a result as text, and the media in it as blocks of a user message. */
  content(result: Part): { readonly text: string; readonly media: readonly unknown[] }
  /** The part's native value with another id, name, arguments or text. */
  write(part: Part, value: unknown, change: Change): unknown
  /** One message from two neighbors with the same role; nothing is lost. */
  merge(first: unknown, second: unknown): unknown
  /** After parts of `was` changed or went: drops lists that must not be empty. Undefined if no content is left. */
  cleanUp(message: unknown, was?: unknown): unknown
}

export type MediumKind = 'image' | 'audio' | 'video' | 'document'

/** How a dialect keeps media. */
export interface NativeMedia {
  /** The kind of a block; undefined: it is no medium. */
  kindOf(block: unknown): MediumKind | undefined
  /** The base64 text of a block and where it begins; a link or a list of bytes has none. */
  base64In(block: unknown): { readonly text: string; readonly from: number } | undefined
  /** The media type that a block names for its data, and the block with another one. */
  declaredType(block: unknown): { readonly type: string; replaced(type: string): unknown } | undefined
  /** The blocks of a result that may hold media: its content, or a list beside it. */
  blocksIn(result: Part): readonly unknown[]
  isText(block: unknown): boolean
}

/** What an edit may write into a part through its dialect. */
export type Change =
  | { readonly id: string }
  | { readonly name: string }
  | { readonly arguments: unknown }
  | { readonly text: string }
  | { readonly result: unknown }
