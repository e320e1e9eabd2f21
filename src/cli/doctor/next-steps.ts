/** The commands that help with an explained error, each with its purpose. */
import type { ErrorExplanation } from '../../guard/rejections/explain.ts'
import { repairOf } from '../../guard/rejections/rule-costs.ts'

export type Step = readonly [command: string, purpose: string]

const PASTE: Step = ['suture doctor -', 'paste this error, then Ctrl-D: finds the session file and line with this id']
const LAST: Step = [
  'suture doctor --last',
  'session of a coding agent: checks the latest, prints the command to repair it',
]
const REPAIR: Step = ['suture repair FILE', 'history as JSON or JSONL: shows the repair as a diff, and how to write it']
const GATEWAY: Step = ['suture serve', 'your own program: a gateway that repairs requests and sends them again']
const COMPACT: Step = ['suture compact FILE', 'history as JSON or JSONL: prints a shorter one']
const SHRINK: Step = ['suture serve', 'your own program: a gateway that shrinks what is too long and sends it again']
const AGAIN: Step = ['suture serve', 'your own program: a gateway that does this for every request']
const LINT: Step = ['suture lint FILE', 'the rejected request as JSON: lists what the provider rejects in it']

/** Empty if no command helps: key, billing, a wrong parameter. */
export function nextSteps({ kind, rule, ids }: Pick<ErrorExplanation, 'kind' | 'rule' | 'ids'>): readonly Step[] {
  if (kind === 'unknown') return [LINT, LAST]
  if (kind === 'size') return [COMPACT, SHRINK]
  if (kind === 'retryable' || kind === 'model-output' || kind === 'output-limit') return [AGAIN]
  const repair = repairOf(rule)
  if (kind === 'other' || repair === undefined) return []
  if (repair === 'none') return [LINT]
  return [ids.length > 0 ? PASTE : LAST, REPAIR, GATEWAY]
}

export const COSTS = {
  safe: 'automatic, without loss',
  lossy: 'automatic; what it removes is kept in a patch and can be restored',
  none: 'not automatic: no edit of the history fixes it. Change the other fields of the request.',
} as const

export function stepLines(steps: readonly Step[]): readonly string[] {
  const width = Math.max(0, ...steps.map(([command]) => command.length)) + 2
  return steps.map(([command, purpose], i) => `  ${i === 0 ? 'next' : '    '}     ${command.padEnd(width)}${purpose}`)
}
