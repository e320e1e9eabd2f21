/**
 * The rows of the bench: what is measured, its bars, and how a result is printed.
 */
export interface Bar {
  readonly title: string
  readonly bar?: number
  readonly stretch?: number
}

export const parts = {
  lint: { title: 'lint of one long valid history, × JSON.parse', bar: 0.5, stretch: 0.3 },
  'lint-each': { title: 'lint of conversations one by one, × JSON.parse', bar: 0.8, stretch: 0.5 },
  'lint-small': { title: 'lint of a request of 14 messages in 2.5 kB, × JSON.parse', bar: 1.2, stretch: 0.7 },
  repair: { title: 'repair of one long history, every tenth round broken, × JSON.parse', bar: 1, stretch: 0.6 },
  'repair-each': {
    title: 'repair of conversations one by one, every tenth round broken, × JSON.parse',
    bar: 1.5,
    stretch: 1,
  },
  first: { title: 'lint, the first 20 calls of a fresh process, sum, × JSON.parse' },
  growth: { title: 'ten times the messages, every tenth round broken, × the time', bar: 12 },
  memory: { title: 'peak memory above the parsed history, × its size', bar: 0.6, stretch: 0.4 },
} as const satisfies Readonly<Record<string, Bar>>

export type PartName = keyof typeof parts

export interface Row {
  readonly part: PartName
  readonly provider: string
  readonly dialect: string
  readonly model: string | undefined
  /** What the bar is about: the median. */
  readonly ratio: number
  readonly best?: number
  /** The median with a forced collection before each parse and each work. */
  readonly forced?: number
  readonly note: string
}

export type Mark = 'missed' | 'met' | 'stretch' | ''

export function markOf({ part, ratio }: Row): Mark {
  const { bar, stretch }: Bar = parts[part]
  if (bar === undefined) return ''
  if (ratio > bar) return 'missed'
  return stretch !== undefined && ratio <= stretch ? 'stretch' : 'met'
}

/** One table a part, worst row first, and a summary of all. */
export function printed(rows: readonly Row[]): string {
  const tables = namesOf(rows).map((part) => {
    const own = rowsOf(rows, part)
    const head = `${'ratio'.padStart(7)} ${'best'.padStart(6)} ${'forced'.padStart(6)}  mark     provider, dialect, model`
    return [`${titleOf(part)}`, head, ...own.map(lineOf)].join('\n')
  })
  return [...tables, ['Summary', ...namesOf(rows).map((part) => summaryOf(part, rowsOf(rows, part)))].join('\n')].join(
    '\n\n',
  )
}

export function lineOf(row: Row): string {
  const { provider, dialect, model, ratio, best, forced, note } = row
  const figures = [ratio.toFixed(2).padStart(7), figure(best), figure(forced)].join(' ')
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
  const { title, bar, stretch }: Bar = parts[part]
  const bars = bar === undefined ? 'printed only' : `bar ${bar}${stretch === undefined ? '' : `, stretch ${stretch}`}`
  return `${part}: ${title} (${bars})`
}

function summaryOf(part: PartName, rows: readonly Row[]): string {
  const count = (mark: Mark) => rows.filter((row) => markOf(row) === mark).length
  const worst = rows[0]!
  const range = `${rows.at(-1)!.ratio.toFixed(2)} to ${worst.ratio.toFixed(2)}`
  const marks =
    parts[part] && markOf(worst) === ''
      ? ''
      : `; missed ${count('missed')}, met ${count('met')}, stretch ${count('stretch')}`
  return `  ${part.padEnd(12)} ${String(rows.length).padStart(3)} rows, ${range}${marks}; worst: ${worst.provider} ${worst.dialect} ${worst.model ?? '-'}`
}
