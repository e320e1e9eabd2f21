/** What doctor and lint share: options, the cached and parallel check of many files, the exit code. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { searchRoots } from '../../session-files/node/find.ts'
import { cacheFolder } from '../../session-files/node/host.ts'
import { type Arguments, type Context, EXIT, type Options } from '../command.ts'
import { type ReportOptions, reporterNames } from '../reporters/index.ts'
import { leaveSignalsFor } from '../signals.ts'
import { progress } from '../terminal/index.ts'
import { ReportCache } from './cache.ts'
import type { CheckOptions } from './check-file.ts'
import { checkFiles } from './pool.ts'
import { type FileReport, type Listed, totalsOf } from './report.ts'

/** Which format a file has, and who gets its history. */
export const TARGET_OPTIONS: Options = {
  provider: {
    type: 'string',
    short: 'p',
    value: 'ID',
    help: 'check for this provider (default: the one the file was made for)',
  },
  model: {
    type: 'string',
    short: 'm',
    value: 'ID',
    help: 'check for this model (default: the one that the file names)',
  },
  as: { type: 'string', value: 'FORMAT', help: 'read the files as this format (default: recognized by content)' },
}

export const CHECK_OPTIONS: Options = {
  ...TARGET_OPTIONS,
  only: {
    type: 'string',
    multiple: true,
    value: 'RULE',
    help: 'only these rules, or a kind: provider, load (chain), salvage',
  },
}

export const REPORT_OPTIONS: Options = {
  format: {
    type: 'string',
    short: 'f',
    multiple: true,
    value: 'NAME[=FILE]',
    choices: reporterNames,
    help: 'readable, json, jsonl, sarif, github, gitlab, junit or summary; may be repeated, each to a file',
  },
  'with-text': { type: 'boolean', help: 'include text of the conversation in machine-readable reports' },
  'max-findings': { type: 'number', value: 'N', help: 'findings printed for each file (default 20)' },
  'max-warnings': { type: 'number', value: 'N', help: 'exit 1 if there are more warnings than this' },
  'exit-zero': { type: 'boolean', help: 'exit 0 although there are findings' },
  quiet: { type: 'boolean', short: 'q', help: 'errors only; nothing at all if there are none' },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'configuration (default: suture.config.json here or in a folder above)',
  },
  cache: { type: 'boolean', help: 'do not read unchanged files again' },
  'no-cache': { type: 'boolean', help: 'read all files again' },
  concurrency: {
    type: 'number',
    value: 'N',
    help: 'threads (default: by the amount of work, at most the number of cores)',
  },
}

export function checkOptionsOf(args: Arguments, { host }: Context): CheckOptions {
  return {
    roots: searchRoots(host),
    provider: args.text('provider'),
    model: args.text('model'),
    format: args.text('as'),
    only: args.has('only') ? args.list('only') : undefined,
    withText: args.flag('with-text'),
  }
}

export function reportOptionsOf(args: Arguments, context: Context): ReportOptions {
  return {
    withText: args.flag('with-text'),
    colors: context.colors,
    quiet: args.flag('quiet'),
    maxFindings: args.number('max-findings') ?? 20,
    cwd: context.host.cwd,
  }
}

/** Documents without a history are left out and counted, except those that were named. */
export function sessionsIn(reports: readonly FileReport[], named: readonly string[], { host }: Context): Listed {
  const words = new Set(named.map((word) => resolve(host.cwd, word)))
  const files = reports
    .filter((one) => one.status !== 'no-history' || words.has(one.path))
    .map((one): FileReport => (one.status === 'no-history' ? { ...one, status: 'not-understood' } : one))
  return { files, leftOut: reports.length - files.length }
}

export async function checkAll(
  paths: readonly string[],
  args: Arguments,
  context: Context,
  useCache: boolean,
): Promise<readonly FileReport[]> {
  const options = checkOptionsOf(args, context)
  const cache = useCache ? new ReportCache(cacheFolder(context.host), context.version, options) : undefined
  const known = new Map(paths.map((path) => [path, cache?.get(path)]))
  const rest = paths.filter((path) => known.get(path) === undefined)
  leaveSignalsFor(rest.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0))
  const shown = progress(context, 'Checked', args.flag('quiet'))
  const checked = await checkFiles(rest, options, {
    concurrency: args.number('concurrency'),
    entry: context.entry,
    onProgress: (done, total) => shown.step(done, total),
  })
  shown.end()
  for (const report of checked) {
    known.set(report.path, report)
    cache?.set(report)
  }
  cache?.save()
  return paths.map((path) => known.get(path)!)
}

export function exitCodeOf(files: readonly FileReport[], args: Arguments): number {
  const { errors, warnings, unreadable, notUnderstood } = totalsOf(files)
  if (unreadable > 0) return EXIT.usage
  if (args.flag('exit-zero')) return EXIT.ok
  const most = args.number('max-warnings')
  if (errors > 0 || (most !== undefined && warnings > most)) return EXIT.findings
  return notUnderstood > 0 ? EXIT.notUnderstood : EXIT.ok
}
