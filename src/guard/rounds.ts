/**
 * Which rounds of a request an event is about, by name. For logs only: what cannot be told is left out.
 */
import { type Dialect, type Finding, groupAt, type JsonObject, rounds } from '../core/index.ts'
import { changedRounds } from '../strategies/between.ts'
import { historyOf } from './recoveries/mend.ts'
import { tokensOf, totalOf } from './recoveries/sizes.ts'
import type { Attempt } from './recoveries/types.ts'

/** The rounds in which two bodies differ, as the first has them. */
export function roundsChanged(was: JsonObject, now: JsonObject, dialect: Dialect): readonly string[] {
  const [before, after] = [was[dialect.key], now[dialect.key]]
  if (before === after || !Array.isArray(before) || !Array.isArray(after)) return []
  return safely(() => changedRounds(before, after, dialect)) ?? []
}

/** The rounds of errors, each once. */
export function roundsOf(findings: readonly Finding[]): readonly string[] {
  const names = findings.flatMap((one) => (one.severity === 'error' ? (safely(() => one.round) ?? []) : []))
  return [...new Set(names)]
}

type Asked = Pick<Attempt, 'body' | 'service' | 'refusal' | 'options'>

/** The round that a rejection is about: the one it names a message of, or for sizes the one that brought the request over the limit. */
export function roundRejected(asked: Asked): string | undefined {
  return safely(() => {
    const { refusal, service } = asked
    const sized = refusal.kind === 'size' || refusal.kind === 'output-limit'
    const place = sized ? placeOver(asked) : refusal.message
    return place === undefined ? undefined : groupAt(rounds(historyOf(asked), service.dialect), place)?.name
  })
}

/** The first message with which the request no longer fits, in the provider's own tokens where it says how many there are. */
function placeOver(asked: Asked): number | undefined {
  const { refusal, options } = asked
  const limit = refusal.limit || options.window
  if (limit === undefined) return undefined
  const sizes = historyOf(asked).map((message) => tokensOf(message, options))
  const total = totalOf(asked)
  const scale = refusal.actual === undefined || total === 0 ? 1 : refusal.actual / total
  let sum = Math.max(0, total - sizes.reduce((all, size) => all + size, 0)) * scale
  const place = sizes.findIndex((size) => {
    sum += size * scale
    return sum > limit
  })
  return place < 0 ? undefined : place
}

function safely<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
