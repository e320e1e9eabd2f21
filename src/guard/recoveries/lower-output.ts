/**
 * Asks for a shorter answer where the one asked for does not fit beside the history, or is more than the model gives.
 */
import { type Path, valueAt, withValueAt } from '../../core/index.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const lowerOutput: Recovery = { id: 'lower-output', most: 2, try: lower }

/** Where the largest answer is said, whoever is asked. */
const PLACES: readonly Path[] = [
  ['max_tokens'],
  ['max_completion_tokens'],
  ['max_output_tokens'],
  ['generationConfig', 'maxOutputTokens'],
  ['generation_config', 'max_output_tokens'],
  ['inferenceConfig', 'maxTokens'],
  ['options', 'num_predict'],
]
/** Shorter answers than this are of no use: the history has to become shorter instead. */
const LEAST = 256
/** The smallest budget that thinking may have. */
const LEAST_THINKING = 1024

function lower({ body, refusal }: Attempt): Recovered | undefined {
  const asked = PLACES.filter((path) => typeof valueAt(body, path) === 'number')
  const most = Math.max(...asked.map((path) => valueAt(body, path) as number))
  const target = targetOf(refusal, most)
  if (asked.length === 0 || target === undefined || target >= most || target < Math.min(LEAST, most)) return undefined
  let lowered = body
  for (const path of asked) {
    if ((valueAt(lowered, path) as number) > target) lowered = withValueAt(lowered, path, target)
  }
  const fits = withThinking(lowered, target)
  return fits && { id: 'lower-output', body: fits, report: { from: most, to: target } }
}

function targetOf({ output, limit, actual }: Attempt['refusal'], most: number): number | undefined {
  if (output !== undefined) return output
  return limit !== undefined && actual !== undefined ? most - (actual - limit) : undefined
}

/** Thinking is part of the answer: its budget stays below it. */
function withThinking(body: Attempt['body'], target: number): Attempt['body'] | undefined {
  let fits = body
  for (const path of [['thinking'], ['additionalModelRequestFields', 'thinking']] as const) {
    const budget = valueAt(body, [...path, 'budget_tokens'])
    if (typeof budget !== 'number' || budget < target) continue
    if (target <= LEAST_THINKING) return undefined
    fits = withValueAt(fits, [...path, 'budget_tokens'], Math.max(LEAST_THINKING, Math.floor(target / 2)))
  }
  return fits
}
