/**
 * What the repair of each rule costs.
 */
import { rules } from '../../rules/index.ts'

/** `none`: no edit of the history helps. */
export type RepairCost = 'safe' | 'lossy' | 'none'

const costs: ReadonlyMap<string, RepairCost> = new Map(rules.map(({ id, repair }) => [id, repair]))

/** Undefined: no rule. */
export function repairOf(rule: string | undefined): RepairCost | undefined {
  return rule === undefined ? undefined : costs.get(rule)
}
