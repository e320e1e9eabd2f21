/** The doctor's report for people: one line per session, advice where something is wrong, and the next command. */
import { basename } from 'node:path'
import { liveSign } from '../../session-files/node/live.ts'
import { OpenHandles } from '../../session-files/node/open-handles.ts'
import type { HostEnvironment } from '../../session-files/types.ts'
import type { Reporter, ReportOptions } from '../reporters/index.ts'
import { findingLine, leftOutLine } from '../reporters/readable.ts'
import { ageText, bytesText, oneLine, type Paint, paint, quotedPath } from '../terminal/index.ts'
import { adviceFor, closingLine, type Outlook, outlookOf } from './advice.ts'
import type { FileReport, Listed } from './report.ts'

export interface DoctorView {
  readonly all: boolean
  readonly host: HostEnvironment
}

const FEW = 30
const MOST_LIVE_CHECKS = 20

export function doctorReport(view: DoctorView): Reporter {
  return ({ files, leftOut }, options) => {
    const ink = paint(options.colors)
    if (files.length === 0) return options.quiet ? '' : [NOTHING, leftOutLine(leftOut)].filter(Boolean).join('\n')
    const broken = files.filter((one) => outlookOf(one) !== 'valid')
    const valid = files.filter((one) => outlookOf(one) === 'valid')
    const isLong = files.length > FEW && !view.all
    const listed = options.quiet
      ? broken
      : isLong
        ? [...broken, ...valid.slice(0, Math.max(0, 10 - broken.length))]
        : files
    let checks = 0
    const handles = new OpenHandles()
    const width = Math.max(...listed.map(titleOf).map((title) => title.length))
    const blocks = listed.map((file) =>
      block(file, { ...view, width, handles }, options, ink, checks++ < MOST_LIVE_CHECKS, files.length === 1),
    )
    const hidden = files.length - listed.length
    if (hidden > 0 && !options.quiet) blocks.push(ink.dim(`… and ${hidden} more valid sessions. --all lists them.`))
    return [...blocks, '', ...closing({ files, leftOut }, broken, ink, view.host.home)].join('\n').trim()
  }
}

const NOTHING = `No sessions were found on this machine. Suture looks where Claude Code, Codex, Copilot CLI and other agents keep them.
Give a path instead: \`suture doctor path/to/session.jsonl\`. \`suture doctor --help\` has more.`

const MARKS = { valid: '✓', repairable: '✗', lossy: '✗', person: '!', 'not-understood': '?' } as const

function block(
  file: FileReport,
  { host, width, handles }: DoctorView & { readonly width: number; readonly handles: OpenHandles },
  options: ReportOptions,
  ink: Paint,
  mayLook: boolean,
  isOnly: boolean,
): string {
  const outlook = outlookOf(file)
  const color =
    outlook === 'valid' ? ink.green : outlook === 'person' || outlook === 'not-understood' ? ink.yellow : ink.red
  const name = oneLine(file.sessionId ?? basename(file.path), 60)
  const head = [
    color(MARKS[outlook]),
    titleOf(file).padEnd(width),
    ageText(file.mtimeMs).padEnd(11),
    bytesText(file.size).padStart(8),
    ' ',
    ink.bold(name),
    file.cwd === undefined ? '' : ink.dim(oneLine(file.cwd, 60)),
  ].join(' ')
  if (outlook === 'valid') return file.warnings > 0 ? `${head}  ${ink.dim(oneLine(adviceFor(file)))}` : head.trimEnd()
  const { format, sessionId } = file
  const live = mayLook ? liveSign(file.path, { host, format, sessionId, handles }) : undefined
  const lines = [head.trimEnd(), `    ${oneLine(adviceFor(file, live), 500)}`]
  if (isOnly) lines.push(...file.findings.slice(0, options.maxFindings).map((one) => `  ${findingLine(one, ink)}`))
  lines.push(`    ${ink.cyan(nextCommand(file, host.home))}`)
  return lines.join('\n')
}

function titleOf({ title = 'unknown' }: FileReport): string {
  return title
}

export function nextCommand(file: FileReport, home: string): string {
  const path = quotedPath(file.path, home)
  const outlook = outlookOf(file)
  if (outlook === 'repairable') return `suture repair ${path}`
  if (outlook === 'lossy') return `suture repair --lossy ${path}`
  return `suture show ${path}`
}

function closing({ files, leftOut }: Listed, broken: readonly FileReport[], ink: Paint, home: string): string[] {
  const lines = [ink.bold(closingLine(files)), leftOutLine(leftOut)].filter(Boolean)
  const byOutlook = (wanted: Outlook) => broken.find((one) => outlookOf(one) === wanted)
  const next = byOutlook('repairable') ?? byOutlook('lossy') ?? byOutlook('person') ?? broken[0]
  if (next) {
    const isFixed = next.repairable.safe + next.repairable.lossy > 0
    const does = isFixed ? 'shows the repair; writes nothing' : 'shows what was read, and where the faults are'
    lines.push(`Next: ${ink.cyan(nextCommand(next, home))}   (${does})`)
  }
  return lines
}
