/**
 * The output of `suture repair`: the diff, the remaining findings, reach before and after, plan id and next command.
 */

import type { BackupEntry } from '../../session-files/node/state.ts'
import type { FileFinding } from '../../session-files/types.ts'
import { unreadText } from '../../session-files/verdict.ts'
import type { Arguments, Context } from '../command.ts'
import { indented } from '../json-output.ts'
import { machineFinding, pathOf, unreadFields } from '../reporters/machine.ts'
import { findingLine } from '../reporters/readable.ts'
import { grouped, oneLine, type Paint, paint, plural, quoted, quotedPath } from '../terminal/index.ts'
import { plainFinding, recordOf } from './plain-finding.ts'
import { diffLines, recordDiffs, redactedDiff } from './record-diff.ts'
import type { Planned } from './repair-plan.ts'
import { newFileCommand } from './repair-write.ts'

const SHORT_PLAN = 12
const MOST_DIFFS = 40

export function printPlan(planned: Planned, entry: BackupEntry | undefined, args: Arguments, context: Context): void {
  const ink = paint(context.colors)
  const { plan, path, file, verdict } = planned
  const isChange = plan.bytes !== file.input.bytes
  const shown = oneLine(pathOf(path, context.host.cwd), 500)
  if (plan.findings.length === 0 && verdict.notUnderstood.length > 0) {
    context.out(`${shown}: not understood: ${oneLine(unreadText(verdict))} Nothing to repair in what was read.`)
    return
  }
  if (plan.findings.length === 0) {
    const only = oneLine(args.list('only').join(', '))
    context.out(
      only === ''
        ? `${shown}: valid, nothing to repair.`
        : `${shown}: no finding of ${only}; other rules were not asked for.`,
    )
    return
  }
  const lines = [ink.bold(shown)]
  if (verdict.notUnderstood.length > 0)
    lines.push(`  ${ink.yellow(`Not understood: ${oneLine(unreadText(verdict), 500)}`)}`)
  if (isChange && !args.flag('quiet')) lines.push(...diffOf(planned, ink))
  if (plan.quarantined.length > 0)
    lines.push(`  ${quarantineText(plan.quarantined.length)} (first at line ${plan.quarantined[0]!.line}).`)
  lines.push(...reachLines(planned), ...leftLines(planned, ink, args))
  if (isChange) lines.push(...nextLines(planned, entry, args, ink, context.host.home))
  else {
    if (plan.blocked !== undefined) lines.push(`  ${ink.yellow(`It cannot be written: ${plan.blocked}`)}`)
    lines.push('  Nothing was changed.', ...lossyLine(planned, args, ink, context.host.home))
  }
  context.out(lines.join('\n'))
}

function quarantineText(count: number): string {
  return count === 1
    ? '1 piece that belongs to no record goes to the quarantine file'
    : `${plural(count, 'piece')} that belong to no record go to the quarantine file`
}

function diffOf({ file, plan }: Planned, ink: Paint): string[] {
  const all = recordDiffs(file, plan)
  const lines = [...diffLines(all.slice(0, MOST_DIFFS), ink)]
  if (all.length > MOST_DIFFS)
    lines.push(ink.dim(`  … and ${plural(all.length - MOST_DIFFS, 'more change')}: --format json has all.`))
  return lines
}

function reachLines({ plan: { reachBefore, reachAfter } }: Planned): string[] {
  if (reachBefore.included === reachAfter.included && reachAfter.included >= reachAfter.total) return []
  const before = grouped(reachBefore.included)
  const after = grouped(reachAfter.included)
  const total = grouped(reachAfter.total)
  return [
    before === after
      ? `  The model sees ${after} of ${total} records.`
      : `  The model sees ${after} of ${total} records (before: ${before}).`,
  ]
}

/** The findings that a repair leaves, each with its line. */
export function leftLines({ plan }: Planned, ink: Paint, args: Arguments): string[] {
  const left = plan.remaining.filter((one) => one.severity === 'error')
  const warnings = plan.remaining.length - left.length
  const lines = left.slice(0, 20).map((one) => findingLine(plainFinding(one), ink))
  if (left.length === 0)
    return warnings > 0 ? [`  No error is left; ${plural(warnings, 'warning')}.`] : ['  No finding is left.']
  const why =
    left.some((one) => one.repair === 'lossy') && !args.flag('lossy')
      ? ' --lossy repairs those that lose something.'
      : ''
  return [`  ${plural(left.length, 'error')} left:${why}`, ...lines]
}

function lossyLine({ plan, path }: Planned, args: Arguments, ink: Paint, home: string): string[] {
  const isLossy = plan.remaining.some((one) => one.severity === 'error' && one.repair === 'lossy')
  return isLossy && plan.blocked === undefined && !args.flag('lossy')
    ? [`  Next: ${ink.cyan(`suture repair --lossy ${quotedPath(path, home)}`)}   (shows the repair; writes nothing)`]
    : []
}

function nextLines(
  { plan, path }: Planned,
  entry: BackupEntry | undefined,
  args: Arguments,
  ink: Paint,
  home: string,
): string[] {
  const file = quotedPath(path, home)
  if (entry)
    return [`  ${ink.green('Written.')} Backup ${entry.id}. To take it back: ${ink.cyan(`suture undo ${file}`)}`]
  if (args.has('out') && (plan.blocked === undefined || plan.newFile)) return []
  if (plan.blocked !== undefined)
    return [
      `  ${ink.yellow(`It cannot be written: ${oneLine(plan.blocked, 500)}`)}`,
      ...(plan.newFile ? [`  Next: ${ink.cyan(newFileCommand(path, home))}   (the old file stays)`] : []),
    ]
  const id = plan.fingerprint.slice(0, SHORT_PLAN)
  const flags = ['lossy', 'force'].filter((name) => args.flag(name)).map((name) => ` --${name}`)
  const more = ['provider', 'model', 'as', 'only'].flatMap((name) =>
    args.has(name) ? [` --${name} ${quoted(args.list(name).join(','))}`] : [],
  )
  const command = `suture repair ${file}${[...flags, ...more].join('')} --write --plan ${id}`
  return [`  plan ${ink.bold(id)}  (nothing was written)`, `  Next: ${ink.cyan(command)}`]
}

export function plansAsJson(
  planned: readonly Planned[],
  entries: readonly (BackupEntry | undefined)[],
  args: Arguments,
  context: Context,
): string {
  const withText = args.flag('with-text')
  const options = { withText, colors: false, quiet: false, maxFindings: 0, cwd: context.host.cwd }
  const files = planned.map(({ path, file, plan, verdict }, i) => {
    const findings = (list: readonly FileFinding[]) =>
      list.map((one) => machineFinding(plainFinding(one, withText ? recordOf(one, file) : undefined), options))
    const diffs = recordDiffs(file, plan)
    return {
      path: pathOf(path, context.host.cwd),
      format: file.format,
      status: verdict.verdict,
      ...unreadFields(verdict),
      plan: plan.fingerprint,
      changed: plan.bytes !== file.input.bytes,
      written: entries[i] !== undefined,
      backup: entries[i]?.id,
      blocked: plan.blocked,
      reach: {
        before: [plan.reachBefore.included, plan.reachBefore.total],
        after: [plan.reachAfter.included, plan.reachAfter.total],
      },
      messages: { before: plan.promise.messagesBefore, after: plan.promise.messagesAfter },
      quarantinedBytes: plan.promise.quarantinedBytes,
      quarantined: plan.quarantined.map(({ bytes, ...place }) => ({ ...place, bytes: bytes.length })),
      changes: withText ? diffs : diffs.map(redactedDiff),
      findings: findings(plan.findings),
      remaining: findings(plan.remaining),
    }
  })
  return indented({ tool: 'suture', version: context.version, command: 'repair', files })
}
