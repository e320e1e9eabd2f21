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

/** Calls want results: each its own, where the provider reads it as a call. */
export const unanswered = (sure: typeof D, facts: Facts = {}): readonly Law[] => [
  sure({ of: ['missing', 'shared', 'counted', 'twin', 'apart'], ...facts }),
  I({ of: ['unread'] }),
]

/** The same by id alone: of two calls that share one, who has only one result was not heard to be refused. */
export const unansweredById = (sure: typeof D, facts: Facts = {}): readonly Law[] => [
  sure({ of: ['missing', 'counted', 'apart'], ...facts }),
  I({ of: ['shared', 'twin', 'unread'] }),
]

/** Arguments are a text of JSON; what is no text at all was not heard to be refused. */
export const jsonText = (sure: typeof D): readonly Law[] => [
  sure({ of: ['broken', 'empty'] }),
  I({ of: ['none', 'kind', 'object'] }),
]

/** Results want a call before them; one under the role of the first API was not heard to be refused. */
export const orphans = (sure: typeof D): readonly Law[] => [
  sure({ of: ['orphan', 'early', 'again', 'counted', 'shared', 'twin'] }),
  I({ of: ['legacy'] }),
]
