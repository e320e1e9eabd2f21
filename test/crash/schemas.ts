/**
 * Row 12: processes that create a file at once leave one that all of them can use; a file of a newer schema is rejected
 * and not changed.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSutureError } from '../../src/core/index.ts'
import { runChild } from './children.ts'
import { openFile, openHandle, sqliteVersion } from './drivers.ts'
import { inFolder, type Outcome, Tally } from './matrix-row.ts'
import { builders } from './tagged-messages.ts'
import { firstFault } from './validity.ts'

const PROCESSES = 6

export async function schemaRow(): Promise<Outcome> {
  const tally = new Tally()
  for (const journal of ['wal', 'delete'] as const)
    for (const [what, attempt] of Object.entries({ created: createdAtOnce, newer: rejectedNewer })) {
      const words = await inFolder((at) => attempt(join(at, 's.db'), journal))
      tally.tried++
      if (words) tally.spoil(`${what}, ${journal}: ${words}`)
    }
  const about = {
    row: 12,
    title: 'files that several processes create, and files of a newer schema',
    engine: sqliteVersion(),
    mode: 'WAL, rollback journal',
  }
  return tally.outcome({ ...about, notes: `created by ${PROCESSES} processes at once` })
}

/** Each finds no file, or one that another process is creating, or has created. */
async function createdAtOnce(file: string, journal: 'wal' | 'delete'): Promise<string | undefined> {
  const task = { opening: { file, journal }, session: 's', dialect: 'openai-chat', plan: ['turn'], seed: 1 }
  const ran = await Promise.all(Array.from({ length: PROCESSES }, (_, i) => runChild({ ...task, name: `m${i}` })))
  const failed = ran.find(({ code }) => code !== 0)
  if (failed) return failed.errors
  const store = await openFile({ file, journal })
  try {
    return await firstFault(store, 's', builders['openai-chat']!)
  } finally {
    await store.close()
  }
}

async function rejectedNewer(file: string, journal: 'wal' | 'delete'): Promise<string | undefined> {
  await (await openFile({ file, journal })).close()
  const handle = openHandle(file)
  handle.exec('INSERT INTO suture_schema (version) VALUES (99)')
  handle.close()
  const before = digest(file)
  try {
    await (await openFile({ file })).close()
    return 'opened all the same'
  } catch (error) {
    if (!isSutureError(error, 'store-newer')) return String(error)
    return digest(file) === before ? undefined : 'rejected, but the file was changed'
  }
}

function digest(file: string): string {
  const bytes = existsSync(file) ? readFileSync(file) : ''
  return createHash('sha256').update(bytes).digest('hex')
}
