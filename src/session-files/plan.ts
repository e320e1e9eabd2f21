/**
 * A repair that has not been made yet. A step reads the file as it is and composes changes of records in memory: first
 * what the agent does not load, since it decides what the model sees, then the provider's rules. The new bytes are read
 * again. Steps follow until one improves nothing, so a second repair changes nothing. Nearly always the first step is
 * the only one.
 */
import { rememberNumbers } from '../core/index.ts'
import { applied } from './apply-changes.ts'
import { checkFile, checkPlanOptions } from './arguments.ts'
import { findingsOf } from './check.ts'
import { fingerprint } from './fingerprint.ts'
import { formatOf } from './open.ts'
import { brokenPromise, hasSameRecords, isEmptied, promiseOf } from './promise.ts'
import { changesOf, draftOf, type RecordDraft, recordBytes, withChanges } from './record-draft.ts'
import { draftRepair, readingOf } from './repair-rounds.ts'
import { sameBytes, textOf } from './salvage/bytes.ts'
import type {
  FileFault,
  FileFinding,
  PlanOptions,
  Quarantined,
  Reach,
  RecordChange,
  RepairPlan,
  SessionFile,
  SessionFormat,
} from './types.ts'

const NO_REACH: Reach = { included: 0, total: 0, excluded: [] }

/** Each step has fewer findings than the one before. A file with more steps than this was made to have them. */
const MAX_STEPS = 16

/** Plans the repair of a session file. Nothing is written. */
export function planRepair(file: SessionFile, options: PlanOptions = {}): RepairPlan {
  checkFile(file)
  checkPlanOptions('planRepair', options)
  return planFrom(checked(file, options), options)
}

/** A finding has a repair only if a plan makes it. */
export function checkSessionFile(file: SessionFile, options: PlanOptions = {}): readonly FileFinding[] {
  checkFile(file)
  checkPlanOptions('checkSessionFile', options)
  const first = checked(file, options)
  return first.findings.some(({ repair }) => repair) ? planFrom(first, options).findings : first.findings
}

function planFrom(first: Checked, options: PlanOptions): RepairPlan {
  const { file } = first
  const format = formatOf(file)
  const outcome = outcomeOf(first, options)
  const { made, blocked } = outcome
  const isAsked = options.lossy || !made.findings.some(({ repair }) => repair === 'lossy')
  const left = {
    safe: leftBy(outcome, 'safe'),
    lossy: leftBy(isAsked ? outcome : outcomeOf(first, { ...options, lossy: true }), 'lossy'),
  }
  const findings = first.findings.map((one) => proven(one, one.record, left))
  const remaining = made.findings.map((one) => proven(one, originalOf(made, one), left))
  const plan = planOf({ file, findings }, { ...made, findings: remaining })
  if (format.writes === 'no') return { ...plan, blocked: onlyRead(format, findings) }
  return blocked === undefined ? withPermission(plan, made.file, file, options) : { ...plan, blocked }
}

/** After the last step. `blocked`: nothing may be written, and nothing was made. */
interface Outcome extends Partial<Blocked> {
  readonly made: Made
}

function outcomeOf(first: Checked, options: PlanOptions): Outcome {
  const unchanged: Made = { ...first, draft: draftOf(first.file), quarantined: [] }
  if (formatOf(first.file).writes === 'no') return { made: unchanged }
  let made = unchanged
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = stepFrom(made, options)
    if (next === undefined) return { made }
    if ('blocked' in next) return { made: unchanged, ...next }
    made = next
  }
  return { made: unchanged, blocked: `Its repair is not complete after ${MAX_STEPS} steps. Nothing is written.` }
}

type RepairKind = NonNullable<FileFinding['repair']>

/** Findings that a plan leaves although each of them has a repair: it would change something else, for example. */
function leftBy({ made }: Outcome, kind: RepairKind): ReadonlySet<string> {
  const left = made.findings.filter(({ repair }) => repair === kind)
  return new Set(left.map((one) => placeOf(one, originalOf(made, one))))
}

function proven(
  finding: FileFinding,
  record: number | undefined,
  left: Readonly<Record<RepairKind, ReadonlySet<string>>>,
): FileFinding {
  const { repair } = finding
  return repair && left[repair].has(placeOf(finding, record)) ? { ...finding, repair: undefined } : finding
}

/** The record of a finding in the original file. */
function originalOf({ draft }: Made, { record }: FileFinding): number | undefined {
  return record === undefined ? undefined : draft.entries[record]?.from
}

function placeOf({ kind, rule }: FileFinding, record: number | undefined): string {
  return `${kind} ${rule} ${record ?? ''}`
}

/** A file that was read, with what was found in it. */
interface Checked {
  readonly file: SessionFile
  readonly faults: readonly FileFault[]
  readonly findings: readonly FileFinding[]
}

function checked(file: SessionFile, options: PlanOptions): Checked {
  const faults = formatOf(file).check(file)
  return { file, faults, findings: findingsOf(file, faults, options) }
}

/** The file after some steps. */
interface Made extends Checked {
  /** All changes of the original file. */
  readonly draft: RecordDraft
  readonly quarantined: readonly Quarantined[]
}

type Blocked = Required<Pick<RepairPlan, 'blocked'>>

/** Undefined: nothing gets better. */
function stepFrom({ file, faults, findings, ...made }: Made, options: PlanOptions): Made | Blocked | undefined {
  const format = formatOf(file)
  const salvage = wantsSalvage(file, options)
  if (!salvage && !findings.some((one) => isRequested(one, options))) return undefined
  rememberSpelling(file)
  const step = draftRepair(file, faults, findings, options)
  const changes = arranged(file, changesOf(step))
  const bytes = changes.length > 0 || salvage ? applied(file, changes, salvage) : file.input.bytes
  if (sameBytes(bytes, file.input.bytes) || isEmptied(file, step.file)) return undefined
  const done = format.read({ ...file.input, bytes })
  const blocked = brokenPromise(step.file, done)
  if (blocked !== undefined) return { blocked }
  const next = checked(done, options)
  if (!isBetter(findings, next.findings, options)) return undefined
  const draft = made.draft.file === file ? step : combined(made.draft, step, file)
  if (draft === undefined) return { blocked: TWO_READINGS }
  // A document is written whole, without its damage.
  const removed = salvage || format.apply ? file.salvage.quarantined : []
  return { ...next, draft, quarantined: [...made.quarantined, ...removed] }
}

/** The changes of one step after those of the steps before it; `file` is what was read between them. */
function combined(before: RecordDraft, step: RecordDraft, file: SessionFile): RecordDraft | undefined {
  const reading = readingOf(formatOf(file))
  return reading && hasSameRecords(before.file, file) ? withChanges(before, changesOf(step), reading) : undefined
}

const TWO_READINGS = 'A part of its repair changes how the file is read. Nothing is written.'

function arranged(file: SessionFile, changes: readonly RecordChange[]): readonly RecordChange[] {
  return formatOf(file).arrange?.(file, changes) ?? changes
}

function planOf({ file, findings }: Pick<Checked, 'file' | 'findings'>, made: Made): RepairPlan {
  const { bytes } = made.file.input
  return {
    fingerprint: nameOf(file, findings, bytes),
    findings,
    remaining: made.findings,
    changes: arranged(file, changesOf(made.draft)),
    bytes,
    quarantined: made.quarantined,
    promise: promiseOf(file, made.file, made.quarantined),
    reachBefore: reachIn(file),
    reachAfter: reachIn(made.file),
  }
}

function reachIn({ conversations }: SessionFile): Reach {
  return conversations[0]?.reach ?? NO_REACH
}

/** Whether the changes may be written in place; the new file if not. */
function withPermission(plan: RepairPlan, done: SessionFile, file: SessionFile, options: PlanOptions): RepairPlan {
  if (done === file) return plan
  const blocked = blockedBecause(file, plan.changes, options)
  return { ...plan, blocked, newFile: blocked === undefined ? undefined : formatOf(file).newFile?.(done) }
}

function nameOf(file: SessionFile, findings: readonly FileFinding[], bytes: Uint8Array): string {
  const named = findings.map(({ kind, rule, line, conversation }) => [kind, rule, line, conversation])
  return fingerprint([file.input.bytes, JSON.stringify(named), bytes])
}

/**
 * Numbers that `JSON.parse` would spell otherwise are written again as they were. Only a file that is written needs
 * this.
 */
function rememberSpelling(file: SessionFile): void {
  for (const record of file.records) rememberNumbers(textOf(recordBytes(file, record)), record.value)
}

function wantsSalvage({ salvage, records }: SessionFile, { only }: PlanOptions): boolean {
  const kinds = [...salvage.quarantined.map(({ reason }) => reason), ...salvage.notes.map(({ kind }) => kind)]
  return records.length > 0 && kinds.length > 0 && (!only || kinds.some((kind) => only.includes(kind)))
}

/** Has a repair, or is one of those that were asked for. */
function isRequested({ repair }: FileFinding, { only }: PlanOptions): boolean {
  return repair !== undefined || only !== undefined
}

const KINDS = ['salvage', 'load', 'provider'] as const

/** Fewer findings of a kind, and as many of the kinds before it: a repair may uncover findings of a later kind. */
function isBetter(before: readonly FileFinding[], after: readonly FileFinding[], options: PlanOptions): boolean {
  const count = (list: readonly FileFinding[], kind: FileFinding['kind']) =>
    list.filter((one) => one.kind === kind && isRequested(one, options)).length
  const other = KINDS.find((kind) => count(after, kind) !== count(before, kind))
  return other !== undefined && count(after, other) < count(before, other)
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
  if (file.unknown.length > 0)
    return `The file has parts that this version does not know: ${file.unknown.join(', ')}. Use force to write it anyway; they are kept as they are.`
  return format.mayWrite?.(file, changes)
}
