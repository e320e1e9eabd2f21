/** One conversation for one provider: stored messages beside those of the next request, row by row, with findings. */
import { align, type Finding, isObject, type Patch, rounds as roundsOf } from '../../core/index.ts'
import { type RepairOptions, repair } from '../../index.ts'
import type { FileFinding, RepairPlan } from '../../session-files/types.ts'
import { windowFindings } from '../../session-files/window-findings.ts'
import { budgetOf } from '../../strategies/budget.ts'
import { tokensAround } from '../../strategies/planning-input.ts'
import { named } from '../../target.ts'
import { Side } from './cells.ts'
import {
  type Document,
  type FileSupport,
  jsonOf,
  type OpenConversation,
  type Stored,
  withRepaired,
} from './document.ts'
import type { RowSide, Status } from './protocol.ts'

/** A row before it is written out: indexes only. */
export interface Line {
  /** Index in `conversation.stored`; -1: only in the next request. */
  readonly stored: number
  /** Index in `conversation.next`: the message that the stored records make. */
  readonly original: number
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

/** The repair of one conversation: findings, edits and remaining errors. */
interface Repaired {
  /** Findings of a history. Those of a session file, and of its size, are in `fileFindings`. */
  readonly findings: readonly Finding[]
  readonly fileFindings: readonly FileFinding[]
  /** The edits of a history. */
  readonly patch: Patch
  /** The repair of a session file. */
  readonly plan?: RepairPlan
  readonly edits: number
  /** The same two after the repair. */
  readonly after: Pick<Repaired, 'findings' | 'fileFindings'>
  /** Errors that remain after the repair. */
  readonly remaining: readonly Remaining[]
  /** The document after it. */
  readonly repaired: Document
}

export interface View extends Repaired {
  readonly document: Document
  readonly conversation: OpenConversation
  readonly provider: string
  readonly model: string | undefined
  readonly target: RepairOptions
  /** The history as the agent would send it now. */
  readonly original: Side
  /** The history as it will be sent: the same, or repaired. */
  readonly sent: Side
  readonly lines: readonly Line[]
  readonly groups: readonly Grouping[]
  /** The row of each message of `original`, and of `sent`. */
  readonly rowOfOriginal: Int32Array
  readonly rowOfSent: Int32Array
  readonly budget: ReturnType<typeof budgetOf>
}

export interface ViewOptions {
  readonly conversation: string
  readonly provider?: string | undefined
  readonly model?: string | undefined
  /** Show the next request as it is after the repair. */
  readonly repaired: boolean
  readonly inProgress?: boolean
}

export function viewOf(document: Document, options: ViewOptions): View {
  const { conversations, support } = document
  const conversation = conversations.find(({ id }) => id === options.conversation) ?? conversations[0]!
  const { provider, model, target } = targetOf(conversation, options)
  const done = support
    ? repairFile(document, conversation, support.repair(document, { provider, model }))
    : repairHistory(document, conversation, target)
  const { next } = done.repaired.conversations.find(({ id }) => id === conversation.id) ?? conversation
  const { dialect } = conversation
  const original = new Side(conversation.next, dialect, options.inProgress)
  const sent = options.repaired && done.edits > 0 ? new Side(next, dialect, options.inProgress) : original
  const lines = linesOf(conversation, original, sent)
  return {
    document,
    conversation,
    provider,
    model,
    target,
    ...done,
    original,
    sent,
    lines,
    groups: groupsOf(sent),
    rowOfOriginal: rowsOf(lines, 'original', original),
    rowOfSent: rowsOf(lines, 'sent', sent),
    budget: budgetOf(model),
  }
}

/** The provider and the model that were chosen, else those that the conversation names. */
function targetOf(conversation: OpenConversation, options: ViewOptions) {
  const { provider = conversation.provider, inProgress } = options
  const isOwn = provider === conversation.provider
  const model = options.model ?? (isOwn ? conversation.model : undefined)
  const target = named<RepairOptions>({
    provider,
    model,
    inProgress,
    ...(isOwn && { dialect: conversation.dialect.id }),
  })
  return { provider, model, target }
}

function repairHistory(document: Document, conversation: OpenConversation, target: RepairOptions): Repaired {
  const { findings, patch, remaining, next, body } = repairConversation(conversation, target)
  const repaired = withRepaired(document, conversation, { next, body, patch })
  const fileFindings = sizeFindings(conversation, conversation, target)
  const after = { findings: remaining, fileFindings: sizeFindings(conversation, { next, body }, target) }
  const left = errorsIn([...remaining, ...after.fileFindings])
  return { findings, fileFindings, after, patch, edits: patch.length, remaining: left, repaired }
}

function sizeFindings(
  { id, dialect }: OpenConversation,
  { next, body = {} }: Pick<OpenConversation, 'next' | 'body'>,
  { model }: RepairOptions,
) {
  return windowFindings({ id, history: next, dialect: dialect.id }, model, { around: tokensAround(body) })
}

/** The whole request body is repaired if there is one, since some rules look at it. */
export function repairConversation({ body, next, dialect }: OpenConversation, target: RepairOptions) {
  const { value, ...done } = repair(body ? { ...body, [dialect.key]: next } : next, target)
  if (!isObject(value)) return { ...done, next: value as readonly unknown[], body }
  const { [dialect.key]: list, ...rest } = value
  return { ...done, next: Array.isArray(list) ? list : [], body: rest }
}

function repairFile(
  { conversations }: Document,
  { id }: OpenConversation,
  { plan, repaired }: ReturnType<FileSupport['repair']>,
): Repaired {
  const own = (all: readonly FileFinding[]) =>
    all.filter(({ conversation = conversations[0]?.id }) => conversation === id)
  return {
    findings: [],
    fileFindings: own(plan.findings),
    after: { findings: [], fileFindings: own(plan.remaining) },
    patch: [],
    plan,
    edits: plan.changes.length + plan.quarantined.length,
    remaining: errorsIn(plan.remaining),
    repaired,
  }
}

/** The index of the message that a path names; -1: none. */
export function messageAt(at: readonly (string | number)[]): number {
  return at.find((step) => typeof step === 'number') ?? -1
}

export function storedAt({ lines, conversation }: View, row: number): Stored | undefined {
  return conversation.stored[lines[row]!.stored]
}

/** The message of a row, preferably of this side. Undefined for a record that no request contains. */
export function messageOf(
  { lines, original, sent }: View,
  row: number,
  prefer: RowSide,
): { readonly side: Side; readonly index: number } | undefined {
  const line = lines[row]!
  const useSent = line.original < 0 || (prefer === 'next' && line.sent >= 0)
  const [side, index] = useSent ? [sent, line.sent] : [original, line.original]
  return index < 0 ? undefined : { side, index }
}

export function groupAt({ lines, groups }: View, row: number): Grouping | undefined {
  return groups[lines[row]!.sent]
}

function errorsIn<T extends Remaining>(findings: readonly T[]): readonly T[] {
  return findings.filter(({ severity }) => severity === 'error')
}

function rowsOf(lines: readonly Line[], side: 'original' | 'sent', { list }: Side): Int32Array {
  const rows = new Int32Array(list.length).fill(-1)
  lines.forEach((line, row) => {
    if (line[side] >= 0) rows[line[side]] = row
  })
  return rows
}

/** Stored messages in their order, and between them the messages that only the next request has. */
function linesOf(conversation: OpenConversation, original: Side, sent: Side): readonly Line[] {
  const aligned = alignedTo(original, sent)
  const origins = aligned.map(({ from, moved }) => (moved ? -1 : from))
  const moved = new Set(aligned.flatMap((one) => (one.moved ? [one.from] : [])))
  const placeOf = inverse(origins, conversation.next.length)
  const originalOf = inverse(conversation.origins, conversation.stored.length)
  const lines: Line[] = []
  let next = 0
  const addUpTo = (end: number) => {
    for (; next < end; next++) lines.push({ stored: -1, original: origins[next]!, sent: next, status: 'added' })
  }
  const add = (stored: number): number => {
    const original = originalOf[stored]!
    if (original < 0) return lines.push({ stored, original, sent: -1, status: 'excluded' })
    const at = placeOf[original]!
    if (at < next) return lines.push({ stored, original, sent: -1, status: moved.has(original) ? 'moved' : 'removed' })
    addUpTo(at)
    next = at + 1
    return lines.push({ stored, original, sent: at, status: aligned[at]!.same ? 'same' : 'changed' })
  }
  for (let stored = 0; stored < conversation.stored.length; stored++) add(stored)
  addUpTo(sent.list.length)
  return lines
}

/** The inverse of `origins`: for each index that it contains, its position; -1: none. */
function inverse(origins: ArrayLike<number>, length: number): Int32Array {
  const places = new Int32Array(length).fill(-1)
  for (let i = 0; i < origins.length; i++) if (origins[i]! >= 0) places[origins[i]!] = i
  return places
}

/** A changed message has the role of the original, and shares an id, a text or the content of a part with it. */
function alignedTo(original: Side, sent: Side): ReturnType<typeof align> {
  const signs = (side: Side, i: number) =>
    new Set(side.transcript.partsOf(i).flatMap(({ id, body }) => [id, jsonOf(body)].filter(Boolean)))
  const isMadeFrom = (i: number, j: number) => {
    if (original.transcript.role(i) !== sent.transcript.role(j)) return false
    const was = signs(original, i)
    const now = signs(sent, j)
    return [...now].some((one) => was.has(one)) || (was.size === 0 && now.size === 0)
  }
  return align(original.list, sent.list, { keyOf: jsonOf, isMadeFrom: [isMadeFrom] })
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
