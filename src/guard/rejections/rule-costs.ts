/** What the repair of each rule costs. `none`: no edit of the history helps. */
import { rules } from '../../rules/index.ts'

const costs = new Map<string, (typeof rules)[number]['repair']>(rules.map(({ id, repair }) => [id, repair]))

/** Undefined: no rule. */
export function repairOf(rule: string | undefined): 'safe' | 'lossy' | 'none' | undefined {
  return costs.get(rule ?? '')
}
