/**
 * Row 2: every operation dies, or gets an error, at each of its writes to the file in turn: at the first, the second,
 * the third, until it completes.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../src/session/index.ts'
import type { Task } from './child.ts'
import { lanes, runChild, withoutStrace } from './children.ts'
import { type Opening, sqliteVersion } from './drivers.ts'
import { inFolder, type Outcome, skippedRow, Tally } from './matrix-row.ts'
import type { Planted } from './planted.ts'
import { contents, copyTo, writeTemplate } from './template.ts'
import { judged } from './verdict.ts'

export const operations = [
  'turn',
  'prompt',
  'results',
  'abort',
  'replace',
  'revert',
  'undo',
  'fork',
  'propose',
  'accept',
  'claim',
  'create',
] as const

export type Fault = 'kill' | 'EIO' | 'ENOSPC'

export interface SyscallOptions {
  readonly operations?: readonly string[]
  readonly faults: readonly Fault[]
  readonly journals: readonly ('wal' | 'delete')[]
  readonly dialects: readonly string[]
  readonly planted?: Planted
  /** The file is opened again under the same fault before it is looked at. */
  readonly double?: boolean
  readonly first?: boolean
  /** Only every n-th write of an operation is tried, and always the last one. Default: every one. */
  readonly every?: number
}

const WRITES = ['pwrite64', 'ftruncate', 'fsync', 'fdatasync', 'unlink'] as const
const NO_ROOM = ['pwrite64', 'ftruncate']

const about = { row: 2, title: 'death and errors at every write to the file, of each operation' }

export async function syscallRow(options: SyscallOptions): Promise<Outcome> {
  const mode = `${options.journals.join(', ')}; FULL; ${options.faults.join(', ')}${options.double ? '; again during recovery' : ''}`
  const missing = withoutStrace()
  if (missing) return skippedRow({ ...about, engine: sqliteVersion(), mode }, missing)
  const tally = new Tally()
  const notes: string[] = []
  for (const dialect of options.dialects)
    for (const journal of options.journals)
      await inFolder(async (folder) => {
        const opening = { synchronous: 'full' as const, journal, checkpoint: 1 }
        const template = await writeTemplate(folder, opening, dialect)
        for (const operation of options.operations ?? operations) {
          if (options.first && tally.lost + tally.invalid > 0) return
          const stage = await staged(folder, template, opening, dialect, operation, options)
          notes.push(`${operation} ${stage.points.length}`)
          await lanes(faultsOf(stage, options), 2, (fault, i) => onePoint(stage, fault, i, options, tally))
        }
      })
  return tally.outcome({ ...about, engine: sqliteVersion(), mode, notes: `writes of each: ${notes.join(', ')}` })
}

interface Point {
  readonly call: string
  /** The how manieth of its kind. */
  readonly when: number
}

export interface Stage {
  readonly folder: string
  readonly template: string
  readonly opening: Omit<Opening, 'file'>
  readonly dialect: string
  readonly operation: string
  readonly points: readonly Point[]
  readonly before: Seen
  readonly whole: Seen
}

export type Seen = ReadonlyMap<string, readonly Entry[]>

/** The operation without a fault: which writes it makes, and what is there before and after it. */
async function staged(
  folder: string,
  template: string,
  plain: Omit<Opening, 'file'>,
  dialect: string,
  operation: string,
  { planted }: SyscallOptions,
): Promise<Stage> {
  const opening = { ...plain, ...(planted ? { planted } : {}) }
  const stage = { folder, template, opening, dialect, operation }
  const at = copyOf(stage, 'whole')
  const before =
    operation === 'create' ? new Map() : await contents({ ...plain, file: join(copyOf(stage, 'before'), 's.db') })
  const trace = join(folder, 'trace')
  const ran = await runChild(taskOf(stage, at, false), { under: straced(at, ['-o', trace]) })
  if (ran.code !== 0) throw new Error(`${operation} without a fault: ${ran.errors}`)
  const whole = await contents({ ...plain, file: join(at, 's.db') })
  return { ...stage, points: pointsIn(readFileSync(trace, 'utf8')), before, whole }
}

/** `create` is what opening does with a file that is not there yet. */
function copyOf(
  { folder, template, operation }: Pick<Stage, 'folder' | 'template' | 'operation'>,
  name: string,
): string {
  const from = operation === 'create' ? join(folder, 'nothing') : template
  return copyTo(from, join(folder, `${operation}-${name}`))
}

function taskOf(
  { opening, dialect, operation }: Pick<Stage, 'opening' | 'dialect' | 'operation'>,
  at: string,
  retry: boolean,
): Task {
  const plan = operation === 'create' ? [] : [operation]
  return { opening: { ...opening, file: join(at, 's.db') }, session: 's', dialect, name: 'x', plan, seed: 11, retry }
}

function straced(at: string, rest: readonly string[]): readonly string[] {
  const paths = [at, ...['', '-wal', '-journal'].map((end) => join(at, `s.db${end}`))].flatMap((path) => ['-P', path])
  return ['strace', '-f', '-qq', ...paths, '-e', `trace=${WRITES.join(',')}`, ...rest]
}

function pointsIn(trace: string): readonly Point[] {
  const counts = new Map<string, number>()
  const points: Point[] = []
  for (const [, call] of trace.matchAll(/^\d+\s+(\w+)\(/gm)) {
    const when = (counts.get(call!) ?? 0) + 1
    counts.set(call!, when)
    points.push({ call: call!, when })
  }
  return points
}

interface Tried extends Point {
  readonly fault: Fault
  readonly retry: boolean
}

function faultsOf({ points }: Stage, { faults, every = 1 }: SyscallOptions): readonly Tried[] {
  return faults.flatMap((fault, i) =>
    points
      .filter((_, at) => (at + i) % every === 0 || at === points.length - 1)
      .filter(({ call }) => fault !== 'ENOSPC' || NO_ROOM.includes(call))
      .map((point) => ({ ...point, fault, retry: fault === 'ENOSPC' })),
  )
}

async function onePoint(
  stage: Stage,
  tried: Tried,
  index: number,
  options: SyscallOptions,
  tally: Tally,
): Promise<void> {
  if (options.first && tally.lost + tally.invalid > 0) return
  const { call, when, fault, retry } = tried
  const at = copyOf(stage, String(index))
  const where = `${stage.operation} (${stage.opening.journal}), ${fault} at ${call} ${when}`
  try {
    const how = fault === 'kill' ? 'signal=SIGKILL' : `error=${fault}`
    // The quick way of strace does not send signals.
    const quick = fault === 'kill' ? [] : ['--seccomp-bpf']
    const inject = [...quick, '-o', '/dev/null', '-e', `inject=${call}:${how}:when=${when}`]
    const ran = await runChild(taskOf(stage, at, retry), { under: straced(at, inject) })
    if (options.double) await dieOnOpening(stage, at)
    tally.tried++
    await judged(stage, at, ran, where, tally)
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

/** Recovery is cut down, too: at its first write, its second, until it gets through. */
async function dieOnOpening(stage: Stage, at: string): Promise<void> {
  const task = { ...taskOf(stage, at, false), plan: [] }
  for (const call of WRITES)
    for (let when = 1; when < 50; when++) {
      const inject = ['-o', '/dev/null', '-e', `inject=${call}:signal=SIGKILL:when=${when}`]
      const { code } = await runChild(task, { under: straced(at, inject) })
      if (code === 0) break
    }
}
