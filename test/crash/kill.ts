/**
 * Row 1: processes are killed at random moments while they append, replace, revert, fork, create files; the file is
 * opened again after each.
 */
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Store } from '../../src/session.ts'
import type { Acknowledged, Line, Task } from './child.ts'
import { lanes, type Ran, runChild } from './children.ts'
import { type Opening, openFile, sqliteVersion } from './drivers.ts'
import { below, inFolder, type Outcome, type Random, randomOf, Tally } from './matrix-row.ts'
import type { Planted } from './planted.ts'
import { builders } from './tagged-messages.ts'
import { everything, firstFault } from './validity.ts'

export interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly planted?: Planted
  /** Only these, at random; all when absent. */
  readonly doings?: readonly string[]
  /** Stop at the first thing that is wrong. */
  readonly first?: boolean
}

/** So many kills on one file before the next one is begun: damage may show later. */
const KILLS_PER_FILE = 12

const modes: readonly Omit<Opening, 'file'>[] = [
  { synchronous: 'full', journal: 'wal', checkpoint: 40 },
  { synchronous: 'normal', journal: 'wal', checkpoint: 40 },
  { synchronous: 'full', journal: 'delete' },
]

export async function killRow(options: KillOptions): Promise<Outcome> {
  const tally = new Tally()
  const done = new Map<string, number>()
  const files = Array.from({ length: Math.ceil(options.kills / KILLS_PER_FILE) }, (_, i) => i)
  await inFolder((folder) =>
    lanes(files, 2, async (number) => {
      const kills = Math.min(KILLS_PER_FILE, options.kills - number * KILLS_PER_FILE)
      await oneFile(folder, number, kills, options, tally, done)
    }),
  )
  const acknowledged = [...done].sort().map(([doing, count]) => `${doing} ${count}`)
  return tally.outcome({
    row: 1,
    title: 'kill -9 at random moments, reopened after each',
    engine: sqliteVersion(),
    mode: 'WAL FULL, WAL NORMAL, rollback journal FULL in turn',
    notes: `seed ${options.seed}; acknowledged before the kills: ${acknowledged.join(', ')}`,
  })
}

async function oneFile(
  folder: string,
  number: number,
  kills: number,
  options: KillOptions,
  tally: Tally,
  done: Map<string, number>,
): Promise<void> {
  const random = randomOf(options.seed + number)
  const mode = modes[number % modes.length]!
  const opening = {
    ...mode,
    file: join(folder, `f${number}.db`),
    ...(options.planted ? { planted: options.planted } : {}),
  }
  const dialect = Object.keys(builders)[number % 2]!
  const acknowledged: Acknowledged[] = []
  for (let i = 0; i < kills; i++) {
    if (options.first && tally.lost + tally.invalid > 0) return
    const seed = below(random, 2 ** 31)
    const plan = options.doings
      ? Array.from({ length: 4000 }, () => options.doings![below(random, options.doings!.length)]!)
      : 'random'
    const task: Task = { opening, session: 's', dialect, name: `k${i}`, plan, seed }
    const ran = await killed(task, random)
    if (ran.signal !== 'SIGKILL') throw new Error(`the child ended by itself (${ran.code}): ${ran.errors}`)
    for (const line of ran.lines) if ('done' in line) acknowledged.push(line)
    for (const line of ran.lines) if ('done' in line) done.set(line.doing, (done.get(line.doing) ?? 0) + 1)
    tally.tried++
    await check(opening, dialect, acknowledged, `file ${number}, kill ${i}`, tally)
  }
}

/** Somewhere within the first twelve operations, and at a random moment within the operation. */
function killed(task: Task, random: Random): Promise<Ran> {
  let left = 1 + below(random, 24)
  const delay = random() * 6
  const onLine = (_line: Line, child: { kill(signal: 'SIGKILL'): boolean }) => {
    if (--left === 0) setTimeout(() => child.kill('SIGKILL'), delay)
  }
  return runChild(task, { onLine })
}

/** Opened by the real store, whatever wrote it. */
export async function check(
  { planted: _bug, ...opening }: Opening,
  dialect: string,
  acknowledged: readonly Acknowledged[],
  where: string,
  tally: Tally,
): Promise<void> {
  try {
    await checkCreated(opening)
    const store = await openFile(opening)
    try {
      await checkLost(store, acknowledged, where, tally)
      for (const session of await store.list('', 1000)) {
        const wrong = await firstFault(store, session, builders[dialect]!)
        if (wrong) tally.spoil(`${where}, session ${session}: ${wrong}`)
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    tally.spoil(`${where}: ${String(error)}`)
  }
}

async function checkLost(
  store: Store,
  acknowledged: readonly Acknowledged[],
  where: string,
  tally: Tally,
): Promise<void> {
  const bySession = new Map<string, ReadonlyMap<number, string>>()
  for (const { done, doing, session, positions, stored } of acknowledged) {
    if (!bySession.has(session)) {
      const records = await everything(store, session)
      bySession.set(session, new Map(records.map(({ seq, op }) => [seq, op])))
    }
    const at = bySession.get(session)!
    const lost = (positions ?? []).filter((position) => at.get(position) !== done)
    if (lost.length > 0) tally.lose(lost.length, `${where}: ${doing} ${done} is not at ${lost.join(', ')}`)
    else if (stored && !positions && ![...at.values()].includes(done))
      tally.lose(1, `${where}: ${doing} ${done} is gone`)
  }
}

/** Files whose creation was cut down: each is opened, and is empty and ready. */
async function checkCreated(opening: Opening): Promise<void> {
  const folder = dirname(opening.file)
  const own = `${basename(opening.file)}-k`
  const names = readdirSync(folder).filter((name) => name.startsWith(own) && !/-(wal|shm|journal)$/.test(name))
  for (const name of names) {
    const file = join(folder, name)
    const store = await openFile({ ...opening, file })
    const sessions = await store.list('', 10)
    await store.close()
    if (sessions.length > 0) throw new Error(`${name} after its creation was cut down: ${sessions.join()}`)
    for (const left of readdirSync(folder)) if (left.startsWith(name)) rmSync(join(folder, left))
  }
}
