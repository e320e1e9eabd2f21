/** The cost section of docs/benchmarks.md and its picture, from bench/results/cost.json. Text in, text out. */
import { type Conditions, type CostResults, figuresOf, type Part } from './cost-results.ts'
import { type Figure, isMet } from './figures.ts'
import { table } from './peer-tables.ts'
import { userRows } from './user-rows.ts'

/** Tables with several figures in a row: what they show, and their columns. */
const TABLES: readonly { readonly about: string; readonly columns: readonly string[] }[] = [
  {
    about:
      'By provider and model, worst row first, × JSON.parse. `lint`: one long valid history; `lint-each`: conversations one by one; `repair-each`: the same with one fault each.',
    columns: ['lint', 'lint-each', 'repair-each'],
  },
  {
    about:
      'By dialect. `growth`: the time for ten times the messages, × the time for one; `memory`: peak above the parsed history, × its size.',
    columns: [
      'growth, lint, own ids',
      'growth, lint, ids reused',
      'growth, repair, own ids',
      'growth, repair, ids reused',
      'memory, lint',
      'memory, repair',
    ],
  },
]

export function costSection(results: CostResults): string {
  const rows = userRows(figuresOf(results)).map(({ work, cost, why }) => [work, cost, why])
  const gaps = results.missing.length > 0 ? `\n\nNot measured in the last run: ${results.missing.join('; ')}.` : ''
  return `## Cost

What Suture costs, in rows that matter to a user. Ratios are measured in one run, so that they hold on other machines; times are those of the machine below. \`npm run bench:report\` measures them again and fails if a ratio is 25 % worse than the committed one. \`npm run docs:benchmarks -- --all\` prints all figures with their bars; which bars there are, and which are missed, is in [0028](decisions/0028-bars-that-matter-to-a-user.md).${gaps}

${measuredOn(results.parts)}

${table(['work', 'cost', 'compared with'], rows)}`
}

/** Every figure with its bar, for those who work on Suture. */
export function allFigures(results: CostResults): string {
  const figures = figuresOf(results)
  const barred = figures.filter(({ bar }) => bar !== undefined)
  const missed = barred.filter((figure) => isMet(figure) === false)
  const tables = [...new Set(figures.map(({ group }) => group))].map((group) =>
    groupTables(
      group,
      figures.filter((figure) => figure.group === group),
    ),
  )
  return [`${barred.length - missed.length} of ${barred.length} bars are met.`, ...tables].join('\n\n')
}

/** One line for parts that were measured alike. */
function measuredOn(parts: readonly Part[]): string {
  const keyOf = ({ machine, system, node, commit }: Conditions) =>
    `${machine} (${system}), Node ${node.slice(1)}, commit ${commit}`
  const keys = [...new Set(parts.map(keyOf))]
  const lines = keys.map((key) => {
    const own = parts.filter((part) => keyOf(part) === key)
    const loads = own.map(({ load }) => load)
    const [least, most] = [Math.min(...loads), Math.max(...loads)]
    const load = `load average ${least === most ? most : `${least} to ${most}`}`
    const versions = [...new Set(own.flatMap(({ versions }) => versions))]
    const names = keys.length === 1 ? 'all parts' : own.map(({ name }) => name).join(', ')
    return `- ${names}: ${key}, ${load} at the start of a part${versions.length > 0 ? `; ${versions.join(', ')}` : ''}`
  })
  return `Measured on:\n\n${lines.join('\n')}`
}

function groupTables(group: string, figures: readonly Figure[]): string {
  const plain = figures.filter(({ column }) => column === undefined)
  const parts = [
    `### Cost: ${group}`,
    ...(plain.length > 0 ? [table(['', 'measured', 'bar', ''], plain.map(costCells))] : []),
    ...TABLES.flatMap(({ about, columns }) => {
      const own = figures.filter(({ column = '' }) => columns.includes(column))
      return own.length > 0 ? [`${about}\n\n${matrix(own, columns)}`] : []
    }),
  ]
  return parts.join('\n\n')
}

function matrix(figures: readonly Figure[], columns: readonly string[]): string {
  const names = [...new Set(figures.map(({ name }) => name))]
  const find = (name: string, column: string) => figures.find((one) => one.name === name && one.column === column)
  const head = columns.map((column) => `${column} (≤ ${figures.find((figure) => figure.column === column)?.bar})`)
  const rows = names.map((name) => [name, ...columns.map((column) => short(find(name, column)))])
  return table(['', ...head], rows)
}

function short(figure: Figure | undefined): string {
  if (!figure) return '-'
  return isMet(figure) === false ? `**${figure.value}**, missed` : String(figure.value)
}

function costCells(figure: Figure): string[] {
  const { name, value, unit = '', bar, better, note } = figure
  const met = isMet(figure)
  const limit = bar === undefined ? '' : `${better === 'higher' ? '≥' : '≤'} ${bar}`
  return [
    `${name}${note === undefined ? '' : ` (${note})`}`.replaceAll('|', '/'),
    `${value} ${unit}`.trim(),
    limit,
    met === undefined ? '' : met ? 'met' : '**missed**',
  ]
}
