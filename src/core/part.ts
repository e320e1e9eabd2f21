/**
 * What a dialect tells about a message: its role and its parts, each with its place and its native value by reference.
 * Nothing is converted: a part points into the history, it does not replace it.
 */
import type { Path } from './json.ts'

/** Who speaks. `tool` carries results only; `unknown` is a role the dialect does not know. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'unknown'

export type PartKind = 'text' | 'call' | 'result' | 'reasoning' | 'media' | 'opaque'

export interface Part {
  readonly kind: PartKind
  /** The dialect's own word: `tool_use`, `custom_tool_call`, `redacted_thinking`, ... */
  readonly type: string
  /** Place of its message in the history. */
  readonly message: number
  /** Where in the message the list of its siblings stands; empty: the message itself. */
  readonly list: readonly string[]
  /** Place in that list; -1: the value at `list` is the part itself. */
  readonly index: number
  /** The native value, by reference. */
  readonly value: unknown
  /** Of a call: its id. Of a result: the id of the call it answers. */
  readonly id: string | undefined
  /** The tool's name, where the part says it. */
  readonly name: string | undefined
  /** Text of a text or reasoning, arguments of a call, content of a result. */
  readonly body: unknown
  /** Signature or encrypted content that the provider will check. */
  readonly sign: unknown
  /** Run by the provider itself: both halves are its own, no client answers it. */
  readonly server: boolean
  /** Of a result: it says that the tool failed. */
  readonly failed: boolean
}

/** What is left of a message when its content is taken away; one byte each is kept for every message. */
export type Outline = number

export const ROLE: Readonly<Record<Role, Outline>> = { system: 0, user: 1, assistant: 2, tool: 3, unknown: 4 }
const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool', 'unknown']
export const HAS_CALL = 8
export const HAS_RESULT = 16
/** Text, media or anything else that is neither call, result nor reasoning. */
export const HAS_OTHER = 32
export const HAS_REASONING = 64

/** Spelled out: a look-up by a key that varies costs more than most checks do. */
export function codeOf(role: Role): Outline {
  if (role === 'user') return ROLE.user
  if (role === 'assistant') return ROLE.assistant
  if (role === 'tool') return ROLE.tool
  return role === 'system' ? ROLE.system : ROLE.unknown
}

export function roleOf(outline: Outline): Role {
  return ROLES[outline & 7]!
}

/** Where a part stands in its history. */
export function placeOf(part: Part): Path {
  return part.index < 0 ? [part.message, ...part.list] : [part.message, ...part.list, part.index]
}

/** Whether one part stands before another. */
export function isBefore(one: Part, other: Part): boolean {
  return one.message < other.message || (one.message === other.message && one.index < other.index)
}

export function outlineOf(role: Role, parts: readonly Part[]): Outline {
  let outline = ROLE[role]
  for (const part of parts) {
    if (part.server) outline |= HAS_OTHER
    else if (part.kind === 'call') outline |= HAS_CALL
    else if (part.kind === 'result') outline |= HAS_RESULT
    else if (part.kind === 'reasoning') outline |= HAS_REASONING
    else outline |= HAS_OTHER
  }
  return outline
}
