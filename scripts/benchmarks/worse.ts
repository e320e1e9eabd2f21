/** Ratios that got worse by a quarter or more. Absolute times are not compared: machines differ. */
import type { Figure } from './figures.ts'

const TOLERANCE = 1.25

export function worseFigures(before: readonly Figure[], now: readonly Figure[]): string[] {
  const keyOf = ({ group, name, column = '' }: Figure) => `${group}, ${name}${column && `, ${column}`}`
  const known = new Map(before.map((figure) => [keyOf(figure), figure]))
  return now.flatMap((figure) => {
    const { value, unit, better = 'lower' } = figure
    const old = known.get(keyOf(figure))
    if (!old || (unit !== undefined && unit !== 'kB') || old.value === 0 || value === 0) return []
    const change = better === 'lower' ? value / old.value : old.value / value
    if (change < TOLERANCE) return []
    return [`Worse: ${keyOf(figure)}: ${old.value} before, ${value} now (${Math.round((change - 1) * 100)} % worse)`]
  })
}
