/**
 * The command line over damaged files with odd names: no stack, no control character on the terminal, JSON that parses,
 * and an undo that brings back every byte of a repair that was written.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../src/cli/command.ts'
import { contextOf } from '../../src/cli/context.ts'
import { run } from '../../src/cli/run.ts'
import { callTool } from '../../src/cli/server/index.ts'
import { mutated, pick } from './mutate.ts'
import { samplesWith } from './session-samples.ts'
import type { Input, Surface } from './surface.ts'

const NAMES = [
  'a.jsonl',
  'a b.json',
  'evil\u001b[31m\u202e.jsonl',
  'two\nlines.jsonl',
  'quote\'"$(x).json',
  '\u009b2J.json',
]
const FORMATS = ['readable', 'json', 'jsonl', 'sarif', 'github', 'gitlab', 'junit', 'summary']
const COMMANDS: readonly (readonly string[])[] = [
  ...FORMATS.map((format) => ['lint', '--format', format]),
  ['lint', '--with-text', '--format', 'json'],
  ['doctor'],
  ['doctor', '--format', 'json'],
  ['show'],
  ['show', '--records', '--all'],
  ['repair'],
  ['repair', '--format', 'json', '--with-text'],
  ['repair', '--lossy', '--force'],
  ['split', '--min-keep', '2'],
  ['split', '--min-keep', '2', '--head'],
  ['compact', '--force', '--limit', '40'],
  ['export'],
  ['export', '--to', 'openai-chat'],
  ['export', '--to', 'anthropic-messages'],
  ['explain'],
  ['mcp-show'],
  ['mcp-plan_repair'],
  ['write-and-undo'],
]

/** Nothing but text, line breaks, tabs and the colors of the command line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colors
const COLORS = /\u001b\[(?:1|2|22|31|32|33|36|39)m/g

export function commands(folder: string | undefined): Surface {
  const home = mkdtempSync(join(tmpdir(), 'suture-fuzz-'))
  const samples = samplesWith(folder).filter(({ kind }) => kind === 'bytes')
  return {
    name: 'commands',
    make(random) {
      const { format, text } = pick(samples, random)
      const command = pick(COMMANDS, random)
      const as = random(2) === 0 ? format : undefined
      return {
        bytes: mutated(text, random),
        about: { command, name: pick(NAMES, random), as, isTerminal: random(3) > 0 },
      }
    },
    async check({ bytes, about }) {
      const folder = join(home, 'work')
      mkdirSync(folder, { recursive: true })
      const path = join(folder, String(about['name']))
      writeFileSync(path, bytes)
      utimesSync(path, 1_700_000_000, 1_700_000_000)
      try {
        return await ran(path, bytes, about, home)
      } finally {
        rmSync(folder, { recursive: true, force: true })
        rmSync(join(home, 'state'), { recursive: true, force: true })
      }
    },
    async close() {
      rmSync(home, { recursive: true, force: true })
    },
  }
}

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function ran(path: string, bytes: Buffer, about: Input['about'], home: string): Promise<string | undefined> {
  const [name = '', ...options] = about['command'] as readonly string[]
  if (name === 'write-and-undo') return undone(path, bytes, home)
  const as = about['as'] === undefined || name === 'explain' ? [] : ['--as', String(about['as'])]
  const isTerminal = about['isTerminal'] === true
  if (name.startsWith('mcp-')) return overMcp(name.slice(4), path, home)
  const files = name === 'explain' ? [bytes.toString().replaceAll('\0', '').slice(0, 5000)] : [path]
  const done = await command([name, ...options, ...as, '--', ...files], home, isTerminal)
  return wrongOutput(done, isTerminal || !['split', 'compact', 'export'].includes(name)) ?? wrongJson(done, options)
}

async function command(args: readonly string[], home: string, isTTY = true): Promise<Ran> {
  let [out, err] = ['', '']
  const take = (add: (text: string) => void) => ({
    isTTY,
    write: (text: string | Uint8Array) => add(String(Buffer.from(text))),
  })
  const context = contextOf(
    import.meta.url,
    take((text) => (out += text)),
    take((text) => (err += text)),
  )
  const code = await run(args, within(home, context))
  return { code, out, err }
}

/** Nothing outside this folder is read or written. */
function within(home: string, context: Context): Context {
  const env = { HOME: home, XDG_STATE_HOME: join(home, 'state'), XDG_CACHE_HOME: join(home, 'cache') }
  const host = { ...context.host, platform: 'linux' as const, home, env, cwd: home }
  return { ...context, host, interactive: false, stdin: async () => new Uint8Array(), stdinIsTerminal: true }
}

function wrongOutput({ code, out, err }: Ran, isEscaped: boolean): string | undefined {
  if (![0, 1, 2, 3].includes(code)) return `exit code ${code}`
  if (/^ +at .*:\d+/m.test(err)) return `a stack: ${err}`
  const raw = RAW.exec((isEscaped ? out + err : err).replace(COLORS, ''))
  return raw
    ? `a raw control character: ${JSON.stringify((out + err).slice(raw.index - 40, raw.index + 40))}`
    : undefined
}

function wrongJson({ code, out }: Ran, options: readonly string[]): string | undefined {
  const isJson = options.includes('json') || options.includes('sarif') || options.includes('gitlab')
  if (!isJson || code > 1) return undefined
  try {
    JSON.parse(out)
    return undefined
  } catch (error) {
    return `not JSON: ${(error as Error).message}`
  }
}

async function overMcp(tool: string, path: string, home: string): Promise<string | undefined> {
  const context = within(home, contextOf(import.meta.url))
  try {
    const { text } = await callTool(tool, { session: path }, true, context)
    return wrongOutput({ code: 0, out: text, err: '' }, true)
  } catch (error) {
    return (error as Error).constructor.name === 'CommandError' || 'code' in (error as Error)
      ? undefined
      : `threw ${(error as Error).stack}`
  }
}

async function undone(path: string, bytes: Buffer, home: string): Promise<string | undefined> {
  const written = await command(['repair', '--write', '--force', '--', path], home)
  const problem = wrongOutput(written, true)
  if (problem !== undefined || /^ {2}Nothing was changed/m.test(written.out)) return problem
  if (readFileSync(path).equals(bytes)) return undefined
  const back = await command(['undo', '--force', '--', path], home)
  const wrong = wrongOutput(back, true)
  if (wrong !== undefined) return wrong
  if (!existsSync(path)) return 'undo removes the file'
  return readFileSync(path).equals(bytes) ? undefined : `undo does not restore the file: ${back.out}${back.err}`
}
