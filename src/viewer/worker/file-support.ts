/**
 * What the worker asks of a session file. A type of its own: the formats are a large part of the script, and are loaded when a file is opened
 * that may be in one of them.
 */
import type { FileFinding, RepairPlan } from '../../session-files/types.ts'
import type { Document } from './document.ts'
import type { SubAgent } from './protocol.ts'
import type { View } from './view.ts'

export interface FileTarget {
  readonly provider: string
  readonly model?: string
}

export interface FileSupport {
  /** Findings of one conversation, and those of the file as a whole with its first one. */
  check(document: Document, conversation: string, target: FileTarget): readonly FileFinding[] | undefined
  plan(document: Document, target: FileTarget, only?: readonly string[]): RepairPlan | undefined
  /** The document after the plan. */
  apply(document: Document, plan: RepairPlan): Document
  /** Sub-agents at the row whose record names them. */
  subAgents(view: View): ReadonlyMap<number, readonly SubAgent[]>
}
