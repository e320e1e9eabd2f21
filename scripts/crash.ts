/**
 * The crash matrix, and the report of it.
 * Usage: npm run crash -- [--rows 1,2] [--release] [--size kills=2000,images=9000] [--seed 1] [--keep rows.json]
 * [--report docs/evidence/crash-matrix.md]
 * Row 2 takes `--operations turn,replace` and `--faults kill,errors,double` (double only at release size).
 * `--keep` adds the outcomes to those of earlier runs, so that long rows can be run one by one and reported together.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { flipRow } from '../test/crash/bit-flips.ts'
import { unbundle } from '../test/crash/children.ts'
import { cutRow } from '../test/crash/cut-connections.ts'
import { fullRow } from '../test/crash/disk-full.ts'
import { sqliteVersion } from '../test/crash/drivers.ts'
import { killRow } from '../test/crash/kill.ts'
import { type Outcome, rootFolder, seedOf, skippedRow } from '../test/crash/matrix-row.ts'
import { pagingRow } from '../test/crash/paging.ts'
import { plantedRow } from '../test/crash/planted-bug-rows.ts'
import { powerRow } from '../test/crash/power.ts'
import { reportOf } from '../test/crash/report.ts'
import { schemaRow } from '../test/crash/schemas.ts'
import { operations as all, type SyscallOptions, syscallRow } from '../test/crash/syscalls.ts'
import { postgresVersion, writersRow } from '../test/crash/writers.ts'
import { type Postgres, startPostgres } from '../test/postgres.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    release: { type: 'boolean', default: false },
    size: { type: 'string' },
    operations: { type: 'string' },
    faults: { type: 'string' },
    keep: { type: 'string' },
    seed: { type: 'string', default: String(seedOf()) },
    report: { type: 'string' },
  },
})

const seed = Number(values.seed)
const { release } = values
const sizes = {
  ci: { kills: 300, images: 1_700, appends: 200, cuts: 1_000, full: 50, flips: 400, programs: 2_000, pagings: 500 },
  release: {
    kills: 10_000,
    images: 100_000,
    appends: 12_500,
    cuts: 20_000,
    full: 1_000,
    flips: 20_000,
    programs: 200_000,
    pagings: 20_000,
  },
}
const asked = Object.fromEntries(
  (values.size?.split(',') ?? []).map((one) => one.split('=')).map(([name, count]) => [name, Number(count)]),
) as Partial<typeof sizes.ci>
const size = { ...(release ? sizes.release : sizes.ci), ...asked }

/** Which count makes a row longer; the others have one length only, or two. */
const counted: Readonly<Record<number, keyof typeof size>> = {
  1: 'kills',
  3: 'images',
  4: 'appends',
  5: 'cuts',
  6: 'full',
  7: 'flips',
  9: 'programs',
  10: 'pagings',
}

function sizeOf(row: number): string {
  const name = counted[row]
  if (row === 2 && operations) return `${operations.length} of ${all.length} operations`
  if (!name) return row === 2 ? (release ? 'release' : 'CI') : 'all'
  if (size[name] >= sizes.release[name]) return 'release'
  if (size[name] === sizes.ci[name]) return 'CI'
  return `${Math.round((100 * size[name]) / sizes.release[name])} % of release`
}

let server: Postgres | string | undefined

async function onPostgres(
  row: number,
  title: string,
  work: (url: string, engine: string) => Promise<Outcome>,
): Promise<Outcome> {
  server ??= await startPostgres()
  if (typeof server === 'string') return skippedRow({ row, title, engine: 'PostgreSQL', mode: '-' }, server)
  return work(server.url, await postgresVersion(server.url))
}

/** The random programs are a test of their own. */
async function programs(): Promise<Outcome> {
  const root = rootFolder()
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/session.model.test.ts']
  const env = { ...process.env, SUTURE_MODEL_RUNS: String(size.programs), SUTURE_SEED: String(seed) }
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1e8 })
  const wrong = status === 0 ? [] : [stdout.slice(-2000)]
  const about = {
    row: 9,
    title: 'random programs against a plain model',
    engine: `memory; 60 on ${sqliteVersion()}`,
    mode: '-',
  }
  return { ...about, tried: size.programs, lost: 0, invalid: wrong.length, wrong, notes: `seed ${seed}` }
}

const everywhere = { dialects: ['openai-chat', 'anthropic-messages'], journals: ['wal', 'delete'] } as const
const faults: Readonly<Record<string, SyscallOptions>> = release
  ? {
      kill: { ...everywhere, faults: ['kill'] },
      errors: { ...everywhere, faults: ['EIO', 'ENOSPC'] },
      double: { dialects: ['openai-chat'], journals: ['wal', 'delete'], faults: ['kill'], double: true },
    }
  : {
      kill: { dialects: ['openai-chat'], journals: ['wal'], faults: ['kill'] },
      errors: { dialects: ['anthropic-messages'], journals: ['wal'], faults: ['EIO', 'ENOSPC'] },
    }
const operations = values.operations?.split(',')
const power = (synchronous: 'full' | 'normal', journal: 'wal' | 'delete') => () =>
  powerRow({ images: size.images, seed, synchronous, journal })

const rows: Readonly<Record<number, readonly (() => Promise<Outcome>)[]>> = {
  1: [() => killRow({ kills: size.kills, seed })],
  2: Object.entries(faults)
    .filter(([name]) => !values.faults || values.faults.split(',').includes(name))
    .map(
      ([, options]) =>
        () =>
          syscallRow({ ...options, ...(operations ? { operations } : {}) }),
    ),
  3: [power('full', 'wal'), power('full', 'delete'), power('normal', 'wal')],
  4: [
    () => writersRow({ processes: 8, appends: size.appends, seed, engine: sqliteVersion() }),
    () =>
      onPostgres(4, 'linearizable append', (address, engine) =>
        writersRow({ processes: 8, appends: size.appends, seed, address, engine }),
      ),
  ],
  5: [
    () =>
      onPostgres(5, 'connection cut around COMMIT', (url, engine) => cutRow({ cuts: size.cuts, seed, url, engine })),
  ],
  6: [() => fullRow({ steps: size.full })],
  7: [() => flipRow({ flips: size.flips, seed })],
  9: [programs],
  10: [() => pagingRow({ runs: size.pagings, seed })],
  11: [plantedRow],
  12: [schemaRow],
}

const kept = values.keep
const outcomes: Outcome[] = kept && existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Outcome[]) : []
const wanted = values.rows?.split(',').map(Number) ?? Object.keys(rows).map(Number)
let wrongs = 0
for (const row of wanted)
  for (const run of rows[row] ?? []) {
    const outcome = { ...(await run()), size: sizeOf(row) }
    take(outcome)
    print(outcome)
    wrongs += outcome.lost + outcome.invalid
  }
await unbundle()
if (typeof server === 'object') await server.stop()
if (values.report) writeFileSync(values.report, reportOf(outcomes, { seed }))
process.exitCode = wrongs > 0 ? 1 : 0

/** In place of what an earlier run had for it. */
function take(outcome: Outcome): void {
  const same = (one: Outcome) => (['row', 'engine', 'mode'] as const).every((key) => one[key] === outcome[key])
  const at = outcomes.findIndex(same)
  if (at < 0) outcomes.push(outcome)
  else outcomes[at] = outcome
  outcomes.sort((a, b) => a.row - b.row)
  if (kept) writeFileSync(kept, JSON.stringify(outcomes, null, 1))
}

function print({ row, title, engine, mode, size, tried, lost, invalid, wrong, notes = '', skipped }: Outcome): void {
  const came = skipped ? `skipped: ${skipped}` : `${tried} tried, ${lost} lost, ${invalid} invalid`
  console.log(`row ${row}: ${title}; ${engine}; ${mode}; ${size}: ${came}`)
  if (notes) console.log(`  ${notes}`)
  for (const words of wrong) console.log(`  WRONG ${words}`)
}
