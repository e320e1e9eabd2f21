/**
 * One conversation for one provider: what is stored beside what the next request will contain, row by row, with findings at their places.
 */
import { type Finding, isObject, type Patch, rounds as roundsOf } from '../../core/index.ts'
import { type RepairOptions, repair } from '../../index.ts'
import type { RepairPlan } from '../../session-files/types.ts'
import { budgetOf } from '../../strategies/budget.ts'
import { named } from '../../target.ts'
import { align } from './align.ts'
import { Side } from './cells.ts'
import type { Document, Stored, Talk } from './document.ts'
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

export class View {
  readonly document: Document
  readonly talk: Talk
  readonly options: ViewOptions
  readonly provider: string
  readonly model: string | undefined
  /** The history as the agent would send it now. */
  readonly asked: Side
  /** As it will be sent: the same, or repaired. */
  readonly sent: Side
  readonly findings: readonly Finding[]
  /** Errors that stay after the repair. */
  readonly remaining: readonly Remaining[]
  readonly patch: Patch
  /** The repair of a session file. */
  readonly plan: RepairPlan | undefined
  readonly edits: number
  readonly lines: readonly Line[]
  readonly groups: readonly Grouping[]
  /** The row of each message of `asked`, and of `sent`. */
  readonly rowOfAsked: Int32Array
  readonly rowOfSent: Int32Array
  readonly budget: ReturnType<typeof budgetOf>

  constructor(document: Document, options: ViewOptions) {
    this.document = document
    this.options = options
    this.talk = document.talks.find(({ id }) => id === options.conversation) ?? document.talks[0]!
    const { talk } = this
    this.provider = options.provider ?? talk.provider
    this.model =
      options.model ?? (options.provider === undefined || options.provider === talk.provider ? talk.model : undefined)
    this.budget = budgetOf(this.model)
    const done = repair(this.input(), this.target())
    this.findings = done.findings
    this.patch = done.patch
    const who = { provider: this.provider, ...(this.model ? { model: this.model } : {}) }
    const { support } = document
    this.plan = support?.plan(document, who)
    const planned = this.plan && support?.apply(document, this.plan).talks.find(({ id }) => id === talk.id)
    this.remaining = errorsIn<Remaining>(this.plan?.remaining ?? done.remaining)
    this.edits = this.plan ? this.plan.changes.length + this.plan.quarantined.length : done.patch.length
    const list = document.file ? withSameObjects(talk.next, planned?.next ?? talk.next) : this.listIn(done.value)
    this.asked = new Side(talk.next, talk.dialect, options.inProgress)
    this.sent = options.repaired && this.edits > 0 ? new Side(list, talk.dialect, options.inProgress) : this.asked
    this.lines = linesOf(talk, this.sent)
    this.rowOfAsked = new Int32Array(talk.next.length).fill(-1)
    this.rowOfSent = new Int32Array(this.sent.list.length).fill(-1)
    this.lines.forEach(({ asked, sent }, row) => {
      if (asked >= 0) this.rowOfAsked[asked] = row
      if (sent >= 0) this.rowOfSent[sent] = row
    })
    this.groups = groupsOf(this.sent)
  }

  /** What lint and repair are given: the request body if there is one, since some rules look at it. */
  input(): object {
    const { body, next, dialect } = this.talk
    return body ? { ...body, [dialect.key]: next } : next
  }

  target() {
    const { inProgress } = this.options
    const served = this.provider === this.talk.provider ? { dialect: this.talk.dialect.id } : {}
    return named<RepairOptions>({
      provider: this.provider,
      ...(this.model ? { model: this.model } : {}),
      ...(inProgress ? { inProgress } : {}),
      ...served,
    })
  }

  listIn(value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value
    const list = isObject(value) ? value[this.talk.dialect.key] : undefined
    return Array.isArray(list) ? list : []
  }

  /** The index of the message that a path names, in what was given. */
  messageAt(at: readonly (string | number)[]): number {
    const place = at.find((step) => typeof step === 'number')
    return typeof place === 'number' ? place : -1
  }

  storedAt(row: number): Stored | undefined {
    const { stored } = this.lines[row]!
    return stored < 0 ? undefined : this.talk.stored[stored]
  }

  groupAt(row: number): Grouping | undefined {
    const { sent } = this.lines[row]!
    return sent < 0 ? undefined : this.groups[sent]
  }
}

function errorsIn<T extends Remaining>(findings: readonly T[]): readonly T[] {
  return findings.filter(({ severity }) => severity === 'error')
}

/** Messages that are equal become the same objects, as alignment wants them. */
function withSameObjects(first: readonly unknown[], second: readonly unknown[]): readonly unknown[] {
  const known = new Map<string, unknown[]>()
  for (const message of first) {
    const key = JSON.stringify(message)
    known.set(key, [...(known.get(key) ?? []), message])
  }
  return second.map((message) => known.get(JSON.stringify(message))?.shift() ?? message)
}

/** Stored messages in their order; those that only the next request has, at the place where it has them. */
function linesOf(talk: Talk, sent: Side): readonly Line[] {
  const { origins } =
    sent.list === talk.next ? { origins: Int32Array.from(talk.next, (_, i) => i) } : alignRepaired(talk, sent)
  const ownAsked = new Int32Array(talk.next.length).fill(-1)
  origins.forEach((asked, i) => {
    if (asked >= 0) ownAsked[asked] = i
  })
  const askedOf = new Int32Array(talk.stored.length).fill(-1)
  talk.origins.forEach((stored, asked) => {
    if (stored >= 0) askedOf[stored] = asked
  })
  const objects = new Set(sent.list)
  const lines: Line[] = []
  let next = 0
  const addUpTo = (end: number) => {
    for (; next < end; next++) lines.push({ stored: -1, asked: origins[next]!, sent: next, status: 'added' })
  }
  const add = (stored: number): number => {
    const asked = askedOf[stored]!
    if (asked < 0) return lines.push({ stored, asked, sent: -1, status: 'excluded' })
    const at = ownAsked[asked]!
    if (at < next)
      return lines.push({ stored, asked, sent: -1, status: objects.has(talk.next[asked]) ? 'moved' : 'removed' })
    addUpTo(at)
    next = at + 1
    return lines.push({ stored, asked, sent: at, status: talk.next[asked] === sent.list[at] ? 'same' : 'changed' })
  }
  for (let stored = 0; stored < talk.stored.length; stored++) add(stored)
  addUpTo(sent.list.length)
  return lines
}

/** Unchanged messages are the same objects; a changed one has the role and shares an id or a text with what it was. */
function alignRepaired(talk: Talk, sent: Side): { origins: Int32Array } {
  const asked = new Side(talk.next, talk.dialect)
  const signs = (side: Side, i: number) =>
    new Set(side.transcript.partsOf(i).map(({ kind, id, body }) => id ?? (typeof body === 'string' ? body : kind)))
  return align(talk.next, sent.list, (i, j) => {
    if (asked.role(i) !== sent.role(j)) return false
    const was = signs(asked, i)
    const now = signs(sent, j)
    return [...now].some((one) => was.has(one)) || (was.size === 0 && now.size === 0)
  })
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
