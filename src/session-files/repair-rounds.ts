/** The rounds of a repair, on records in memory. A round that does not reduce the findings is dropped. */
import { formatOf } from './open.ts'
import { providerFindings, repairPatch } from './provider-findings.ts'
import { draftOf, type Reading, type RecordDraft, withChanges } from './record-draft.ts'
import { groupBy } from './shared/group-by.ts'
import type {
  Conversation,
  FileFault,
  FileFinding,
  PlanOptions,
  RecordChange,
  SessionFile,
  SessionFormat,
} from './types.ts'

/** Each round sees what the one before uncovered. One round repairs every conversation. */
const MAX_ROUNDS = 4

/** Undefined for formats that are only read, and for databases. */
export function readingOf({ typeOf, conversations }: SessionFormat): Reading | undefined {
  return typeOf && conversations && { typeOf, conversations }
}

export function draftRepair(
  file: SessionFile,
  faults: readonly FileFault[],
  findings: readonly FileFinding[],
  options: PlanOptions,
): RecordDraft {
  const draft = draftOf(file)
  const reading = file.input.tables ? undefined : readingOf(formatOf(file))
  if (!reading) return draft
  const loaded = withLoadFixes(draft, faults, reading, options)
  const found = loaded === draft ? findings : findingsIn(loaded.file, options)
  return withProviderFixes(loaded, byConversation(found), reading, options)
}

/** Two faults of one record take two rounds. */
function withLoadFixes(
  draft: RecordDraft,
  faults: readonly FileFault[],
  reading: Reading,
  options: PlanOptions,
): RecordDraft {
  let now = draft
  let left = fixableOf(faults, options)
  for (let round = 0; left.length > 0 && round < MAX_ROUNDS; round++) {
    const next = withChanges(now, fixesOf(left), reading)
    const after = fixableOf(formatOf(next.file).check(next.file), options)
    if (!isReduced(now.file, left, next.file, after)) return now
    now = next
    left = after
  }
  return now
}

/** A fault that is gone may bring others to light. */
function isReduced(
  file: SessionFile,
  before: readonly FileFault[],
  fixed: SessionFile,
  after: readonly FileFault[],
): boolean {
  const named = ({ records }: SessionFile, { rule, record, line }: FileFault) =>
    `${rule} ${line ?? (record === undefined ? '' : records[record]?.line)}`
  const left = new Set(after.map((fault) => named(fixed, fault)))
  return before.some((fault) => !left.has(named(file, fault)))
}

function fixableOf(faults: readonly FileFault[], { only, lossy }: PlanOptions): readonly FileFault[] {
  return faults.filter(({ fix, lossy: loses, rule }) => fix && (!loses || lossy) && (!only || only.includes(rule)))
}

function fixesOf(faults: readonly FileFault[]): readonly RecordChange[] {
  const taken = new Set<number>()
  return faults.flatMap(({ fix }) => (fix && takes(taken, fix) ? fix : []))
}

/** Marks the records of these changes as taken. False if one of them already was. */
function takes(taken: Set<number>, changes: readonly RecordChange[]): boolean {
  const records = changes.flatMap((change) => (change.op === 'insert' ? [] : [change.record]))
  if (records.some((record) => taken.has(record))) return false
  for (const record of records) taken.add(record)
  return true
}

type Found = ReadonlyMap<string | undefined, readonly FileFinding[]>

interface Try {
  readonly id: string
  readonly before: number
  readonly changes: readonly RecordChange[]
}

function withProviderFixes(draft: RecordDraft, found: Found, reading: Reading, options: PlanOptions): RecordDraft {
  let now = draft
  let known = found
  const dropped = new Set<string>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tries = triesOf(now.file, known, dropped, options)
    if (tries.length === 0) return now
    let next = withChanges(now, allChanges(tries), reading)
    let after = byConversation(findingsIn(next.file, options))
    const better = tries.filter(({ id, before }) => isBetter(next.file, id, after.get(id), before, options))
    const good = better.filter(({ id }) => staysOnBranch(now, next, id))
    if (good.length < tries.length) {
      for (const one of tries) if (!good.includes(one)) dropped.add(one.id)
      next = good.length === 0 ? now : withChanges(now, allChanges(good), reading)
      after = good.length === 0 ? known : byConversation(findingsIn(next.file, options))
    }
    now = next
    known = after
  }
  return now
}

function allChanges(tries: readonly Try[]): readonly RecordChange[] {
  return tries.flatMap(({ changes }) => changes)
}

/** A repair of each conversation that needs one. Two that change one record take two rounds. */
function triesOf(file: SessionFile, found: Found, dropped: ReadonlySet<string>, options: PlanOptions): readonly Try[] {
  const taken = new Set<number>()
  return file.conversations.flatMap((conversation): readonly Try[] => {
    const own = found.get(conversation.id) ?? []
    const before = wanted(own, options).length
    if (before === 0 || dropped.has(conversation.id)) return []
    const changes = changesFor(file, conversation, own, options)
    return changes.length > 0 && takes(taken, changes) ? [{ id: conversation.id, before, changes }] : []
  })
}

function changesFor(
  file: SessionFile,
  conversation: Conversation,
  own: readonly FileFinding[],
  options: PlanOptions,
): readonly RecordChange[] {
  const patch = repairPatch(conversation, own, options)
  if (patch.length === 0) return []
  const needed = wanted(own, options)
  const all = reasonOf(needed)
  const byRecord = groupBy(needed, ({ record }) => record)
  return formatOf(file)
    .write(file, conversation, patch)
    .map((edit) => {
      const here = byRecord.get(edit.op === 'insert' ? edit.after : edit.record)
      return { ...edit, why: here ? reasonOf(here) : all }
    })
}

function reasonOf(findings: readonly FileFinding[]): string {
  return `repairs ${[...new Set(findings.map(({ rule }) => rule))].join(', ')}`
}

/** Findings that a repair of the conversation is made for. */
function wanted(findings: readonly FileFinding[], { only }: PlanOptions): readonly FileFinding[] {
  return findings.filter(({ rule, severity }) => (only ? only.includes(rule) : severity === 'error'))
}

function isBetter(
  file: SessionFile,
  id: string,
  after: readonly FileFinding[] = [],
  before: number,
  options: PlanOptions,
): boolean {
  const conversation = file.conversations.find((one) => one.id === id)
  return conversation !== undefined && conversation.history.length > 0 && wanted(after, options).length < before
}

/** Only new records come to a conversation, and only those that are removed leave it. */
function staysOnBranch(before: RecordDraft, after: RecordDraft, id: string): boolean {
  const was = new Set(recordsOf(before, id))
  const is = new Set(recordsOf(after, id))
  const isLost = ({ from }: RecordDraft['entries'][number]) => from >= 0 && was.has(from) && !is.has(from)
  return [...is].every((from) => from < 0 || was.has(from)) && !after.entries.some(isLost)
}

/** The records of a conversation, as indexes in the original file. */
function recordsOf({ file, entries }: RecordDraft, id: string): readonly number[] {
  const sources = file.conversations.find((one) => one.id === id)?.sources ?? []
  return sources.flat().map((record) => entries[record]!.from)
}

function findingsIn(file: SessionFile, options: PlanOptions): readonly FileFinding[] {
  return providerFindings(file, formatOf(file).title, options)
}

function byConversation(findings: readonly FileFinding[]): Found {
  return groupBy(
    findings.filter(({ kind }) => kind === 'provider'),
    ({ conversation }) => conversation,
  )
}
