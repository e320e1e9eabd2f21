/** The constraint that every service has: it takes messages and parts of its own dialect only. */
import type { Dialect } from '../core/index.ts'
import { dialectsBeside } from '../dialects/index.ts'
import type { ConstraintFor } from '../rules/index.ts'

/** Blocks inside results: those of other dialects are rewritten. */
export function ownBlocks(dialect: Dialect, native: readonly string[]) {
  return { native, others: dialectsBeside(dialect) }
}

export function ownFormat(dialect: Dialect): ConstraintFor<'foreign-message'> {
  return { evidence: 'few-reports', others: dialectsBeside(dialect) }
}
