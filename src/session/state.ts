/**
 * What a log says, folded: which messages are on the line, what replaced its beginning, what is open.
 * Plain data and positions only, never content: a snapshot of it is small however long the conversation is.
 */
import type { Cause } from '../core/index.ts'
import type { Item, MarkBody, PatchBody, UndoBody } from './record.ts'

/** Positions [from, to] of the log, both included: every message record in there is on the line. */
export type Span = readonly [from: number, to: number]

/** The view begins with these instead of the first `frozen` raw messages. */
export interface Overlay {
  readonly seq: number
  readonly frozen: number
  readonly items: readonly Item[]
  readonly by: string
  readonly why: string
}

export interface Line {
  readonly spans: readonly Span[]
  /** How many messages are in there. */
  readonly count: number
  readonly overlays: readonly Overlay[]
}

export interface Proposal {
  readonly op: string
  readonly seqs: readonly number[]
}

export interface State {
  readonly line: Line
  /** The latest message record, on the line or not. */
  readonly latest: number
  /** The latest record that changed the line other than by adding to it. */
  readonly changed: number
  /** What the latest revert took back, while nothing was said since. */
  readonly reverted?: { readonly seq: number; readonly line: Line }
  readonly proposals: readonly Proposal[]
  readonly aborted?: {
    readonly cause: Cause
    readonly calls?: Readonly<Record<string, Cause>>
    readonly waits?: readonly string[]
  }
  /** A turn that was begun and neither ended, failed nor was aborted. */
  readonly begun?: number
}

export const EMPTY_LINE: Line = { spans: [], count: 0, overlays: [] }
export const START: State = { line: EMPTY_LINE, latest: 0, changed: 0, proposals: [] }

/** A message record joins the line: a new one, or one that was only proposed until now. */
export function joined(state: State, seq: number): State {
  const { reverted: _gone, ...rest } = state
  const { spans, count, overlays } = state.line
  const last = spans.at(-1)
  // No message record may lie between: it would slip onto the line with the span.
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
  // What was laid over a patch that falls, falls with it.
  const broken = state.line.overlays.findIndex(({ frozen }) => frozen > keep)
  const overlays = broken < 0 ? state.line.overlays : state.line.overlays.slice(0, broken)
  const { begun: _begun, aborted: _aborted, ...rest } = state
  return { ...rest, changed: seq, reverted: { seq, line: state.line }, line: { spans, count: keep, overlays } }
}

export function replaced(state: State, seq: number, body: PatchBody): State {
  const { reverted: _gone, ...rest } = state
  const items = body.items.map((item): Item => (item[2] === 0 ? [item[0], item[1], seq] : item))
  const overlay: Overlay = { seq, frozen: body.frozen, items, by: body.by, why: body.why }
  return { ...rest, changed: seq, line: { ...state.line, overlays: [...state.line.overlays, overlay] } }
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

/** The latest change that can be taken back: a patch, or a revert after which nothing was said. */
export function latestChange(state: State): number | undefined {
  return Math.max(state.reverted?.seq ?? 0, state.line.overlays.at(-1)?.seq ?? 0) || undefined
}
