/**
 * A law: what a provider refuses, with how well that is known.
 * Facts only. What a law asks of a history is the rule's of the same id.
 */

/**
 * How well a fact is known: D documented, M many reports, F a few, S a single one, I inferred.
 * The first three make an error, the others a warning: an assumption never changes a history by itself.
 */
export type Evidence = 'D' | 'M' | 'F' | 'S' | 'I'

export type Severity = 'error' | 'warning'

export interface Law {
  readonly evidence: Evidence
  /** Holds for models of this name only. Without a named model such a law warns and edits nothing. */
  readonly models?: RegExp
  /** ... but not for models of this name. */
  readonly except?: RegExp
  /** Holds for these of the rule's findings only, by message id: what is sure and what is assumed are two laws of one rule. */
  readonly of?: readonly string[]
  /** What the rule wants to know beyond that: a pattern, a length, a list of roles. Each rule's page says what it reads. */
  readonly [fact: string]: unknown
}

/** Laws by rule id. `null` lifts a law that a base table has; several laws of one rule hold by model. */
export type Laws = Readonly<Record<string, Law | readonly Law[] | null>>

export interface Provider {
  readonly id: string
  /** Hosts that serve it, for the guard. */
  readonly hosts: readonly RegExp[]
  /** The dialects it serves, the usual one first, each with its laws. */
  readonly serves: readonly Service[]
}

export interface Service {
  readonly dialect: import('./dialect.ts').Dialect
  readonly laws: Laws
}

/** Longer names are cut before patterns see them: a name comes from a request and may be of any length. */
const LONGEST_MODEL = 256

export function severityOf(law: Law, model: string | undefined): Severity | undefined {
  const level = law.evidence === 'S' || law.evidence === 'I' ? 'warning' : 'error'
  const name = model?.slice(0, LONGEST_MODEL)
  if (!law.models) return name !== undefined && law.except?.test(name) ? undefined : level
  if (name === undefined) return 'warning'
  return law.models.test(name) && !law.except?.test(name) ? level : undefined
}
