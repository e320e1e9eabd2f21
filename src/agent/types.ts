/**
 * What a turn is told and what it tells.
 */
import type { AskEvent, AskOptions } from '../guard/ask.ts'
import type { Session } from '../session/index.ts'
import type { Tool } from '../tools/index.ts'

/** A call of the model's, as it is told to callers. */
export type Call = { readonly id: string; readonly name: string; readonly arguments: unknown }

/** A person's answer to a call: run it, or why not. */
export type Approval = boolean | { readonly deny: string }
export type Approvals = Readonly<Record<string, Approval>>

/** Text, or messages in the provider's own shape. */
export type Prompt = string | readonly unknown[]

/** What came of a compaction. `compactSession` answers so. */
export type Compaction = { readonly acts: boolean; readonly receipt?: unknown }

/** Whom to ask and how, which tools there are, and where it all ends. */
export interface TurnOptions extends AskOptions {
  readonly system?: string
  readonly tools?: readonly Tool[]
  /** Ends the turn. What has come is kept. */
  readonly signal?: AbortSignal
  /** Requests at most; the last one asks for an answer without tools. 50 unless told. */
  readonly steps?: number
  /** Tools that run at the same time; 4 unless told. */
  readonly parallel?: number
  /** Milliseconds a tool may take; 120,000 unless told. */
  readonly timeout?: number
  /** How often a turn asks again after an answer that broke off; 2 unless told. */
  readonly retries?: number
  /** The so-many-eth identical call in a row is not run; 3 unless told, 0 for never. */
  readonly sameCalls?: number
  /** Asked about each call that needs approval. Undefined: not yet, the turn ends and the call waits. */
  readonly approve?: (call: Call) => Approval | undefined | Promise<Approval | undefined>
  /** Asked before each request, and after a refusal for size: makes what the session sends shorter, or leaves it. */
  readonly compact?: (session: Session, why: 'step' | 'too-long') => Promise<Compaction | undefined>
  /** Holds the session for this owner while the turn lasts, across processes. */
  readonly owner?: string
  /** Takes the session from whoever holds it: after a crash. */
  readonly takeOver?: boolean
}

/** Why a result is what it is. */
export type ResultWhy = 'returned' | 'threw' | 'timed-out' | 'arguments' | 'no-such-tool' | 'repeated' | 'denied'

/** Of the answers (`text`, `reasoning`, `repaired`, `recovered`, also by the turn itself: `ask-again`, `compact`), and of all around them. */
export type TurnEvent =
  | AskEvent
  | { readonly type: 'prompt'; readonly prompt: Prompt }
  | { readonly type: 'call' | 'waiting'; readonly call: Call }
  | { readonly type: 'progress'; readonly call: Call; readonly detail: unknown }
  | {
      readonly type: 'result'
      readonly call: Call
      readonly text: string
      readonly failed: boolean
      readonly why: ResultWhy
    }
  /** `failed`: nothing was changed, and the turn went on. */
  | { readonly type: 'compacted'; readonly report: unknown; readonly failed: boolean }
  | { readonly type: 'incomplete'; readonly why: string }
  | { readonly type: 'done'; readonly outcome: Outcome }

export interface Outcome {
  /** `incomplete`: the last answer broke off · `limit`: the model still called tools on the last step · `waiting`: for approvals. */
  readonly status: 'done' | 'waiting' | 'limit' | 'aborted' | 'incomplete' | 'failed'
  /** What the model said last, as far as it came. */
  readonly text: string
  readonly steps: number
  readonly usage: { readonly input: number; readonly output: number }
  /** Calls that wait for a person. */
  readonly waiting: readonly Call[]
  readonly error?: Error
}

/** A turn that runs, watched or not. Its events can be read once. */
export interface Turn extends AsyncIterable<TurnEvent> {
  /** Never rejects: a failure is an outcome. */
  readonly outcome: Promise<Outcome>
  /** When nothing of it runs any more, tools that were told to stop included. */
  readonly settled: Promise<void>
  abort(): void
  /** A prompt for the running turn: before its next request, or `after` it has answered. False when it is over. */
  say(prompt: Prompt, when?: 'now' | 'after'): boolean
}
