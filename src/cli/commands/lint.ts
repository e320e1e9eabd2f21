/**
 * `suture lint`: what a provider would reject and what an agent will not load, for people and for CI.
 */
import { resolve } from 'node:path'
import { type Arguments, type Command, CommandError, type Context, EXIT } from '../command.ts'
import {
  CHECK_OPTIONS,
  checkAll,
  checkOptionsOf,
  exitCodeOf,
  type FileReport,
  REPORT_OPTIONS,
  reportOptionsOf,
  watchFiles,
} from '../doctor/index.ts'
import { filesOf } from '../inputs.ts'
import { report } from '../reporters/index.ts'

export const lint: Command = {
  spec: {
    name: 'lint',
    summary: 'checks session files and histories; reads only.',
    usage: ['suture lint FILES… [options]', 'suture lint - < history.json'],
    examples: [
      ['suture lint session.jsonl', 'one file'],
      ['suture lint "data/**/*.jsonl" -p openai', 'a data set, checked for OpenAI'],
      ['suture lint logs --format sarif=out.sarif --exit-zero', 'for code scanning'],
      ['suture lint session.jsonl --watch', 'again whenever the file changes'],
    ],
    options: {
      ...CHECK_OPTIONS,
      watch: { type: 'boolean', short: 'w', help: 'check again whenever a file changes, until Ctrl-C' },
      'ignore-file': { type: 'string', value: 'FILE', help: 'globs of files to leave out (default .sutureignore)' },
      'no-ignore': { type: 'boolean', help: 'use no ignore file' },
      'ignore-unknown': { type: 'boolean', help: 'leave out named files that are no session and no history' },
      ...REPORT_OPTIONS,
    },
    notes: [
      'FILES are files, folders, globs in quotes, session ids, or "-" for standard input. Gzip and zstd are read.',
    ],
  },
  async run(args, context) {
    if (args.files.length === 0)
      throw new CommandError(
        EXIT.usage,
        'Name at least one file: `suture lint session.jsonl`. `suture` alone checks all sessions on this machine.',
      )
    if (!args.flag('watch')) return lintOnce(args, context)
    if (args.files.includes('-'))
      throw new CommandError(EXIT.usage, '--watch needs files: standard input cannot be read twice.')
    return watchFiles(await filesOf(args.files, context, ignoreOf(args)), () => lintOnce(args, context), context)
  },
}

function ignoreOf(args: Arguments) {
  return { ignoreFile: args.text('ignore-file'), noIgnore: args.flag('no-ignore') }
}

async function lintOnce(args: Arguments, context: Context): Promise<number> {
  const files = args.files.includes('-') ? [await lintInput(args, context)] : await lintFiles(args, context)
  const run = { command: 'lint', version: context.version, files }
  await report(run, args.list('format'), reportOptionsOf(args, context), context)
  return exitCodeOf(files, args)
}

async function lintFiles(args: Arguments, context: Context): Promise<readonly FileReport[]> {
  const paths = await filesOf(args.files, context, ignoreOf(args))
  const ignoresUnknown = args.flag('ignore-unknown')
  const named = new Set(ignoresUnknown ? [] : args.files.map((word) => resolve(context.host.cwd, word)))
  const reports = await checkAll(paths, args, context, args.flag('cache') && !args.flag('no-cache'))
  // In a folder or a glob, files of other kinds are left out; a file that was named must be readable.
  const files = reports
    .filter((one) => one.status !== 'not-a-session' || named.has(one.path))
    .map((one) => (one.status === 'not-a-session' ? { ...one, status: 'unreadable' as const } : one))
  if (files.length > 0 || ignoresUnknown) return files
  throw new CommandError(
    EXIT.usage,
    `No session file and no history is in ${args.files.map((one) => `"${one}"`).join(', ')}.`,
  )
}

async function lintInput(args: Arguments, context: Context): Promise<FileReport> {
  const { checkInput } = await import('../doctor/check-file.ts')
  const { compressionOf, decompress } = await import('../../session-files/node/compression.ts')
  const stored = await context.stdin()
  const bytes = await decompress(stored, compressionOf(stored), 1024 ** 3)
  const found = checkInput('<stdin>', { bytes }, checkOptionsOf(args), { size: bytes.length, mtimeMs: 0 })
  return found.status === 'not-a-session' ? { ...found, status: 'unreadable' } : found
}
