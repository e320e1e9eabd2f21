/** The cost section of docs/benchmarks.md and its picture, from bench/results/cost.json. Text in, text out. */
import { type Conditions, type CostResults, figuresOf, type Part } from './cost-results.ts'
import { type Figure, isMet } from './figures.ts'
import { table } from './peer-tables.ts'
import { userRows } from './user-rows.ts'

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
  const rows = table(['', 'measured', 'bar', ''], figures.map(costCells))
  return `${barred.length - missed.length} of ${barred.length} bars are met.\n\n${rows}`
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

function costCells(figure: Figure): string[] {
  const { group, name, column, value, unit = '', bar, better, note } = figure
  const met = isMet(figure)
  const limit = bar === undefined ? '' : `${better === 'higher' ? '≥' : '≤'} ${bar}`
  return [
    `${[group, column, name].filter(Boolean).join(', ')}${note === undefined ? '' : ` (${note})`}`.replaceAll('|', '/'),
    `${value} ${unit}`.trim(),
    limit,
    met === undefined ? '' : met ? 'met' : '**missed**',
  ]
}
