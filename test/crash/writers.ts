/**
 * Row 4: several processes append to one session at once. The acknowledgements must fit into one order.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Event, violations } from './checker.ts'
import { bundled } from './children.ts'
import { load } from './drivers.ts'
import { inFolder, type Outcome, rootFolder, Tally } from './matrix-row.ts'
import { openLog, type Writing } from './writer.ts'

export interface WritersOptions {
  readonly processes: number
  readonly appends: number
  readonly seed: number
  /** An address of a database; a file of its own when absent. */
  readonly address?: string
  readonly engine: string
}

export async function writersRow(options: WritersOptions): Promise<Outcome> {
  const wrong = await inFolder((folder) =>
    run({ ...options, address: options.address ?? `sqlite:${join(folder, 's.db')}` }),
  )
  const tally = new Tally()
  tally.tried = options.processes * options.appends
  for (const words of wrong) tally.spoil(words)
  return tally.outcome({
    row: 4,
    title: `linearizable append, ${options.processes} processes on one session`,
    engine: options.engine,
    mode: 'FULL',
    notes: `seed ${options.seed}`,
  })
}

async function run({
  processes,
  appends,
  seed,
  address,
}: WritersOptions & { readonly address: string }): Promise<string[]> {
  const session = `writers-${seed}`
  // The first to open it makes the tables: not what is looked at here.
  const log = await openLog(address, session)
  const writers = await Promise.all(
    Array.from({ length: processes }, (_, writer) => startWriter({ address, session, writer, appends, seed })),
  )
  for (const { go } of writers) go()
  const events = (await Promise.all(writers.map(({ events }) => events))).flat()
  const order = await log.all()
  await log.close()
  return violations(events, order)
}

interface Started {
  readonly go: () => void
  readonly events: Promise<readonly Event[]>
}

async function startWriter(task: Writing): Promise<Started> {
  const script = await bundled('writer')
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, SUTURE_ROOT: rootFolder(), NODE_OPTIONS: '' },
  })
  let text = ''
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  await new Promise<void>((ready, fail) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.startsWith('ready\n')) ready()
    })
    ended.then((code) => fail(new Error(`writer ${task.writer} ended with ${code}: ${errors}`)))
  })
  const events = ended.then((code) => {
    if (code !== 0) throw new Error(`writer ${task.writer} ended with ${code}: ${errors}`)
    return JSON.parse(text.slice('ready\n'.length)) as Event[]
  })
  return { go: () => child.stdin.end('go\n'), events }
}

export async function postgresVersion(url: string): Promise<string> {
  const { Pool } = load<typeof import('pg')>('pg')
  const pool = new Pool({ connectionString: url, max: 1 })
  const { rows } = await pool.query('SHOW server_version')
  await pool.end()
  return `PostgreSQL ${String(rows[0].server_version).split(' ')[0]} (pg ${load<{ version: string }>('pg/package.json').version})`
}
