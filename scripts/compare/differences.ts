/**
 * How two engines differ on one input: in what they find, in the bytes of the repaired history, in the errors that remain, or in what they throw.
 */
import type { Engine, Finding } from '../../bench/engine.ts'
import type { Input } from './inputs.ts'

export const kinds = ['throws', 'findings', 'remaining', 'bytes'] as const
export type Kind = (typeof kinds)[number]

export interface Difference {
  readonly kind: Kind
  /** Rules with their severity: `-` only the old engine has it, `+` only the new one, `~` both, at different places. */
  readonly label: string
  readonly old: string
  readonly new: string
}

export interface Pair {
  readonly old: Engine
  readonly new: Engine
  /** Names of rules in the new engine, by those of the old one. */
  readonly renamed: Readonly<Record<string, string>>
}

interface Outcome {
  /** `severity rule place`, sorted. */
  readonly findings: readonly string[]
  readonly remaining: readonly string[]
  readonly bytes: string
}

export function differencesOn(input: Input, { old, new: newer, renamed }: Pair): Difference[] {
  const before = attempt(() => outcomeOf(old, input, renamed))
  const after = attempt(() => outcomeOf(newer, input, {}))
  if (typeof before === 'string' || typeof after === 'string') return thrown(before, after)
  const found: Difference[] = []
  for (const kind of ['findings', 'remaining'] as const) {
    const label = labelOf(before[kind], after[kind])
    if (label) found.push({ kind, label, old: before[kind].join('\n'), new: after[kind].join('\n') })
  }
  if (before.bytes !== after.bytes) {
    const label = rulesOf([...before.findings, ...after.findings]).join(', ') || 'no finding'
    found.push({ kind: 'bytes', label, old: before.bytes, new: after.bytes })
  }
  return found
}

function thrown(before: Outcome | string, after: Outcome | string): Difference[] {
  const [old, now] = [before, after].map((one) => (typeof one === 'string' ? one : 'no error'))
  return old === now ? [] : [{ kind: 'throws', label: `-${old} +${now}`, old: old!, new: now! }]
}

/** The outcome, or what was thrown: by its code where it has one, as texts change. */
function attempt(work: () => Outcome): Outcome | string {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message?: string }
    return code ?? message ?? String(error)
  }
}

function outcomeOf(engine: Engine, { history, target }: Input, renamed: Pair['renamed']): Outcome {
  const options = engine.optionsFor(target)
  const line = ({ rule, severity, at }: Finding) => `${severity} ${renamed[rule] ?? rule} /${at.join('/')}`
  const { value, remaining } = engine.repaired(history, options)
  return {
    findings: engine.lint(history, options).map(line).sort(),
    remaining: remaining
      .filter(({ severity }) => severity === 'error')
      .map(line)
      .sort(),
    bytes: JSON.stringify(value),
  }
}

/** Which rules make the difference; empty if there is none. */
function labelOf(before: readonly string[], after: readonly string[]): string {
  const gone = rulesOf(without(before, after))
  const come = rulesOf(without(after, before))
  const moved = gone.filter((rule) => come.includes(rule)).map((rule) => `~${rule}`)
  const only = (list: readonly string[], other: readonly string[], sign: string) =>
    list.filter((rule) => !other.includes(rule)).map((rule) => sign + rule)
  return [...only(gone, come, '-'), ...only(come, gone, '+'), ...moved].join(', ')
}

/** Lines of the one list that the other does not have, each as often as it is more there. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other]
  return list.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** `severity rule` of lines, each once. */
function rulesOf(lines: readonly string[]): string[] {
  return [...new Set(lines.map((line) => line.slice(0, line.lastIndexOf(' /'))))].sort()
}
