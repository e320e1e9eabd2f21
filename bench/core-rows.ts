/**
 * The rows of the bench: what is measured, its bars, and how a result is printed.
 */
export interface Bar {
  readonly title: string
  readonly bar?: number
}

/** A call has a fixed cost, which `each` parts allow for: see `FIXED_BYTES`. */
export const parts = {
  lint: { title: 'lint of one long valid history, × JSON.parse', bar: 0.5 },
  'lint-each': { title: 'lint of conversations one by one, × JSON.parse of each and of 2 kB', bar: 0.5 },
  'repair-each': { title: 'repair of conversations with one fault each, × JSON.parse of each and of 2.9 kB', bar: 0.7 },
  growth: { title: 'ten times the messages, every tenth round broken, × the time', bar: 12 },
  memory: { title: 'peak memory above the parsed history, × its size', bar: 0.6 },
} as const satisfies Readonly<Record<string, Bar>>

/**
 * Parsed beside each conversation. Half of 2 kB is the fixed cost that a call of lint may have, 0.7 of 2,857 bytes
 * (2 kB) that of a repair.
 */
export const FIXED_BYTES = { lint: 0, 'lint-each': 2000, 'repair-each': 2857 } as const

export type PartName = keyof typeof parts

export interface Row {
  readonly part: PartName
  readonly provider: string
  readonly dialect: string
  readonly model: string | undefined
  /** What the bar is about: the median. */
  readonly ratio: number
  readonly best?: number
  readonly note: string
}

export type Mark = 'missed' | 'met' | ''

export function markOf({ part, ratio }: Row): Mark {
  const { bar }: Bar = parts[part]
  if (bar === undefined) return ''
  return ratio > bar ? 'missed' : 'met'
}

/** One table a part, worst row first. */
export function printed(rows: readonly Row[]): string {
  const tables = namesOf(rows).map((part) => {
    const own = rowsOf(rows, part)
    const head = `${'ratio'.padStart(7)} ${'best'.padStart(6)}  mark     provider, dialect, model`
    return [`${titleOf(part)}`, head, ...own.map(lineOf)].join('\n')
  })
  return tables.join('\n\n')
}

export function lineOf(row: Row): string {
  const { provider, dialect, model, ratio, best, note } = row
  const figures = [ratio.toFixed(2).padStart(7), figure(best)].join(' ')
  const name = `${provider.padEnd(16)} ${dialect.padEnd(18)} ${(model ?? '-').padEnd(42)}`
  return `${figures}  ${markOf(row).padEnd(7)}  ${name} ${note}`
}

function figure(number: number | undefined): string {
  return (number?.toFixed(2) ?? '').padStart(6)
}

function namesOf(rows: readonly Row[]): PartName[] {
  return (Object.keys(parts) as PartName[]).filter((part) => rows.some((row) => row.part === part))
}

function rowsOf(rows: readonly Row[], part: PartName): Row[] {
  return rows.filter((row) => row.part === part).sort((a, b) => b.ratio - a.ratio)
}

function titleOf(part: PartName): string {
  const { title, bar }: Bar = parts[part]
  return `${part}: ${title} (${bar === undefined ? 'printed only' : `bar ${bar}`})`
}
