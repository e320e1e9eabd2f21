/**
 * Requests a shorter reply if the requested one does not fit together with the history, or exceeds what the model can
 * produce.
 */
import { outputLimit, withOutputLimit } from '../../dialects/output-limit.ts'
import { rememberOutput } from './accepted-settings.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const lowerOutput: Recovery = { id: 'lower-output', maxTimes: 2, try: lower }

function lower(attempt: Attempt): Recovered | undefined {
  const { body, rejection } = attempt
  const most = outputLimit(body)
  const target = most === undefined ? undefined : targetOf(rejection, most)
  const fits = target === undefined ? undefined : withOutputLimit(body, target)
  if (!fits || target === undefined) return undefined
  const report = { from: most, to: target }
  return { id: 'lower-output', body: fits, report, accepted: rememberOutput(attempt, target) }
}

function targetOf({ output, limit, actual }: Attempt['rejection'], most: number): number | undefined {
  if (output !== undefined) return output
  return limit !== undefined && actual !== undefined ? most - (actual - limit) : undefined
}
