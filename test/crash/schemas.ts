/**
 * Row 12: a file of each earlier schema is opened by the current code with the same content; one of a newer schema is rejected and not
 * changed.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSutureError } from '../../src/core/index.ts'
import { openSession } from '../../src/session.ts'
import { runChild } from './children.ts'
import { openFile, openHandle, sqliteVersion } from './drivers.ts'
import { inFolder, type Outcome, rootFolder, Tally } from './matrix-row.ts'
import { talks } from './tagged-messages.ts'
import { firstFault } from './validity.ts'

const PROCESSES = 6

export async function schemaRow(): Promise<Outcome> {
  const tally = new Tally()
  const folder = join(rootFolder(), 'test/crash/fixtures')
  const fixtures = readdirSync(folder).filter((name) => /^sqlite-\d+\.sql$/.test(name))
  for (const name of fixtures) {
    for (const processes of [1, PROCESSES]) {
      const words = await inFolder((at) => openedOld(join(at, 's.db'), join(folder, name), processes))
      tally.tried++
      if (words) tally.spoil(`${name}, opened by ${processes} at once: ${words}`)
    }
  }
  for (const journal of ['wal', 'delete'] as const) {
    const { words, known } = await inFolder((at) => rejectedNewer(join(at, 's.db'), journal))
    tally.tried++
    if (words) tally.spoil(`newer, ${journal}: ${words}`)
    for (let version = 1; version <= known; version++)
      if (!fixtures.includes(`sqlite-${version}.sql`))
        tally.spoil(`schema ${version} has no fixture: add test/crash/fixtures/sqlite-${version}.sql`)
  }
  const about = {
    row: 12,
    title: 'files of each schema, and of a newer one',
    engine: sqliteVersion(),
    mode: 'WAL, rollback journal',
  }
  return tally.outcome({
    ...about,
    notes: `fixtures: ${fixtures.join(', ')}; each opened by one process, and by ${PROCESSES} at once`,
  })
}

/** What the current code reads differently; empty if nothing, and appends work. */
async function openedOld(file: string, sql: string, processes: number): Promise<string | undefined> {
  const handle = openHandle(file)
  handle.exec(readFileSync(sql, 'utf8'))
  handle.close()
  const failed = processes > 1 && (await openedAtOnce(file, processes))
  if (failed) return failed
  const wanted = JSON.parse(readFileSync(sql.replace('.sql', '.json'), 'utf8')) as Record<'raw' | 'history', unknown>
  const store = await openFile({ file })
  try {
    const session = await openSession(store, 'old', { provider: 'openai' })
    for (const view of ['raw', 'history'] as const)
      if (JSON.stringify(await session[view]()) !== JSON.stringify(wanted[view])) return `${view} is not what it was`
    const wrong = await firstFault(store, 'old', talks['openai-chat']!)
    if (wrong) return wrong
    await session.append([{ role: 'user', content: 'and on' }])
    return (await session.verify()).valid ? undefined : 'not valid after an append'
  } finally {
    await store.close()
  }
}

/** Each finds the file old, or in the middle of it, or done by another. */
async function openedAtOnce(file: string, processes: number): Promise<string | undefined> {
  const task = { opening: { file }, session: 'old', dialect: 'openai-chat', plan: [], seed: 1 }
  const ran = await Promise.all(Array.from({ length: processes }, (_, i) => runChild({ ...task, name: `m${i}` })))
  return ran.find(({ code }) => code !== 0)?.errors
}

async function rejectedNewer(file: string, journal: 'wal' | 'delete'): Promise<{ words?: string; known: number }> {
  await (await openFile({ file, journal })).close()
  const handle = openHandle(file)
  handle.exec('INSERT INTO suture_schema (version) VALUES (99)')
  handle.close()
  const before = digest(file)
  try {
    await (await openFile({ file })).close()
    return { words: 'opened all the same', known: 0 }
  } catch (error) {
    if (!isSutureError(error, 'store-newer')) return { words: String(error), known: 0 }
    const known = Number(error.detail['known'])
    return digest(file) === before ? { known } : { words: 'rejected, but the file was changed', known }
  }
}

function digest(file: string): string {
  const bytes = existsSync(file) ? readFileSync(file) : ''
  return createHash('sha256').update(bytes).digest('hex')
}
