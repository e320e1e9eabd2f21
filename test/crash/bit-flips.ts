/**
 * Row 7: one bit is turned somewhere in the file or its journal. What is then read differently must be reported, at its
 * position.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../src/session/index.ts'
import type { Store } from '../../src/session.ts'
import { openSession } from '../../src/session.ts'
import { openFile, openHandle, sqliteVersion } from './drivers.ts'
import { below, inFolder, type Outcome, type Random, randomOf, Tally } from './matrix-row.ts'
import { doings, openScene, type Scene } from './operations.ts'
import { type Planted, planted } from './planted.ts'
import { builders } from './tagged-messages.ts'
import { everything } from './validity.ts'

export interface FlipOptions {
  readonly flips: number
  readonly seed: number
  readonly planted?: Planted
  readonly first?: boolean
}

type Found = 'unchanged' | 'reported' | 'rejected' | 'shortened' | 'silent'

const about = { row: 7, title: 'one bit turned anywhere in the file or its journal', mode: 'WAL' }

export async function flipRow(options: FlipOptions): Promise<Outcome> {
  const tally = new Tally()
  const found: Record<Found, number> = { unchanged: 0, reported: 0, rejected: 0, shortened: 0, silent: 0 }
  await inFolder(async (folder) => {
    const { bases, written } = await story(folder)
    const random = randomOf(options.seed)
    for (let i = 0; i < options.flips; i++) {
      if (options.first && tally.invalid > 0) return
      const flip = place(bases, i, random)
      const is = await turned(folder, flip, written, options.planted)
      const where = `bit ${flip.bit} of byte ${flip.byte} of the ${flip.file === 0 ? 'file' : 'journal'}`
      tally.tried++
      found[is.found]++
      if (is.found === 'silent') tally.spoil(`${where}: ${is.words}`)
    }
  })
  const notes = `seed ${options.seed}; changed nothing that is read ${found.unchanged}, reported with its position ${found.reported}, rejected on opening or reading ${found.rejected}, journal read up to the damage ${found.shortened}, silently wrong ${found.silent}`
  return tally.outcome({ ...about, engine: sqliteVersion(), notes })
}

type Written = ReadonlyMap<string, readonly Entry[]>

/** A file half of which is written back, and half still in the journal; and the same when all is written back. */
async function story(folder: string): Promise<{ bases: Bases; written: Written }> {
  const file = join(folder, 's.db')
  await half(file, 0)
  const store = await half(file, 1, 'fork')
  const written = await allOf(store)
  const open: Base = [readFileSync(file), readFileSync(`${file}-wal`)]
  await store.close()
  const closed: Base = [readFileSync(file), undefined]
  return { bases: { open, closed, hot: hotBytes(folder, closed[0]) }, written }
}

async function half(file: string, name: number, last?: string): Promise<Store> {
  const store = await openFile({ file })
  const builder = builders['openai-chat']!
  const scene: Scene = {
    store,
    builder,
    random: randomOf(3 + name),
    opening: { file },
    session: await openScene(store, 's', builder),
  }
  for (let i = 0; i < 12; i++) await doings[['turn', 'call', 'results', 'replace'][i % 4]!]!(scene, `h${name}.${i}`)
  if (last) await doings[last]!(scene, 'last')
  else await store.close()
  return store
}

async function allOf(store: Store): Promise<Written> {
  const written = new Map<string, readonly Entry[]>()
  for (const id of await store.list('', 100)) written.set(id, await everything(store, id))
  return written
}

interface Flip {
  readonly file: number
  readonly byte: number
  readonly bit: number
}

type Base = readonly [file: Buffer, journal: Buffer | undefined]

interface Bases {
  /** As a crash leaves it, and as an orderly end does. */
  readonly open: Base
  readonly closed: Base
  /** Bytes in use on the pages with the list of sessions. */
  readonly hot: readonly number[]
}

/** In turn: anywhere in the file at rest, where its sessions are listed, in the file of a crash, in its journal. */
function place({ open, closed, hot }: Bases, turn: number, random: Random): Flip & { readonly base: Base } {
  const bit = below(random, 8)
  if (turn % 4 === 0) return { base: closed, file: 0, byte: below(random, closed[0].length), bit }
  if (turn % 4 === 1) return { base: closed, file: 0, byte: hot[below(random, hot.length)]!, bit }
  const file = turn % 4 === 2 ? 0 : 1
  return { base: open, file, byte: below(random, open[file]!.length), bit }
}

function hotBytes(folder: string, bytes: Buffer): readonly number[] {
  const handle = openHandle(join(folder, 's.db'))
  const pages = handle
    .prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name IN ('suture_session', 'suture_place')")
    .all() as {
    rootpage: number
  }[]
  handle.close()
  const hot: number[] = []
  for (const { rootpage } of pages)
    for (let byte = (rootpage - 1) * PAGE; byte < rootpage * PAGE; byte++) if (bytes[byte] !== 0) hot.push(byte)
  return hot
}

const PAGE = 8192

async function turned(
  folder: string,
  flip: Flip & { readonly base: Base },
  written: Written,
  bug: Planted | undefined,
): Promise<{ found: Found; words?: string }> {
  const file = join(folder, 'turned.db')
  for (const end of ['', '-wal', '-shm', '-journal']) if (existsSync(file + end)) rmSync(file + end)
  flip.base.forEach((bytes, i) => {
    if (!bytes) return
    const copy = Buffer.from(bytes)
    if (i === flip.file) copy[flip.byte]! ^= 1 << flip.bit
    writeFileSync(i === 0 ? file : `${file}-wal`, copy)
  })
  try {
    const store = await openFile({ file, ...(bug && bug in planted ? { planted: bug } : {}) })
    try {
      return await compared(store, written, flip)
    } finally {
      await store.close()
    }
  } catch {
    return { found: 'rejected' }
  }
}

async function compared(store: Store, written: Written, flip: Flip): Promise<{ found: Found; words?: string }> {
  let found: Found = 'unchanged'
  for (const [id, entries] of written) {
    const session = await openSession(store, id, { provider: 'openai' })
    const { damage } = await session.verify()
    const now = new Map((await everything(store, id)).map((entry) => [entry.seq, entry]))
    const changed = entries.filter((entry) => !same(entry, now.get(entry.seq)))
    // A head that does not fit is damage for all positions after it.
    const reported = (seq: number) => damage.some((one) => one.seq === seq || (one.what === 'head' && one.seq <= seq))
    const hidden = changed.filter(({ seq }) => !reported(seq))
    if (damage.length > 0) found = 'reported'
    if (hidden.length === 0) continue
    // SQLite reads its journal up to the first frame that does not add up, as it does after a crash: an earlier state,
    // whole.
    const earlier = flip.file === 1 && damage.length === 0 && hidden.every(({ seq }) => seq > now.size)
    if (!earlier)
      return {
        found: 'silent',
        words: `session ${id}: ${hidden.map(({ seq }) => seq).join(', ')} changed, not reported`,
      }
    if (found === 'unchanged') found = 'shortened'
  }
  return { found }
}

function same(a: Entry, b: Entry | undefined): boolean {
  return b !== undefined && (['seq', 'kind', 'op', 'part', 'body', 'hash'] as const).every((key) => a[key] === b[key])
}
