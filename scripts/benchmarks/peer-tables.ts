/** The peer tables of docs/benchmarks.md and README.md, from bench/results/peers.json. */
import type { CompactionRow } from '../../bench/peers/compaction.ts'
import type { Share } from '../../bench/peers/content.ts'
import type { RepairResults, RepairRow } from '../../bench/peers/repair-table.ts'
import type { FileRow } from '../../bench/peers/session-files.ts'

export interface PeerResults {
  readonly node: string
  readonly repair: RepairResults
  readonly files: {
    readonly from: string
    readonly valid: number
    readonly damaged: number
    readonly kinds: number
    readonly rows: readonly FileRow[]
  }
  readonly compaction: {
    readonly budgets: number
    readonly valid: number
    readonly broken: number
    readonly rows: readonly CompactionRow[]
  }
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

/** Rounded down, so that 100 % means all. */
export function percent({ kept, of }: Share): string {
  return of === 0 ? '-' : `${Math.floor((1000 * kept) / of) / 10} %`
}

export function acceptedOf({ accepted }: RepairRow): Share {
  const all = Object.values(accepted)
  return { kept: sum(all.map(({ kept }) => kept)), of: sum(all.map(({ of }) => of)) }
}

function sum(list: readonly number[]): number {
  return list.reduce((total, one) => total + one, 0)
}

export function named({ name, version }: { readonly name: string; readonly version: string }): string {
  return name.startsWith('suture') ? `**${name}** ${version}` : `${name} ${version}`.trim()
}

/** What no column may hide: the short form for the README. */
export function shortTable({ repair }: PeerResults): string {
  const head = [
    '',
    'requests accepted',
    'tool outputs kept',
    'calls kept',
    'valid unchanged',
    'pending call left alone',
    'report, undo',
    'judged by',
  ]
  const rows = repair.rows.map((row) => [
    named(row),
    percent(acceptedOf(row)),
    percent(row.outputs),
    percent(row.calls),
    percent(row.validUnchanged),
    percent(row.pendingLeft),
    row.reported && row.undone ? 'yes' : 'no',
    judgesOf(row),
  ])
  return table(head, rows)
}

/** The emulators of the providers that it has a format of. */
function judgesOf({ accepted }: RepairRow): string {
  const providers = Object.keys(accepted)
  return providers.length > 2 ? `${providers.length} emulators` : `emulator of ${providers.join(', ')}`
}

export function acceptedTable({ rows }: RepairResults): string {
  const providers = Object.keys(rows[0]!.accepted)
  return table(
    ['', ...providers, 'threw'],
    rows.map((row) => [
      named(row),
      ...providers.map((provider) => (row.accepted[provider] ? percent(row.accepted[provider]) : '-')),
      `${row.threw} of ${row.histories}`,
    ]),
  )
}

export function contentTable({ rows }: RepairResults): string {
  const head = [
    '',
    'outputs kept',
    'calls kept',
    'user text kept',
    'invented bytes per request',
    'idempotent',
    'valid unchanged',
    'pending call left alone',
    'report',
    'undo',
  ]
  return table(
    head,
    rows.map((row) => [
      named(row),
      percent(row.outputs),
      percent(row.calls),
      percent(row.texts),
      String(row.inventedBytes),
      percent(row.idempotent),
      percent(row.validUnchanged),
      percent(row.pendingLeft),
      row.reported ? percent(row.reported) : 'none',
      row.undone ? percent(row.undone) : 'none',
    ]),
  )
}

export function sharedTable({ rows }: RepairResults): string {
  return table(
    ['', 'requests valid and complete in both', 'bytes added by it', 'bytes added by Suture'],
    rows.flatMap((row) =>
      row.shared ? [[named(row), String(row.shared.requests), String(row.shared.theirs), String(row.shared.ours)]] : [],
    ),
  )
}

export function fourteenTable({ rows }: RepairResults): string {
  const names = Object.keys(rows[0]!.fourteen)
  return table(
    ['', ...names],
    rows.map((row) => [named(row), ...names.map((name) => short(row.fourteen[name]))]),
  )
}

/** `anthropic: tool-result-missing; calls lost` becomes the kinds of what is wrong. */
function short(verdict: string | undefined): string {
  if (verdict === undefined) return '-'
  if (verdict === 'ok') return 'ok'
  const kinds = verdict
    .split('; ')
    .map((one) => (one.includes(': ') ? (one.endsWith('threw') ? 'throws' : 'rejected') : one))
  return [...new Set(kinds)].join(', ')
}

export function usageList({ rows }: RepairResults): string {
  return rows.map((row) => `- ${named(row)}: \`${row.usage}\``).join('\n')
}

export function filesTable({ files }: PeerResults): string {
  const head = [
    '',
    'valid files changed',
    'records of valid files with the same bytes',
    'damaged files read',
    'messages in the next request, before',
    'after',
    'tool outputs kept',
    'undo',
  ]
  return table(
    head,
    files.rows.map((row) => [
      row.name.startsWith('suture') ? `**${row.name}**` : row.name,
      `${row.validChanged.kept} of ${row.validChanged.of}`,
      percent(row.sameBytes),
      percent(row.read),
      row.reachBefore.toLocaleString('en'),
      row.reachAfter.toLocaleString('en'),
      percent(row.resultsKept),
      row.undo,
    ]),
  )
}

export function compactionRows({ compaction }: PeerResults): string {
  const head = [
    '',
    'valid histories: accepted',
    'broken histories: accepted',
    'within the budget',
    'over it without saying so',
    'giant turn',
    'summarizer fails',
    'prefix kept',
  ]
  return table(
    head,
    compaction.rows.map((row) => [
      named(row),
      percent(row.valid),
      percent(row.broken),
      percent(row.within),
      String(row.silentlyOver),
      `${row.giantTurn.kept} of ${row.giantTurn.of}`,
      row.failingSummary,
      `${row.prefixKept} %`,
    ]),
  )
}
