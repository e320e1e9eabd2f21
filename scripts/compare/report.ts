/**
 * Groups of differences as text: a summary by rules over all dialects and providers, then each group with its example.
 */
import { kinds } from './differences.ts'
import type { Group } from './groups.ts'

export function reportOf(groups: readonly Group[], most: number): string {
  const shown = groups.slice(0, most)
  const more =
    groups.length > most ? [`… and ${groups.length - most} groups more: --most ${groups.length}, or --json.`] : []
  return [summary(groups), ...shown.map(detail), ...more].join('\n\n')
}

function summary(groups: readonly Group[]): string {
  const lines = kinds.flatMap((kind) => {
    const own = groups.filter((group) => group.kind === kind)
    const labels = [...new Set(own.map(({ label }) => label))].map((label) => {
      const same = own.filter((group) => group.label === label)
      const count = same.reduce((sum, group) => sum + group.count, 0)
      return { count, line: `  ${String(count).padStart(6)}  ${label}  (${where(same)})` }
    })
    const sorted = labels.sort((a, b) => b.count - a.count).map(({ line }) => line)
    return sorted.length === 0 ? [] : [`${kind}:`, ...sorted]
  })
  return ['Differences by rules (- only old, + only new, ~ at another place)', ...lines].join('\n')
}

function where(groups: readonly Group[]): string {
  const dialects = [...new Set(groups.map(({ dialect }) => dialect))]
  return dialects
    .map((dialect) => {
      const names = groups.filter((group) => group.dialect === dialect).map(({ provider }) => provider)
      return `${dialect}: ${names.length > 4 ? `${names.length} providers` : names.join(' ')}`
    })
    .join('; ')
}

function detail({ kind, label, dialect, provider, count, example }: Group): string {
  const { input, difference } = example
  return [
    `${count} × ${kind}: ${label}  [${dialect}, ${provider}]`,
    `  ${input.source}, ${JSON.stringify(input.target)}`,
    `  history: ${cut(JSON.stringify(input.history))}`,
    ...side('old', difference.old),
    ...side('new', difference.new),
  ].join('\n')
}

function side(name: string, text: string): string[] {
  return (text || 'nothing').split('\n').map((line, i) => `  ${(i === 0 ? `${name}:` : '').padEnd(8)} ${cut(line)}`)
}

function cut(text: string): string {
  return text.length > 700 ? `${text.slice(0, 700)}… (${text.length} characters)` : text
}
