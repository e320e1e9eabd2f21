/** Ratios that got worse by a quarter and more since the committed results. Absolute times are not compared: machines differ. */
import type { Figure } from './figures.ts'

const TOLERANCE = 1.25

export function worseFigures(before: readonly Figure[], now: readonly Figure[]): string[] {
  const known = new Map(before.map((figure) => [`${figure.group} ${figure.name}`, figure]))
  return now.flatMap((figure) => {
    const { group, name, value, unit, better = 'lower' } = figure
    const old = known.get(`${group} ${name}`)
    if (!old || (unit !== undefined && unit !== 'kB') || old.value === 0 || value === 0) return []
    const change = better === 'lower' ? value / old.value : old.value / value
    if (change < TOLERANCE) return []
    return [`Worse: ${group}, ${name}: ${old.value} before, ${value} now (${Math.round((change - 1) * 100)} % worse)`]
  })
}
