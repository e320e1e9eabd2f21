/**
 * Names, owner, mode, times, extended attributes and access lists of a file. A replaced file keeps them, or is not
 * replaced.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  type Stats,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { SutureError } from '../../core/index.ts'
import { otherKind } from './regular-file.ts'

/** Why a file cannot be replaced by another one in its place, if so. */
export function cannotReplace(path: string): string | undefined {
  const found = statSync(path)
  const kind = otherKind(found)
  if (kind !== undefined) return `it is ${kind}`
  if (found.nlink > 1)
    return `it has ${found.nlink} names (hard links), and a repair would leave the others with the old bytes. Remove the other names, or write a new file with --out`
  return undefined
}

/** Why a file is not written without `--force`, if so. Root may write it: the mode says what its owner wants. */
export function readOnly(path: string): string | undefined {
  const { mode } = statSync(path)
  if ((mode & 0o200) !== 0) return undefined
  return `it is read-only (mode ${(mode & 0o777).toString(8)}). Make it writable (\`chmod u+w\`) or use --force`
}

/** An empty file that only its owner can read, with the attributes that cannot be set later. */
export function createLike(from: string, path: string): void {
  if (process.platform === 'linux') {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
    return
  }
  // On macOS and Windows a copy has the extended attributes of the file.
  copyFileSync(from, path)
  chmodSync(path, 0o600)
  truncateSync(path)
}

export function copyAttributes(from: string, to: string, old: Stats): void {
  keepOwner(to, old, from)
  chmodSync(to, old.mode & 0o7777)
  if (process.platform === 'linux') copyExtended(from, to)
  utimesSync(to, old.atime, old.mtime)
}

function keepOwner(to: string, { uid, gid }: Stats, shown: string): void {
  const own = statSync(to)
  if (own.uid === uid && own.gid === gid) return
  try {
    chownSync(to, uid, gid)
  } catch {
    throw new SutureError(
      'conflict',
      `${shown} belongs to another user or group (${uid}:${gid}), which a repaired file could not keep. Nothing was written. Run the command as that user, or write a new file with --out.`,
    )
  }
}

/**
 * Node has no functions for extended attributes and access lists; GNU `cp` has. A `cp` without these options (BusyBox)
 * does not copy them: such systems have no tools to set them, either.
 */
function copyExtended(from: string, to: string): void {
  const args = ['--attributes-only', '--preserve=mode,timestamps,xattr', '--', from, to]
  const { error, status, stderr } = spawnSync('cp', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  if (error || status === 0 || /unrecognized option|invalid option/.test(stderr)) return
  throw new SutureError(
    'conflict',
    `The extended attributes of ${from} cannot be kept (${stderr.trim().split('\n')[0]}). Nothing was written. Write a new file with --out.`,
  )
}
