/**
 * What a repair that was killed has left beside a session. A new file that was not renamed is removed. An old file may
 * have records that an agent appended after the rename: they are carried over to the new one first.
 */
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SutureError } from '../../core/index.ts'
import { insertAt, readRange } from './appended.ts'
import { hasOpenHandles, OpenHandles } from './open-handles.ts'
import { isAlive } from './processes.ts'

const NEWLINE = 0x0a
const TEMPORARY = /^\.suture-(\d+)-[0-9a-z]+(?:-(\d+)-(\d+)-(\d+))?\.tmp$/

/** In the same folder: only there a rename is one step. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.suture-${process.pid}-${randomName()}.tmp`)
}

/** For the old file: its name says which file replaces it, and how long both were. */
export function keptBeside(path: string, newFile: Stats, before: number, after: number): string {
  return join(dirname(path), `.suture-${process.pid}-${randomName()}-${newFile.ino}-${before}-${after}.tmp`)
}

function randomName(): string {
  return Math.random().toString(36).slice(2, 10)
}

/** Throws `conflict` if a living process is replacing the same file, or an agent still writes to the old one. */
export function removeAbandoned(path: string): void {
  const { ino } = statSync(path)
  for (const name of readdirSync(dirname(path))) {
    const [, pid, newIno, before, after] = TEMPORARY.exec(name) ?? []
    const left = join(dirname(path), name)
    const found = pid === undefined ? undefined : lstatSync(left, { throwIfNoEntry: false })
    if (!found?.isFile()) continue
    // This process has no temporary file yet: one with its id is of an earlier process.
    const isOver = Number(pid) === process.pid || !isAlive(Number(pid))
    if (!isOver && (found.ino === ino || Number(newIno) === ino))
      throw new SutureError('conflict', `Process ${pid} is repairing ${basename(path)} now. Run the command again.`)
    if (!isOver) continue
    if (newIno === undefined || found.nlink > 1) rmSync(left, { force: true })
    else if (Number(newIno) === ino) carryOver(path, left, Number(before), Number(after))
  }
}

/** Records after the first `before` bytes of the old file, put after the first `after` bytes of the new one. */
function carryOver(path: string, left: string, before: number, after: number): void {
  const old = openSync(left, 'r')
  const file = openSync(path, 'r+')
  const appending = openSync(path, 'a')
  try {
    const writer = hasOpenHandles ? new OpenHandles().writerOf(fstatSync(old), basename(path)) : undefined
    if (writer !== undefined)
      throw new SutureError(
        'conflict',
        `A repair of ${path} was killed, and process ${writer} still writes to the file as it was before. End that process, then run the command again.`,
      )
    const missed = readRange(old, before, fstatSync(old).size)
    const there = readRange(file, after, fstatSync(file).size)
    const known = sameLines(missed, there)
    if (known < missed.length) insertAt(file, appending, after + known, missed.subarray(known))
  } finally {
    for (const one of [old, file, appending]) closeSync(one)
  }
  rmSync(left, { force: true })
}

/** The bytes of the lines with which both begin. */
function sameLines(one: Buffer, other: Buffer): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return one.subarray(0, same).lastIndexOf(NEWLINE) + 1
}
