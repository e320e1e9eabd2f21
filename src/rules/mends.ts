/**
 * What the mends of other rules do to a history: a rule may have to ask before it reports.
 */
import type { Step, Walk } from '../core/index.ts'

/** Whether this rule is in force and its findings are mended. */
export function isMended(rule: string, { plan, strict }: Walk): boolean {
  return plan.bounds.get(rule)?.some(({ severity }) => severity === 'error' || strict) ?? false
}

/** The steps of all mends so far. */
export function mendingSteps(walk: Walk): readonly Step[] {
  return walk.found.filter((found) => walk.mends(found)).flatMap(({ steps }) => steps)
}
