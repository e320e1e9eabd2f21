/**
 * One conversation for one provider: what is stored beside what the next request will contain, row by row, with findings at their places.
 */
import { type Aligned, align, type Finding, isObject, type Patch, rounds as roundsOf } from '../../core/index.ts'
import { type RepairOptions, repair } from '../../index.ts'
import type { FileFinding, RepairPlan } from '../../session-files/types.ts'
import { budgetOf } from '../../strategies/budget.ts'
import { named } from '../../target.ts'
import { defined, Side } from './cells.ts'
import { type Document, jsonOf, type Stored, type Talk } from './document.ts'
import type { Status, ViewOptions } from './protocol.ts'

/** A row before it is written out: indexes only. */
export interface Line {
  /** Index in `talk.stored`; -1: only in the next request. */
  readonly stored: number
  /** Index in `talk.next`: the message that the stored records make. */
  readonly asked: number
  /** Index in what will be sent. */
  readonly sent: number
  readonly status: Status
}

/** Where a message is in turns and rounds. */
export interface Grouping {
  readonly turn: number
  readonly round: number
  readonly startsTurn: boolean
  readonly rail: 'start' | 'middle' | 'end' | undefined
}

type Remaining = Pick<Finding, 'rule' | 'severity' | 'message'>

/** What the repair of one conversation finds, does and leaves. */
export interface Repaired {
  /** Findings of a history. Those of a session file are in `ofFile`. */
  readonly findings: readonly Finding[]
  readonly ofFile?: readonly FileFinding[]
  /** The edits of a history. */
  readonly patch: Patch
  /** The repair of a session file. */
  readonly plan?: RepairPlan
  readonly edits: number
  /** Errors that stay after the repair. */
  readonly remaining: readonly Remaining[]
  /** The messages after it, and the request body around them. */
  readonly next: readonly unknown[]
  readonly body?: Talk['body']
}

export interface View extends Omit<Repaired, 'next' | 'body'> {
  readonly document: Document
  readonly talk: Talk
  readonly provider: string
  readonly model: string | undefined
  readonly target: RepairOptions
  /** The history as the agent would send it now. */
  readonly asked: Side
  /** As it will be sent: the same, or repaired. */
  readonly sent: Side
  readonly lines: readonly Line[]
  readonly groups: readonly Grouping[]
  /** The row of each message of `asked`, and of `sent`. */
  readonly rowOfAsked: Int32Array
  readonly rowOfSent: Int32Array
  readonly budget: ReturnType<typeof budgetOf>
}

export function viewOf(document: Document, options: ViewOptions): View {
  const talk = document.talks.find(({ id }) => id === options.conversation) ?? document.talks[0]!
  const { provider, model, target } = targetOf(talk, options)
  const {
    next,
    body: _,
    ...done
  } = document.support
    ? repairFile(document, talk, { provider, ...defined('model', model) })
    : repairHistory(talk, target)
  const asked = new Side(talk.next, talk.dialect, options.inProgress)
  const sent = options.repaired && done.edits > 0 ? new Side(next, talk.dialect, options.inProgress) : asked
  const lines = linesOf(talk, asked, sent)
  return {
    document,
    talk,
    provider,
    model,
    target,
    ...done,
    asked,
    sent,
    lines,
    groups: groupsOf(sent),
    rowOfAsked: rowsOf(lines, 'asked', asked),
    rowOfSent: rowsOf(lines, 'sent', sent),
    budget: budgetOf(model),
  }
}

/** The provider and the model that were chosen, else those that the conversation names. */
function targetOf(talk: Talk, { provider = talk.provider, model: chosen, inProgress }: ViewOptions) {
  const isOwn = provider === talk.provider
  const model = chosen ?? (isOwn ? talk.model : undefined)
  const target = named<RepairOptions>({
    provider,
    ...defined('model', model),
    ...(inProgress && { inProgress }),
    ...(isOwn && { dialect: talk.dialect.id }),
  })
  return { provider, model, target }
}

/** The whole request body is repaired if there is one, since some rules look at it. */
export function repairHistory({ body, next, dialect }: Talk, target: RepairOptions): Repaired {
  const { findings, patch, remaining, value } = repair(body ? { ...body, [dialect.key]: next } : next, target)
  const common = { findings, patch, edits: patch.length, remaining: errorsIn(remaining) }
  if (!isObject(value)) return { ...common, next: value as readonly unknown[] }
  const { [dialect.key]: list, ...rest } = value
  return { ...common, next: Array.isArray(list) ? list : [], body: rest }
}

function repairFile(
  document: Document,
  talk: Talk,
  target: { readonly provider: string; readonly model?: string },
): Repaired {
  const { support, talks } = document
  const plan = support!.plan(document, target)
  const ofFile = plan.findings.filter(({ conversation = talks[0]?.id }) => conversation === talk.id)
  const planned = support!.apply(document, plan).talks.find(({ id }) => id === talk.id)
  return {
    findings: [],
    ofFile,
    patch: [],
    plan,
    edits: plan.changes.length + plan.quarantined.length,
    remaining: errorsIn(plan.remaining),
    next: planned?.next ?? talk.next,
  }
}

/** The index of the message that a path names, in what was given. */
export function messageAt(at: readonly (string | number)[]): number {
  const place = at.find((step) => typeof step === 'number')
  return typeof place === 'number' ? place : -1
}

export function storedAt({ lines, talk }: View, row: number): Stored | undefined {
  const { stored } = lines[row]!
  return stored < 0 ? undefined : talk.stored[stored]
}

export function groupAt({ lines, groups }: View, row: number): Grouping | undefined {
  const { sent } = lines[row]!
  return sent < 0 ? undefined : groups[sent]
}

function errorsIn<T extends Remaining>(findings: readonly T[]): readonly T[] {
  return findings.filter(({ severity }) => severity === 'error')
}

function rowsOf(lines: readonly Line[], side: 'asked' | 'sent', { list }: Side): Int32Array {
  const rows = new Int32Array(list.length).fill(-1)
  lines.forEach((line, row) => {
    if (line[side] >= 0) rows[line[side]] = row
  })
  return rows
}

/** Stored messages in their order; those that only the next request has, at the place where it has them. */
function linesOf(talk: Talk, asked: Side, sent: Side): readonly Line[] {
  const aligned = alignedTo(asked, sent)
  const origins = aligned.map(({ from, moved }) => (moved ? -1 : from))
  const moved = new Set(aligned.flatMap((one) => (one.moved ? [one.from] : [])))
  const ownAsked = inverse(origins, talk.next.length)
  const askedOf = inverse(talk.origins, talk.stored.length)
  const lines: Line[] = []
  let next = 0
  const addUpTo = (end: number) => {
    for (; next < end; next++) lines.push({ stored: -1, asked: origins[next]!, sent: next, status: 'added' })
  }
  const add = (stored: number): number => {
    const asked = askedOf[stored]!
    if (asked < 0) return lines.push({ stored, asked, sent: -1, status: 'excluded' })
    const at = ownAsked[asked]!
    if (at < next) return lines.push({ stored, asked, sent: -1, status: moved.has(asked) ? 'moved' : 'removed' })
    addUpTo(at)
    next = at + 1
    return lines.push({ stored, asked, sent: at, status: aligned[at]!.same ? 'same' : 'changed' })
  }
  for (let stored = 0; stored < talk.stored.length; stored++) add(stored)
  addUpTo(sent.list.length)
  return lines
}

/** For each index of the list that `origins` points into, the place that points to it; -1: none. */
function inverse(origins: ArrayLike<number>, length: number): Int32Array {
  const places = new Int32Array(length).fill(-1)
  for (let i = 0; i < origins.length; i++) if (origins[i]! >= 0) places[origins[i]!] = i
  return places
}

/** A changed message has the role of what it was, and shares an id or a text with it. */
function alignedTo(asked: Side, sent: Side): readonly Aligned[] {
  const signs = (side: Side, i: number) =>
    new Set(side.transcript.partsOf(i).map(({ kind, id, body }) => id ?? (typeof body === 'string' ? body : kind)))
  const isMadeFrom = (i: number, j: number) => {
    if (asked.role(i) !== sent.role(j)) return false
    const was = signs(asked, i)
    const now = signs(sent, j)
    return [...now].some((one) => was.has(one)) || (was.size === 0 && now.size === 0)
  }
  return align(asked.list, sent.list, { keyOf: jsonOf, isMadeFrom: [isMadeFrom] })
}

function groupsOf({ list, transcript }: Side): readonly Grouping[] {
  const groups: Grouping[] = []
  let turn = 0
  for (const group of roundsOf(list, transcript.dialect)) {
    const { start, end, reply = end } = group
    const isOpen = reply < end && end - reply > 1
    for (let i = start; i < end; i++) {
      const rail = !isOpen || i < reply ? undefined : i === reply ? 'start' : i === end - 1 ? 'end' : 'middle'
      groups.push({ turn: group.turn, round: group.round ?? 1, startsTurn: i === start && group.turn !== turn, rail })
    }
    turn = group.turn
  }
  return groups
}
