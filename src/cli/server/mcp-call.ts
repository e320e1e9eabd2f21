/** Runs a tool of the MCP server as the command of the command line, and limits it to the sessions of the project. */
import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { openSessionFile, recognize } from '../../session-files/index.ts'
import { readSessionFile } from '../../session-files/node/read.ts'
import { headOf } from '../../session-files/node/regular-file.ts'
import { parseCommand } from '../arguments.ts'
import { type Command, CommandError, type Context, EXIT } from '../command.ts'
import { type CommandName, loaders } from '../commands.ts'
import { allSessions, filesOf } from '../inputs.ts'
import { printed } from '../terminal/index.ts'

export interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
}

/** Session files name the folder of the project in their first records. */
const HEAD_BYTES = 256 * 1024

export async function callTool(
  name: string,
  given: Readonly<Record<string, unknown>>,
  all: boolean,
  context: Context,
): Promise<ToolAnswer> {
  const run = (command: CommandName, ...words: readonly string[]) => runCommand(command, words, context)
  const session = () => one(given, all, context)
  switch (name) {
    case 'explain':
      return run('explain', '--json', '--', textOf(given, 'text'))
    case 'doctor': {
      const paths = given['session'] === undefined ? await projectSessions(all, context) : [await session()]
      if (paths.length > 0) return run('doctor', '--format', 'json', '--', ...paths)
      const text = `No session of ${context.host.cwd} was found. Start the server with --all-projects for those of other projects.`
      return { text, isError: false }
    }
    case 'show':
      return run('show', '--no-text', '--', await session())
    case 'plan_repair':
      return run('repair', '--format', 'json', '--', await session())
    case 'apply_repair': {
      const plan = textOf(given, 'plan')
      return run('repair', '--format', 'json', '--write', '--plan', plan, '--', await session())
    }
    default:
      throw new CommandError(`There is no tool "${name}". List the tools with tools/list.`)
  }
}

/** Codes of commands that did what they were asked. */
const ANSWERS: ReadonlySet<number> = new Set([EXIT.ok, EXIT.findings, EXIT.notUnderstood])

/** Standard output carries the protocol, so the output of the command is collected here. */
async function runCommand(name: CommandName, args: readonly string[], context: Context): Promise<ToolAnswer> {
  const command: Command = await loaders[name]()
  const lines: string[] = []
  const take = (text: string) => void lines.push(printed(text, false))
  const own: Context = {
    ...context,
    out: take,
    data: (bytes) => take(Buffer.from(bytes).toString()),
    error: take,
    colors: false,
    interactive: false,
    stdin: async () => new Uint8Array(),
    stdinIsTerminal: true,
  }
  const code = await command.run(parseCommand(args, command.spec), own)
  return { text: lines.join('\n'), isError: !ANSWERS.has(code) }
}

function textOf(given: Readonly<Record<string, unknown>>, key: string): string {
  const value = given[key]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new CommandError(`"${key}" must be a text that is not empty.`)
}

/** The file of the named session. Throws if it belongs to another project. */
async function one(given: Readonly<Record<string, unknown>>, all: boolean, context: Context): Promise<string> {
  const word = textOf(given, 'session')
  const [path, ...more] = await filesOf([word], context)
  if (path === undefined || more.length > 0)
    throw new CommandError(`"${word}" names ${more.length + (path ? 1 : 0)} files. Name one session.`)
  if (all || (await isOfProject(path, context.host.cwd))) return path
  throw new CommandError(`${path} is not a session of ${context.host.cwd}. Start the server with --all-projects.`)
}

async function projectSessions(all: boolean, context: Context): Promise<readonly string[]> {
  const found = allSessions(context).map(({ path }) => path)
  if (all) return found
  const own: string[] = []
  for (const path of found) if (await isOfProject(path, context.host.cwd)) own.push(path)
  return own
}

/** A file in the project's folder, or a session whose own field names that folder. */
async function isOfProject(path: string, cwd: string): Promise<boolean> {
  const project = realpathSync(cwd)
  const isInside = (folder: string) => folder === project || folder === cwd || folder.startsWith(`${project}${sep}`)
  return isInside(realpathSync(path)) || isInside(await folderOf(path).catch(() => ''))
}

/** The folder that the session names; empty if none. For JSONL the first records are usually enough. */
async function folderOf(path: string): Promise<string> {
  const head = headOf(path, HEAD_BYTES)
  // Up to its last line break, if there is more.
  const bytes = head.length < HEAD_BYTES ? head : head.subarray(0, head.lastIndexOf(10) + 1)
  const format = recognize({ bytes, path })[0]?.format
  const named = format?.storage === 'jsonl' ? format.read({ bytes, path }).cwd : undefined
  return named ?? openSessionFile((await readSessionFile(path)).input).cwd ?? ''
}
