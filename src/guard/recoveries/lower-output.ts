/**
 * Asks for a shorter answer where the one asked for does not fit beside the history, or is more than the model gives.
 */
import { loweredTo, mostAsked } from './output.ts'
import { rememberingOutput } from './settings.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const lowerOutput: Recovery = { id: 'lower-output', most: 2, try: lower }

function lower(attempt: Attempt): Recovered | undefined {
  const { body, refusal } = attempt
  const most = mostAsked(body)
  const target = most === undefined ? undefined : targetOf(refusal, most)
  const fits = target === undefined ? undefined : loweredTo(body, target)
  if (!fits || target === undefined) return undefined
  const report = { from: most, to: target }
  return { id: 'lower-output', body: fits, report, accepted: rememberingOutput(attempt, target) }
}

function targetOf({ output, limit, actual }: Attempt['refusal'], most: number): number | undefined {
  if (output !== undefined) return output
  return limit !== undefined && actual !== undefined ? most - (actual - limit) : undefined
}
