/** Options, events and outcome of a turn. */
import type { AskEvent, AskOptions } from '../guard/ask.ts'
import type { Session } from '../session/index.ts'
import type { Tool } from '../tools/index.ts'

/** A tool call of the model. */
export type Call = { readonly id: string; readonly name: string; readonly arguments: unknown }

/** A decision about a call: run it, or not and why. */
export type Approval = boolean | { readonly deny: string }
/** Decisions of a person about calls, by `callKey`. */
export type Approvals = Readonly<Record<string, Approval>>

/** Text, or messages of the provider's own type. */
export type Prompt<Message = unknown> = string | readonly Message[]

/** The result of a compaction, as `compactSession` returns it. */
export type Compaction = { readonly changesAnything: boolean; readonly receipt?: unknown }

/** Model, tools and limits of a turn. */
export interface TurnOptions extends AskOptions {
  readonly system?: string
  readonly tools?: readonly Tool[]
  /** Ends the turn. What has arrived is stored. */
  readonly signal?: AbortSignal
  /** Maximum number of requests; the last one asks for an answer without tools. Default 50. */
  readonly maxSteps?: number
  /** Tools that run at the same time. Default 4. */
  readonly maxParallelTools?: number
  /** Milliseconds that a tool may take. Default 120,000. */
  readonly toolTimeoutMs?: number
  /** Maximum number of new requests after incomplete answers. Default 2. */
  readonly maxRetries?: number
  /** The call that would be this many identical calls in a row is not run. Default 3; 0: no limit. */
  readonly maxIdenticalCalls?: number
  /** Decides about each call that needs approval. Undefined: not decided yet; the turn ends and the call waits. */
  readonly approve?: (call: Call) => Approval | undefined | Promise<Approval | undefined>
  /** Called before each request, and after a rejection for size. Compacts the session if needed. */
  readonly compact?: (session: Session, why: 'step' | 'too-long') => Promise<Compaction | undefined>
  /** Takes a lease on the session for this owner during the turn. */
  readonly owner?: string
  /** Takes the lease even if another owner has it: after a crash. */
  readonly takeOver?: boolean
}

/** How a result came about. */
export type ResultWhy = 'returned' | 'threw' | 'timed-out' | 'arguments' | 'no-such-tool' | 'repeated' | 'denied'

/**
 * Events of the answers (`text`, `reasoning`, `repaired`, `recovered`; `recovered` also for `ask-again` and `compact`
 * of the turn), and of the turn.
 */
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
  /** `failed`: nothing changed, and the turn continues. */
  | { readonly type: 'compacted'; readonly report: unknown; readonly failed: boolean }
  | { readonly type: 'incomplete'; readonly why: string }
  | { readonly type: 'done'; readonly outcome: Outcome }

/** How a turn ended. */
export interface Outcome {
  /**
   * `incomplete`: the last answer is incomplete · `limit`: the model called tools on the last step · `waiting`: for
   * approvals.
   */
  readonly status: 'done' | 'waiting' | 'limit' | 'aborted' | 'incomplete' | 'failed'
  /** The last text of the model, as far as it arrived. */
  readonly text: string
  readonly steps: number
  readonly usage: { readonly input: number; readonly output: number }
  /** Calls that wait for approval. */
  readonly waiting: readonly Call[]
  readonly error?: Error
}

/** A running turn. Its events can be read once; it runs also if they are not read. */
export interface Turn extends AsyncIterable<TurnEvent> {
  /** Never rejects: a failure is a status. */
  readonly outcome: Promise<Outcome>
  /** Resolves when everything has ended, also tools that were aborted. */
  readonly settled: Promise<void>
  abort(): void
  /** Adds a prompt to the running turn: before its next request, or `after` its answer. False if the turn is over. */
  say(prompt: Prompt, when?: 'now' | 'after'): boolean
}
