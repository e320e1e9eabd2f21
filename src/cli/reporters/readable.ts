/** The report for people: place, rule, what is wrong, whether a repair removes it. */
import { doubtOf, type FileReport, type ReportFinding, totalsOf } from '../doctor/index.ts'
import { grouped, oneLine, type Paint, paint, plural } from '../terminal/index.ts'
import type { Reporter, ReportOptions } from './index.ts'
import { pathOf } from './machine.ts'
import { totalLine } from './summary.ts'

const LONGEST = 600

export const readable: Reporter = ({ files, leftOut }, options) => {
  const ink = paint(options.colors)
  const shown = files.filter((file) => doubtOf(file) || file.errors > 0 || (!options.quiet && file.warnings > 0))
  const blocks = shown.map((file) => fileBlock(file, options, ink))
  const totals = totalsOf(files)
  const repair = repairLine(totals.safe, totals.lossy)
  const last =
    options.quiet && shown.length === 0
      ? []
      : [[totalLine(totals), leftOutLine(leftOut), repair].filter(Boolean).join(' ')]
  return [...blocks, ...last].join('\n\n')
}

export function fileBlock(file: FileReport, options: ReportOptions, ink: Paint): string {
  const head = ink.bold(oneLine(pathOf(file.path, options.cwd), 1000))
  const doubt = doubtOf(file)
  const doubts = doubt ? [`  ${ink.yellow(doubt.name)}  ${oneLine(doubt.text, LONGEST)}`] : []
  const wanted = options.quiet ? file.findings.filter((one) => one.severity === 'error') : file.findings
  const printed = wanted.slice(0, options.maxFindings)
  const all = options.quiet ? file.errors : file.errors + file.warnings
  const rest = all - printed.length
  const lines = printed.map((one) => findingLine(one, ink))
  if (rest > 0) lines.push(ink.dim(`  … and ${plural(rest, 'more finding')}: --max-findings ${all} shows them.`))
  return [head, ...doubts, ...reachLine(file, ink), ...lines].join('\n')
}

export function findingLine(finding: ReportFinding, ink: Paint): string {
  const { severity, rule, line, round, message, repair } = finding
  const place = [line === undefined ? undefined : `line ${line}`, round].filter(Boolean).join(', ')
  const color = severity === 'error' ? ink.red : ink.yellow
  const fix = repair === undefined ? '' : ink.dim(repair === 'safe' ? ' [repairable]' : ' [repairable with --lossy]')
  const where = place === '' ? '' : `${ink.dim(place)}  `
  return `  ${where}${color(severity)}  ${oneLine(message, LONGEST)}  ${ink.dim(rule)}${fix}`
}

export function reachLine({ reach }: FileReport, ink: Paint): string[] {
  if (!reach || reach.included >= reach.total) return []
  const [included, total] = [reach.included, reach.total].map(grouped)
  return [ink.yellow(`  The model will see ${included} of ${total} records.`)]
}

export function leftOutLine(count: number): string {
  if (count === 0) return ''
  return `${plural(count, 'document')} without a history ${count === 1 ? 'was' : 'were'} left out.`
}

function repairLine(safe: number, lossy: number): string {
  if (safe + lossy === 0) return ''
  const both = [
    safe > 0 ? `${plural(safe, 'finding')} can be repaired` : '',
    lossy > 0 ? `${lossy} more with --lossy` : '',
  ]
  return `${both.filter(Boolean).join(', ')}: \`suture repair\` shows how.`
}
