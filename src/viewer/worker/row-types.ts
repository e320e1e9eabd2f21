/**
 * One row of the thread as the page gets it: a message as stored and as sent, with its parts.
 */
import type { RoleName } from './protocol.ts'

export interface PartView {
  readonly kind: 'text' | 'call' | 'result' | 'reasoning' | 'media' | 'opaque'
  readonly type: string
  readonly name?: string
  readonly id?: string
  /** At most 8 kB and 72 lines. */
  readonly text: string
  /** Characters that are not in `text`. */
  readonly more: number
  readonly failed?: boolean
  readonly server?: boolean
  /** A result that Suture or the agent made up. */
  readonly synthetic?: boolean
  /** `pending`: it may still be answered. */
  readonly pair?: 'paired' | 'open' | 'pending' | 'loose' | 'duplicate'
  /** The row of the other half of the pair. */
  readonly other?: number
  /** Place and number of calls made in parallel. */
  readonly batch?: readonly [number, number]
  readonly tokens: number
  /** A picture as a data URL, if it is small enough to show. */
  readonly image?: string
}

export interface Cell {
  readonly role: RoleName
  readonly index: number
  readonly parts: readonly PartView[]
  readonly tokens: number
}

export interface SubAgent {
  readonly conversation: string
  readonly messages: number
  readonly tokens: number
}
