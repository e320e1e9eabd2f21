/** Counts only: by rule, most frequent first, then one line for the run. */
import { totalsOf } from '../doctor/index.ts'
import { grouped, plural } from '../terminal/index.ts'
import type { Reporter } from './index.ts'

export const summary: Reporter = ({ files }) => {
  const counts = new Map<string, { errors: number; warnings: number; files: Set<string> }>()
  for (const file of files) {
    for (const { rule, severity } of file.findings) {
      const count = counts.get(rule) ?? { errors: 0, warnings: 0, files: new Set() }
      if (severity === 'error') count.errors++
      else count.warnings++
      counts.set(rule, { ...count, files: count.files.add(file.path) })
    }
  }
  const rows = [...counts].sort(([, a], [, b]) => b.errors + b.warnings - a.errors - a.warnings)
  const width = Math.max(4, ...rows.map(([rule]) => rule.length)) + 2
  const lines = rows.map(
    ([rule, { errors, warnings, files: inFiles }]) =>
      `${rule.padEnd(width)}${plural(errors, 'error')}, ${plural(warnings, 'warning')} in ${plural(inFiles.size, 'file')}`,
  )
  return [...lines, totalLine(totalsOf(files))].join('\n')
}

/** `12 files: 9 valid, 3 with errors (7 errors, 2 warnings), 1 unreadable.` */
export function totalLine({
  files,
  valid,
  withErrors,
  notUnderstood,
  unreadable,
  errors,
  warnings,
}: ReturnType<typeof totalsOf>): string {
  const counts = [
    `${grouped(valid)} valid`,
    ...(withErrors > 0 ? [`${grouped(withErrors)} with errors`] : []),
    ...(notUnderstood > 0 ? [`${grouped(notUnderstood)} not understood`] : []),
    ...(unreadable > 0 ? [`${grouped(unreadable)} unreadable`] : []),
  ]
  const found = errors + warnings > 0 ? ` (${plural(errors, 'error')}, ${plural(warnings, 'warning')})` : ''
  return `${plural(files, 'file')}: ${counts.join(', ')}${found}.`
}
