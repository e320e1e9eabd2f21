/**
 * The open document: a session file, a plain history or a session of the gateway, as conversations with stored and sent
 * messages. A document is a value; a repair makes another one, and undo returns to the previous one.
 */
import { align, type Dialect, type Patch } from '../../core/index.ts'
import { dialects } from '../../dialects/index.ts'
import type { Conversation, RepairPlan, SessionFile } from '../../session-files/types.ts'
import type { MessageFacts, SubAgent } from './protocol.ts'
import type { View } from './view.ts'

/** A message or record as it is stored. */
export interface Stored {
  readonly message: unknown
  /** First and last line of the file. */
  readonly lines?: readonly [number, number] | undefined
  /** Why no request contains it. */
  readonly because?: string | undefined
  readonly type?: string
  readonly facts?: MessageFacts
  /** When its last record was written: a reply may have several. */
  readonly until?: number | undefined
  /** For a record that marks a compaction: its name. */
  readonly compaction?: string | undefined
}

export interface OpenConversation extends Pick<Conversation, 'id' | 'title' | 'provider' | 'model'> {
  readonly dialect: Dialect
  readonly stored: readonly Stored[]
  /** What the next request will contain. */
  readonly next: readonly unknown[]
  /** For each message of `next` the index in `stored`; -1: the agent adds it. */
  readonly origins: Int32Array
  /** The request body around the history, without it. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly reach?: { readonly included: number; readonly total: number }
}

/** The functions for session files. Their code is a large part of the script, and is loaded when a file needs it. */
export interface FileSupport {
  /** The repair, and the document after it. */
  repair(
    document: Document,
    target: Pick<View, 'provider' | 'model'>,
  ): { readonly plan: RepairPlan; readonly repaired: Document }
  /** Sub-agents at the row whose record names them. */
  subAgents(view: View): ReadonlyMap<number, readonly SubAgent[]>
}

export interface Document {
  readonly name: string
  readonly conversations: readonly OpenConversation[]
  /** These three for a session file only. */
  readonly file?: SessionFile
  readonly support?: FileSupport
  readonly formatTitle?: string
  /** The conversations as a file. Absent for a session of the gateway. */
  readonly write?: (conversations: readonly OpenConversation[]) => Uint8Array
  /** Edits that were applied since it was opened. */
  readonly applied: Patch
}

export function dialectNamed(id: string | undefined): Dialect {
  return dialects.find((one) => one.id === id) ?? dialects.find((one) => one.id === 'openai-chat')!
}

export interface SessionInput {
  readonly id: string
  readonly stored: readonly unknown[]
  readonly next: readonly unknown[]
  readonly provider: string
  readonly dialect: string
  readonly model?: string | undefined
}

/** A session of the gateway: the stored messages, and the history that it sends. */
export function openSession({ id, stored, next, provider, dialect, model }: SessionInput): Document {
  const origins = Int32Array.from(align(stored, next, { keyOf: jsonOf }), ({ from, moved }) => (moved ? -1 : from))
  const kept = new Set(origins)
  const conversation: OpenConversation = {
    id: 'main',
    title: id,
    dialect: dialectNamed(dialect),
    provider,
    model,
    stored: stored.map((message, i) => ({ message, because: kept.has(i) ? undefined : 'superseded' })),
    next,
    origins,
  }
  return { name: id, conversations: [conversation], applied: [] }
}

/** The document after the repair of one of its conversations. */
export function withRepaired(
  document: Document,
  conversation: OpenConversation,
  { next, body, patch }: { next: readonly unknown[]; body?: OpenConversation['body']; patch: Patch },
): Document {
  const stored = next.map((message) => ({ message }))
  const repaired = { ...conversation, stored, next, body, origins: Int32Array.from(next, (_, i) => i) }
  return {
    ...document,
    conversations: document.conversations.map((one) => (one === conversation ? repaired : one)),
    applied: [...document.applied, ...patch],
  }
}

/** Equal messages have equal texts. */
export function jsonOf(message: unknown): string {
  return JSON.stringify(message)
}

export function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
