/**
 * Differences by kind, rules, dialect and provider, each with its count and one smallest example.
 */
import { type Difference, differencesOn, type Kind, kinds, type Pair } from './differences.ts'
import type { Input } from './inputs.ts'

export interface Group {
  readonly kind: Kind
  readonly label: string
  readonly dialect: string
  readonly provider: string
  readonly count: number
  readonly example: { readonly input: Input; readonly difference: Difference }
}

export class Groups {
  private readonly pair: Pair
  private readonly groups = new Map<string, Group>()
  inputs = 0

  constructor(pair: Pair) {
    this.pair = pair
  }

  add(input: Input): void {
    this.inputs++
    for (const difference of differencesOn(input, this.pair)) this.put(input, difference, 1)
  }

  private put(input: Input, difference: Difference, count: number): void {
    const { kind, label } = difference
    const { dialect, provider } = input.target
    const key = [kind, label, dialect, provider].join('\n')
    const known = this.groups.get(key)
    const example = known && sizeOf(known.example.input) <= sizeOf(input) ? known.example : { input, difference }
    this.groups.set(key, { kind, label, dialect, provider, count: count + (known?.count ?? 0), example })
  }

  /** All groups, the most frequent first; their examples made smaller, and named by what is left then. */
  all(mostShrunk: number): readonly Group[] {
    const sorted = [...this.groups.values()].sort(byCount)
    this.groups.clear()
    for (const [i, group] of sorted.entries()) {
      const { input, difference } = i < mostShrunk ? shrunk(group, this.pair) : group.example
      this.put(input, difference, group.count)
    }
    return [...this.groups.values()].sort(byCount)
  }
}

function byCount(a: Group, b: Group): number {
  return kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.count - a.count
}

function sizeOf({ history }: Input): number {
  return JSON.stringify(history).length
}

/** Leaves out messages, many at first and then one by one, as long as there is still a difference of that kind. */
function shrunk({ kind, label, example }: Group, pair: Pair): Group['example'] {
  let best = example
  const list = best.input.history
  if (!Array.isArray(list)) return best
  for (let width = list.length >> 1; width >= 1; width = width === 1 ? 0 : width >> 1) {
    for (let at = 0; at < (best.input.history as unknown[]).length; ) {
      const fewer = (best.input.history as unknown[]).toSpliced(at, width)
      const input = { ...best.input, history: fewer }
      const difference = fewer.length === 0 ? undefined : sameIn(differencesOn(input, pair), kind, label)
      if (difference) best = { input, difference }
      else at += width
    }
  }
  return best
}

/** A difference of the same kind; of findings, one that has a rule in common. */
function sameIn(found: readonly Difference[], kind: Kind, label: string): Difference | undefined {
  const rules = label.split(', ')
  return found.find(
    (one) => one.kind === kind && (kind === 'bytes' || one.label.split(', ').some((rule) => rules.includes(rule))),
  )
}
