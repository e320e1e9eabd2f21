/**
 * A repair that has not been made yet. The file is read twice: as it is, and as it will be. Between the two, changes of records are composed
 * in memory: what the agent does not load first, since it decides what the model will see, then the provider's rules.
 */
import { rememberNumbers } from '../core/index.ts'
import { applied } from './apply-changes.ts'
import { checkFile, checkPlanOptions } from './arguments.ts'
import { findingsOf } from './check.ts'
import { fingerprint } from './fingerprint.ts'
import { formatOf } from './open.ts'
import { brokenPromise, isEmptied, promiseOf } from './promise.ts'
import { recordBytes } from './record-draft.ts'
import { draftRepair } from './repair-rounds.ts'
import { sameBytes, textOf } from './salvage/bytes.ts'
import type { FileFinding, PlanOptions, Reach, RecordChange, RepairPlan, SessionFile, SessionFormat } from './types.ts'

const NO_REACH: Reach = { included: 0, total: 0, excluded: [] }

export function planRepair(file: SessionFile, options: PlanOptions = {}): RepairPlan {
  checkFile(file)
  checkPlanOptions('planRepair', options)
  const format = formatOf(file)
  const faults = format.check(file)
  const findings = findingsOf(file, faults, options)
  const salvage = wantsSalvage(file, options)
  if (format.writes === 'no') return { ...planOf(file, findings), blocked: onlyRead(format, findings) }
  if (!salvage && !findings.some((one) => isAsked(one, options))) return planOf(file, findings)
  rememberSpelling(file)
  const draft = draftRepair(file, faults, findings, options)
  const composed = draft.changes()
  const changes = format.arrange?.(file, composed) ?? composed
  const bytes = changes.length > 0 || salvage ? applied(file, changes, salvage) : file.input.bytes
  if (sameBytes(bytes, file.input.bytes) || isEmptied(file, draft.file)) return planOf(file, findings)
  const done = format.read({ ...file.input, bytes })
  const broken = brokenPromise(draft.file, done)
  if (broken !== undefined) return { ...planOf(file, findings), blocked: broken }
  const remaining = findingsOf(done, format.check(done), options)
  if (!isBetter(findings, remaining, options)) return planOf(file, findings)
  return { ...planOf(file, findings), ...changedPlan(file, done, { findings, changes, salvage, remaining }, options) }
}

/** The plan that changes nothing. */
function planOf(file: SessionFile, findings: readonly FileFinding[]): RepairPlan {
  const reach = file.conversations[0]?.reach ?? NO_REACH
  return {
    fingerprint: nameOf(file, findings, file.input.bytes),
    findings,
    remaining: findings,
    changes: [],
    bytes: file.input.bytes,
    quarantined: [],
    promise: promiseOf(file, file, []),
    reachBefore: reach,
    reachAfter: reach,
  }
}

interface Repaired {
  readonly findings: readonly FileFinding[]
  readonly changes: readonly RecordChange[]
  readonly salvage: boolean
  readonly remaining: readonly FileFinding[]
}

function changedPlan(
  file: SessionFile,
  done: SessionFile,
  { findings, changes, salvage, remaining }: Repaired,
  options: PlanOptions,
): Partial<RepairPlan> {
  const { bytes } = done.input
  // A document is written whole, without its damage.
  const quarantined = salvage || formatOf(file).apply ? file.salvage.quarantined : []
  const blocked = blockedBecause(file, changes, options)
  return {
    fingerprint: nameOf(file, findings, bytes),
    remaining,
    changes,
    bytes,
    quarantined,
    promise: promiseOf(file, done, quarantined),
    reachAfter: done.conversations[0]?.reach ?? NO_REACH,
    blocked,
    newFile: blocked === undefined ? undefined : formatOf(file).newFile?.(done),
  }
}

function nameOf(file: SessionFile, findings: readonly FileFinding[], bytes: Uint8Array): string {
  const named = findings.map(({ kind, rule, line, conversation }) => [kind, rule, line, conversation])
  return fingerprint([file.input.bytes, JSON.stringify(named), bytes])
}

/** Numbers that `JSON.parse` would spell otherwise are written again as they were. Only a file that is written needs this. */
function rememberSpelling(file: SessionFile): void {
  for (const record of file.records) rememberNumbers(textOf(recordBytes(file, record)), record.value)
}

function wantsSalvage({ salvage, records }: SessionFile, { only }: PlanOptions): boolean {
  const kinds = [...salvage.quarantined.map(({ reason }) => reason), ...salvage.notes.map(({ kind }) => kind)]
  return records.length > 0 && kinds.length > 0 && (!only || kinds.some((kind) => only.includes(kind)))
}

/** Has a repair, or is one of those that were asked for. */
function isAsked({ repair }: FileFinding, { only }: PlanOptions): boolean {
  return repair !== undefined || only !== undefined
}

const KINDS = ['salvage', 'load', 'provider'] as const

/** Of one kind there is less. What comes back after a repair may have findings of another kind. */
function isBetter(before: readonly FileFinding[], after: readonly FileFinding[], options: PlanOptions): boolean {
  const count = (list: readonly FileFinding[], kind: FileFinding['kind']) =>
    list.filter((one) => one.kind === kind && isAsked(one, options)).length
  return KINDS.some((kind) => count(after, kind) < count(before, kind))
}

function onlyRead({ title }: SessionFormat, findings: readonly FileFinding[]): string | undefined {
  if (findings.length === 0) return undefined
  return `${title} files are only read: repairing them is not supported.`
}

function blockedBecause(
  file: SessionFile,
  changes: readonly RecordChange[],
  { force }: PlanOptions,
): string | undefined {
  const format = formatOf(file)
  if (force) return undefined
  if (format.writes === 'force') return `${format.title} files are written only with force.`
  if (file.unknown.length > 0)
    return `The file has parts that this version does not know: ${file.unknown.join(', ')}. Use force to write it anyway; they are kept as they are.`
  return format.mayWrite?.(file, changes)
}
