/**
 * The constraint that every service has: it takes messages and parts of its own dialect only.
 */
import type { Dialect } from '../core/index.ts'
import { dialectsBeside } from '../dialects/index.ts'
import type { ConstraintFor } from '../rules/index.ts'

export function ownFormat(dialect: Dialect): ConstraintFor<'foreign-message'> {
  return { evidence: 'few-reports', others: dialectsBeside(dialect) }
}
