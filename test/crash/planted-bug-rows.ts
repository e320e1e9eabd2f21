/**
 * Row 11: which row catches which planted bug, within how many seeds.
 */
import { isSutureError, SutureError } from '../../src/core/index.ts'
import type { Store } from '../../src/session.ts'
import { flipRow } from './bit-flips.ts'
import { withoutStrace } from './children.ts'
import { exactlyOnce, retrying } from './cut-connections.ts'
import { openFile, sqliteVersion } from './drivers.ts'
import { killRow } from './kill.ts'
import { looseRun, type OrderBug, orderBugs } from './loose.ts'
import { inFolder, type Outcome, type Random, randomOf, Tally } from './matrix-row.ts'
import type { Planted } from './planted.ts'
import { powerRow } from './power.ts'
import { type Fault, syscallRow } from './syscalls.ts'

export type Bug = Planted | OrderBug

interface Catcher {
  readonly bug: Bug
  readonly by: string
  /** Needs strace. */
  readonly traced: boolean
  /** What was found with this seed. */
  find(seed: number): Promise<string | undefined>
}

/** Tried before a bug counts as missed. */
const SEEDS = 5

const wrongIn = (outcome: Outcome): string | undefined => outcome.wrong[0]

function atWrites(planted: Planted, operation: string, fault: Fault = 'kill'): Catcher {
  const options = { operations: [operation], journals: ['wal'], dialects: ['openai-chat'], first: true } as const
  return {
    bug: planted,
    by: `row 2 (${operation}, ${fault})`,
    traced: true,
    find: async () => wrongIn(await syscallRow({ ...options, faults: [fault], planted })),
  }
}

export const catchers: readonly Catcher[] = [
  {
    bug: 'no-sync',
    by: 'row 3',
    traced: true,
    find: async (seed) =>
      wrongIn(
        await powerRow({ images: 400, seed, synchronous: 'full', journal: 'wal', planted: 'no-sync', first: true }),
      ),
  },
  atWrites('clear-then-add', 'replace'),
  atWrites('one-by-one', 'turn'),
  atWrites('head-first', 'turn'),
  atWrites('swallows-errors', 'turn', 'EIO'),
  {
    bug: 'acknowledged-before-stored',
    by: 'row 1',
    traced: false,
    find: async (seed) =>
      wrongIn(await killRow({ kills: 12, seed, planted: 'acknowledged-before-stored', doings: ['turn'], first: true })),
  },
  {
    bug: 'hash-on-read',
    by: 'row 7',
    traced: false,
    find: async (seed) => wrongIn(await flipRow({ flips: 60, seed, planted: 'hash-on-read', first: true })),
  },
  ...(['forgets-operations', 'forgets-older-operations'] as const).map(
    (bug): Catcher => ({
      bug,
      by: 'row 5 (answers lost on their way)',
      traced: false,
      find: (seed) => unanswered(bug, seed),
    }),
  ),
  ...orderBugs.map(
    (bug): Catcher => ({
      bug,
      by: 'row 4 (its checker)',
      traced: false,
      find: async (seed) => (await looseRun(bug, seed))[0],
    }),
  ),
]

/** What gave a bug away; nothing when it was missed. `nothing`: the same, with no bug planted. */
export async function caughtBy(bug: Bug | 'nothing', seed = 1): Promise<string | undefined> {
  if (bug === 'nothing') return (await looseRun(undefined, seed))[0] ?? (await unanswered(undefined, seed))
  const { find } = catchers.find((one) => one.bug === bug)!
  for (let tried = 1; tried <= SEEDS; tried++) {
    const words = await find(seed + tried - 1)
    if (words) return `seed ${tried} of ${SEEDS}: ${words}`
  }
  return undefined
}

/** Half of the answers get lost after the append was stored; each is then asked for again. */
async function unanswered(planted: Planted | undefined, seed: number): Promise<string | undefined> {
  return inFolder(async (folder) => {
    const file = `${folder}/s.db`
    const random = randomOf(seed)
    const store = await openFile({ file, synchronous: 'normal', ...(planted ? { planted } : {}) })
    const tally = new Tally()
    let appends = 0
    try {
      const acknowledged = await retrying(losing(store, random), 's', () => appends++ > 60)
      await exactlyOnce(store, 's', acknowledged, tally)
    } catch (error) {
      if (!isSutureError(error)) throw error
      return String(error)
    } finally {
      await store.close()
    }
    return tally.wrong[0]
  })
}

function losing(store: Store, random: Random): Store {
  const append: Store['append'] = async (session, batch) => {
    const answer = await store.append(session, batch)
    if (random() < 0.5)
      throw new SutureError('unknown-outcome', 'The answer was lost. Append again with the same operationId.')
    return answer
  }
  return new Proxy(store, {
    get: (target, key) => {
      const value = key === 'append' ? append : target[key as keyof Store]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export async function plantedRow(): Promise<Outcome> {
  const tally = new Tally()
  const missing = withoutStrace()
  const passed: string[] = []
  for (const { bug, by, traced } of catchers) {
    if (traced && missing) passed.push(`${bug} not tried (${missing})`)
    if (traced && missing) continue
    tally.tried++
    const words = await caughtBy(bug)
    if (words) passed.push(`${bug} by ${by}`)
    else tally.spoil(`${bug} was not caught by ${by}`)
  }
  const about = {
    row: 11,
    title: `planted bugs, each caught within ${SEEDS} seeds`,
    engine: sqliteVersion(),
    mode: 'WAL FULL',
  }
  return tally.outcome({ ...about, notes: passed.join('; ') })
}
