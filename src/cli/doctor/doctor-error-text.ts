/** Explains a pasted error, and finds the session file and line that contain the id in it. */
import { readFileSync, statSync } from 'node:fs'
import { orUndefined } from '../../core/or-undefined.ts'
import { type Arguments, type Context, EXIT } from '../command.ts'
import { allSessions } from '../inputs.ts'
import { findingLine } from '../reporters/readable.ts'
import { turn } from '../signals.ts'
import { oneLine, paint } from '../terminal/index.ts'
import { adviceFor } from './advice.ts'
import { nextCommand } from './doctor-report.ts'
import { explained } from './explain-text.ts'

/** Ids of calls, messages and items as providers make them. */
const IDS = /\b(?:toolu|srvtoolu|tooluse|call|fc|rs|msg|req|chatcmpl)[_-][A-Za-z0-9_-]{4,}/g
const LARGEST = 256 * 1024 * 1024
const MOST_FILES = 5

export function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(IDS) ?? [])]
}

export interface Hit {
  readonly path: string
  readonly id: string
  readonly lines: readonly number[]
}

export async function diagnoseText(text: string, args: Arguments, context: Context): Promise<number> {
  const ink = paint(context.colors)
  for (const line of explained(text, false)) context.out(line)
  const ids = idsIn(text)
  if (ids.length === 0) {
    context.out(
      '\nThe text names no id of a call or message. `suture` checks all sessions; `suture doctor --last` the latest one.',
    )
    return EXIT.findings
  }
  const hits = await search(
    ids,
    allSessions(context).map(({ path }) => path),
  )
  if (hits.length === 0) {
    context.out(
      `\nNo session on this machine contains ${oneLine(ids.join(', '), 200)}. Give the file: \`suture doctor FILE\`.`,
    )
    return EXIT.findings
  }
  const { checkFile } = await import('./check-file.ts')
  for (const hit of hits.slice(0, MOST_FILES)) {
    const report = await checkFile(hit.path, { provider: args.text('provider'), model: args.text('model') })
    const places = hit.lines.slice(0, 8).join(', ')
    context.out(
      `\n${ink.bold(oneLine(hit.path, 400))}\n  ${oneLine(hit.id, 80)} is at line ${places}. ${oneLine(adviceFor(report), 500)}`,
    )
    const about = report.findings.filter((one) => one.message.includes(hit.id) || hit.lines.includes(one.line ?? -1))
    for (const one of about.slice(0, 5)) context.out(findingLine(one, ink))
    context.out(`  ${ink.cyan(nextCommand(report, context.host.home))}`)
  }
  return EXIT.findings
}

/** Newest sessions first; every line that has one of the ids. */
async function search(ids: readonly string[], paths: readonly string[]): Promise<readonly Hit[]> {
  const hits: Hit[] = []
  for (const path of paths) {
    const bytes = contentOf(path)
    const id = bytes && ids.find((one) => bytes.includes(one))
    if (bytes && id !== undefined) hits.push({ path, id, lines: linesWith(bytes, id) })
    if (hits.length >= MOST_FILES) break
    await turn()
  }
  return hits
}

function contentOf(path: string): Buffer | undefined {
  return orUndefined(() => (statSync(path).size <= LARGEST ? readFileSync(path) : undefined))
}

function linesWith(bytes: Buffer, id: string): readonly number[] {
  const lines: number[] = []
  let line = 1
  let from = 0
  for (let at = bytes.indexOf(id); at >= 0; at = bytes.indexOf(id, at + 1)) {
    for (let end = bytes.indexOf(10, from); end >= 0 && end < at; end = bytes.indexOf(10, from)) {
      line++
      from = end + 1
    }
    if (lines.at(-1) !== line) lines.push(line)
  }
  return lines
}
