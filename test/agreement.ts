/**
 * Compares lint and the contract on one request.
 */

import { judge, type Verdict } from '../contract/judge.ts'
import { classify } from '../src/guard/rejections/index.ts'
import { type Finding, providers } from '../src/index.ts'
import { endpoints } from './dialect-table.ts'
import { models } from './model-names.ts'
import { lint } from './untyped-api.ts'

/** A provider at one of its endpoints. */
export interface Seat {
  readonly provider: string
  readonly dialect: string
  /** The key of the history in the body. */
  readonly key: string
  readonly models: readonly (string | undefined)[]
}

/** Everyone the contract judges, at every endpoint. */
export const seats: readonly Seat[] = providers.flatMap(({ id, serves }) =>
  serves
    .filter(({ dialect }) => Object.hasOwn(endpoints, dialect.id))
    .map(({ dialect }) => ({ provider: id, dialect: dialect.id, key: dialect.key, models: models[id] ?? [undefined] })),
)

export interface Request {
  readonly provider: string
  readonly dialect: string
  readonly model: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

export interface Opinions {
  readonly errors: readonly Finding[]
  /** Errors, and warnings that would be errors if lint knew all that they rely on. */
  readonly reported: readonly Finding[]
  readonly verdict: Verdict
}

export function opinionsOn({ provider, dialect, model, body }: Request): Opinions {
  const named = model === undefined ? {} : { model }
  const findings = lint(body, { provider, dialect, ...named })
  return {
    errors: findings.filter(({ severity }) => severity === 'error'),
    reported: findings.filter(({ severity, notKnown }) => severity === 'error' || notKnown !== undefined),
    verdict: judge({ provider, endpoint: endpoints[dialect]!, body, ...named }),
  }
}

/** Whether the words of the rejection lead to a rule that lint has reported too. */
export function sameRule({ reported, verdict }: Opinions): boolean {
  if (verdict.accepted) return false
  const text = `${verdict.message}\n${JSON.stringify(verdict.body)}`
  const { rule: meant } = classify({ status: verdict.status, headers: new Headers(), body: text }, () => reported)
  return reported.some(({ rule }) => rule === verdict.rule || rule === meant)
}
