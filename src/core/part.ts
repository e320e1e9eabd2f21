/**
 * A message as its dialect reads it: a role and parts, each with its place and its native value by reference.
 * Nothing is converted: a part points into the history, it does not replace it.
 */
import type { Path } from './json.ts'

/** `tool` carries results only; `unknown` is a role the dialect does not know. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'unknown'

/** What a part is. `opaque`: a type that the dialect passes on without reading it. */
export type PartKind = 'text' | 'call' | 'result' | 'reasoning' | 'media' | 'opaque'

/** One constructor makes all parts, so that they have one hidden class. */
export class Part {
  readonly kind: PartKind
  /** The dialect's own word: `tool_use`, `custom_tool_call`, `redacted_thinking`, ... */
  readonly type: string
  /** Index of its message in the history. */
  readonly message: number
  /** Path from the message to the list that holds the part; empty: the part is the message itself. */
  readonly list: readonly string[]
  /** Index in that list; -1: the value at `list` is the part itself. */
  readonly index: number
  /** The native value, by reference. */
  readonly value: unknown
  /** Of a call: its id. Of a result: the id of the call it answers. */
  readonly id: string | undefined
  /** The tool's name, if the part has it. */
  readonly name: string | undefined
  /** Text of a text or reasoning, arguments of a call, content of a result. */
  readonly body: unknown
  /** Signature or encrypted content that the provider checks. Set by `signed`. */
  readonly signature: unknown = undefined
  /** Run by the provider itself: the client never answers it. */
  readonly server: boolean
  /** Of a result: it says that the tool failed. */
  readonly failed: boolean
  /** Fields of `value` have names of another SDK. The part was read as the dialect's `toWireShape` renames them. */
  readonly aliased: boolean
  /** Of a client-side call: its index in `transcript.calls`. Set by the transcript. */
  order = -1

  constructor(
    kind: PartKind,
    type: string,
    message: number,
    list: readonly string[],
    index: number,
    value: unknown,
    body?: unknown,
    id?: string,
    name?: string,
    server = false,
    failed = false,
    aliased = false,
  ) {
    this.kind = kind
    this.type = type
    this.message = message
    this.list = list
    this.index = index
    this.value = value
    this.id = id
    this.name = name
    this.body = body
    this.server = server
    this.failed = failed
    this.aliased = aliased
  }
}

/** The part with its signature, while it is read. */
export function signed(part: Part, signature: unknown): Part {
  const target: { signature: unknown } = part
  target.signature = signature
  return part
}

/** A message's role in the lowest three bits, and what kinds of parts it has. */
export type MessageFlags = number

export const ROLE: Readonly<Record<Role, MessageFlags>> = { system: 0, user: 1, assistant: 2, tool: 3, unknown: 4 }
const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool', 'unknown']
/** The message has a tool call. */
export const HAS_CALL = 8
/** The message has a tool result. */
export const HAS_RESULT = 16
/** Text, media or anything else that is neither call, result nor reasoning. */
export const HAS_OTHER = 32
/** The message has reasoning. */
export const HAS_REASONING = 64

export function roleOf(flags: MessageFlags): Role {
  return ROLES[flags & 7]!
}

export function flagOf({ server, kind }: Part): MessageFlags {
  if (server) return HAS_OTHER
  if (kind === 'call') return HAS_CALL
  if (kind === 'result') return HAS_RESULT
  return kind === 'reasoning' ? HAS_REASONING : HAS_OTHER
}

/** Of a transcript that takes over a part: the index that its message has now. */
export function moveTo(part: { message: number }, message: number): void {
  part.message = message
}

/** Path of a part from the root of its history. */
export function placeOf(part: Part): Path {
  return part.index < 0 ? [part.message, ...part.list] : [part.message, ...part.list, part.index]
}

/** Whether one part comes before another. */
export function isBefore(one: Part, other: Part): boolean {
  return one.message < other.message || (one.message === other.message && one.index < other.index)
}
