/**
 * Lists files below a folder that match a glob. Bounded in depth and number; a symbolic link that leads out of the folder is not followed,
 * and a folder is visited once.
 */
import { type Dirent, opendirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { globToRegExp } from './glob.ts'

export interface WalkOptions {
  readonly maxDepth?: number
  readonly maxFiles?: number
  /** Path below the root, with `/`; folders end in `/`. */
  readonly ignored?: (path: string) => boolean
}

export interface Walked {
  readonly files: readonly string[]
  /** The walk stopped at `maxFiles`. */
  readonly truncated: boolean
}

const SKIPPED = new Set(['node_modules', '.git'])

export function walk(root: string, pattern: string, options: WalkOptions = {}): Walked {
  const { maxFiles = 100_000, ignored = () => false } = options
  const state: State = { files: [], real: '', seen: new Set(), maxFiles, ignored, matches: globToRegExp(pattern) }
  const depth = options.maxDepth ?? depthOf(pattern)
  try {
    state.real = realpathSync(root)
    visit(root, '', depth, state)
  } catch {
    // No such folder: nothing is there.
  }
  return { files: state.files, truncated: state.files.length >= maxFiles }
}

interface State {
  readonly files: string[]
  real: string
  readonly seen: Set<string>
  readonly maxFiles: number
  readonly ignored: (path: string) => boolean
  readonly matches: RegExp
}

/** A pattern without `**` reaches no deeper than it has folders. */
function depthOf(pattern: string): number {
  return pattern.includes('**') ? 32 : pattern.split('/').length - 1
}

function visit(folder: string, below: string, depth: number, state: State): void {
  const real = realpathSync(folder)
  if (state.seen.has(real)) return
  state.seen.add(real)
  for (const entry of entriesOf(folder)) {
    if (state.files.length >= state.maxFiles) return
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const full = join(folder, entry.name)
    const kind = kindOf(entry, full, state.real)
    if (kind === 'folder' && depth > 0 && !SKIPPED.has(entry.name) && !state.ignored(`${path}/`))
      visit(full, path, depth - 1, state)
    else if (kind === 'file' && state.matches.test(path) && !state.ignored(path)) state.files.push(full)
  }
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

function kindOf(entry: Dirent, full: string, root: string): 'file' | 'folder' | undefined {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (!entry.isSymbolicLink()) return undefined
  try {
    const target = realpathSync(full)
    if (target !== root && !target.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    const found = statSync(target)
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : undefined
  } catch {
    return undefined
  }
}
