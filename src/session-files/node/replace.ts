/**
 * Replaces a file in one step: a crash leaves the old file or the new one, never a mixture. What an agent appends
 * meanwhile is carried over; if that is not possible, the old file comes back. A symbolic link stays a link, attributes
 * are kept.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { SutureError } from '../../core/index.ts'
import { keptBeside, removeAbandoned, temporaryBeside } from './abandoned.ts'
import { AppendedRecords, changed, insertAt, readRange, writeAll } from './appended.ts'
import { rename, syncFolder } from './atomic.ts'
import { cannotReplace, copyAttributes, createLike } from './attributes.ts'
import { type FileIdentity, hasOpenHandles, OpenHandles } from './open-handles.ts'

export interface Replacement {
  /** What the file had when it was read. */
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** Throws if the new bytes, read back from disk, are not what was to be written. Nothing is replaced then. */
  check(written: Uint8Array): void
}

/** `rewritten`: another process has written the whole file since, and its bytes are there now. */
export type Outcome = 'replaced' | 'rewritten'

interface Exchange extends Replacement {
  /** As the user named it. */
  readonly shown: string
  /** Without symbolic links. */
  readonly path: string
  readonly next: string
  /** A second name of the old file, under which it survives the rename. */
  readonly kept: string
  readonly appended: AppendedRecords
}

/** Throws `conflict` if the file is not what it was, or cannot be replaced without a loss. Then it is as it was. */
export function replaceFile(shown: string, replacement: Replacement): Outcome {
  const path = realpathSync(shown)
  removeAbandoned(path)
  const cannot = cannotReplace(path)
  if (cannot !== undefined) throw new SutureError('conflict', `${shown} was not written: ${cannot}.`)
  const { before, after } = replacement
  const next = temporaryBeside(path)
  const temporary = [next]
  const drop = () => {
    for (const name of temporary) rmSync(name, { force: true })
  }
  process.once('exit', drop)
  try {
    createLike(path, next)
    const kept = keptBeside(path, statSync(next), before.length, after.length)
    temporary.push(kept)
    return swap({ ...replacement, shown, path, next, kept, appended: new AppendedRecords(before, after, shown) })
  } finally {
    process.off('exit', drop)
    drop()
    syncFolder(dirname(path))
  }
}

function swap(exchange: Exchange): Outcome {
  const { path, next } = exchange
  // Opened before the file gets its mode, which may forbid writing.
  const file = openSync(next, 'r+')
  const appending = openSync(next, 'a')
  let old = openSync(path, 'r')
  try {
    writeNext(exchange, old, file)
    const hasKept = secondName(exchange, fstatSync(old))
    writeAll(appending, exchange.appended.take(old))
    old = renameOver(exchange, old, hasKept)
    return finish(exchange, { old, file, appending }, hasKept)
  } finally {
    for (const one of [file, appending, old]) closeSync(one)
  }
}

/** The new bytes and what was appended so far, on disk. */
function writeNext(exchange: Exchange, old: number, file: number): void {
  const { path, next, after, appended, shown } = exchange
  appended.take(old)
  if (!appended.isUnchanged(old)) throw changed(shown)
  writeAll(file, Buffer.concat([after, appended.bytes]))
  copyAttributes(path, next, fstatSync(old))
  fsyncSync(file)
  exchange.check(readRange(file, 0, after.length))
}

/** Windows replaces no file that is open: it is opened again under its second name. */
function renameOver({ path, next, kept }: Exchange, old: number, hasKept: boolean): number {
  if (process.platform !== 'win32' || !hasKept) {
    rename(next, path)
    return old
  }
  closeSync(old)
  try {
    rename(next, path)
  } finally {
    old = openSync(kept, 'r')
  }
  return old
}

/** Some file systems have no hard links: there a file that a process has open is not replaced. */
function secondName({ path, kept, shown }: Exchange, old: FileIdentity): boolean {
  try {
    linkSync(path, kept)
  } catch {
    checkWriter(new OpenHandles().writerOf(old, basename(path)), shown)
    return false
  }
  if (statSync(kept).ino !== old.ino) throw changed(shown)
  return true
}

function checkWriter(pid: number | undefined, shown: string): void {
  if (pid === undefined) return
  throw new SutureError(
    'conflict',
    `Process ${pid} has ${shown} open and would go on writing to the old file. Nothing was written. End that process, then run the command again.`,
  )
}

interface OpenFiles {
  readonly old: number
  readonly file: number
  readonly appending: number
}

/** A process that opened the file before the rename may still write to the old one. */
function finish(exchange: Exchange, open: OpenFiles, hasKept: boolean): Outcome {
  try {
    settle(exchange, open)
  } catch (error) {
    if (hasKept && putBack(exchange, open.file)) throw error
    return 'rewritten'
  }
  fsyncSync(open.file)
  return statSync(exchange.path).ino === fstatSync(open.file).ino ? 'replaced' : 'rewritten'
}

const PAUSE_MS = 25
/** Looks in a row without a byte and without a writer. Without `/proc`, time has to be enough. */
const QUIET = hasOpenHandles ? 2 : 10
/** A process that has the old file open for longer keeps it open for its whole session. */
const LONGEST_MS = 2000

/** Carries over what arrives in the old file. */
function settle({ path, shown, after, appended }: Exchange, { old, file, appending }: OpenFiles): void {
  let position = after.length + appended.bytes.length
  const take = () => {
    const piece = appended.take(old)
    if (fstatSync(file).size < position) throw changed(shown)
    if (piece.length > 0) insertAt(file, appending, position, piece)
    position += piece.length
    return piece.length
  }
  untilQuiet(path, fstatSync(old), take, (writer) => checkWriter(writer, shown))
  if (!appended.isUnchanged(old)) throw changed(shown)
}

/** The old file returns, with what others appended to the new one. False if the new one was rewritten. */
function putBack({ path, kept, after, appended }: Exchange, file: number): boolean {
  const own = Buffer.concat([after, appended.bytes])
  const identity = fstatSync(file)
  if (statSync(path).ino !== identity.ino || !readRange(file, 0, own.length).equals(own)) return false
  rename(kept, path)
  let at = own.length
  const take = () => {
    const piece = readRange(file, at, fstatSync(file).size)
    if (piece.length > 0) appendFileSync(path, piece)
    at += piece.length
    return piece.length
  }
  untilQuiet(path, identity, take, () => 'stop')
  return true
}

/** Takes what arrives in a file until no process has it open. `late` is called after `LONGEST_MS`. */
function untilQuiet(
  path: string,
  open: FileIdentity,
  take: () => number,
  late: (writer: number | undefined) => 'stop' | void,
): void {
  const end = performance.now() + LONGEST_MS
  for (let quiet = 0; quiet < QUIET; pause()) {
    const writer = new OpenHandles().writerOf(open, basename(path))
    const size = take()
    quiet = size === 0 && writer === undefined ? quiet + 1 : 0
    if (performance.now() > end && late(writer) === 'stop') return
  }
}

/** Writing is one step for its caller: nothing else runs meanwhile. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}
