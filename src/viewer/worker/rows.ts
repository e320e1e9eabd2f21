/** The rows for the page, and the overview of all rows in typed arrays. */
import { unreadText, verdictOf } from '../../session-files/verdict.ts'
import { tokensAround } from '../../strategies/planning-input.ts'
import { looseCell } from './cells.ts'
import type { Stored } from './document.ts'
import { findingsOf } from './findings.ts'
import { costOf } from './message-facts.ts'
import {
  type Cell,
  type FindingView,
  FLAG,
  type Fold,
  type Overview,
  ROLES,
  type Row,
  type RowFacts,
  type SubAgent,
} from './protocol.ts'
import { groupAt, messageOf, storedAt, type View } from './view.ts'

/** Fewer rows than this in a run are shown, not folded. */
const SHORT_RUN = 3

const BRANCHES = new Set(['other-branch', 'dead-branch-after-api-error'])

export class Rows {
  readonly view: View
  readonly findings: readonly FindingView[]
  private readonly byRow = new Map<number, number[]>()
  private readonly subAgents: ReadonlyMap<number, readonly SubAgent[]>

  constructor(view: View) {
    this.view = view
    this.subAgents = view.document.support?.subAgents(view) ?? new Map()
    this.findings = findingsOf(view)
    for (const { row, index } of this.findings) {
      const known = this.byRow.get(row)
      if (known) known.push(index)
      else this.byRow.set(row, [index])
    }
  }

  overview(): Overview {
    const { view, findings } = this
    const { lines, conversation, budget } = view
    return {
      count: lines.length,
      sentCount: view.sent.list.length,
      ...this.columns(),
      stored: Int32Array.from(lines, (line) => line.stored),
      next: Int32Array.from(lines, (line) => line.sent),
      folds: this.folds(),
      compactions: this.compactions(),
      findings,
      remaining: view.remaining.length,
      firstRemaining: view.remaining.slice(0, 20).map(({ rule, message }) => ({ rule, message })),
      edits: view.edits,
      reach: conversation.reach,
      dialect: conversation.dialect.id,
      model: view.model,
      window: budget.window,
      turnCount: view.groups.at(-1)?.turn ?? 0,
      verdict: view.sent === view.original ? verdictText(view, findings) : repairedVerdict(view),
      notUnderstood: unreadIn(view),
    }
  }

  /** One number for each row, and the tokens of all rows that are sent. */
  private columns(): Pick<Overview, 'roles' | 'flags' | 'tokens' | 'turns' | 'total'> {
    const { view } = this
    const count = view.lines.length
    const [roles, flags] = [new Uint8Array(count), new Uint16Array(count)]
    const tokens = new Float32Array(count)
    const turns = new Int32Array(count)
    let [turn, total] = [1, tokensAround(view.conversation.body ?? {})]
    for (let row = 0; row < count; row++) {
      turn = groupAt(view, row)?.turn ?? turn
      turns[row] = turn
      const shown = messageOf(view, row, 'next')
      roles[row] = ROLES.indexOf(shown ? shown.side.shownRole(shown.index) : this.looseCell(row).role)
      tokens[row] = shown ? shown.side.tokensOf(shown.index) : 0
      flags[row] = this.flagsOf(row)
      if (view.lines[row]!.sent >= 0) total += tokens[row]!
    }
    return { roles, flags, tokens, turns, total: Math.round(total) }
  }

  private compactions(): Overview['compactions'] {
    return this.view.lines.flatMap((_, row) => {
      const about = storedAt(this.view, row)?.compaction
      return about === undefined || about === 'summary' ? [] : [{ row, about }]
    })
  }

  row(row: number): Row {
    const { view } = this
    const { status } = view.lines[row]!
    const group = groupAt(view, row)
    const record = storedAt(view, row)
    return {
      at: row,
      facts: this.facts(row),
      status,
      turn: group?.turn ?? 0,
      startsTurn: group?.startsTurn ?? false,
      rail: group?.rail,
      ...this.cells(row),
      because: record?.because,
      recordType: record?.type,
      lines: record?.lines,
      compaction: record?.compaction,
      subAgents: this.subAgents.get(row),
      findings: this.byRow.get(row) ?? [],
    }
  }

  /** A duration is that of a reply or a tool: from the last record before it to its own last one. */
  private facts(row: number): RowFacts | undefined {
    const { view } = this
    const record = storedAt(view, row)
    if (!record?.facts || Object.keys(record.facts).length === 0) return undefined
    const shown = messageOf(view, row, 'stored')
    const role = shown?.side.shownRole(shown.index)
    const { stored } = view.conversation
    let before = view.lines[row]!.stored - 1
    while (before >= 0 && stored[before]!.because !== undefined) before--
    const took = endOf(record) - endOf(stored[before])
    return {
      ...record.facts,
      ...((role === 'assistant' || role === 'tool') && took >= 0 && { took }),
      ...(role === 'assistant' && { cost: costOf(record.facts) ?? null }),
    }
  }

  private cells(row: number): Pick<Row, 'stored' | 'next'> {
    const { view } = this
    const { original, sent, stored, status } = view.lines[row]!
    if (status === 'excluded') return { stored: this.looseCell(row) }
    const next = sent < 0 ? undefined : view.sent.cell(sent, (message) => view.rowOfSent[message] ?? -1)
    if (stored < 0) return { next }
    if (status === 'same' && view.sent === view.original) return { stored: next }
    const was = view.original.cell(original, (message) => view.rowOfOriginal[message] ?? -1)
    // An unchanged call may be open where it is stored and answered where it is sent.
    return status === 'same' && next && hasSamePairs(was, next) ? { stored: next } : { stored: was, next }
  }

  private looseCell(row: number): Cell {
    return looseCell(storedAt(this.view, row)!.message, this.view.conversation.dialect)
  }

  private flagsOf(row: number): number {
    const { view } = this
    const { status, sent } = view.lines[row]!
    let flags = groupAt(view, row)?.startsTurn ? FLAG.turn : 0
    for (const index of this.byRow.get(row) ?? [])
      flags |= this.findings[index]!.severity === 'error' ? FLAG.error : FLAG.warning
    if (storedAt(view, row)?.compaction !== undefined) flags |= FLAG.compaction
    if (status === 'excluded') flags |= FLAG.excluded | (this.startsBranch(row) ? FLAG.fork : 0)
    else if (status !== 'same') flags |= FLAG.differs
    if (sent >= 0 && view.sent.hasOpenCall(sent)) flags |= FLAG.open
    return flags
  }

  /** Whether the row is the first record of an abandoned branch. */
  private startsBranch(row: number): boolean {
    const isBranch = (at: number) => BRANCHES.has(storedAt(this.view, at)?.because ?? '')
    return isBranch(row) && (row === 0 || !isBranch(row - 1))
  }

  /** Runs of records that no request contains, by reason. A row with a finding stays visible. */
  private folds(): readonly Fold[] {
    const folds: Fold[] = []
    const { lines } = this.view
    for (let start = 0; start < lines.length; ) {
      const because = this.foldable(start)
      let end = start + 1
      while (because !== undefined && end < lines.length && this.foldable(end) === because) end++
      if (because !== undefined && end - start > SHORT_RUN) folds.push({ start, end, because })
      start = end
    }
    return folds
  }

  private foldable(row: number): string | undefined {
    const { view, byRow } = this
    const record = storedAt(view, row)
    if (view.lines[row]!.status !== 'excluded' || byRow.has(row) || record?.compaction !== undefined) return undefined
    return record?.because ?? 'not-conversation'
  }
}

/** When its last record was written; NaN: unknown. */
function endOf(stored: Stored | undefined): number {
  return stored?.until ?? stored?.facts?.at ?? Number.NaN
}

function hasSamePairs(one: Cell, other: Cell): boolean {
  return one.parts.every(({ pair }, i) => pair === other.parts[i]?.pair)
}

function repairedVerdict(view: View): string {
  const { remaining, provider } = view
  const { length } = remaining
  if (length === 0 && unreadIn(view) !== '') return 'not understood'
  return length === 0
    ? `after the repair ${provider} accepts it`
    : `after the repair ${length} ${length === 1 ? 'error stays' : 'errors stay'}`
}

/** Empty if all of the file was read. */
function unreadIn({ document: { file }, fileFindings }: View): string {
  const verdict = file && verdictOf(file, fileFindings)
  return verdict && verdict.notUnderstood.length > 0 ? unreadText(verdict) : ''
}

function verdictText(view: View, findings: readonly FindingView[]): string {
  const { provider } = view
  const errors = findings.filter(({ severity }) => severity === 'error')
  const rejected = errors.filter(({ kind }) => kind === 'provider').length
  const unloaded = errors.length - rejected
  if (errors.length === 0) return unreadIn(view) === '' ? `${provider} accepts this history` : 'not understood'
  const parts = []
  if (rejected > 0) parts.push(`${provider} rejects it: ${rejected} ${rejected === 1 ? 'error' : 'errors'}`)
  if (unloaded > 0) parts.push(`${unloaded} ${unloaded === 1 ? 'fault' : 'faults'} in the file`)
  return parts.join('; ')
}
