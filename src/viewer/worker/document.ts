/**
 * What is open: a session file, a plain history or a session of the gateway, as conversations with what is stored and what is sent.
 * A document is a value; applying a repair makes another one, so undo is going back.
 */
import { align, type Dialect, type Patch } from '../../core/index.ts'
import { dialects } from '../../dialects/index.ts'
import type { RepairPlan, SessionFile } from '../../session-files/types.ts'
import { defined } from './cells.ts'
import type { SubAgent, Usage } from './protocol.ts'
import type { View } from './view.ts'

/** A message or record as it is stored. */
export interface Stored {
  readonly message: unknown
  /** First and last line of the file. */
  readonly lines?: readonly [number, number]
  /** Why no request contains it. */
  readonly because?: string
  readonly type?: string
  readonly recorded?: Usage
  /** What the record marks, if it is a boundary: `compaction`. */
  readonly compaction?: string
}

export interface Talk {
  readonly id: string
  readonly title?: string | undefined
  readonly dialect: Dialect
  readonly provider: string
  readonly model?: string | undefined
  readonly stored: readonly Stored[]
  /** What the next request will contain. */
  readonly next: readonly unknown[]
  /** For each message of `next` the index in `stored`; -1: the agent adds it. */
  readonly origins: Int32Array
  /** The request body around the history, without it. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly reach?: { readonly included: number; readonly total: number }
}

export interface FileTarget {
  readonly provider: string
  readonly model?: string
}

/** What the worker asks of a session file. The formats are a large part of the script, and are loaded when a file needs them. */
export interface FileSupport {
  plan(document: Document, target: FileTarget, only?: readonly string[]): RepairPlan
  /** The document after the plan. */
  apply(document: Document, plan: RepairPlan): Document
  /** Sub-agents at the row whose record names them. */
  subAgents(view: View): ReadonlyMap<number, readonly SubAgent[]>
}

export interface Document {
  readonly name: string
  readonly bytes: number
  readonly talks: readonly Talk[]
  readonly file?: SessionFile
  /** What can be done with a session file. Its code is loaded when one is opened. */
  readonly support?: FileSupport
  readonly formatTitle?: string
  /** Turns what is open back into a file. Absent for a session of the gateway. */
  readonly write?: (talks: readonly Talk[]) => Uint8Array
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
  readonly model?: string
}

/** A session of the gateway: the stored messages, and the history that it sends. */
export function openSession({ id, stored, next, provider, dialect, model }: SessionInput): Document {
  const origins = Int32Array.from(align(stored, next, { keyOf: jsonOf }), ({ from, moved }) => (moved ? -1 : from))
  const kept = new Set(origins)
  const talk: Talk = {
    id: 'main',
    title: id,
    dialect: dialectNamed(dialect),
    provider,
    ...defined('model', model),
    stored: stored.map((message, i) => ({ message, ...(kept.has(i) ? {} : { because: 'superseded' }) })),
    next,
    origins,
  }
  return { name: id, bytes: 0, talks: [talk], applied: [] }
}

/** Equal messages have equal texts. */
export function jsonOf(message: unknown): string {
  return JSON.stringify(message)
}

export function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
