/** `suture lint`: what a provider would reject and what an agent will not load, for people and for CI. */
import { type Arguments, type Command, CommandError, type Context } from '../command.ts'
import {
  CHECK_OPTIONS,
  checkAll,
  checkOptionsOf,
  exitCodeOf,
  type FileReport,
  type Listed,
  REPORT_OPTIONS,
  reportOptionsOf,
  sessionsIn,
  watchFiles,
} from '../doctor/index.ts'
import { filesOf, IGNORE_OPTIONS } from '../inputs.ts'
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
      ...IGNORE_OPTIONS,
      'ignore-unknown': { type: 'boolean', help: 'leave out files that are no session and no history' },
      ...REPORT_OPTIONS,
    },
    notes: [
      'FILES are files, folders, globs in quotes, session ids, or "-" for standard input. Gzip and zstd are read.',
    ],
  },
  async run(args, context) {
    if (args.files.length === 0)
      throw new CommandError(
        'Name at least one file: `suture lint session.jsonl`. `suture` alone checks all sessions on this machine.',
      )
    if (!args.flag('watch')) return lintOnce(args, context)
    if (args.files.includes('-')) throw new CommandError('--watch needs files: standard input cannot be read twice.')
    return watchFiles(await filesOf(args.files, context, args), () => lintOnce(args, context), context)
  },
}

async function lintOnce(args: Arguments, context: Context): Promise<number> {
  const { files, leftOut } = args.files.includes('-')
    ? { files: [await lintInput(args, context)], leftOut: 0 }
    : await lintFiles(args, context)
  const run = { command: 'lint', version: context.version, files, leftOut }
  await report(run, args.list('format'), reportOptionsOf(args, context), context)
  return exitCodeOf(files, args)
}

async function lintFiles(args: Arguments, context: Context): Promise<Listed> {
  const paths = await filesOf(args.files, context, args)
  const ignoresUnknown = args.flag('ignore-unknown')
  const reports = await checkAll(paths, args, context, args.flag('cache') && !args.flag('no-cache'))
  const { files: listed } = sessionsIn(reports, ignoresUnknown ? [] : args.files, context)
  const files = ignoresUnknown ? listed.filter((one) => one.status !== 'not-understood' || one.format) : listed
  if (files.length > 0 || ignoresUnknown) return { files, leftOut: reports.length - files.length }
  throw new CommandError(`No session file and no history is in ${args.files.map((one) => `"${one}"`).join(', ')}.`)
}

async function lintInput(args: Arguments, context: Context): Promise<FileReport> {
  const { checkInput } = await import('../doctor/check-file.ts')
  const { compressionOf, decompress } = await import('../../session-files/node/compression.ts')
  const stored = await context.stdin()
  const bytes = await decompress(stored, compressionOf(stored), 1024 ** 3)
  const found = checkInput('<stdin>', { bytes }, checkOptionsOf(args, context), { size: bytes.length, mtimeMs: 0 })
  return found.status === 'no-history' ? { ...found, status: 'not-understood' } : found
}
