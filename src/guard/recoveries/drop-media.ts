/**
 * Replaces images by notes, if the caller allows it: all of them for a model that accepts none, the older half of a
 * request that has too many bytes.
 */
import type { RuleId } from '../../rules/index.ts'
import { rebindReasoning, repairStrictly } from './stricter-repair.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const dropMedia: Recovery = { id: 'drop-media', maxTimes: 1, try: replaceImages }

const UNSUPPORTED: RuleId = 'image-unsupported'
const OLDER: RuleId = 'image-too-many'

function replaceImages(attempt: Attempt): Recovered | undefined {
  const { options, rejection } = attempt
  if (options.shrinkMedia !== true) return undefined
  const rule = rejection.rule === UNSUPPORTED ? UNSUPPORTED : OLDER
  const { dialect } = attempt.service
  // Without the provider's own limit, which counts images and not their bytes.
  const service = { dialect, constraints: { [rule]: { evidence: 'documented' as const } } }
  const { body, edits } = repairStrictly(attempt, { rejectedBy: [rule], service })
  if (body === attempt.body) return undefined
  return { id: 'drop-media', ...rebindReasoning({ ...attempt, body }), report: { rule: rejection.rule, edits } }
}
