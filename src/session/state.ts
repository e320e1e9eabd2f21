/**
 * The state of a log after reading its records: which messages are part of the conversation, which patches apply, what
 * is open. Positions only, no content: a snapshot is small however long the conversation is.
 */
import type { Cause } from '../core/index.ts'
import type { Item, MarkBody, UndoBody } from './record.ts'

/** Positions [from, to] of the log, both included: every message record between them is part of the conversation. */
export type Span = readonly [from: number, to: number]

/** Replaces the first `frozen` raw messages. */
export interface Overlay {
  readonly seq: number
  readonly frozen: number
  readonly items: readonly Item[]
  readonly by: string
  readonly why: string
}

/** The messages of the conversation, in order. Not every message of the log: some were reverted or never accepted. */
export interface Line {
  readonly spans: readonly Span[]
  /** Number of messages. */
  readonly count: number
  readonly overlays: readonly Overlay[]
}

export interface Proposal {
  readonly op: string
  readonly seqs: readonly number[]
}

export interface State {
  readonly line: Line
  /** Position of the latest message record, also of a reverted one. */
  readonly latest: number
  /** Position of the latest record that changed the line other than by appending. */
  readonly changed: number
  /** The line before the latest revert, as long as nothing was appended since. */
  readonly reverted?: { readonly seq: number; readonly line: Line }
  readonly proposals: readonly Proposal[]
  /** Position of the mark with the settings of the latest turn. */
  readonly settings?: number
  readonly aborted?: {
    readonly cause: Cause
    readonly calls?: Readonly<Record<string, Cause>>
    readonly waits?: readonly string[]
  }
  /** Position of the mark of a turn that did not end. */
  readonly begun?: number
}

export const START: State = { line: { spans: [], count: 0, overlays: [] }, latest: 0, changed: 0, proposals: [] }

/** Appends a message record to the line: a new one, or a proposed one that was accepted. */
export function joined(state: State, seq: number): State {
  const { reverted: _gone, ...rest } = state
  const { spans, count, overlays } = state.line
  const last = spans.at(-1)
  // Extend the last span only if no other message record is in between: it would become part of the line.
  const touches =
    last !== undefined && last[1] < seq && (last[1] + 1 === seq || (last[1] === state.latest && seq > state.latest))
  const next: Span[] = touches ? [...spans.slice(0, -1), [last[0], seq]] : [...spans, [seq, seq]]
  return { ...rest, latest: Math.max(state.latest, seq), line: { spans: next, count: count + 1, overlays } }
}

export function proposed(state: State, op: string, seq: number): State {
  const others = state.proposals.filter((one) => one.op !== op)
  const seqs = state.proposals.find((one) => one.op === op)?.seqs ?? []
  return { ...state, latest: seq, proposals: [...others, { op, seqs: [...seqs, seq] }] }
}

export function settled(state: State, op: string): State {
  return { ...state, proposals: state.proposals.filter((one) => one.op !== op) }
}

export function reverted(state: State, seq: number, keep: number, spans: readonly Span[]): State {
  const overlays = overlaysWithin(state.line, keep)
  const { begun: _begun, aborted: _aborted, ...rest } = state
  return { ...rest, changed: seq, reverted: { seq, line: state.line }, line: { spans, count: keep, overlays } }
}

/** The state of a branch: what was proposed or begun belongs to the other session. */
export function forked(state: State, seq: number, keep: number, spans: readonly Span[]): State {
  const { reverted: _line, ...rest } = reverted(state, seq, keep, spans)
  return { ...rest, proposals: [] }
}

/** The patches that apply to the first `keep` messages only, up to the first other one: later ones build on it. */
export function overlaysWithin({ overlays }: Line, keep: number): readonly Overlay[] {
  const broken = overlays.findIndex(({ frozen }) => frozen > keep)
  return broken < 0 ? overlays : overlays.slice(0, broken)
}

export function replaced(state: State, overlay: Overlay): State {
  const { reverted: _gone, ...rest } = state
  return { ...rest, changed: overlay.seq, line: { ...state.line, overlays: [...state.line.overlays, overlay] } }
}

export function undone(state: State, seq: number, body: UndoBody): State {
  const { reverted: back, ...rest } = state
  if (back?.seq === body.undoes) return { ...rest, changed: seq, line: back.line }
  const overlays = state.line.overlays.filter((one) => one.seq !== body.undoes)
  return { ...rest, changed: seq, line: { ...state.line, overlays } }
}

export function marked(state: State, seq: number, body: MarkBody): State {
  if (body.mark === 'begun') return { ...state, begun: seq }
  if (body.mark !== 'ended' && body.mark !== 'failed' && body.mark !== 'aborted') return state
  const { begun: _begun, ...rest } = state
  if (body.mark !== 'aborted') return rest
  const { cause, calls, waits } = body
  return { ...rest, aborted: { cause, ...(calls ? { calls } : {}), ...(waits ? { waits } : {}) } }
}

/** The latest change that can be undone: a patch, or a revert with nothing appended since. */
export function latestChange(state: State): number | undefined {
  return Math.max(state.reverted?.seq ?? 0, state.line.overlays.at(-1)?.seq ?? 0) || undefined
}
