/**
 * Finds the files for words of the command line: paths, folders, globs, session ids. `.sutureignore` excludes files.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type FoundFile, findFiles, hasSessionId, homesOf, searchRoots } from '../session-files/node/find.ts'
import { globToRegExp, isGlob, splitGlob } from '../session-files/node/glob.ts'
import { checkRegular, readRegular } from '../session-files/node/regular-file.ts'
import { walk } from '../session-files/node/walk.ts'
import { formatFor } from '../session-files/open.ts'
import type { FileInput, SessionFile } from '../session-files/types.ts'
import { type Arguments, CommandError, type Context, EXIT, flag, type Options, textFlag } from './command.ts'
import { leaveSignalsFor } from './signals.ts'
import { oneLine } from './terminal/index.ts'

export const IGNORE_NAME = '.sutureignore'
/** The files of a folder that are checked. */
const IN_FOLDERS = '**/*.{jsonl,json,ndjson,jsonl.gz,json.gz,jsonl.zst}'

export const IGNORE_OPTIONS: Options = {
  'ignore-file': textFlag('FILE', 'globs of files to leave out (default .sutureignore)'),
  'no-ignore': flag('use no ignore file'),
}

/** Every file once, in the order given. `args`: the `IGNORE_OPTIONS`. A word that names no file is an error. */
export async function filesOf(words: readonly string[], context: Context, args?: Arguments): Promise<string[]> {
  const { cwd } = context.host
  const ignored = ignoring(cwd, args)
  const files = new Set<string>()
  for (const word of words) {
    const path = resolve(cwd, word)
    if (existsSync(path)) {
      if (statSync(path).isDirectory())
        for (const one of walk(path, IN_FOLDERS, (below) => ignored(join(path, below)))) files.add(one)
      else {
        checkRegular(path)
        files.add(path)
      }
    } else if (isGlob(word)) {
      const { base, pattern } = splitGlob(word.split(sep).join('/'))
      const root = resolve(cwd, base)
      for (const one of walk(root, pattern, (below) => ignored(join(root, below)))) files.add(one)
    } else for (const { path: found } of await sessionsById(word, context)) files.add(found)
  }
  leaveSignalsFor([...files].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0))
  return [...files]
}

/** The file in the format that `--as` names, else the one that is recognized. */
export function opened(path: string, input: FileInput, args: Arguments, { host }: Context): SessionFile {
  const format = formatFor(input, { format: args.text('as'), homes: homesOf(path, searchRoots(host)) })
  if (typeof format !== 'string') return format.read(input)
  throw new CommandError(`${oneLine(path, 500)} is not understood. ${format}`, { exit: EXIT.notUnderstood })
}

/** Sessions in the usual places of all agents, newest first. */
export function allSessions({ host }: Context): readonly FoundFile[] {
  return findFiles(searchRoots(host))
}

/** The one session whose id begins with this text. */
export async function sessionsById(prefix: string, context: Context): Promise<readonly FoundFile[]> {
  const shown = oneLine(prefix, 120)
  const isId = /^[\w-]{4,64}$/.test(prefix)
  const found = isId ? allSessions(context).filter(({ path }) => hasSessionId(path, prefix)) : []
  const ids = new Set(found.map(({ path }) => path))
  if (ids.size === 1) return found
  if (ids.size > 1) {
    const list = found.slice(0, 5).map(({ path }) => `  ${path}`)
    throw new CommandError(`"${shown}" fits ${ids.size} sessions. Give more characters of the id, or a path:`, {
      lines: list,
    })
  }
  const step = isId ? 'No session has an id that begins with this text, either.' : 'Check the path.'
  throw new CommandError(`There is no file "${shown}". ${step} \`suture\` lists the sessions on this machine.`)
}

/** Lines of the ignore file are globs, from its own folder; `!` takes a file in again. */
function ignoring(cwd: string, args: Arguments | undefined): (path: string) => boolean {
  const ignoreFile = args?.text('ignore-file')
  const path = resolve(cwd, ignoreFile ?? IGNORE_NAME)
  if (args?.flag('no-ignore') || !existsSync(path)) {
    if (ignoreFile !== undefined) throw new CommandError(`There is no ignore file ${ignoreFile}.`)
    return () => false
  }
  const rules = readRegular(path)
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(ruleOf)
  const root = dirname(path)
  return (file) => {
    const below = relative(root, file).split(sep).join('/')
    let isIgnored = false
    for (const { isNot, matches } of rules) if (matches.test(below) || matches.test(`${below}/`)) isIgnored = !isNot
    return isIgnored
  }
}

function ruleOf(line: string): { readonly isNot: boolean; readonly matches: RegExp } {
  const isNot = line.startsWith('!')
  const glob = (isNot ? line.slice(1) : line).replace(/^\//, '')
  const isAnywhere = !glob.slice(0, -1).includes('/') && !(isNot ? line.slice(1) : line).startsWith('/')
  const full = `${isAnywhere ? '**/' : ''}${glob}${glob.endsWith('/') ? '**' : ''}`
  return { isNot, matches: globToRegExp(full) }
}
