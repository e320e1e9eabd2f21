/** Finds the session files of all known agents in their usual places. */
import { statSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { orUndefined } from '../../core/index.ts'
import { type Locate, places } from '../places.ts'
import type { HostEnvironment } from '../types.ts'
import { globToRegExp } from './glob.ts'
import { walk } from './walk.ts'

export interface FoundFile {
  readonly path: string
  readonly format: string
  readonly size: number
  readonly mtimeMs: number
}

export interface SearchRoot {
  readonly format: string
  readonly root: string
  readonly pattern: string
}

export function searchRoots(host: HostEnvironment): readonly SearchRoot[] {
  return Object.entries<Locate>(places).flatMap(([format, locate]) => locate(host).map((one) => ({ format, ...one })))
}

/** The formats of the agents that keep sessions where this file is. */
export function homesOf(path: string, roots: readonly SearchRoot[]): readonly string[] {
  const here = roots.filter(({ root, pattern }) => {
    const below = relative(root, path)
    return !below.startsWith('..') && globToRegExp(pattern).test(below.split(sep).join('/'))
  })
  return [...new Set(here.map(({ format }) => format))]
}

/** Newest first. A file that two formats claim by place is listed once, for the first of them. */
export function findFiles(roots: readonly SearchRoot[]): readonly FoundFile[] {
  const found = new Map<string, FoundFile>()
  for (const { format, root, pattern } of roots) {
    for (const path of walk(root, pattern)) {
      if (found.has(path)) continue
      // Undefined: gone meanwhile.
      const file = orUndefined(() => statSync(path))
      if (file) found.set(path, { path, format, size: file.size, mtimeMs: file.mtimeMs })
    }
  }
  return [...found.values()].sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
}

/**
 * Does this file belong to a session of this id, or of one that begins so? Some file names have only the first eight
 * digits of an id.
 */
export function hasSessionId(path: string, prefix: string): boolean {
  const wanted = prefix.toLowerCase()
  const parts = path.toLowerCase().split(/[/\\]/).slice(-4)
  const words = parts.flatMap((part) => [part, ...part.split(/[_.]|-(?=[0-9a-f]{8}(?:[-.]|$))/)])
  return words.some((word) => word.startsWith(wanted) || (/^[0-9a-f]{8}$/.test(word) && wanted.startsWith(`${word}-`)))
}
