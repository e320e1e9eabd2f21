/** Names of the rounds that an event is about. For logs only: rounds that cannot be determined are left out. */
import { changedRoundsOf, type Finding, groupAt, type JsonObject, roundsOf } from '../core/index.ts'
import { historyOf, transcriptOf } from './recoveries/stricter-repair.ts'
import { tokensOf, tokensOfRequest } from './recoveries/token-budget.ts'
import type { Attempt } from './recoveries/types.ts'

/** The rounds in which two bodies differ, named as in the first. `read`: reads the first. */
export function roundsChanged(was: Place, now: JsonObject, read = transcriptOf): readonly string[] {
  const after = now[was.service.dialect.key]
  if (after === was.body[was.service.dialect.key] || !Array.isArray(after)) return []
  return safely(() => changedRoundsOf(read(was), after)) ?? []
}

/** The rounds of errors, each once. */
export function roundsWithErrors(findings: readonly Finding[]): readonly string[] {
  const names = findings.flatMap((one) => (one.severity === 'error' ? (safely(() => one.round) ?? []) : []))
  return [...new Set(names)]
}

type Place = Pick<Attempt, 'body' | 'service'>
type RejectedRequest = Pick<Attempt, 'body' | 'service' | 'rejection' | 'options'>

/** The round that a rejection is about: of the message it names, or for sizes the one that exceeded the limit. */
export function roundRejected(request: RejectedRequest): string | undefined {
  return safely(() => {
    const { rejection } = request
    const sized = rejection.kind === 'size' || rejection.kind === 'output-limit'
    const place = sized ? placeOver(request) : rejection.message
    return place === undefined ? undefined : groupAt(roundsOf(transcriptOf(request)), place)?.name
  })
}

/** The first message with which the request no longer fits, in the provider's own tokens if it reports them. */
function placeOver(request: RejectedRequest): number | undefined {
  const { rejection, options } = request
  const limit = rejection.limit || options.window
  if (limit === undefined) return undefined
  const sizes = historyOf(request).map((message) => tokensOf(message, options))
  const total = tokensOfRequest(request)
  const scale = rejection.actual === undefined || total === 0 ? 1 : rejection.actual / total
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
