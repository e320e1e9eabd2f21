import type { RejectionKind } from './rejections/index.ts'

/** The request that an event is about. */
export interface EventContext {
  /** Counted by the guard, from 1. */
  readonly request: number
  readonly provider?: string
  readonly dialect?: string
  readonly model?: string
}

/** Number of findings by rule. */
export type RuleCounts = Readonly<Record<string, number>>

/** How the sent bytes compare with the caller's. */
export interface ByteCounts {
  readonly given: number
  readonly sent: number
  /** Bytes at the start that are unchanged: what a prompt cache can still match. */
  readonly prefix: number
  /** Bytes after that, which a cache of the original bytes would have matched. */
  readonly lost: number
}

export type Repaired = {
  readonly type: 'repaired'
  readonly findings: RuleCounts
  /** Findings that have no fix, or that were only reported. */
  readonly remaining: RuleCounts
  readonly edits: number
  /** The first of them by place and kind, without content: `/messages/2: adds user message (result toolu_1)`. */
  readonly changes: readonly string[]
  /** Names of the rounds that changed: `turn 12, round 3`, neighbors together: `turn 1, round 1 to turn 3, round 2`. */
  readonly rounds: readonly string[]
  readonly messages: number
  readonly bytes: ByteCounts
  /** `rewritten`: a key is repeated, so an object was serialized again instead of spliced. */
  readonly way: 'spliced' | 'rewritten'
}

/** The history has errors, and the request was not changed: the level is `lint`, or the request is signed. */
export type Found = {
  readonly type: 'found'
  readonly findings: RuleCounts
  /** Names of the rounds that have errors. */
  readonly rounds: readonly string[]
  readonly messages: number
}

/** Faults that rely on something unknown: they are repaired after a rejection that fits. */
export type Waiting = {
  readonly type: 'waiting'
  readonly findings: RuleCounts
  /** What is not known, in words: names of keys, types, roles and versions. */
  readonly notKnown: readonly string[]
}

export type Rejected = {
  readonly type: 'rejected'
  readonly status: number
  readonly kind: RejectionKind
  readonly rule?: string
  /** The round of the message it names; for a size, the round that brought the request over the limit, if known. */
  readonly round?: string
  /** The rejection came inside a stream, or in a response with status 200. */
  readonly inside: boolean
}

export type Recovered = {
  readonly type: 'recovered'
  readonly recovery: string
  /** What the recovery did: counts and ids. */
  readonly report: Readonly<Record<string, unknown>>
  /** Names of the rounds that changed. */
  readonly rounds: readonly string[]
  readonly wait?: number
  readonly bytes: ByteCounts
}

/** Results or fields that an earlier request had to shorten or remove were treated the same way before sending. */
export type Shrunk = Omit<Recovered, 'type' | 'wait'> & { readonly type: 'shrunk' }

/** Reasoning that the client had dropped was restored from the signature memory. */
export type Restored = {
  readonly type: 'restored'
  /** Calls that got their reasoning or signature back. */
  readonly calls: number
  readonly bytes: ByteCounts
}

/** The reply did not reach its end. `output`: some output had reached the caller. */
export type Incomplete = {
  readonly type: 'incomplete'
  readonly why: 'cut' | 'error' | 'malformed'
  readonly output: boolean
}

export type Passed = {
  readonly type: 'passed'
  readonly why:
    | 'off'
    | 'unknown-endpoint'
    | 'not-readable'
    | 'not-json'
    | 'no-history'
    | 'signed'
    | 'too-large'
    | 'too-late'
    | 'too-many-values'
    | 'too-many-findings'
}

/** A step of Suture failed; the request continued without it. */
export type Failed = { readonly type: 'failed'; readonly step: string; readonly error: string }

export type EventBody =
  | Repaired
  | Found
  | Waiting
  | Rejected
  | Recovered
  | Shrunk
  | Restored
  | Incomplete
  | Passed
  | Failed
/** Events of the guard about a request: counts, ids and rules, never content. */
export type GuardEvent = EventContext & EventBody
