/** The constraint that every service has: it takes messages and parts of its own dialect only. */
import type { Dialect } from '../core/index.ts'
import { dialects, dialectsBeside } from '../dialects/index.ts'
import type { ConstraintFor } from '../rules/index.ts'

/** Blocks inside results: those of other dialects, and calls, results and thoughts of its own, are rewritten. */
export function ownBlocks(native: readonly string[]) {
  return { native, others: dialects }
}

export function ownFormat(dialect: Dialect): ConstraintFor<'foreign-message'> {
  return { evidence: 'few-reports', others: dialectsBeside(dialect) }
}
