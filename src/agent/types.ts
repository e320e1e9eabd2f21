/**
 * What a turn is told and what it tells.
 */
import type { Patch, SutureError } from '../core/index.ts'
import type { GuardEvent, GuardOptions } from '../guard/index.ts'
import type { View } from '../session/index.ts'
import type { LanguageModel } from './ai-sdk.ts'
import type { Schema } from './schema.ts'

/** What a tool is told beside its arguments. */
export interface About {
  /** The call's own id; where the provider gives none, its name and place. */
  readonly id: string
  readonly name: string
  /** Says when to stop: the turn was aborted, or the time is up. */
  readonly signal: AbortSignal
  /** Tells whoever watches the turn how far it is. */
  progress(detail: unknown): void
}

/** Something the model may call. A value that is returned is the result, an error that is thrown a failed one. */
export interface Tool {
  readonly name: string
  readonly description?: string
  /** A JSON Schema, or anything that follows Standard Schema. Arguments are held against it before the tool runs. */
  readonly parameters: Schema
  /** The JSON Schema to tell the model where `parameters` cannot say it itself. */
  readonly declared?: object
  /** Milliseconds it may take; the turn's `timeout` unless told. */
  readonly timeout?: number
  /** A person must allow the call first. */
  readonly approval?: boolean | ((input: unknown) => boolean | Promise<boolean>)
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows what its own schema lets through.
  run(input: any, about: About): unknown
}

/** A call of the model's, as it is told to callers. */
export interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** A person's answer to a call: run it, or why not. */
export type Approval = boolean | { readonly deny: string }

export interface TurnOptions {
  /** The model's name, or a language model of the AI SDK for sessions of that dialect. */
  readonly model: string | LanguageModel
  /** The provider's address as its own library wants it, or the whole address of the endpoint. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** More fields of the request, in the provider's own words. */
  readonly body?: Readonly<Record<string, unknown>>
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
  /** Milliseconds without a byte after which an answer counts as broken off; 120,000 unless told. */
  readonly stall?: number
  /** How often a turn asks again after an answer that broke off; 2 unless told. */
  readonly retries?: number
  /** The so-many-eth identical call in a row is not run; 3 unless told, 0 for never. */
  readonly sameCalls?: number
  /** Asked about each call that needs approval. Undefined: not yet, the turn ends and the call waits. */
  readonly approve?: (call: Call) => Approval | undefined | Promise<Approval | undefined>
  /** Asked before each request, and after a refusal for size: a shorter view, as a patch. */
  readonly compact?: (view: View, why: 'step' | 'too-long') => Compaction | undefined | Promise<Compaction | undefined>
  /** Holds the session for this owner while the turn lasts, across processes. */
  readonly owner?: string
  /** Takes the session from whoever holds it: after a crash. */
  readonly takeOver?: boolean
  /** How the guard behaves that every request goes through. */
  readonly guard?: Omit<GuardOptions, 'provider' | 'dialect' | 'onReply'>
}

export interface Compaction {
  readonly patch: Patch
  readonly report?: unknown
}

export type ResultWhy =
  | 'returned'
  | 'threw'
  | 'timed-out'
  | 'arguments'
  | 'no-such-tool'
  | 'repeated'
  | 'denied'
  | 'no-step-left'

export type TurnEvent =
  | { readonly type: 'prompt'; readonly prompt: Prompt }
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'call' | 'waiting'; readonly call: Call }
  | { readonly type: 'progress'; readonly call: Call; readonly detail: unknown }
  | {
      readonly type: 'result'
      readonly call: Call
      readonly text: string
      readonly failed: boolean
      readonly why: ResultWhy
    }
  | { readonly type: 'repaired'; readonly event: GuardEvent }
  /** By the guard, or by the turn itself: `ask-again`, `compact`. */
  | { readonly type: 'recovered'; readonly recovery: string; readonly report: unknown }
  /** `failed`: nothing was changed, and the turn went on. */
  | { readonly type: 'compacted'; readonly report: unknown; readonly failed: boolean }
  | { readonly type: 'incomplete'; readonly why: string }
  | { readonly type: 'done'; readonly outcome: Outcome }

/** Text, or messages in the provider's own shape. */
export type Prompt = string | readonly unknown[]

export interface Outcome {
  /** `incomplete`: the last answer broke off · `limit`: the model still called tools on the last step · `waiting`: for approvals. */
  readonly status: 'done' | 'waiting' | 'limit' | 'aborted' | 'incomplete' | 'failed'
  /** What the model said last, as far as it came. */
  readonly text: string
  readonly steps: number
  readonly usage: { readonly input: number; readonly output: number }
  /** Calls that wait for a person. */
  readonly waiting: readonly Call[]
  readonly error?: SutureError | Error
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
