/**
 * Laws in short: how well a fact is known, and what the rule wants to know beyond that.
 */
import type { Evidence, Law } from '../core/index.ts'

type Facts = Omit<Law, 'evidence'>

const law =
  (evidence: Evidence) =>
  (facts: Facts = {}): Law => ({ evidence, ...facts })

/** Documented by the vendor. */
export const D = law('D')
/** Many independent reports. */
export const M = law('M')
/** Two or three reports. */
export const F = law('F')
/** A single report, or disputed. */
export const S = law('S')
/** Inferred. */
export const I = law('I')

/** Calls are matched with results by id: of two calls that share one, who has only one result was not heard to be refused. */
export const byId = (sure: typeof D): readonly Law[] => [sure({ of: ['missing'] }), I({ of: ['shared'] })]
