/**
 * Figures of the core: a row for each provider and model, the worst row, growth and memory.
 */
import { type Figure, shareOfBar } from './figures.ts'

export interface CoreRow {
  readonly part: string
  readonly provider: string
  readonly dialect: string
  readonly model?: string
  readonly ratio: number
  readonly note: string
}

type Bars = Readonly<Record<string, { readonly title: string; readonly bar?: number }>>

const GROUP = 'core'

export function coreFigures(rows: readonly CoreRow[], bars: Bars): Figure[] {
  const names = [...new Set(rows.map(({ part }) => part))]
  const warm = names.filter((part) => part !== 'growth' && part !== 'memory')
  const figureOf = (row: CoreRow, name: string, column?: string): Figure => ({
    group: GROUP,
    name,
    ...(column === undefined ? {} : { column }),
    value: Math.round(row.ratio * 100) / 100,
    ...(bars[row.part]!.bar === undefined ? {} : { bar: bars[row.part]!.bar! }),
  })
  const current = rows.filter((row) => warm.includes(row.part)).map((row) => figureOf(row, named(row), row.part))
  const worst = warm.map((part) => {
    const own = rows.filter((row) => row.part === part).sort((a, b) => b.ratio - a.ratio)
    return {
      ...figureOf(own[0]!, `${bars[part]!.title}: worst row`),
      note: `${named(own[0]!)}; ${own.length} rows`,
    }
  })
  const others = rows
    .filter(({ part }) => part === 'growth' || part === 'memory')
    .map((row) => figureOf(row, row.dialect, `${row.part}, ${workOf(row)}`))
  return [...worst, ...worstFirst(current), ...worstFirst(others)]
}

function named({ provider, dialect, model }: CoreRow): string {
  return [provider, ...(provider === dialect ? [] : [dialect]), ...(model === undefined ? [] : [model])].join(', ')
}

/** `repair, ids reused, 100000 messages, 914 ms`: sizes and times are no part of a name. */
function workOf({ part, note }: CoreRow): string {
  return note
    .split(', ')
    .slice(0, part === 'growth' ? 2 : 1)
    .join(', ')
}

/** By the worst column of a row. */
function worstFirst(figures: readonly Figure[]): Figure[] {
  const worst = new Map<string, number>()
  for (const figure of figures) worst.set(figure.name, Math.max(worst.get(figure.name) ?? 0, shareOfBar(figure)))
  return [...figures].sort((a, b) => worst.get(b.name)! - worst.get(a.name)!)
}
