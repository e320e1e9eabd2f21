/**
 * Lists files below a folder that match a glob. Bounded in depth and number. A symbolic link out of the folder is not
 * followed, and a folder is visited once.
 */

import { type Dirent, opendirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { orUndefined } from '../../core/index.ts'
import { foldersOfGlob, globToRegExp } from './glob.ts'

const MOST_FILES = 100_000
const SKIPPED = new Set(['node_modules', '.git'])

/** `ignored`: a path below the root, with `/`; folders end in `/`. */
export function walk(root: string, pattern: string, ignored: State['ignored'] = () => false): readonly string[] {
  const files: string[] = []
  try {
    const real = realpathSync.native(root)
    const state: State = { files, root: real, seen: new Set(), ignored, ...testsOf(pattern) }
    visit(root, real, '', depthOf(pattern), state)
  } catch {
    // No such folder: nothing is there.
  }
  return files
}

interface State {
  readonly files: string[]
  /** The root without symbolic links. */
  readonly root: string
  readonly seen: Set<string>
  readonly ignored: (path: string) => boolean
  readonly matches: RegExp
  /** Folders that may have a match below them. Others are not listed. */
  readonly mayHold: RegExp
}

function testsOf(pattern: string): Pick<State, 'matches' | 'mayHold'> {
  return { matches: globToRegExp(pattern), mayHold: foldersOfGlob(pattern) }
}

/** A pattern without `**` reaches no deeper than it has folders. */
function depthOf(pattern: string): number {
  return pattern.includes('**') ? 32 : pattern.split('/').length - 1
}

function visit(folder: string, real: string, below: string, depth: number, state: State): void {
  if (state.seen.has(real)) return
  state.seen.add(real)
  for (const entry of entriesOf(folder)) {
    if (state.files.length >= MOST_FILES) return
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const full = join(folder, entry.name)
    const target = targetOf(entry, full, real, state.root)
    if (target?.kind === 'folder' && depth > 0 && isWanted(entry.name, path, state))
      visit(full, target.real, path, depth - 1, state)
    else if (target?.kind === 'file' && state.matches.test(path) && !state.ignored(path)) state.files.push(full)
  }
}

function isWanted(name: string, path: string, { mayHold, ignored }: State): boolean {
  return !SKIPPED.has(name) && mayHold.test(path) && !ignored(`${path}/`)
}

function entriesOf(folder: string): Dirent[] {
  const entries: Dirent[] = []
  try {
    const opened = opendirSync(folder)
    for (let entry = opened.readSync(); entry; entry = opened.readSync()) entries.push(entry)
    opened.closeSync()
  } catch {
    // No permission, or gone meanwhile.
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Entry {
  readonly kind: 'file' | 'folder'
  readonly real: string
}

/** What the entry is; for a symbolic link what it leads to, if that is below the root. */
function targetOf(entry: Dirent, full: string, folder: string, root: string): Entry | undefined {
  if (entry.isFile()) return { kind: 'file', real: full }
  if (entry.isDirectory()) return { kind: 'folder', real: join(folder, entry.name) }
  if (!entry.isSymbolicLink()) return undefined
  const real = orUndefined(() => realpathSync.native(full))
  if (real === undefined) return undefined
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  const found = orUndefined(() => statSync(real))
  return found?.isFile() ? { kind: 'file', real } : found?.isDirectory() ? { kind: 'folder', real } : undefined
}
