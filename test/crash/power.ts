/**
 * Row 3: the power is cut after every step that a process took on its files, and the disk opened as it then is.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from '../../src/session/index.ts'
import type { Acknowledged } from './child.ts'
import { runChild, withoutStrace } from './children.ts'
import { cuts, Disk, type Image } from './disk.ts'
import { type Opening, openFile, sqliteVersion } from './drivers.ts'
import { inFolder, type Outcome, randomOf, skippedRow, Tally } from './matrix-row.ts'
import type { Planted } from './planted.ts'
import { builders } from './tagged-messages.ts'
import { type Step, stepsIn } from './trace.ts'
import { everything, firstFault } from './validity.ts'

export interface PowerOptions {
  readonly images: number
  readonly seed: number
  readonly synchronous: 'full' | 'normal'
  readonly journal: 'wal' | 'delete'
  readonly planted?: Planted
  readonly first?: boolean
}

const DIALECT = 'openai-chat'
const program = [
  'turn',
  'call',
  'results',
  'replace',
  'turn',
  'revert',
  'undo',
  'fork',
  'propose',
  'abort',
  'prompt',
  'claim',
]

export async function powerRow(options: PowerOptions): Promise<Outcome> {
  const mode = `${options.journal === 'wal' ? 'WAL' : 'rollback journal'} ${options.synchronous.toUpperCase()}`
  const about = {
    row: 3,
    title: 'power cut after every step, from the trace of its writes',
    engine: sqliteVersion(),
    mode,
  }
  const missing = withoutStrace()
  if (missing) return skippedRow(about, missing)
  const tally = new Tally()
  const shorter = { images: 0, most: 0 }
  let distinct = 0
  // In memory where there is such a folder: the images are what a disk held, and need none themselves.
  const within = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  await inFolder(async (scratch) => {
    for (let round = 0; tally.tried < options.images; round++) {
      const { steps, final } = await traced(options, round)
      distinct += await cutEverywhere({ steps, final, scratch, options, round, tally, shorter })
      if (options.first && tally.lost + tally.invalid > 0) return
    }
  }, within)
  const notes = `seed ${options.seed}; ${distinct} images differ`
  if (options.synchronous === 'full') return tally.outcome({ ...about, notes })
  const allowed = `a suffix, in ${shorter.images} images; at most the last ${shorter.most}`
  return tally.outcome({ ...about, notes: `${notes}; ${allowed}, never a hole`, allowed })
}

type Seen = ReadonlyMap<string, readonly Entry[]>

async function traced(
  { synchronous, journal, planted, seed }: PowerOptions,
  round: number,
): Promise<{ steps: Step[]; final: Seen }> {
  return inFolder(async (folder) => {
    const at = join(folder, 'at')
    mkdirSync(at)
    const trace = join(folder, 'trace')
    const opening: Opening = {
      file: join(at, 's.db'),
      synchronous,
      journal,
      checkpoint: 30,
      ...(planted ? { planted } : {}),
    }
    const paths = [at, ...['s.db', 's.db-wal', 's.db-journal', 'acknowledged'].map((name) => join(at, name))].flatMap(
      (path) => ['-P', path],
    )
    const calls = 'trace=pwrite64,write,ftruncate,fsync,fdatasync,unlink'
    const under = [
      'strace',
      '-f',
      '--seccomp-bpf',
      '-qq',
      '-y',
      '-xx',
      '-s',
      '4000000',
      '-o',
      trace,
      ...paths,
      '-e',
      calls,
    ]
    const task = {
      opening,
      session: 's',
      dialect: DIALECT,
      name: `p${round}`,
      plan: [...program, ...program],
      seed: seed + round,
      acknowledgements: join(at, 'acknowledged'),
    }
    const ran = await runChild(task, { under })
    if (ran.code !== 0) throw new Error(`the traced process ended with ${ran.code}: ${ran.errors}`)
    const { seen } = await opened({ file: opening.file, journal, synchronous })
    return { steps: stepsIn(readFileSync(trace, 'utf8'), at, 'acknowledged'), final: seen }
  })
}

interface Cutting {
  readonly steps: readonly Step[]
  readonly final: Seen
  readonly scratch: string
  readonly options: PowerOptions
  readonly round: number
  readonly tally: Tally
  readonly shorter: { images: number; most: number }
}

async function cutEverywhere({ steps, final, scratch, options, round, tally, shorter }: Cutting): Promise<number> {
  const random = randomOf(options.seed + round)
  const disk = new Disk()
  const acknowledged: Acknowledged[] = []
  const known = new Map<string, Verdict>()
  for (const [i, step] of steps.entries()) {
    disk.take(step)
    const line = step.step === 'acknowledged' ? (JSON.parse(step.line) as Acknowledged) : undefined
    if (line?.done) acknowledged.push(line)
    for (const kind of cuts) {
      if (tally.tried >= options.images || (options.first && tally.lost + tally.invalid > 0)) return known.size
      const image = disk.image(kind, random)
      const key = keyOf(image)
      const verdict = known.get(key) ?? (await verdictOn(image, scratch, options, final))
      known.set(key, verdict)
      tally.tried++
      const where = `round ${round}, step ${i} (${step.step}), ${kind} of the unsynced`
      if (verdict.wrong) tally.spoil(`${where}: ${verdict.wrong}`)
      const lost = verdict.seen ? missing(verdict.seen, acknowledged) : 0
      if (lost === 0) continue
      shorter.images++
      shorter.most = Math.max(shorter.most, lost)
      if (options.synchronous === 'full') tally.lose(lost, `${where}: ${lost} acknowledged gone`)
    }
  }
  return known.size
}

interface Verdict {
  readonly wrong?: string
  readonly seen?: Seen
}

async function verdictOn(image: Image, scratch: string, options: PowerOptions, final: Seen): Promise<Verdict> {
  for (const name of readdirSync(scratch)) rmSync(join(scratch, name))
  for (const [name, bytes] of image) writeFileSync(join(scratch, name), bytes)
  const { journal, synchronous } = options
  try {
    const { seen, wrong } = await opened({ file: join(scratch, 's.db'), journal, synchronous })
    if (wrong) return { wrong, seen }
    for (const [id, entries] of seen) {
      const whole = final.get(id) ?? []
      if (entries.some((entry, i) => entry.hash !== whole[i]?.hash))
        return { seen, wrong: `session ${id} is not a beginning of what was written` }
    }
    return { seen }
  } catch (error) {
    return { wrong: String(error) }
  }
}

async function opened(opening: Opening): Promise<{ seen: Seen; wrong: string | undefined }> {
  const store = await openFile(opening)
  try {
    const seen = new Map<string, readonly Entry[]>()
    let wrong: string | undefined
    for (const id of await store.list('', 1000)) {
      seen.set(id, await everything(store, id))
      wrong ??= await firstFault(store, id, builders[DIALECT]!)
    }
    return { seen, wrong }
  } finally {
    await store.close()
  }
}

function missing(seen: Seen, acknowledged: readonly Acknowledged[]): number {
  const ops = new Map([...seen].map(([id, entries]) => [id, new Map(entries.map(({ seq, op }) => [seq, op]))]))
  let lost = 0
  for (const { done, session, positions, stored } of acknowledged) {
    const at = ops.get(session)
    if (positions) lost += positions.filter((position) => at?.get(position) !== done).length
    else if (stored && ![...(at?.values() ?? [])].includes(done)) lost++
  }
  return lost
}

function keyOf(image: Image): string {
  const hash = createHash('sha1')
  for (const name of [...image.keys()].sort())
    hash.update(`${name} ${image.get(name)!.length} `).update(image.get(name)!)
  return hash.digest('hex')
}
