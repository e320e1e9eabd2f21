/**
 * Row 2, the verdict: after a fault the operation is stored completely or not at all, and its error is true.
 */
import { join } from 'node:path'
import type { Line } from './child.ts'
import type { Ran } from './children.ts'
import { type Opening, openFile } from './drivers.ts'
import type { Tally } from './matrix-row.ts'
import type { Seen, Stage } from './syscalls.ts'
import { builders } from './tagged-messages.ts'
import { contents } from './template.ts'
import { firstFault } from './validity.ts'

/** What a file is after the fault, against what the process was acknowledged and printed. */
export async function judged(stage: Stage, at: string, ran: Ran, where: string, tally: Tally): Promise<void> {
  const { planted: _bug, ...plain } = stage.opening
  const opening = { ...plain, file: join(at, 's.db') }
  try {
    const now = await contents(opening)
    const is = outcomeOf(stage, now)
    if (is === 'neither') tally.spoil(`${where}: neither as before nor whole`)
    const acknowledged = ran.lines.find((line) => 'done' in line)
    if (acknowledged && is === 'before') tally.lose(1, `${where}: acknowledged, and gone`)
    const failure = ran.lines.find((line) => 'failed' in line)
    const wrong = failure && wrongWords(failure, ran, is)
    if (wrong) tally.spoil(`${where}: ${wrong}`)
    const invalid = await eachValid(opening, stage.dialect)
    if (invalid) tally.spoil(`${where}: ${invalid}`)
  } catch (error) {
    tally.spoil(`${where}: ${String(error)}`)
  }
}

type Is = 'before' | 'whole' | 'same' | 'neither'

function outcomeOf({ before, whole }: Stage, now: Seen): Is {
  const is = signature(now)
  const [was, wanted] = [signature(before), signature(whole)]
  if (was === wanted && is === was) return 'same'
  if (is === was) return 'before'
  // What was there before is untouched to the letter, and the operation is there with all its records.
  return is === wanted &&
    [...before].every(([id, entries]) => entries.every((entry, i) => now.get(id)![i]!.hash === entry.hash))
    ? 'whole'
    : 'neither'
}

function signature(seen: Seen): string {
  const lines = [...seen].map(([id, entries]) => [
    id,
    ...entries.map(({ seq, kind, op, part }) => `${seq} ${kind} ${op} ${part}`),
  ])
  return JSON.stringify(lines)
}

const NOT_STORED = ['store-failed', 'store-busy', 'store-unsafe']

/** An error has a code, and what it states about the outcome is true. */
function wrongWords(failure: Extract<Line, { failed: string }>, ran: Ran, is: Is): string | undefined {
  const { failed, code, words } = failure
  const ofDriver = failed === 'open' && /^not typed: (ERR_)?SQLITE_/.test(code)
  if (!ofDriver && code !== 'unknown-outcome' && !NOT_STORED.includes(code)) return `reported ${code}: ${words}`
  const retried = ran.lines.some((line) => 'done' in line)
  if (NOT_STORED.includes(code) && failed !== 'open' && !retried && is === 'whole')
    return `reported ${code}, and it is stored: ${words}`
  return undefined
}

async function eachValid(opening: Opening, dialect: string): Promise<string | undefined> {
  const store = await openFile(opening)
  try {
    for (const session of await store.list('', 1000)) {
      const wrong = await firstFault(store, session, builders[dialect]!)
      if (wrong) return `session ${session}: ${wrong}`
    }
    return undefined
  } finally {
    await store.close()
  }
}
