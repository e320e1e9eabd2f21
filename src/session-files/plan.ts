/**
 * A repair that has not been made yet: load faults and salvage first, since they decide what the model will see, then the provider's rules.
 */
import { applyChanges } from './apply-changes.ts'
import { checkFile, checkPlanOptions } from './arguments.ts'
import { changesBetween, rememberSpelling } from './changes-between.ts'
import { checkSessionFile } from './check.ts'
import { fingerprint } from './fingerprint.ts'
import { formatOf } from './open.ts'
import { repairPatch } from './provider-findings.ts'
import { sameBytes, textOf } from './salvage/bytes.ts'
import type { FileFinding, PlanOptions, Reach, RecordChange, RepairPlan, SessionFile } from './types.ts'

/** Each round sees what the one before made reachable. */
const MAX_ROUNDS = 6
const NO_REACH: Reach = { included: 0, total: 0, excluded: [] }

export function planRepair(file: SessionFile, options: PlanOptions = {}): RepairPlan {
  checkFile(file)
  checkPlanOptions('planRepair', options)
  const findings = checkSessionFile(file, options)
  const reasons = new Map<string, string>()
  const salvage = wantsSalvage(file, options)
  const after = repaired(file, options, salvage, reasons)
  const why = (bytes: Uint8Array) => reasons.get(textOf(bytes)) ?? 'Changed by the repair.'
  const found = after === file ? [] : changesBetween(file, after, why)
  const changes = formatOf(file).arrange?.(file, found) ?? found
  const wanted = changes.length > 0 || salvage ? applyChanges(file, changes, { salvage }) : file.input.bytes
  const bytes = sameBytes(wanted, file.input.bytes) ? file.input.bytes : wanted
  const done = bytes === file.input.bytes ? file : formatOf(file).read({ ...file.input, bytes })
  const blocked = done === file ? undefined : blockedBecause(file, changes, options)
  return {
    fingerprint: fingerprint([file.input.bytes, JSON.stringify(findings.map(named)), bytes]),
    findings,
    remaining: done === file ? findings : checkSessionFile(done, options),
    changes,
    bytes,
    quarantined: salvage ? file.salvage.quarantined : [],
    reachBefore: file.conversations[0]?.reach ?? NO_REACH,
    reachAfter: done.conversations[0]?.reach ?? NO_REACH,
    blocked,
    newFile: blocked === undefined ? undefined : formatOf(file).newFile?.(done),
  }
}

function named({ kind, rule, line, conversation }: FileFinding): readonly unknown[] {
  return [kind, rule, line, conversation]
}

function wantsSalvage({ salvage }: SessionFile, { only }: PlanOptions): boolean {
  const kinds = [...salvage.quarantined.map(({ reason }) => reason), ...salvage.notes.map(({ kind }) => kind)]
  return kinds.length > 0 && (!only || kinds.some((kind) => only.includes(kind)))
}

function repaired(
  file: SessionFile,
  options: PlanOptions,
  salvage: boolean,
  reasons: Map<string, string>,
): SessionFile {
  let now = file
  rememberSpelling(file)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const changes = loadChanges(now, options)
    const next = changes.length > 0 ? changes : providerChanges(now, options)
    for (const change of next) if (change.op !== 'remove') reasons.set(textOf(change.bytes), change.why)
    const bytes = applyChanges(now, next, { salvage: salvage && round === 0 })
    if (bytes === now.input.bytes) break
    now = formatOf(file).read({ ...file.input, bytes })
    rememberSpelling(now)
  }
  return now
}

function loadChanges(file: SessionFile, { only, lossy }: PlanOptions): readonly RecordChange[] {
  const touched = new Set<number>()
  const changes: RecordChange[] = []
  for (const fault of formatOf(file).check(file)) {
    if (!fault.fix || (fault.lossy && !lossy) || (only && !only.includes(fault.rule))) continue
    // Two faults of one record: the second is looked at again in the next round.
    const places = fault.fix.map((change) => (change.op === 'insert' ? -1 - change.after : change.record))
    if (places.some((place) => place >= 0 && touched.has(place))) continue
    for (const place of places) touched.add(place)
    for (const change of fault.fix) changes.push(change)
  }
  return changes
}

function providerChanges(file: SessionFile, options: PlanOptions): readonly RecordChange[] {
  const format = formatOf(file)
  const findings = checkSessionFile(file, options)
  for (const conversation of file.conversations) {
    const patch = repairPatch(conversation, findings, options)
    const changes = patch.length > 0 ? format.write(file, conversation, patch) : []
    if (changes.length > 0) return changes
  }
  return []
}

function blockedBecause(
  file: SessionFile,
  changes: readonly RecordChange[],
  { force }: PlanOptions,
): string | undefined {
  const format = formatOf(file)
  if (format.writes === 'no') return `${format.title} files are only read: repairing them is not supported.`
  if (force) return undefined
  if (format.writes === 'force') return `${format.title} files are written only with force.`
  if (file.unknown.length > 0)
    return `The file has parts that this version does not know: ${file.unknown.join(', ')}. Use force to write it anyway; they are kept as they are.`
  return format.mayWrite?.(file, changes)
}
