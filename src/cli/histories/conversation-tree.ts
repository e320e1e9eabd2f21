/**
 * Prints one conversation: what the next request contains, then turns, rounds and calls, each with its findings.
 */
import { type Group, type Part, readMessage } from '../../core/index.ts'
import { dialects, rounds, turns } from '../../index.ts'
import type { Conversation, FileFinding, SessionFile } from '../../session-files/types.ts'
import { historyTokens } from '../../session-files/window-findings.ts'
import { compact } from '../json-output.ts'
import { grouped, oneLine, type Paint, plural } from '../terminal/index.ts'

export interface TreeOptions {
  readonly all: boolean
  readonly records: boolean
  readonly text: boolean
}

const LAST_TURNS = 20

export function treeOf(
  file: SessionFile,
  one: Conversation,
  findings: readonly FileFinding[],
  options: TreeOptions,
  ink: Paint,
): readonly string[] {
  const head = nextRequest(one, ink)
  if (options.records) return [...head, ...recordLines(file, one, options, ink)]
  const dialect = dialects.find(({ id }) => id === one.dialect)
  if (!dialect || one.history.length === 0) return head
  const groups = turns(one.history, { dialect })
  const inner = rounds(one.history, { dialect })
  const first = options.all ? 0 : Math.max(0, groups.length - LAST_TURNS)
  const parts = one.history.map((message, i) => readMessage(message, dialect, i).parts)
  const results = new Map(parts.flat().flatMap((part) => (part.kind === 'result' ? [[part.id, part] as const] : [])))
  const own = findings.filter((finding) => finding.conversation === one.id)
  const view: View = { one, parts, findings: own, options, ink, results }
  const lines = groups.slice(first).flatMap((turn) =>
    turnLines(
      turn,
      inner.filter((round) => round.turn === turn.turn),
      view,
    ),
  )
  return [...head, ...(first > 0 ? [ink.dim(`… ${plural(first, 'earlier turn')}: --all shows them`)] : []), ...lines]
}

interface View {
  readonly one: Conversation
  /** Of each message. */
  readonly parts: readonly (readonly Part[])[]
  readonly findings: readonly FileFinding[]
  readonly options: TreeOptions
  readonly ink: Paint
  readonly results: ReadonlyMap<string | undefined, Part>
}

function nextRequest(one: Conversation, ink: Paint): string[] {
  const { dialect, provider, model, history, reach } = one
  const tokens = historyTokens(one)
  const target = `${oneLine(provider, 40)}${model === undefined ? '' : ` ${oneLine(model, 60)}`} (${dialect})`
  const lines = [`Next request: ${plural(history.length, 'message')}, about ${plural(tokens, 'token')}, to ${target}`]
  if (reach.included < reach.total) {
    const counts = new Map<string, number>()
    for (const { because } of reach.excluded)
      if (because !== 'not-conversation') counts.set(because, (counts.get(because) ?? 0) + 1)
    const why = [...counts].map(([because, count]) => `${count} ${because}`).join(', ')
    lines.push(
      ink.yellow(
        `The model will see ${grouped(reach.included)} of ${grouped(reach.total)} records${why === '' ? '' : ` (left out: ${why})`}.`,
      ),
    )
  }
  return lines
}

function turnLines(turn: Group, inner: readonly Group[], view: View): string[] {
  const { ink, one } = view
  const text = view.parts[turn.start]!.find(({ kind }) => kind === 'text')?.body
  const prompt = view.options.text ? `  ${ink.dim(oneLine(typeof text === 'string' ? text : '', 90))}` : ''
  const tokens = historyTokens({ ...one, history: one.history.slice(turn.start, turn.end) })
  const head = `${ink.bold(turn.name)}  ${plural(turn.end - turn.start, 'message')}, about ${plural(tokens, 'token')}${prompt}`
  return [head, ...inner.flatMap((round) => roundLines(round, view))]
}

function roundLines(round: Group, view: View): string[] {
  const { ink, findings } = view
  const parts = view.parts.slice(round.start, round.end).flat()
  const calls = parts.filter(({ kind }) => kind === 'call').map((part) => callText(part, view))
  const texts = parts.filter(({ kind }) => kind === 'text').length
  const what = [texts > 0 ? plural(texts, 'text') : '', calls.length > 0 ? calls.join(', ') : '']
    .filter(Boolean)
    .join(' · ')
  const faults = findings.filter(({ finding }) => {
    const at = finding?.at.find((step) => typeof step === 'number')
    return typeof at === 'number' && at >= round.start && at < round.end
  })
  const marks = faults.map(
    (fault) =>
      `      ${fault.severity === 'error' ? ink.red('error') : ink.yellow('warning')} ${oneLine(fault.message, 400)}  ${ink.dim(fault.rule)}`,
  )
  return [`  round ${round.round ?? ''}  ${what}`, ...marks]
}

function callText(part: Part, { results, ink }: View): string {
  const result = part.id === undefined ? undefined : results.get(part.id)
  const state = part.server
    ? ''
    : result === undefined
      ? ink.red(' (no result)')
      : result.failed
        ? ink.yellow(' (failed)')
        : ''
  return `${oneLine(part.name ?? 'call', 60)}${state}`
}

function recordLines(file: SessionFile, one: Conversation, { text }: TreeOptions, ink: Paint): string[] {
  const excluded = new Map(one.reach.excluded.map(({ record, because }) => [record, because]))
  const included = new Set(one.sources.flat())
  return file.records.map(({ index, line, type, value, known, start, end }) => {
    const because = excluded.get(index) ?? (included.has(index) ? undefined : 'not-conversation')
    const mark = because === undefined ? ink.green('in ') : ink.dim('out')
    const why = because === undefined ? '' : ` ${ink.dim(because)}`
    const excerpt = text ? `  ${ink.dim(oneLine(compact(value), 70))}` : ''
    return `${String(line).padStart(6)}  ${mark} ${oneLine(type, 40)}${known ? '' : ink.yellow(' (unknown type)')}  ${end - start} B${why}${excerpt}`
  })
}
