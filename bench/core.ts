/**
 * Speed and memory of lint and repair against their bars, for every provider with its current models.
 * Warm figures of one row come from one process, the others from a process each.
 * Usage: npm run bench -- [--all] [--quick] [--only lint,growth] [--provider ID] [--dialect ID] [--mb 10] [--json FILE]
 * [--engine DIST]
 * `--all`: every provider, dialect and model. `--quick`: one model of each dialect, smaller histories and fewer
 * runs.
 * `--only lint`: all parts that begin with it. `--engine`: the output folder of another build of the package.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isCurrent } from '../scripts/benchmarks/current-models.ts'
import type { Job } from './core-child.ts'
import { lineOf, type PartName, parts, printed, type Row } from './core-rows.ts'
import { isWarm } from './core-warm.ts'
import { mainSubjects, type Subject, subjects } from './subjects.ts'

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    provider: { type: 'string' },
    dialect: { type: 'string' },
    mb: { type: 'string' },
    json: { type: 'string' },
    engine: { type: 'string' },
  },
})

const current = subjects.filter(({ provider, dialect, model }) => isCurrent(provider, dialect, model))
const usual = values.quick ? mainSubjects : current
const chosen = (values.all || values.provider || values.dialect ? subjects : usual).filter(
  ({ provider, dialect }) =>
    (!values.provider || provider === values.provider) && (!values.dialect || dialect === values.dialect),
)
if (chosen.length === 0) throw new Error('No such provider, or it does not serve that dialect.')

const rows: Row[] = []
for (const job of [...warmJobs(), ...onceJobs()]) rows.push(...(await done(job)))
console.log(printed(rows))
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)

/** Parts to measure; `lint` alone selects all that begin with it. */
function wanted(): PartName[] {
  const asked = values.only?.split(',')
  const names = Object.keys(parts) as PartName[]
  const unknown = asked?.find((one) => !names.includes(one as PartName))
  if (unknown) throw new Error(`There is no part "${unknown}". Parts are ${names.join(', ')}.`)
  return names.filter((name) => !asked || asked.some((one) => name === one || name.startsWith(`${one}-`)))
}

/** A process for each row: what was measured in it before changes what a row costs, by a half and more. */
function* warmJobs(): Generator<Job> {
  const own = wanted().filter(isWarm)
  if (own.length > 0) for (const subject of chosen) yield jobOf(subject, own)
}

function* onceJobs(): Generator<Job> {
  const own = wanted().filter((part) => !isWarm(part))
  const names = own.flatMap((part) => (part === 'memory' ? ['memory-lint', 'memory-repair'] : [part]))
  for (const name of names) {
    for (const subject of mains()) yield jobOf(subject, [name])
  }
}

/**
 * One subject for each dialect; of a provider that is asked for and is not among them, each dialect without a model.
 */
function mains(): readonly Subject[] {
  const usual = mainSubjects.filter((one) => chosen.includes(one))
  return usual.length > 0 ? usual : unique(chosen)
}

/** The first of each provider and dialect. */
function unique(list: readonly Subject[]): readonly Subject[] {
  return list.filter(
    (one, i) => list.findIndex(({ provider, dialect }) => provider === one.provider && dialect === one.dialect) === i,
  )
}

function jobOf({ provider, dialect, model }: Subject, names: readonly string[]): Job {
  const long = Number(values.mb ?? (values.quick ? 2 : 10)) * 1e6
  const extents = values.quick ? { long, each: 1e6, runs: 9 } : { long, each: 2e6, runs: 15 }
  // Less memory than this is hidden by the garbage of the young generation.
  const sizes = { growth: values.quick ? 100_000 : 1_000_000, memory: 100e6 }
  return { provider, dialect, model, ...sizes, parts: names, extents, engine: values.engine }
}

/** Runs a job; its rows are printed as they come. */
async function done(job: Job): Promise<Row[]> {
  const script = fileURLToPath(new URL(import.meta.url.replace(/core\.(js|ts)$/, 'core-child.$1')))
  const flags = ['--expose-gc', '--max-old-space-size=8192', script, JSON.stringify(job)]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const found: Row[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const row = JSON.parse(line) as Row
    console.error(`${row.part.padEnd(12)} ${lineOf(row)}`)
    found.push(row)
  }
  if ((await ended) !== 0) throw new Error(`The job of ${job.provider} ${job.dialect} failed: see above.`)
  return found
}
