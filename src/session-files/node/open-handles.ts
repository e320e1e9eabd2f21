/**
 * Which process has a file open for writing. Linux only; processes of other users cannot be seen. `/proc` is read once,
 * at the first question.
 */

import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { orUndefined } from '../../core/index.ts'
import { namesIn } from './regular-file.ts'

/** What identifies a file whatever its name is. */
export interface FileIdentity {
  readonly dev: number
  readonly ino: number
}

export const hasOpenHandles: boolean = existsSync('/proc/self/fd')

export class OpenHandles {
  /** Paths below `/proc` by the name of the file that they lead to. */
  private byName: ReadonlyMap<string, readonly string[]> | undefined

  /** `name` is the last part of its path, or of the path that it had before it was replaced. */
  writerOf(file: FileIdentity, name: string): number | undefined {
    this.byName ??= allHandles()
    const found = this.byName.get(name)?.find((handle) => isSame(handle, file) && opensForWriting(handle))
    return found === undefined ? undefined : Number(found.split('/')[2])
  }
}

function allHandles(): ReadonlyMap<string, readonly string[]> {
  const handles = new Map<string, string[]>()
  for (const pid of namesIn('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      const handle = `/proc/${pid}/fd/${fd}`
      const name = nameOf(handle)
      if (name === undefined) continue
      const same = handles.get(name)
      if (same) same.push(handle)
      else handles.set(name, [handle])
    }
  }
  return handles
}

/** The path in another mount namespace may differ, its last part does not. */
function nameOf(handle: string): string | undefined {
  const path = orUndefined(() => readlinkSync(handle))
  return path?.startsWith('/') ? basename(path.replace(/ \(deleted\)$/, '')) : undefined
}

function isSame(handle: string, { dev, ino }: FileIdentity): boolean {
  const found = orUndefined(() => statSync(handle))
  return found?.ino === ino && found.dev === dev
}

function opensForWriting(handle: string): boolean {
  const about = orUndefined(() => readFileSync(handle.replace('/fd/', '/fdinfo/'), 'utf8')) ?? ''
  const [, flags] = /flags:\s*([0-7]+)/.exec(about) ?? []
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
}
