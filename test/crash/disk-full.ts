/**
 * Row 6: the disk is full after a number of blocks of 4 KB; then there is space again. The error is the right one,
 * nothing is lost, and the store continues.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Acknowledged, Line } from './child.ts'
import { lanes, runChild } from './children.ts'
import { type Opening, sqliteVersion } from './drivers.ts'
import { check } from './kill.ts'
import { inFolder, type Outcome, skippedRow, Tally } from './matrix-row.ts'
import type { Planted } from './planted.ts'
import { copyTo, writeTemplate } from './template.ts'

export interface FullOptions {
  readonly steps: number
  readonly planted?: Planted
}

const about = { row: 6, title: 'disk full at every 4 KB, then room again' }
const BLOCK = 4096
/** With more blocks than this the plan would fit; then it starts again, with other messages. */
const DIFFERENT = 100
const DIALECT = 'openai-chat'
const plan = Array.from({ length: 14 }, (_, i) => (i % 5 === 4 ? 'replace' : 'turn'))

export async function fullRow(options: FullOptions): Promise<Outcome> {
  const tally = new Tally()
  const errors = new Map<string, number>()
  return inFolder(async (folder) => {
    const opening = { synchronous: 'full' as const, journal: 'wal' as const }
    const template = await writeTemplate(folder, opening, DIALECT)
    const steps = Array.from({ length: options.steps }, (_, i) => i)
    const small = mounted(folder)
    const way = small
      ? 'a tmpfs of its own'
      : 'a limit on the size of files (RLIMIT_FSIZE), as no tmpfs could be mounted'
    if (!small && spawnSync('prlimit', ['--version']).error)
      return skippedRow({ ...about, engine: sqliteVersion(), mode: 'WAL FULL' }, 'neither a tmpfs nor prlimit')
    try {
      // One disk is filled by one process at a time.
      await lanes(steps, small ? 1 : 2, async (step) => {
        const at = copyTo(template, join(small ?? folder, `at${step}`))
        const child = { ...opening, file: join(at, 's.db'), ...(options.planted ? { planted: options.planted } : {}) }
        await oneStep(child, step, small, tally, errors)
        rmSync(at, { recursive: true, force: true })
      })
    } finally {
      if (small) spawnSync('umount', [small])
    }
    const met = [...errors].map(([code, count]) => `${code} ${count}`).join(', ')
    return tally.outcome({
      ...about,
      engine: sqliteVersion(),
      mode: 'WAL FULL',
      notes: `by ${way}; errors met: ${met}`,
    })
  })
}

function mounted(folder: string): string | undefined {
  const at = join(folder, 'disk')
  mkdirSync(at)
  const { status, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', at])
  return !error && status === 0 ? at : undefined
}

async function oneStep(
  opening: Opening,
  step: number,
  disk: string | undefined,
  tally: Tally,
  errors: Map<string, number>,
): Promise<void> {
  const task = { opening, session: 's', dialect: DIALECT, name: `d${step}`, plan, seed: step, retry: true }
  const filler = disk && join(disk, 'filler')
  if (filler) writeFileSync(filler, Buffer.alloc(Math.max(0, room(disk) - (step % DIFFERENT) * BLOCK)))
  const limit = statSync(`${opening.file}-wal`).size + (step % DIFFERENT) * BLOCK
  const under = filler ? [] : ['prlimit', `--fsize=${limit}:unlimited`]
  const ran = await runChild({ ...task, room: filler ?? 'unlimited' }, { under })
  if (filler) rmSync(filler, { force: true })
  tally.tried++
  const where = `${(step % DIFFERENT) * BLOCK} bytes left`
  if (ran.code !== 0) tally.spoil(`${where}: it did not go on (${ran.code ?? ran.signal}): ${ran.errors.slice(-300)}`)
  for (const line of ran.lines) if ('failed' in line) noteError(line, where, disk !== undefined, tally, errors)
  const acknowledged = ran.lines.filter((line): line is Acknowledged => 'done' in line)
  await check(opening, DIALECT, acknowledged, where, tally)
}

function noteError(
  { failed, code, words }: Extract<Line, { failed: string }>,
  where: string,
  small: boolean,
  tally: Tally,
  errors: Map<string, number>,
): void {
  const is = `${code} (${/full|I\/O|unable to open/i.exec(words)?.[0] ?? 'another'})`
  errors.set(is, (errors.get(is) ?? 0) + 1)
  const right = /full/.test(words) || failed === 'open' || (!small && /I\/O/.test(words))
  if (!right) tally.spoil(`${where}: the error says something else: ${words}`)
}

function room(disk: string): number {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}
