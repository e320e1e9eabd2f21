/** The repair table: every subject on the 14 histories and on corrupted conversations. */
import { none, type Peer, subjectOf } from './peer.ts'
import { type Row, scored, type Trials } from './score.ts'
import { suture } from './suture.ts'
import { corrupted, fourteen, pendingCalls, sources, validTrials } from './trials.ts'

const ADAPTERS = ['langchain', 'ai-sdk', 'agents', 'google'] as const
const VALID = 300
const PENDING = 200
const SEEDED = 400

export interface RepairResults {
  readonly from: 'corpus' | 'seed'
  readonly conversations: number
  readonly broken: number
  readonly plain: number
  readonly valid: number
  readonly pending: number
  readonly rows: readonly RepairRow[]
}

export type RepairRow = Omit<Row, 'complete'> & {
  /** Where both a peer and Suture leave a request valid and complete: how many, and the mean bytes that each added. */
  readonly shared?: { readonly requests: number; readonly ours: number; readonly theirs: number }
}

export function trialsOf(runs: number) {
  const found = sources(SEEDED)
  const broken = [...fourteen().filter(({ kind }) => kind !== 'valid'), ...corrupted(found, runs)]
  const trials: Trials = { broken, valid: validTrials(found, VALID), pending: pendingCalls(found, PENDING) }
  return { found, trials }
}

export async function repairTable(runs: number, progress: (line: string) => void): Promise<RepairResults> {
  const { found, trials } = trialsOf(runs)
  const plain = trials.broken.filter(({ isPlain }) => isPlain).length
  progress(
    `Repair: ${trials.broken.length} broken histories of ${found.conversations.length} conversations (${found.from})`,
  )
  const ours = await scored(suture, trials)
  progress(lineOf(ours))
  const rows: RepairRow[] = [written(ours)]
  for (const peer of [none, ...(await peers())]) {
    const row = await scored(subjectOf(peer), trials)
    progress(lineOf(row))
    rows.push({ ...written(row), shared: sharedWith(ours, row) })
  }
  const { from, conversations } = found
  const { broken, valid, pending } = trials
  const counts = { broken: broken.length, plain, valid: valid.length, pending: pending.length }
  return { from, conversations: conversations.length, ...counts, rows }
}

async function peers(): Promise<Peer[]> {
  const loaded: Peer[] = []
  for (const name of ADAPTERS) {
    const { peers: own } = (await import(`./adapters/${name}.ts`)) as { readonly peers: readonly Peer[] }
    loaded.push(...own)
  }
  return loaded
}

function written({ complete: _, ...row }: Row): RepairRow {
  return row
}

function sharedWith(ours: Row, theirs: Row) {
  const both = [...theirs.complete.keys()].filter((key) => ours.complete.has(key))
  const mean = ({ complete }: Row) =>
    both.length === 0 ? 0 : both.reduce((sum, key) => sum + complete.get(key)!, 0) / both.length
  return { requests: both.length, ours: round(mean(ours)), theirs: round(mean(theirs)) }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function lineOf({ name, version, accepted, histories, threw }: Row): string {
  const all = Object.values(accepted)
  const kept = all.reduce((sum, one) => sum + one.kept, 0)
  const of = all.reduce((sum, one) => sum + one.of, 0)
  return `  ${`${name} ${version}`.padEnd(40)} ${((100 * kept) / of).toFixed(1).padStart(5)} % of the requests accepted, ${histories} histories, ${threw} threw`
}
